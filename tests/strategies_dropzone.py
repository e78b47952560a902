"""Strategies for Drop Zone: positions that a table could show, and actions of every kind.

Positions need not be reachable: units stand anywhere, some hidden, some dead, now and then stacked
or beside an enemy in his hex, in any step of any turn. Actions are well formed and often senseless.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from hypothesis.vendor.pretty import RepresentationPrinter, for_type_by_name

from builder.gamebox.open import open_game
from builder.hexes.grid import Hex
from builder.rules.turns import Moment
from builder.rulesets.dropzone.actions import ACTIONS, Action
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, Facts
from builder.rulesets.dropzone.ruleset import DropZone
from builder.rulesets.dropzone.sequence import COMMANDS, SEQUENCE, STEPS
from builder.rulesets.dropzone.state import (
    AssetState,
    GarrisonState,
    Place,
    State,
    UnitState,
)

FOLDER = Path(__file__).parents[1] / "mapdata" / "dropzone"

WORDS = (
    *("RP", "REGROUP", "IF", "AT", "COMBAT", "LAND", "GARRISON", "DIR", "DROP"),
    *("INTERDICT_IF", "INTERDICT_AT", "FIRST", "JOIN", "VACANT", "RETURN", "STEP"),
    *("ATTACK", "DEFEND", "draw", "asset", "fixed", "", "nonsense"),
)
FACES = ("armor", "infantry", "airborne", "ffi", "miss", "", "7", "3", "garbage")
LEVELS = (
    *("Allied_Total_Victory", "Draw", "German_Crushing_Victory", "Allied_Sudden_Death"),
    *("German_Automatic_Victory", "", "nonsense"),
)


def _in_few_words(known: Facts, printer: RepresentationPrinter, cycle: bool) -> None:
    printer.text(repr(known))


# hypothesis writes every field of a dataclass out, and would drown a falsifying state in its facts
for_type_by_name(Facts.__module__, Facts.__name__, _in_few_words)


@cache
def rules() -> DropZone:
    """Return the rules over the game's own data, read once."""
    return DropZone.of(open_game(FOLDER))


def facts() -> Facts:
    """Return the facts of the game's own data."""
    return rules().facts


@cache
def boxes() -> tuple[str, ...]:
    """Return the names of boxes in which units lie."""
    starts = {u.start for u in facts().units.values() if isinstance(u.start, str)}
    entries = {f"Entry{area}" for area in facts().entries}
    return (*sorted(starts | entries), "ElimAllied", "ElimGerman", "Off")


@st.composite
def hexes(draw: st.DrawFn) -> Hex:
    """Return a hex of the map; half of them objectives, zones, or hexes beside them."""
    known = facts()
    if draw(st.booleans()):
        near = [o.hex for o in known.objectives.values()] + list(known.zones.values())
        h = draw(st.sampled_from(near))
        return draw(st.sampled_from((h, *known.ground.neighbors_of[h])))
    return draw(st.sampled_from(tuple(known.ground.neighbors_of)))


def places() -> st.SearchStrategy[Place]:
    """Return a hex or the name of a box."""
    return st.one_of(hexes(), hexes(), st.sampled_from(boxes()))


def moments(steps: Iterable[str] = STEPS) -> st.SearchStrategy[Moment]:
    """Return a moment of the sequence of play, in one of some steps."""
    wanted = frozenset(steps)
    return st.sampled_from([m for m in SEQUENCE.moments() if m.step in wanted])


@st.composite
def unit_states(draw: st.DrawFn, key: str) -> UnitState:
    """Return where a unit is, and its steps."""
    unit = facts().units[key]
    place = draw(places())
    steps = 0 if str(place).startswith("Elim") else draw(st.integers(1, unit.steps))
    hidden = bool(unit.serial) and isinstance(place, Hex) and draw(st.booleans())
    return UnitState(place, steps, hidden=hidden, known_as="H1" if hidden else "")


@st.composite
def positions(draw: st.DrawFn, steps: Iterable[str] = STEPS) -> State:
    """Return a state without history, in one of some steps: pieces, points, and who is active."""
    known = facts()
    moment = draw(moments(steps))
    command = ""
    done: tuple[str, ...] = ()
    if moment.step in SEQUENCE.round:
        order = tuple(draw(st.permutations(COMMANDS)))
        acting = moment.round - (moment.step == "INIT")
        done = order[:acting]
        command = "" if moment.step == "INIT" else done[-1]
    somewhere = draw(st.sets(st.sampled_from(sorted(known.units)), max_size=12))
    units = {
        k: draw(unit_states(k)) if k in somewhere else UnitState("Off", u.steps)
        for k, u in known.units.items()
    }
    garrisons = {}
    for key, garrison in known.garrisons.items():
        side = draw(st.sampled_from((ALLIED, GERMAN)))
        full = garrison.full_steps(side)
        garrisons[key] = GarrisonState(side, draw(st.integers(0, full)))
    places_of = st.sampled_from(("LATE", "POOL", "HAND", "COMMIT", "USED", "GONE"))
    gained = draw(st.sets(st.sampled_from(sorted(known.units)), max_size=3))
    infantry = sorted(k for k, u in known.units.items() if u.side == GERMAN)
    return State(
        facts=known,
        scenario=draw(st.sampled_from(("standard", "standard", "ghost"))),
        moment=moment,
        command=command,
        done=done,
        chits=done,
        units=units,
        garrisons=garrisons,
        assets={k: AssetState(draw(places_of)) for k in known.assets},
        gained=frozenset(gained),
        rp_used=draw(st.integers(0, 2)),
        regroup=draw(st.sampled_from((0, 0, 2, 4))),
        regroup_used=draw(st.integers(0, 2)),
        garrison_paid=tuple(draw(st.lists(st.sampled_from(infantry), max_size=1))),
        lapsed=frozenset(draw(st.sets(st.sampled_from(COMMANDS), max_size=2))),
        recorded=draw(st.one_of(st.none(), st.integers(0, 25))),
    )


@st.composite
def states(draw: st.DrawFn) -> State:
    """Return a position after up to six actions, whatever the rules think of them."""
    state = draw(positions())
    for action in draw(st.lists(actions(), max_size=6)):
        state = applied(state, action)
    return state


# ------------------------------------------------------------------------------------ the actions


def pieces() -> st.SearchStrategy[str]:
    """Return the id of a unit, garrison or asset, or of nothing."""
    known = facts()
    return st.one_of(
        st.sampled_from((*known.units, *known.garrisons)),
        st.sampled_from(sorted(known.units)),
        st.sampled_from((*known.assets, "", "nobody")),
    )


_NAMED: dict[str, st.SearchStrategy[Any]] = {
    "step": st.sampled_from((*STEPS, "nonsense")),
    "command": st.sampled_from((*COMMANDS, "", "nobody")),
    "side": st.sampled_from((ALLIED, GERMAN, "")),
    "turn": st.integers(0, 8),
    "n": st.integers(0, 3),
    "attack": st.integers(0, 3),
    "steps": st.integers(-1, 5),
    "by_steps": st.integers(-1, 4),
    "white": st.integers(0, 7),
    "red": st.integers(0, 7),
    "value": st.integers(-5, 30),
    "level": st.sampled_from(LEVELS),
    "faces": st.lists(st.sampled_from(FACES), max_size=6).map(tuple),
    "area": st.sampled_from((*"ABCDEFGHI", "", "Z")),
    "by": st.sampled_from(("", "Ann", "Ben")),
    "pay": st.sampled_from(("", "STEP", "REGROUP", "1-I-933")),
    "commands": st.lists(st.sampled_from(COMMANDS), max_size=4).map(tuple),
}


def _values(name: str, hint: Any) -> st.SearchStrategy[Any]:
    if name in _NAMED:
        return _NAMED[name]
    if hint is Hex:
        return hexes()
    if get_origin(hint) is tuple:
        return st.lists(_values("", get_args(hint)[0]), max_size=3).map(tuple)
    if type(None) in get_args(hint):
        return st.one_of(st.none(), hexes())
    if Hex in get_args(hint):
        return places()
    if hint is bool:
        return st.booleans()
    if hint is int:
        return st.integers(-1, 30)
    if name in ("unit", "piece", "garrison", "asset", "") or name.endswith("s"):
        return pieces()
    return st.sampled_from(WORDS)


@cache
def actions_of(kind: type) -> st.SearchStrategy[Action]:
    """Return well-formed actions of one class, with any values in their fields."""
    hints = get_type_hints(kind)
    fields = {f.name: _values(f.name, hints[f.name]) for f in dataclasses.fields(kind)}
    return st.builds(kind, **fields)


def actions(kinds: Iterable[type] = ACTIONS) -> st.SearchStrategy[Action]:
    """Return well-formed actions of some classes, at first of all."""
    return st.one_of([actions_of(kind) for kind in kinds])
