"""Counters become VASSAL pieces, and the game's prototypes their definitions.

What a counter of a face layout is, says ``prototypes.toml``; here its placeholders are filled with
the counter's own values, and every mistake is told with its place in that file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from builder.gamebox.model import Counter, FaceImage, Game, MapSheet, PieceTemplate, Prototype
from builder.problems import ProblemLog, Source, did_you_mean
from builder.vassal.codecs import WrongDataError
from builder.vassal.pieces import Piece, slot_text
from builder.vassal.sequence import UnencodableError
from builder.vassal.traits import BasicPiece, Trait, trait_from_data

__all__ = ["PieceMaker", "access_of", "prototype_pieces", "repeated"]

_PLACEHOLDER = re.compile(r"@\{([^{}]*)\}")
_WHOLE_NUMBER = re.compile(r"-?\d+")
_Places = Mapping[tuple[str | int, ...], Source]


def access_of(game: Game, side: str) -> tuple[str, ...]:
    """Return the seats that may touch the counters of a side, in the order of the roster."""
    return tuple(s.name for s in game.module.seat if not s.side or s.side == side)


def prototype_pieces(game: Game, log: ProblemLog) -> dict[str, Piece]:
    """Return name to definition of every prototype; its mistakes are noted."""
    pieces: dict[str, Piece] = {}
    for prototype in game.prototypes:
        traits = _traits(prototype.traits, prototype.places, prototype.source, game, log)
        pieces[prototype.name] = Piece(traits=traits, basic=BasicPiece())
    _check_nesting(game.prototypes, pieces, log)
    return pieces


def _check_nesting(
    prototypes: Sequence[Prototype], pieces: Mapping[str, Piece], log: ProblemLog
) -> None:
    """Note prototypes that use unknown ones, or themselves: VASSAL swallows the one silently."""
    uses = {
        name: [t.name for t in piece.traits if t.trait_id == "prototype;" and hasattr(t, "name")]
        for name, piece in pieces.items()
    }
    for prototype in prototypes:
        for used in uses[prototype.name]:
            if used not in pieces:
                log.add(prototype.source, f"unknown prototype {used!r}{did_you_mean(used, pieces)}")
        seen, open_ = set[str](), list(uses[prototype.name])
        while open_:
            name = open_.pop()
            if name == prototype.name:
                log.add(prototype.source, f"prototype {name!r} contains itself")
                break
            if name not in seen:
                seen.add(name)
                open_ += uses.get(name, [])


def _traits(
    data: Sequence[Mapping[str, object]],
    places: _Places,
    source: Source,
    game: Game,
    log: ProblemLog,
) -> tuple[Trait, ...]:
    traits: list[Trait] = []
    for index, item in repeated(data):
        trait = _trait(item, index, places, source, game, log)
        if trait is not None:
            traits.append(trait)
    return tuple(traits)


def _trait(
    item: Mapping[str, object],
    index: int,
    places: _Places,
    source: Source,
    game: Game,
    log: ProblemLog,
) -> Trait | None:
    try:
        trait = trait_from_data(item, game.module.vassal)
        slot_text(Piece(traits=(trait,), basic=BasicPiece()))
    except WrongDataError as error:
        for path, message in error.errors:
            shown = ".".join(str(p) for p in path)
            log.add(_place((index, *path), places, source), f"{shown}: {message}")
        return None
    except UnencodableError as error:
        log.add(_place((index,), places, source), str(error))
        return None
    return trait


def _place(path: tuple[str | int, ...], places: _Places, source: Source) -> Source:
    for end in range(len(path), 0, -1):
        if path[:end] in places:
            return places[path[:end]]
    return source


def repeated(
    data: Sequence[Mapping[str, object]],
) -> list[tuple[int, Mapping[str, object]]]:
    """Return traits with their index, those with ``each = [...]`` once for each of its words.

    ``@{each}`` in such a trait stands for the word; ``|`` splits a word into ``@{each:1}``,
    ``@{each:2}``, ...

    >>> data = [{"trait": "T", "each": ["a|x", "b|y"], "key": "<@{each:1}@{each:2}>"}]
    >>> [item["key"] for _, item in repeated(data)]
    ['<ax>', '<by>']
    """
    return [
        (index, {key: _unrolled(value) for key, value in table.items()})
        for index, item in enumerate(data)
        for table in _each(item)
    ]


def _each(item: Mapping[str, object]) -> list[Mapping[str, object]]:
    words = item.get("each")
    if not isinstance(words, list | tuple):
        return [item]
    plain = {key: value for key, value in item.items() if key != "each"}
    tables: list[Mapping[str, object]] = []
    for word in words:
        values = {"@{each}": str(word)}
        parts = str(word).split("|")
        values |= {f"@{{each:{number}}}": part for number, part in enumerate(parts, 1)}
        filled = _replaced(plain, values)
        assert isinstance(filled, dict), "a table stays a table"
        tables.append(filled)
    return tables


def _unrolled(value: object) -> object:
    """Unroll ``each`` in tables of lists, such as the commands of a property."""
    if not isinstance(value, list | tuple):
        return value
    return [
        table for item in value for table in (_each(item) if isinstance(item, Mapping) else [item])
    ]


def _replaced(value: object, values: Mapping[str, str]) -> object:
    match value:
        case str():
            if value in values and _WHOLE_NUMBER.fullmatch(values[value]):
                return int(values[value])
            for old, new in values.items():
                value = value.replace(old, new)
            return value
        case Mapping():
            return {key: _replaced(item, values) for key, item in value.items()}
        case list() | tuple():
            return [_replaced(item, values) for item in value]
        case _:
            return value


@dataclass(frozen=True, slots=True)
class _Context:
    """What placeholders of one counter stand for; ``@{a|b}`` is b where a is empty."""

    counter: Counter
    faces: Sequence[FaceImage]
    access: tuple[str, ...]
    access_by_side: Mapping[str, tuple[str, ...]]
    sheet: MapSheet


class _UnknownWordError(Exception):
    def __init__(self, word: str, known: Sequence[str]) -> None:
        super().__init__(f"no value {word!r} for '@{{{word}}}'{did_you_mean(word, known)}")


class PieceMaker:
    """Makes the pieces of one game; keeps the log that mistakes go to."""

    def __init__(
        self, game: Game, faces: Mapping[str, Sequence[FaceImage]], log: ProblemLog
    ) -> None:
        """Take the game, and counter id to its finished faces."""
        self.game = game
        self.faces = faces
        self.log = log
        self._told: set[tuple[Source, str]] = set()
        self._mistakes = 0

    def piece(self, counter: Counter, gpid: int) -> Piece | None:
        """Return the piece of a counter for its slot; ``None`` if there was a mistake."""
        template = self.game.pieces.get(counter.layout)
        if template is None:
            hint = did_you_mean(counter.layout, self.game.pieces)
            self._tell(
                counter.source, f"layout {counter.layout!r} has no [piece] in prototypes.toml{hint}"
            )
            return None
        context = _Context(
            counter,
            self.faces[counter.id],
            access_of(self.game, counter.side),
            {side.name: access_of(self.game, side.name) for side in self.game.sides},
            self.game.map,
        )
        before = self._mistakes
        traits: list[Trait] = []
        for index, item in repeated(template.traits):
            if not self._is_wanted(item, index, template, counter):
                continue
            mistakes = self._mistakes
            filled = self._filled(item, (index,), template, context)
            if not isinstance(filled, dict) or self._mistakes > mistakes:
                continue
            filled.pop("when", None)
            filled.pop("unless", None)
            self._check_prototype(filled, index, template)
            log = ProblemLog()
            trait = _trait(filled, index, template.places, template.source, self.game, log)
            for problem in log.problems:
                self._tell(problem.source, problem.message)
            if trait is not None:
                traits.append(trait)
        title = self._filled(template.title, ("title",), template, context)
        image = self._filled(template.image, ("image",), template, context)
        if self._mistakes > before:
            return None
        basic = BasicPiece(name=" ".join(str(title).split()), image=str(image), gpid=str(gpid))
        return Piece(traits=tuple(traits), basic=basic)

    def _tell(self, source: Source, message: str) -> None:
        """Note a mistake once, though a template serves many counters."""
        self._mistakes += 1
        if (source, message) not in self._told:
            self._told.add((source, message))
            self.log.add(source, message)

    def _is_wanted(
        self, item: Mapping[str, object], index: int, template: PieceTemplate, counter: Counter
    ) -> bool:
        """Tell whether ``when`` and ``unless`` let a trait pass.

        Each is the name of a field that must (not) be empty, or a table of a field and the values
        that it must (not) have.
        """
        for key, wants_value in (("when", True), ("unless", False)):
            condition = item.get(key)
            if condition is None:
                continue
            tests = condition if isinstance(condition, Mapping) else {str(condition): None}
            for name, allowed in tests.items():
                try:
                    value = counter.value(str(name))
                except KeyError:
                    source = _place((index, key), template.places, template.source)
                    hint = did_you_mean(str(name), counter.fields)
                    self._tell(source, f"{key}: counters have no column {name!r}{hint}")
                    return False
                values = allowed if isinstance(allowed, list | tuple) else [allowed]
                is_so = bool(value) if allowed is None else value in values
                if is_so is not wants_value:
                    return False
        return True

    def _check_prototype(
        self, data: Mapping[str, object], index: int, template: PieceTemplate
    ) -> None:
        known = [p.name for p in self.game.prototypes]
        name = data.get("name")
        if data.get("trait") in {"Prototype", "UsePrototype"} and name not in known:
            source = _place((index, "name"), template.places, template.source)
            self._tell(source, f"unknown prototype {name!r}{did_you_mean(str(name), known)}")

    def _filled(
        self,
        value: object,
        path: tuple[str | int, ...],
        template: PieceTemplate,
        context: _Context,
    ) -> object:
        match value:
            case str():
                try:
                    return _fill(value, context)
                except _UnknownWordError as error:
                    self._tell(_place(path, template.places, template.source), str(error))
                    return ""
            case Mapping():
                return {
                    key: self._filled(item, (*path, str(key)), template, context)
                    for key, item in value.items()
                }
            case list() | tuple():
                return [
                    self._filled(item, (*path, number), template, context)
                    for number, item in enumerate(value)
                ]
            case _:
                return value


def _fill(text: str, context: _Context) -> object:
    """Return a text with its placeholders filled; a lone placeholder keeps its value's type."""
    whole = _PLACEHOLDER.fullmatch(text)
    if whole:
        return _value(whole[1], context)
    return _PLACEHOLDER.sub(lambda found: _as_text(_value(found[1], context)), text)


def _as_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list):
        return " ".join(map(str, value))
    return str(value)


def _value(word: str, context: _Context) -> object:
    kind, _, names = word.partition(":")
    if kind in {"hex", "column", "row"} and names:
        return _place_hex(kind, names, context)
    if kind == "seats" and names:
        return " ".join(context.access_by_side.get(names, ()))
    if names:
        roles = names.split(",")
        found = [f for role in roles for f in _of_role(context.faces, role)]
        if not found:
            raise _UnknownWordError(word, [f"{kind}:{f.role}" for f in context.faces])
        match kind:
            case "face":
                return found[0].file
            case "faces":
                return [f.file for f in found]
            case "levels":
                return _level_names(found, len(roles) > 1)
            case _:
                raise _UnknownWordError(word, ["face:", "faces:", "levels:"])
    if "|" in word:
        first, _, rest = word.partition("|")
        return _value(first, context) or _value(rest, context)
    if word == "access":
        return list(context.access)
    if word == "seats":
        return " ".join(context.access)
    try:
        value = context.counter.value(word)
    except KeyError:
        raise _UnknownWordError(word, [*context.counter.fields, "id", "name"]) from None
    if isinstance(value, tuple):
        return _as_text(value)
    return "" if value is None else value


def _place_hex(kind: str, field: str, context: _Context) -> object:
    """Return the place that a field of the counter names: its hex, or a part of its number."""
    name = _as_text(_value(field, context))
    for place in context.sheet.places:
        if place.name != name:
            continue
        numbering = context.sheet.grid.numbering_of(place.hex)
        if kind == "hex" or numbering is None:
            return context.sheet.label(place.hex)
        if kind == "column":
            return place.hex.column + numbering.h_off
        return place.hex.row + numbering.v_off
    raise _UnknownWordError(f"{kind}:{field}", [])


def _of_role(faces: Sequence[FaceImage], role: str) -> list[FaceImage]:
    """Return the faces of a role, the lowest level first: the order of VASSAL's layers."""
    return sorted((f for f in faces if f.role == role), key=lambda f: f.level)


def _level_names(faces: Sequence[FaceImage], with_role: bool) -> list[str]:
    """Return what VASSAL appends to the name at each level: ``+ (2)``, or nothing if lone."""
    if len(faces) == 1:
        return [""]
    if with_role:
        return [f"+ ({f.role.capitalize()} {f.level})" for f in faces]
    return [f"+ ({f.level})" for f in faces]
