"""What the rulebook says of the units in a game's files (rules 1.2, 1.3 and 10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from builder.gamebox.model import Counter, Game
from builder.problems import Problem, Source, did_you_mean
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.sequence import SIDE_OF

__all__ = ["check_units"]

_ARMOR: Final = (
    "armored_car",
    "recon_halftrack",
    "assault_gun",
    "tank",
    "panzergrenadier_halftrack",
)
"""Rule 1.2: the five drawings of armor, each with its oval."""
_INFANTRY: Final[Mapping[str, tuple[str, ...]]] = {
    "german_inf": ("infantry", "recon_infantry"),
    "airborne": ("parachute_infantry", "glider_infantry", "parachute_artillery"),
    "ffi": ("ffi",),
}
"""Rule 1.2: the drawings of infantry, by what it is hit as."""
_STEPS: Final[Mapping[str, tuple[int, ...]]] = {
    "german_inf": (1, 2, 4),
    "airborne": (2,),
    "ffi": (1, 2),
}
_RECON: Final = "recon_infantry"
_FFI: Final = "ffi"


class _Command(NamedTuple):
    """A Command: the colors of its formations, and the formations that have a given color."""

    colors: tuple[str, ...]
    color_of: Mapping[str, str]
    ffi: int = 0
    tanks: int = 0


_COMMANDS: Final[Mapping[str, _Command]] = {
    "517PRCT": _Command(
        ("blue", "gold", "grey", "yellow"),
        {"517": "blue", "509": "gold", "463": "gold", "551": "grey", "191": "yellow"},
        ffi=4,
        tanks=1,
    ),
    "2IPBG": _Command(
        ("maroon", "blue", "red", "green"),
        {"4 Para": "maroon", "5 Para": "blue", "6 Para": "red", "550": "green"},
        ffi=4,
    ),
    "148RD": _Command(("red", "brown"), {"148": "red", "242": "brown"}),
    "KGVS": _Command(
        ("purple", "brown", "green", "blue"),
        {"189": "purple", "242": "brown", "244": "green", "LXII": "blue"},
    ),
}
"""Rule 1.3: who belongs to which Command, by the color in the middle of the counter."""


def check_units(game: Game) -> Iterator[Problem]:
    """Yield what is wrong with the units of ``counters.csv``."""
    units = tuple(c for c in game.counters if c.layout == "unit")
    for counter in units:
        yield from command_of_unit(counter)
        yield from class_of_unit(counter)
        kind = _text(counter, "class")
        if kind == "armor":
            yield from armor(counter)
            yield from armor_symbol(counter)
            yield from strong_armor(counter)
        elif kind == "infantry":
            yield from infantry(counter)
            yield from infantry_symbol(counter)
            yield from infantry_dice(counter)
    yield from one_counter(units)
    yield from prct(units)
    yield from ipbg(units)
    yield from reserve_division(units)
    yield from kampfgruppe(units)


def _text(counter: Counter, name: str) -> str:
    return str(counter.fields.get(name) or "")


def _problem(counter: Counter, message: str) -> Problem:
    return Problem(counter.source, f"{counter.id}: {message}")


# ------------------------------------------------------------------------------------ the classes


@book.states("DZ-1.2a")
def class_of_unit(counter: Counter) -> Iterator[Problem]:
    """Rule 1.2: a unit is armor or infantry, and is hit as what it is."""
    kind, target = _text(counter, "class"), _text(counter, "target")
    if kind not in ("armor", "infantry"):
        yield _problem(counter, "class: a unit is armor or infantry")
    elif not target:
        yield _problem(counter, "target: a unit needs one")
    elif (kind == "armor") is not (target == "armor"):
        yield _problem(counter, f"target: {kind} is not hit as {target}")
    elif target != "armor" and (target == "german_inf") is not (counter.side == GERMAN):
        yield _problem(counter, f"target: {counter.side} infantry is not hit as {target}")


@book.states("DZ-1.2b")
def armor(counter: Counter) -> Iterator[Problem]:
    """Rule 1.2: armor has one or two steps and six movement points."""
    if counter.steps not in (1, 2):
        yield _problem(counter, f"steps: armor has 1 or 2, not {counter.steps}")
    if counter.fields.get("ma") != 6:
        yield _problem(counter, f"ma: armor has 6 movement points, not {counter.fields.get('ma')}")


@book.states("DZ-1.2c")
def armor_symbol(counter: Counter) -> Iterator[Problem]:
    """Rule 1.2: five drawings stand for armor, and bear the oval."""
    symbol = _text(counter, "symbol")
    if symbol not in _ARMOR:
        hint = did_you_mean(symbol, _ARMOR)
        yield _problem(counter, f"symbol: {symbol!r} is no armor{hint}")


@book.states("DZ-10f", "DZ-1.2j")
def strong_armor(counter: Counter) -> Iterator[Problem]:
    """Rules 1.2 and 10: one step has two or three dice; two steps, four dice, is for Ghost only.

    A counter of the alternate scenario starts nowhere here: it is in the palette only.
    """
    drc = counter.fields.get("drc")
    most = drc[0] if isinstance(drc, tuple) and drc else 0
    if counter.steps == 2 and counter.start:
        yield _problem(counter, "steps: armor of 2 steps is in the Ghost Division scenario only")
    elif counter.steps == 2 and most != 4:
        yield _problem(counter, f"drc: armor of 2 steps rolls 4 dice, not {most}")
    elif counter.steps == 1 and most not in (2, 3):
        yield _problem(counter, f"drc: armor of 1 step rolls 2 or 3 dice, not {most}")


@book.states("DZ-1.2d", "DZ-1.2e", "DZ-1.2f", "DZ-1.2g")
def infantry(counter: Counter) -> Iterator[Problem]:
    """Rule 1.2: infantry has one, two or four steps, by its kind, and four movement points."""
    target = _text(counter, "target")
    allowed = _STEPS.get(target, (1, 2, 4))
    if counter.steps not in allowed:
        words = ", ".join(map(str, allowed[:-1])) + (" or " if len(allowed) > 1 else "")
        message = f"steps: {target or 'infantry'} has {words}{allowed[-1]}, not {counter.steps}"
        yield _problem(counter, message)
    if counter.fields.get("ma") != 4:
        message = f"ma: infantry has 4 movement points, not {counter.fields.get('ma')}"
        yield _problem(counter, message)


@book.states("DZ-1.2h")
def infantry_symbol(counter: Counter) -> Iterator[Problem]:
    """Rule 1.2: two drawings are German infantry, three Allied airborne, one the FFI."""
    symbol, target = _text(counter, "symbol"), _text(counter, "target")
    known = _INFANTRY.get(target, ())
    if known and symbol not in known:
        hint = did_you_mean(symbol, known)
        yield _problem(counter, f"symbol: {symbol!r} is not of {target}{hint}")


@book.states("DZ-1.2j")
def infantry_dice(counter: Counter) -> Iterator[Problem]:
    """Rule 1.2: infantry rolls its steps; the reconnaissance unit what its counters say."""
    drc = counter.fields.get("drc")
    if _text(counter, "symbol") != _RECON and drc != tuple(range(counter.steps, 0, -1)):
        yield _problem(counter, "drc: infantry rolls as many dice as it has steps")


@book.states("DZ-1.2i")
def one_counter(units: tuple[Counter, ...]) -> Iterator[Problem]:
    """Rule 1.2: a unit is one counter; what else shows it (hidden, split) belongs to its row."""
    seen: dict[tuple[str, str, str], str] = {}
    for counter in units:
        if counter.count != 1:
            yield _problem(counter, f"count: a unit is one counter, not {counter.count}")
        key = (_text(counter, "command"), _text(counter, "formation"), counter.name)
        if key in seen:
            yield _problem(counter, f"name: {counter.name} is a unit already, {seen[key]}")
        seen.setdefault(key, counter.id)


# ----------------------------------------------------------------------------------- the Commands


@book.states("DZ-1.3a")
def command_of_unit(counter: Counter) -> Iterator[Problem]:
    """Rule 1.3: a unit belongs to one Command of its side."""
    command = _text(counter, "command")
    if SIDE_OF.get(command) != counter.side:
        names = ", ".join(c for c, s in SIDE_OF.items() if s == counter.side)
        yield _problem(counter, f"command: a unit of the {counter.side} side belongs to {names}")


@book.states("DZ-1.3b")
def prct(units: tuple[Counter, ...]) -> Iterator[Problem]:
    """Rule 1.3: 517 blue, 509 gold, 551 grey, one tank team of the 191 yellow, four FFI."""
    yield from _composition("517PRCT", units)


@book.states("DZ-1.3c")
def ipbg(units: tuple[Counter, ...]) -> Iterator[Problem]:
    """Rule 1.3: 4 Para maroon, 5 Para blue, 6 Para red, 550 green, four FFI."""
    yield from _composition("2IPBG", units)


@book.states("DZ-1.3d")
def reserve_division(units: tuple[Counter, ...]) -> Iterator[Problem]:
    """Rule 1.3: 148 red, 242 brown."""
    yield from _composition("148RD", units)


@book.states("DZ-1.3e")
def kampfgruppe(units: tuple[Counter, ...]) -> Iterator[Problem]:
    """Rule 1.3: 189 purple, 242 brown, 244 green, LXII blue."""
    yield from _composition("KGVS", units)


def _composition(name: str, units: tuple[Counter, ...]) -> Iterator[Problem]:
    command = _COMMANDS[name]
    own = tuple(c for c in units if _text(c, "command") == name)
    for counter in own:
        color, formation = _text(counter, "center"), _text(counter, "formation")
        is_ffi = counter.side == ALLIED and _text(counter, "target") == _FFI
        # a battalion is named with its regiment: 1/517
        due = command.color_of.get(formation.rpartition("/")[2])
        if is_ffi:
            if color != _FFI:
                yield _problem(counter, f"center: FFI are marked {_FFI!r}, not {color!r}")
        elif color not in command.colors:
            allowed = ", ".join(command.colors)
            yield _problem(counter, f"center: the colors of {name} are {allowed}, not {color!r}")
        elif due is not None and color != due:
            yield _problem(counter, f"center: {formation} of {name} is {due}, not {color}")
    colors = {_text(c, "center") for c in own}
    for color in command.colors:
        if color not in colors:
            yield Problem(Source("counters.csv"), f"{name} has no unit of color {color}")
    yield from _number(
        name, "FFI units", [c for c in own if _text(c, "target") == _FFI], command.ffi
    )
    if command.tanks:
        tanks = [c for c in own if _text(c, "class") == "armor"]
        yield from _number(name, "tank teams", tanks, command.tanks)


def _number(name: str, what: str, found: list[Counter], expected: int) -> Iterator[Problem]:
    if len(found) != expected:
        where = found[-1].source if len(found) > expected else Source("counters.csv")
        yield Problem(where, f"{name} has {len(found)} {what}, expected {expected}")
