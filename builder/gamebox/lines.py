"""The lines by which a module says in chat what happens: ``PREFIX: VERB key=value key=value``.

A VASSAL log shows positions and states; who attacks whom stands only in these lines. The verbs of
a game are data (``lines.toml``); :func:`parse_line` reads the text of a chat command and tells a
module's own line from one that somebody typed, :func:`write_line` makes a line that parses back.

VASSAL puts ``* `` before a report (``*`` alone before the report of a button on 3.6) and the
player's name before what is typed, the latter as ``&lt;Name&gt; - `` or ``<Name> - ``. An undone
step repeats its line after ``UNDO: ``: that is no new line.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from builder.gamebox.lines_file import KeyKind, KeyTable, LinesFile, Trust, VerbTable
from builder.problems import BuilderError, ProblemLog, Source, UnreadableError, did_you_mean
from builder.reading import TomlFile, read_toml, salvaged

__all__ = [
    "Grammar",
    "Line",
    "LineError",
    "LineKey",
    "LineProblem",
    "LineValue",
    "LineVerb",
    "open_lines",
    "parse_line",
    "required_lines",
    "write_line",
]

LineValue: TypeAlias = str | int | tuple[str, ...] | tuple[int, ...]

MAX_LENGTH: Final = 2000
"""A longer chat text that begins like a line is a problem, not a line."""


class LineError(BuilderError):
    """A line that cannot be written: an unknown verb or key, or a value the chat would spoil."""


@dataclass(frozen=True, slots=True)
class LineKey:
    """One key of a verb, as ``lines.toml`` has it."""

    name: str
    kind: KeyKind
    choices: tuple[str, ...] = ()
    is_list: bool = False
    is_optional: bool = False
    minimum: int | None = None
    maximum: int | None = None
    help: str = ""


@dataclass(frozen=True, slots=True)
class LineVerb:
    """One verb: its keys in writing order, when a line of it counts, and who writes it.

    ``writers`` is empty for a verb that only players type.
    """

    name: str
    keys: Mapping[str, LineKey]
    trust: Trust
    writers: tuple[str, ...] = ()
    evidence: str = ""
    help: str = ""
    source: Source = field(default=Source(""), compare=False)


@dataclass(frozen=True, slots=True)
class Grammar:
    """The lines of one game. ``hexes`` is the pattern of a printed hex number."""

    prefix: str
    hexes: re.Pattern[str]
    verbs: Mapping[str, LineVerb]


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was read.

    ``typist`` is the name of the player who typed it, ``None`` for the module's own. ``unknown``
    holds keys that the grammar does not know, as written.
    """

    prefix: str
    verb: str
    fields: Mapping[str, LineValue]
    unknown: Mapping[str, str] = field(default_factory=dict)
    typist: str | None = None

    @property
    def is_own(self) -> bool:
        """Whether the module itself wrote it."""
        return self.typist is None


@dataclass(frozen=True, slots=True)
class LineProblem:
    """A chat text that begins like one of our lines and cannot be read; what is wrong with it."""

    text: str
    message: str
    typist: str | None = None


# ------------------------------------------------------------------------------------- reading

_BLANKS: Final = " \t\u00a0\u2007\u202f"
# Greedy: a player may call himself "X> - Y"; the name ends at the last mark before the line.
_TYPED: Final = re.compile(rf"\s*<(?P<name>.*)>[{_BLANKS}]*-[{_BLANKS}]*\**[{_BLANKS}]*", re.DOTALL)
_OWN: Final = re.compile(rf"[{_BLANKS}]*\*{{1,2}}[{_BLANKS}]*")


def parse_line(text: str, grammar: Grammar) -> Line | LineProblem | None:
    r"""Read the whole text of one chat command; ``None`` if it is not one of the game's lines.

    >>> verb = LineVerb("VP", {"value": LineKey("value", "integer")}, "needs_change")
    >>> dz = Grammar("DZ", re.compile(r"[0-9]{4}"), {"VP": verb})
    >>> parse_line("* DZ: VP value=13", dz)
    Line(prefix='DZ', verb='VP', fields={'value': 13}, unknown={}, typist=None)
    >>> parse_line("&lt;Bob&gt; - DZ: VP value=x", dz).message
    "value: expected a whole number, got 'x'"
    >>> parse_line("* UNDO: * DZ: VP value=13", dz) is None
    True
    """
    # Anyone can type anything, so only a text that has a name in front is ever somebody's, and
    # only one that has none is ever the module's.
    plain = html.unescape(text)
    own = _OWN.match(plain)
    if own is not None:
        return _after_mark(plain[own.end() :], None, grammar)
    mark = re.compile(rf"{_TYPED.pattern}(?={grammar.prefix}:)", re.IGNORECASE | re.DOTALL)
    typed = mark.match(plain) if len(plain) <= MAX_LENGTH * 2 else None
    if typed is None:
        return None
    return _after_mark(plain[typed.end() :], typed["name"], grammar)


def _after_mark(text: str, typist: str | None, grammar: Grammar) -> Line | LineProblem | None:
    flags = 0 if typist is None else re.IGNORECASE  # fingers are not exact, modules are
    begun = re.match(rf"{grammar.prefix}:", text, flags)
    if begun is None:
        return None
    rest = text[begun.end() :].strip(_BLANKS + "\r\n")

    def problem(message: str) -> LineProblem:
        return LineProblem(text[:MAX_LENGTH], message, typist)

    if len(text) > MAX_LENGTH:
        return problem(f"longer than {MAX_LENGTH} characters")
    if "\n" in rest or "\r" in rest:
        return problem("more than one line")
    word, _, tail = _spaced(rest).partition(" ")
    name = word if typist is None else word.upper()
    verb = grammar.verbs.get(name)
    if verb is None:
        return problem(f"unknown verb {word[:40]!r}" + did_you_mean(name, grammar.verbs))
    values = _pairs(tail, verb)
    if isinstance(values, str):
        return problem(values)
    fields: dict[str, LineValue] = {}
    for key in verb.keys.values():
        value = values.pop(key.name, "")
        if value:
            found = _value(key, value, grammar)
            if found is None:
                return problem(f"{key.name}: {_expected(key)}, got {value[:40]!r}")
            fields[key.name] = found
        elif not key.is_optional:
            return problem(f"{verb.name}: no value of {key.name}")
    return Line(grammar.prefix, verb.name, fields, values, typist)


def _spaced(text: str) -> str:
    return re.sub(rf"[{_BLANKS}]", " ", text)


def _pairs(text: str, verb: LineVerb) -> dict[str, str] | str:
    """Cut ``key=value key=value``; a text instead says what is wrong."""
    values: dict[str, str] = {}
    at = 0
    while True:
        while text[at : at + 1] == " ":
            at += 1
        if at >= len(text):
            return values
        end = text.find(" ", at)
        end = len(text) if end < 0 else end
        name, equals, value = text[at:end].partition("=")
        if not equals or not name:
            return f"expected key=value, got {text[at:end][:40]!r}"
        if name in values:
            return f"{name[:40]!r} stands twice"
        key = verb.keys.get(name)
        if key is not None and key.kind == "rest":
            value, end = text[at + len(name) + 1 :].strip(), len(text)
        values[name] = value
        at = end


def _value(key: LineKey, text: str, grammar: Grammar) -> LineValue | None:
    if not key.is_list:
        return _one(key, text, grammar)
    parts = [_one(key, part, grammar) for part in text.split(",")]
    if key.kind == "integer":
        numbers = tuple(p for p in parts if isinstance(p, int))
        return numbers if len(numbers) == len(parts) else None
    words = tuple(p for p in parts if isinstance(p, str))
    return words if len(words) == len(parts) else None


_INTEGER: Final = re.compile(r"-?[0-9]{1,9}")
_BOX: Final = re.compile(r"[A-Za-z][^\s,=]*")


def _one(key: LineKey, text: str, grammar: Grammar) -> str | int | None:
    match key.kind:
        case "integer":
            if _INTEGER.fullmatch(text) is None:
                return None
            number = int(text)
            low = key.minimum is None or number >= key.minimum
            return number if low and (key.maximum is None or number <= key.maximum) else None
        case "hex":
            return text if grammar.hexes.fullmatch(text) else None
        case "place":
            fits = grammar.hexes.fullmatch(text) or _BOX.fullmatch(text)
            return text if fits else None
        case "choice":
            return text if text in key.choices else None
        case "word" | "rest":
            return text or None


def _expected(key: LineKey) -> str:
    several = " (several joined by commas)" if key.is_list else ""
    match key.kind:
        case "integer":
            words = "a whole number"
            if key.minimum is not None or key.maximum is not None:
                low = "" if key.minimum is None else f" from {key.minimum}"
                words += low + ("" if key.maximum is None else f" up to {key.maximum}")
        case "hex":
            words = "the number of a hex"
        case "place":
            words = "the number of a hex or the name of a box"
        case "choice":
            words = "one of " + " ".join(key.choices)
        case "word" | "rest":
            words = "a word"
    return f"expected {words}{several}"


# ------------------------------------------------------------------------------------- writing


def write_line(verb: str, fields: Mapping[str, LineValue], grammar: Grammar) -> str:
    """Return a line without any mark before it; keys stand in the order of the grammar.

    Raises :class:`LineError` for an unknown verb or key, a required key without a value, a value
    that its kind does not allow, and for what VASSAL's chat would spoil: blanks in a word, angle
    brackets (they are HTML there) and line ends. No line can begin with a character by which the
    chat colors it, as it begins with the prefix.

    >>> verb = LineVerb("VP", {"value": LineKey("value", "integer")}, "needs_change")
    >>> write_line("VP", {"value": 13}, Grammar("DZ", re.compile("[0-9]{4}"), {"VP": verb}))
    'DZ: VP value=13'
    """
    known = grammar.verbs.get(verb)
    if known is None:
        raise LineError(f"unknown verb {verb!r}{did_you_mean(verb, grammar.verbs)}")
    for name in fields:
        if name not in known.keys:
            raise LineError(f"{verb} has no key {name!r}{did_you_mean(name, known.keys)}")
    parts = [f"{grammar.prefix}: {verb}"]
    for key in known.keys.values():
        if key.name in fields:
            parts.append(f"{key.name}={_written(verb, key, fields[key.name], grammar)}")
        elif not key.is_optional:
            raise LineError(f"{verb}: no value of {key.name}")
    line = " ".join(parts)
    if len(line) > MAX_LENGTH:
        raise LineError(f"{verb}: longer than {MAX_LENGTH} characters")
    return line


def _written(verb: str, key: LineKey, value: LineValue, grammar: Grammar) -> str:
    text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
    spoiled = r"[<>&\r\n\t]" if key.kind == "rest" else r"[<>&\s]"
    found = re.search(spoiled, text)
    if found is not None:
        raise LineError(f"{verb} {key.name}: {found[0]!r} cannot stand in a line: {text[:60]!r}")
    # "rest" loses blanks at its ends
    if not text or text != text.strip() or _value(key, text, grammar) != value:
        raise LineError(f"{verb} {key.name}: {_expected(key)}, got {text[:60]!r}")
    return text


# --------------------------------------------------------------------------------- lines.toml


def required_lines(folder: Path) -> Grammar:
    """Return the grammar of a game that cannot be played without one.

    Raises :class:`~builder.problems.DataError` with every mistake in ``lines.toml``, and
    :class:`~builder.problems.UnreadableError` if there is no such file.
    """
    log = ProblemLog()
    grammar = open_lines(folder, log)
    log.check()
    if grammar is None:
        raise UnreadableError(f"{folder.name} has no lines.toml")
    return grammar


def open_lines(folder: Path, log: ProblemLog) -> Grammar | None:
    """Return the grammar in ``lines.toml`` of a game's folder; ``None`` if it has no such file.

    Notes every mistake with its place; what is right is returned all the same.
    """
    path = folder / "lines.toml"
    if not path.is_file():
        return None
    toml = read_toml(path, log)
    file = salvaged(toml, LinesFile, log)[0] if toml else None
    if file is None or toml is None:
        return None
    if re.fullmatch(r"[A-Z][A-Z0-9]*", file.prefix) is None:
        message = f"prefix: expected capitals and digits, got {file.prefix!r}"
        log.add(toml.source("prefix"), message)
    verbs = {}
    for name, table in file.verb.items():
        if re.fullmatch(r"[A-Z][A-Z0-9_]*", name) is None:
            log.add(toml.source("verb", name), f"expected a verb in capitals, got {name!r}")
        for message, source in _verb_problems(name, table, toml):
            log.add(source, message)
        keys = {n: _key(n, k) for n, k in table.key.items()}
        verbs[name] = LineVerb(
            *(name, keys, table.trust, table.writers, table.evidence, table.help),
            toml.source("verb", name),
        )
    return Grammar(file.prefix, _pattern(file.hex, toml, log), verbs)


def _key(name: str, table: KeyTable) -> LineKey:
    return LineKey(
        name=name,
        kind=table.type,
        choices=table.choices,
        is_list=table.list,
        is_optional=table.optional,
        minimum=table.min,
        maximum=table.max,
        help=table.help,
    )


def _pattern(text: str, toml: TomlFile, log: ProblemLog) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        log.add(toml.source("hex"), f"hex: not a pattern: {error}")
        return re.compile(r"[0-9]+")


_WRITER: Final = re.compile(r"(prototype|piece|button) \S.*|tracker|unmove")


def _verb_problems(name: str, table: VerbTable, toml: TomlFile) -> Iterable[tuple[str, Source]]:
    for number, writer in enumerate(table.writers):
        if _WRITER.fullmatch(writer) is None:
            yield (
                f"writers: expected prototype NAME, piece LAYOUT, button NAME, tracker or unmove, "
                f"got {writer!r}",
                toml.source("verb", name, "writers", number),
            )
    if table.trust == "typed_by_both" and table.writers:
        yield "writers: a line that both sides type has none", toml.source("verb", name, "writers")
    if table.trust in {"needs_dice", "needs_change"} and not table.evidence:
        message = f"evidence: say what bears the line out, as it is {table.trust}"
        yield message, toml.source("verb", name)
    for key_name, key in table.key.items():
        place = ("verb", name, "key", key_name)
        if re.fullmatch(r"[a-z][a-z0-9_]*", key_name) is None:
            yield f"expected a key in small letters, got {key_name!r}", toml.source(*place)
        if (key.type == "choice") != bool(key.choices):
            yield "choices: a choice has them, and nothing else does", toml.source(*place)
        for choice in key.choices:
            if re.fullmatch(r"[^\s,<>&=]+", choice) is None:
                yield f"choices: {choice!r} cannot stand in a line", toml.source(*place, "choices")
        if key.type != "integer" and (key.min is not None or key.max is not None):
            yield "min and max are for integers", toml.source(*place)
        if key.min is not None and key.max is not None and key.min > key.max:
            yield "min is above max", toml.source(*place, "min")
        if key.type == "rest" and (key.list or key_name != next(reversed(table.key))):
            yield "the rest of a line is one text and its last key", toml.source(*place)
