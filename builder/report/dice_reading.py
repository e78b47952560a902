"""Rolls in the steps of a log: what VASSAL, VASL and modules say in chat and properties.

A step is a sequence of :class:`Chat`, :class:`Property` and :class:`Symbols` values. One roll may
leave several traces in its step (a report, then ``X_result`` and its siblings); it is told once.
A program's report begins with ``*``; what somebody types begins with his name in angle brackets,
and is a roll only as "typed", whatever it looks like. All names and texts are hostile.

Sources: VASSAL classes ``DiceButton``, ``SpecialDiceButton``, ``RandomTextButton``,
``BasicLogger`` (undo); VASL's ``ASLDiceBot`` by its lines in public logs.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from builder.gamebox.lines import Grammar, Line, LineKey, LineVerb, parse_line
from builder.report.dice_stats import Roll, is_number

__all__ = ["Chat", "Property", "Step", "Symbols", "Undo", "rolls_in"]


@dataclass(frozen=True, slots=True)
class Chat:
    """A CHAT command's text, as it stands in the log."""

    text: str


@dataclass(frozen=True, slots=True)
class Property:
    """A change of a global property."""

    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Symbols:
    """A SHOW_RESULTS command: a button of symbol dice, the index of each face from 0."""

    button: str
    indexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """An UNDO mark; the step it stands in takes back an earlier one."""


Step: TypeAlias = Sequence[Chat | Property | Symbols | Undo]

_MAX_TEXT: Final = 2000
_MAX_DICE: Final = 500
_MAX_SIDES: Final = 1000
_MAX_ROLLS: Final = 200
_MAX_COMMANDS: Final = 1000
_MAX_NAMES: Final = 64
_UNDONE: Final = "* UNDO: "

# ---------------------------------------------------------------------------- one chat text

# Texts come here with every run of blanks made one (:func:`_tidy`), so that no pattern has to try
# many ways to share blanks among its parts.
_DICE: Final = re.compile(
    r"(?<![\w.])(?P<dice>[0-9]{1,3})?[dDwW](?P<sides>[0-9]{1,5}|%)(?P<bonus>[+-][0-9]{1,4})?(?!\w)"
)
_VASL: Final = re.compile(
    r"\*{1,3} ?\((?P<kind>[^()]{0,60}?\b(?P<sort>DR|dr))\) ?"
    r"(?P<faces>[0-9]{1,2}(?: ?, ?[0-9]{1,2})*) ?\*{3} ?-? ?(?P<rest>.*)"
)
_VASL_COUNT: Final = re.compile(r"<(?P<player>.*)> \[ ?[0-9]+ ?/")
_ANGLED: Final = re.compile(r"<(?P<player>[^<>]*)>")
# name = result, then the player in angle brackets, in parentheses, or nobody; the marks vary
_EQUALS: Final = re.compile(
    r"(?P<name>[^=*]{1,120}?) ?= ?(?P<result>[^=*<>()]{1,900}?) ?"
    r"(?:\((?P<list>[0-9 ,+-]{1,900})\))? ?(?P<end>\*{2,3})? ?"
    r"(?:<(?P<player>.*)>|\((?P<person>[^()]*)\))?[ *]{0,6}"
)
_SAYS: Final = re.compile(
    r"(?:<(?P<player>[^>]{1,80})>|(?P<person>[^<>]{1,80}?)) "
    r"(?:rolls?|rolled|throws?|threw)\b[ :]*(?P<rest>.{1,300})",
    re.IGNORECASE,
)
_TYPED: Final = re.compile(r"<(?P<name>.*?)> ?- ?")
_REPORT: Final = re.compile(r"\* ?(?:[|!?~`]{1,2} ?)?(?P<rest>.*)")
_LINE: Final = re.compile(r"\*{1,2} ?(?P<prefix>[A-Z][A-Z0-9]{0,19}): ?ROLL\b")

_ROLL_VERB: Final = LineVerb(
    "ROLL",
    {
        "kind": LineKey("kind", "word", is_optional=True),
        "side": LineKey("side", "word", is_optional=True),
        "n": LineKey("n", "integer", is_optional=True, minimum=0, maximum=_MAX_DICE),
        "faces": LineKey("faces", "word", is_list=True, is_optional=True),
    },
    "needs_dice",
)


def _of_text(text: str) -> Roll | None:
    """Return the roll that a report tells, unless it tells none."""
    line = _of_line(text)
    if line is not None:
        return line
    report = _REPORT.fullmatch(text)
    if report is None:
        return None
    body = report["rest"]
    return _of_vasl(text) or _of_equals(body) or _of_sentence(body.strip("* "))


def _tidy(text: str) -> str:
    """Return a chat text as plain words: entities read, blanks and control characters as one blank.

    >>> _tidy("** 2d6 =\\t7 *** &lt;Alice&gt;")
    '** 2d6 = 7 *** <Alice>'
    """
    if len(text) > _MAX_TEXT:
        return ""
    return re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", html.unescape(text)).strip()


def _of_line(text: str) -> Roll | None:
    """Read a module's own ``PREFIX: ROLL kind= side= n= faces=``, whatever the prefix."""
    found = _LINE.match(text)
    if found is None:
        return None
    grammar = Grammar(found["prefix"], re.compile("[0-9]{4}"), {"ROLL": _ROLL_VERB})
    line = parse_line(text, grammar)
    if not isinstance(line, Line):
        return None
    faces = line.fields.get("faces", ())
    count = line.fields.get("n")
    words = tuple(map(str, faces)) if isinstance(faces, tuple) else ()
    if not words or not all(words) or (isinstance(count, int) and count != len(words)):
        return None  # no dice, or a line that contradicts itself
    kind = f"{line.prefix} {line.fields.get('kind', 'ROLL')}"
    return Roll(str(line.fields.get("side", "")), kind, words, dice=len(words), evidence="line")


def _of_vasl(text: str) -> Roll | None:
    found = _VASL.match(text)
    if found is None:
        return None
    faces = _numbers(found["faces"])
    if faces is None or len(faces) != (2 if found["sort"] == "DR" else 1):
        return None
    player = _VASL_COUNT.match(found["rest"]) or _ANGLED.match(found["rest"])
    name = player["player"] if player else ""
    return Roll(name, found["kind"].strip(), faces, None, len(faces), 6, evidence="vasl")


def _of_equals(body: str) -> Roll | None:
    """Read ``** 2d6 = 3,4 *** <Alice>`` and its common variations."""
    found = _EQUALS.fullmatch(body.lstrip("* "))
    if found is None:
        return None
    name = found["name"].strip()
    # without the closing stars it is a roll only if its name says dice
    if not found["end"] and _DICE.search(name) is None:
        return None
    player = found["player"] or found["person"] or ""
    return _made(name, found["result"], found["list"], player, is_bracketed="[" in found["result"])


def _of_sentence(body: str) -> Roll | None:
    """Read ``Alice rolls 2d6: 3,4`` and ``Alice rolled 7 (2d6)``."""
    found = _SAYS.fullmatch(body)
    if found is None:
        return None
    dice = _DICE.search(found["rest"])
    if dice is None:
        return None
    left = f"{found['rest'][: dice.start()]} {found['rest'][dice.end() :]}"
    numbers = re.findall(r"(?<![\w.])-?[0-9]{1,9}(?![\w.])", left)
    count = int(dice["dice"] or 1)
    player = (found["player"] or found["person"] or "").strip()
    if not numbers or len(numbers) > _MAX_DICE:
        return None
    shown = numbers[:count]
    listed = ",".join(shown) if len(numbers) in (count, count + 1) else numbers[0]
    return _made(dice[0], listed, None, player, is_bracketed=False)


def _made(
    name: str, result: str, listed: str | None, player: str, *, is_bracketed: bool
) -> Roll | None:
    """Return a roll of a button ``name``; the dice in the name are believed if they fit."""
    count, sides, bonus = _dice_in(name)
    roll = Roll(player.strip(), name, (), None, count, sides, bonus)
    faces = _numbers(result.strip().strip("[]"))
    detail = None if listed is None else _numbers(listed.replace("+", ","))
    if faces is None:
        words = tuple(word.strip() for word in result.strip().strip("[]").split(","))
        if not is_bracketed or not all(words) or len(words) > _MAX_DICE:
            return None
        return roll._replace(faces=words, dice=count or len(words), sides=0, evidence="symbols")
    if detail is not None and len(faces) == 1:
        if sum(map(int, detail)) + bonus == int(faces[0]):
            return roll._replace(faces=detail, dice=count or len(detail))
        return roll._replace(total=int(faces[0]))
    if len(faces) > 1:
        return roll._replace(faces=faces, dice=max(count, len(faces)))
    if count == 1:
        return roll._replace(faces=(str(int(faces[0]) - bonus),))
    return roll._replace(total=int(faces[0]))


def _dice_in(name: str) -> tuple[int, int, int]:
    """Return number, sides and bonus of the dice that a button's name tells, 0 where it does not.

    >>> _dice_in("2d6"), _dice_in("attack D10"), _dice_in("red die")
    ((2, 6, 0), (1, 10, 0), (0, 0, 0))
    """
    found = _DICE.search(name)
    if found is None:
        return 0, 0, 0
    sides = 100 if found["sides"] == "%" else int(found["sides"])
    count = int(found["dice"] or 1)
    if not (1 <= count <= _MAX_DICE and 2 <= sides <= _MAX_SIDES):
        return 0, 0, 0
    return count, sides, int(found["bonus"] or 0)


def _numbers(text: str) -> tuple[str, ...] | None:
    """Return whole numbers joined by commas or blanks, without leading zeros."""
    parts = re.split(r" ?, ?| ", text.strip())
    if len(parts) > _MAX_DICE or not all(map(is_number, parts)):
        return None
    return tuple(str(int(part)) for part in parts)


# ------------------------------------------------------------------------------- one step


def rolls_in(
    steps: Iterable[Step], *, players: Iterable[str] = (), log: int = 1
) -> tuple[Roll, ...]:
    """Return the rolls of a log's steps in order, undone and typed ones marked.

    ``players`` are names from the log's roster: they are looked for in reports whose format is not
    known, where the values come from the properties that VASSAL's dice buttons set.
    """
    names = set(sorted(set(players) - {""})[:_MAX_NAMES])
    book = _Book([], {}, {})
    symbols: dict[tuple[str, int], str] = {}
    for number, commands in enumerate(steps, 1):
        step = commands[:_MAX_COMMANDS]
        taken_back = _taken_back(step)
        if taken_back is not None:
            book.take_back(step, taken_back)
            continue
        properties = [command for command in step if isinstance(command, Property)]
        for roll, text in _rolls_of(step, names, symbols):
            book.add(roll._replace(log=log, step=number), text, properties)
            if roll.player and roll.evidence != "line" and len(names) < _MAX_NAMES:
                names.add(roll.player)
    return tuple(_named(roll, symbols) for roll in book.rolls)


class _Change(NamedTuple):
    name: str
    old: str
    new: str


@dataclass(slots=True)
class _Book:
    """The rolls so far, and where an undo finds them: by their text, or by their property."""

    rolls: list[Roll]
    by_text: dict[str, list[int]]
    by_change: dict[_Change, list[int]]

    def add(self, roll: Roll, text: str, properties: Iterable[Property]) -> None:
        index = len(self.rolls)
        self.rolls.append(roll)
        if text:
            self.by_text.setdefault(text, []).append(index)
            return
        for change in properties:
            key = _Change(change.name, change.old, change.new)
            self.by_change.setdefault(key, []).append(index)

    def take_back(self, step: Step, texts: Iterable[str]) -> None:
        """Mark the latest rolls that the step takes back, which are all of one step."""
        piles = [self.by_text.get(text, []) for text in texts]
        for change in step:
            if isinstance(change, Property):
                key = _Change(change.name, change.new, change.old)
                piles.append(self.by_change.get(key, []))
        for pile in piles:
            while pile and self.rolls[pile[-1]].is_undone:
                pile.pop()
        latest = max((pile[-1] for pile in piles if pile), default=-1)
        at = self.rolls[latest].step if latest >= 0 else 0
        while latest >= 0 and self.rolls[latest].step == at:
            self.rolls[latest] = self.rolls[latest]._replace(is_undone=True)
            latest -= 1


def _taken_back(step: Step) -> tuple[str, ...] | None:
    """Return the chat texts that an undo repeats, ``None`` for a step that is no undo.

    Before 3.7 there is no mark: the repeated text tells it, or dice properties in the order last
    first (a roll sets ``X_result`` before its siblings).
    """
    texts = tuple(
        command.text.removeprefix(_UNDONE)
        for command in step
        if isinstance(command, Chat) and command.text.startswith(_UNDONE)
    )
    if texts or any(isinstance(command, Undo) for command in step):
        return texts
    seen: set[str] = set()
    for command in step:
        if isinstance(command, Property):
            button, _, part = command.name.rpartition("_")
            if part == "result" and button in seen:
                return ()
            if part in ("total", "keep", "summary"):
                seen.add(button)
    return None


def _rolls_of(
    step: Step, names: set[str], symbols: dict[tuple[str, int], str]
) -> Iterator[tuple[Roll, str]]:
    """Yield every roll of a step with the chat text that told it, each once."""
    told: list[tuple[Roll, str]] = []
    reports = []
    for command in step:
        if not isinstance(command, Chat):
            continue
        text, name, roll = _read_chat(command.text)
        if name is None and text.startswith("*"):
            reports.append(text)
            if roll is not None and len(told) < _MAX_ROLLS:
                told.append((roll, command.text))
        elif name:
            if roll is not None:
                yield roll, command.text
            elif len(names) < _MAX_NAMES:
                names.add(name)
    originals = [c.text for c in step if isinstance(c, Chat) and c.text.startswith("*")]
    beside = originals[0] if originals else ""
    results = list(_results(step, reports))
    shows = [command for command in step if isinstance(command, Symbols) and command.indexes]
    player = _name_in(reports, names) if shows or results else ""
    for command in shows:
        if len(told) < _MAX_ROLLS:
            _match_symbols(command, told, player, symbols, beside)
    values = {c.name: c.new for c in step if isinstance(c, Property)}
    told_by_symbols = {command.button for command in step if isinstance(command, Symbols)}
    for button, result in results:
        if button not in told_by_symbols and len(told) < _MAX_ROLLS:
            _match_property(button, result, values, told, player, beside)
    yield from told


@lru_cache(maxsize=4096)
def _read_chat(said: str) -> tuple[str, str | None, Roll | None]:
    """Return a chat text as plain words, who typed it, and the roll that it tells.

    Kept for the next time: dice have few results, and logs many rolls.
    """
    text = _tidy(said)
    typed = _TYPED.match(text)
    if typed is not None:
        name = typed["name"]
        return text, name, _typed(text[typed.end() :], name) if name else None
    return text, None, _of_text(text) if text.startswith("*") else None


def _typed(said: str, name: str) -> Roll | None:
    """Return a roll that somebody typed: whatever it says, he is the one who said it."""
    roll = _of_text(said if said.startswith("*") else f"* {said}")
    return None if roll is None else roll._replace(player=name, is_typed=True)


def _match_symbols(
    command: Symbols,
    told: list[tuple[Roll, str]],
    player: str,
    symbols: dict[tuple[str, int], str],
    beside: str,
) -> None:
    """Join a SHOW_RESULTS with the report beside it, which may name the faces."""
    for roll, _ in told:
        if _is_named(roll) and len(roll.faces) == len(command.indexes):
            for index, face in zip(command.indexes, roll.faces, strict=True):
                symbols.setdefault((command.button, index), face)
            return
    faces = tuple(f"{command.button}\0{index}" for index in command.indexes[:_MAX_DICE])
    for place, (roll, text) in enumerate(told):
        # VASSAL's default report names the first die only
        if _is_named(roll) and roll.kind == command.button and len(roll.faces) == 1:
            symbols.setdefault((command.button, command.indexes[0]), roll.faces[0])
            told[place] = (roll._replace(faces=faces, dice=len(faces), evidence="symbols"), text)
            return
    told.append((Roll(player, command.button, faces, dice=len(faces), evidence="symbols"), beside))


def _is_named(roll: Roll) -> bool:
    """Whether a report named the faces; those of another SHOW_RESULTS wait for their names."""
    return not any("\0" in face for face in roll.faces)


def _named(roll: Roll, symbols: dict[tuple[str, int], str]) -> Roll:
    """Give the faces of symbol dice their names, as far as the log ever told them."""
    if roll.evidence != "symbols":
        return roll
    faces = []
    for face in roll.faces:
        button, mark, index = face.rpartition("\0")
        faces.append(symbols.get((button, int(index)), f"face {int(index) + 1}") if mark else face)
    return roll._replace(faces=tuple(faces))


def _results(step: Step, reports: Sequence[str]) -> Iterator[tuple[str, Property]]:
    """Yield the ``X_result`` changes that are of dice, with the name X."""
    changed = {c.name for c in step if isinstance(c, Property)}
    told = "\n".join(reports)
    for command in step:
        if not isinstance(command, Property) or not command.name.endswith("_result"):
            continue
        button = command.name.removesuffix("_result")
        has_siblings = f"{button}_total" in changed or f"{button}_keep" in changed
        is_reported = command.new in told
        numbers = _numbers(command.new)
        # a text alone, such as the weather of the turn, need not be of dice
        is_list = numbers is not None or "," in command.new
        if has_siblings or (is_list and (is_reported or not reports)):
            yield button, command


def _match_property(
    button: str,
    result: Property,
    values: Mapping[str, str],
    told: list[tuple[Roll, str]],
    player: str,
    beside: str,
) -> None:
    """Join ``X_result`` with the report beside it, or make a roll of it where none was read."""
    shown = ",".join(part.strip() for part in result.new.split(","))
    for place, (roll, text) in enumerate(told):
        if roll.kind == button or roll.result == shown:
            told[place] = (_completed(roll, button, values), text)
            return
    made = _made(button, _tidy(result.new), None, player, is_bracketed=True)
    if made is None:
        return
    if made.evidence != "symbols":
        made = made._replace(evidence="property")
    told.append((_completed(made, button, values), beside))


def _completed(roll: Roll, button: str, values: Mapping[str, str]) -> Roll:
    """Add what a button's other properties tell: how many dice were kept, and which faces."""
    keep = values.get(f"{button}_keep", "")
    if is_number(keep) and 0 < int(keep) < roll.dice:
        roll = roll._replace(kept=int(keep))
    summary = _summed(values.get(f"{button}_summary", ""))
    if not roll.faces and summary and sum(map(int, summary)) + roll.bonus == roll.total:
        roll = roll._replace(faces=summary)
    return roll


def _summed(summary: str) -> tuple[str, ...]:
    """Return the dice that ``5 x1, 6 x1`` counts, empty if it is no such text."""
    faces: list[str] = []
    for part in summary.split(","):
        found = re.fullmatch(r"\s*(-?[0-9]{1,9}) x([0-9]{1,3})\s*", part)
        if found is None or len(faces) + int(found[2]) > _MAX_DICE:
            return ()
        faces += [str(int(found[1]))] * int(found[2])
    return tuple(faces)


def _name_in(reports: Sequence[str], names: set[str]) -> str:
    """Return the player whom reports of unknown format name: in brackets, or a known name."""
    for text in reports:
        angled = _ANGLED.search(text)
        if angled is not None:
            return angled["player"]
        words = [n for n in names if re.search(rf"(?<!\w){re.escape(n)}(?!\w)", text)]
        if words:
            return max(words, key=lambda n: (len(n), n))
    return ""
