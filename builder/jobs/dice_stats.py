"""Reads logs of one game and counts their dice, each roll once."""

from __future__ import annotations

import gc
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from builder.gamebox.open import read_game
from builder.problems import UsageError
from builder.report.dice_groups import DiceOf, summarize
from builder.report.dice_reading import Chat, Property, Step, Symbols, Undo, rolls_in
from builder.report.dice_report import DiceReport, LogDice
from builder.report.dice_stats import EVERYONE, Die, Roll, is_number, numbered_die
from builder.report.log_repeats import Repeat, StepKey, find_repeats
from builder.vassal import commands
from builder.vassal.command_tree import parse_tree, walk
from builder.vassal.savefile import read_save
from builder.vassal.words import any_of
from builder.workspace import Workspace

__all__ = ["dice_stats", "die_of_text"]

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class _ReadLog:
    steps: tuple[Step, ...]
    keys: tuple[StepKey, ...]
    seats: tuple[tuple[str, str], ...]
    ids: frozenset[str]


def _silent(_what: str, _done: int, _total: int) -> None:
    """Report nothing."""


def dice_stats(
    paths: Sequence[Path],
    *,
    dice: Mapping[str, Die] | None = None,
    workspace: Workspace | None = None,
    typed: bool = False,
    progress: Progress = _silent,
) -> DiceReport:
    """Return the statistics of the logs in the order given.

    ``dice`` are definitions by kind. The dice of module-made ``ROLL`` lines are taken from the
    game of ``workspace`` whose lines have the same prefix. Typed rolls are groups of their own if
    ``typed``. Raises :class:`UnreadableError` for a file that is no save or log.
    """
    was_collecting = gc.isenabled()
    # A log of 100,000 rolls makes millions of values and no circle: looking for one takes longer
    # than the counting.
    gc.disable()
    try:
        return _report(paths, dice or {}, workspace, typed, progress)
    finally:
        if was_collecting:
            gc.enable()


def _report(
    paths: Sequence[Path],
    dice: Mapping[str, Die],
    workspace: Workspace | None,
    typed: bool,
    progress: Progress,
) -> DiceReport:
    read = []
    for number, path in enumerate(paths):
        progress(f"reading {path.name}", number, len(paths))
        read.append(_read(path))
    progress("counting", len(paths), len(paths))
    repeats = find_repeats([log.keys for log in read])
    found: list[Roll] = []
    for number, log in enumerate(read, 1):
        names = [name for name, _ in log.seats]
        found += rolls_in(log.steps, players=names, log=number)
    # who takes his password for a name must not see it in a report
    ids = frozenset[str]().union(*(log.ids for log in read))
    masked = _masking(ids)
    words = {word for roll in found for word in (roll.player, roll.kind, *roll.faces)}
    masks = {word: mask for word in words if (mask := masked(word)) != word}
    if masks:
        found = [
            roll._replace(
                player=masks.get(roll.player, roll.player),
                kind=masks.get(roll.kind, roll.kind),
                faces=tuple([masks.get(face, face) for face in roll.faces]),
            )
            for roll in found
        ]
    taken_back = {
        repeats.origin[roll.log, roll.step]
        for roll in found
        if roll.is_undone and (roll.log, roll.step) in repeats.origin
    }
    counted = [
        roll._replace(is_undone=True) if (roll.log, roll.step) in taken_back else roll
        for roll in found
        if (roll.log, roll.step) not in repeats.origin
    ]
    shown = [roll for roll in counted if typed or not roll.is_typed]
    seats = {(masked(name), masked(side)) for log in read for name, side in log.seats}
    known = _known_dice(shown, dice, workspace)
    logs = tuple(
        LogDice(
            path.name,
            len(log.steps),
            sum(r.log == number and not r.is_typed and not r.is_undone for r in counted),
            sum(r.log == number and (number, r.step) in repeats.origin for r in found),
        )
        for number, (path, log) in enumerate(zip(paths, read, strict=True), 1)
    )
    telling = [run for run in repeats.runs if _has_rolls(run, found)]
    doubtful = [run for run in repeats.doubtful if _has_rolls(run, found)]
    return DiceReport(
        logs,
        summarize(shown, known),
        tuple(shown),
        tuple(sorted(seats)),
        tuple(telling),
        _repeat_notes(telling, doubtful, logs),
        0 if typed else sum(roll.is_typed for roll in counted),
    )


# ---------------------------------------------------------------------------------------- reading

_LOG: Final = "LOG\t"
_READ: Final = ("CHAT", "MutableProperty\t", "SHOW_RESULTS\t", "UNDO\t")
_DICE_PROPERTY: Final = re.compile(r"MutableProperty\t[^\t]*_(?:result|total|keep|summary)\t")
# A new stack's id is the moment of its making; a marker is put on and off the same unit often.
_PIECE_BITS: Final = {"+/": 24.0, "-/": 8.0, "D/": 3.0, "M/": 8.0}
_DIE_BITS: Final = math.log2(6)
_TYPED_BITS: Final = 24.0


def _read(path: Path) -> _ReadLog:
    root = parse_tree(read_save(path).text)
    steps: list[Step] = []
    keys: list[StepKey] = []
    seats: dict[tuple[str, str], None] = {}
    ids: set[str] = set()
    for child in root.children:
        is_step = child.text.startswith(_LOG)
        texts = []
        for node in walk(child):
            text = commands.unlogged(node.text)
            if text.startswith(("PLAYER\t", "M/")):
                match commands.decode_command(text):
                    case commands.Player(id=player, name=name, side=side):
                        seats[name, side] = None
                        ids.add(player.reveal())
                    case commands.MovePiece(player=player) if player is not None:
                        ids.add(player.reveal())
                    case _:
                        pass
            if is_step and text not in ("", "null"):
                texts.append(text)
        if is_step:
            steps.append(_step(texts))
            keys.append(_key(texts))
    return _ReadLog(tuple(steps), tuple(keys), tuple(seats), frozenset(ids - {""}))


def _escaped(word: str) -> list[str]:
    return [re.escape(char) for char in word]


def _masking(ids: frozenset[str]) -> Callable[[str], str]:
    """Return a function that puts ``(player 1)`` for every id that stands in a name as a word."""
    numbers = {player: n for n, player in enumerate(sorted(ids), 1)}
    if not numbers:
        return lambda name: name
    words = re.compile(rf"(?<!\w){any_of(map(_escaped, numbers))}(?!\w)")
    return lambda name: words.sub(lambda found: f"(player {numbers[found[0]]})", name)


def _step(texts: Sequence[str]) -> Step:
    step: list[Chat | Property | Symbols | Undo] = []
    for text in texts:
        if not text.startswith(_READ):
            continue
        match commands.decode_command(text):
            case commands.Chat(text=said):
                step.append(Chat(said))
            case commands.MutableProperty(name=name, old=old, new=new):
                step.append(Property(name, old, new))
            case commands.ShowResults(button=button, faces=faces):
                step.append(Symbols(button, faces))
            case commands.Undo():
                step.append(Undo())
            case _:
                pass  # a damaged command is not read, as VASSAL does not
    return tuple(step)


def _key(texts: Sequence[str]) -> StepKey:
    """Return what of a step stays when it is replayed and recorded again."""
    # 3.6 reads neither the properties of dice buttons nor SHOW_RESULTS back
    kept = tuple(
        text
        for text in texts
        if not text.startswith("SHOW_RESULTS\t") and _DICE_PROPERTY.match(text) is None
    )
    bits = 0.0
    for text in kept:
        if text[:2] in _PIECE_BITS:
            bits += _PIECE_BITS[text[:2]]
        elif text.startswith(("CHAT<", "CHAT&lt;")):
            bits += min(_TYPED_BITS, len(text.rpartition("- ")[2]))
        elif text.startswith("CHAT*"):
            bits += _DIE_BITS * len(re.findall(r"(?<![\w.])[1-9]\b", text[:500]))
        else:
            bits += 1
    return StepKey(kept, bits)


def _has_rolls(run: Repeat, rolls: Sequence[Roll]) -> bool:
    return any(roll.log == run.log and run.first <= roll.step <= run.last for roll in rolls)


def _repeat_notes(
    repeats: Sequence[Repeat], doubtful: Sequence[Repeat], logs: Sequence[LogDice]
) -> tuple[str, ...]:
    notes = []
    for run in repeats:
        here, there = logs[run.log - 1].name, logs[run.of - 1].name
        notes.append(
            f"{here}: {_steps(run.first, run.last)} repeat"
            f"{'s' if run.first == run.last else ''} {_steps(run.of_first, run.of_last)} of "
            f"{there}: not counted again"
        )
    for run in doubtful:
        here, there = logs[run.log - 1].name, logs[run.of - 1].name
        notes.append(
            f"{here}: {_steps(run.first, run.last)} are the same as in {there}; "
            "that can be chance, so they were counted"
        )
    return tuple(notes)


def _steps(first: int, last: int) -> str:
    return f"step {first}" if first == last else f"steps {first}-{last}"


# ------------------------------------------------------------------------------- known dice


def die_of_text(text: str) -> Die:
    """Return the die that a user describes: ``d6``, or all its sides joined by commas.

    Raises :class:`UsageError`.

    >>> die_of_text("hit,hit,miss").weights
    (2, 1)
    """
    plain = re.fullmatch(r"1?[dD]([0-9]{1,4})", text.strip())
    if plain is not None and int(plain[1]) >= 2:
        return numbered_die(int(plain[1]))
    sides = [side.strip() for side in text.split(",")]
    if len(sides) < 2 or not all(sides):
        raise UsageError(f"expected a die such as d6 or hit,hit,miss, got {text!r}")
    return _die(sides)


def _die(sides: Sequence[str]) -> Die:
    faces = list(dict.fromkeys(sides))
    if all(map(is_number, faces)):
        faces.sort(key=int)
    return Die(tuple(faces), tuple(sides.count(face) for face in faces))


def _known_dice(
    rolls: Sequence[Roll], given: Mapping[str, Die], workspace: Workspace | None
) -> DiceOf:
    known = {(EVERYONE, kind): die for kind, die in given.items()}
    lines = [roll for roll in rolls if roll.evidence == "line" and roll.kind not in given]
    if workspace is None:
        return known
    shown: dict[tuple[str, str], set[str]] = {}
    for roll in lines:
        shown.setdefault((roll.player, roll.kind), set()).update(roll.faces)
    of_prefix: dict[str, tuple[tuple[str, Die], ...]] = {}
    texts = _lines_of_games(workspace) if lines else {}
    for (player, kind), faces in sorted(shown.items()):
        prefix = kind.partition(" ")[0]
        if prefix not in of_prefix:
            of_prefix[prefix] = _dice_of_game(prefix, texts)
        for side, die in of_prefix[prefix]:
            if side in (player, EVERYONE) and faces <= set(die.faces):
                known.setdefault((player, kind), die)
    return known


def _lines_of_games(workspace: Workspace) -> dict[Path, str]:
    paths = [(folder, folder / "lines.toml") for folder in workspace.games().values()]
    return {f: lines.read_text("utf-8", "replace") for f, lines in paths if lines.is_file()}


def _dice_of_game(prefix: str, texts: Mapping[Path, str]) -> tuple[tuple[str, Die], ...]:
    """Return the dice of the first game whose lines begin so, with the side that rolls each."""
    for folder, text in texts.items():
        if f'prefix = "{prefix}"' not in text:
            continue
        game, _ = read_game(folder)
        if game is None:
            continue
        dice = []
        for counter in game.counters:
            sides = counter.fields.get("die")
            if isinstance(sides, tuple) and len(sides) > 1:
                dice.append((counter.side, _die([str(side) for side in sides])))
        for button in game.module.dice:
            die = _die(button.faces) if button.faces else numbered_die(button.sides)
            dice.append((EVERYONE, die))
        return tuple(dice)
    return ()
