"""Positions as text, both ways: for examples, playthroughs and people.

One line a fact: ``turn 2 MOVE KGVS after 517PRCT``, ``1-I-933 1005 2``, ``G-Le-Muy Allied 1``,
``AA-3 HAND``. What is not named is off the map; a text that begins with ``start`` tells what
differs from the beginning of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from builder.hexes.grid import Hex
from builder.problems import BuilderError, did_you_mean
from builder.rules.turns import Moment
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, Facts
from builder.rulesets.dropzone.ground import points_text
from builder.rulesets.dropzone.sequence import COMMANDS, SEQUENCE, STEPS
from builder.rulesets.dropzone.start import start_state
from builder.rulesets.dropzone.state import AssetState, GarrisonState, State, UnitState

__all__ = ["PositionError", "position_lines", "read_position"]

_ASSET_PLACES = ("LATE", "POOL", "HAND", "COMMIT", "USED", "GONE")
_OFF = "Off"


class PositionError(BuilderError):
    """A line that describes no position; the message quotes it."""


def empty_state(facts: Facts) -> State:
    """Return a state with nothing on the map, in the first movement step of turn 2."""
    return State(
        facts=facts,
        moment=Moment(2, 1, "MOVE"),
        units={k: UnitState(_OFF, u.steps) for k, u in facts.units.items()},
        garrisons={k: GarrisonState(GERMAN, 0) for k in facts.garrisons},
        assets={k: AssetState("GONE") for k in facts.assets},
    )


def read_position(facts: Facts, text: str) -> State:
    """Return the state that a text describes; :class:`PositionError` quotes a wrong line."""
    state = empty_state(facts)
    for raw in text.splitlines():
        words = raw.split("#")[0].split()
        if words:
            state = _with_line(state, words, raw.strip())
    return state


def _with_line(state: State, words: list[str], line: str) -> State:
    facts = state.facts
    match words:
        case ["start", *scenario]:
            return start_state(facts, (scenario or ["standard"])[0])
        case ["scenario", name]:
            return state.but(scenario=name)
        case ["turn", turn, step, *rest] if turn.isdecimal() and step in STEPS:
            return _with_moment(state, int(turn), step, rest, line)
        case ["gained" | "attacked" as name, *keys]:
            return state.but(**{name: frozenset(_units(facts, keys, line))})
        case ["paid", *keys]:
            return state.but(garrison_paid=_units(facts, keys, line))
        case ["drawn_units", *keys]:
            return state.but(drawn_units=_units(facts, keys, line))
        case ["lapsed", *commands]:
            return state.but(lapsed=frozenset(commands))
        case ["chits", *commands]:
            return state.but(chits=tuple(commands))
        case ["player", name, *commands]:
            return state.but(roster={**state.roster, name: tuple(commands)})
        case ["drawn", side, number] if number.isdecimal():
            return state.but(drawn={**state.drawn, side: int(number)})
        case ["entered", place, number] if number.isdecimal():
            return state.but(entered={**state.entered, _hex(facts, place, line): int(number)})
        case ["owes", key, *what] if key in facts.units:
            return state.but(landing={**state.landing, key: " ".join(what)})
        case [
            "rp_used"
            | "regroup"
            | "regroup_used"
            | "attacks"
            | "marker"
            | "recorded"
            | "direction"
            | "initiative_used" as name,
            number,
        ] if number.lstrip("-").isdecimal():
            return state.but(**{name: int(number)})
        case [key, *rest] if key in facts.units:
            return _with_unit(state, key, rest, line)
        case [key, *rest] if key in facts.garrisons:
            return _with_garrison(state, key, rest, line)
        case [key, place] if key in facts.assets and place in _ASSET_PLACES:
            return state.with_asset(key, place, used=place in ("USED", "GONE"))
        case _:
            known = [*facts.units, *facts.garrisons, *facts.assets]
            raise PositionError(f"cannot read {line!r}{did_you_mean(words[0], known)}")


def _with_moment(state: State, turn: int, step: str, rest: list[str], line: str) -> State:
    command = rest[0] if rest and rest[0] in COMMANDS else ""
    rest = rest[1:] if command else rest
    earlier: tuple[str, ...] = ()
    if rest:
        if rest[0] != "after" or not all(c in COMMANDS for c in rest[1:]):
            raise PositionError(f"{line!r}: expected a Command, then `after` and Commands")
        earlier = tuple(rest[1:])
    done = (*earlier, command) if command else earlier
    number = 0
    if step in SEQUENCE.round:
        number = max(1, len(done) + (step == "INIT"))
    return state.but(moment=Moment(turn, number, step), command=command, done=done, chits=done)


def _with_unit(state: State, key: str, words: list[str], line: str) -> State:
    unit = replace(state.units[key], hidden=False)
    if not words:
        raise PositionError(f"{line!r}: expected a hex or a box")
    unit = replace(unit, place=state.facts.sheet.find(words[0]) or words[0])
    rest = iter(words[1:])
    for word in rest:
        match word:
            case "hidden":
                unit = replace(unit, hidden=True)
            case "spent" | "penalty":
                halves = _halves(next(rest, ""), line)
                if word == "penalty":
                    unit = replace(unit, penalty=halves)
                else:
                    # after `from` the points are those of that way, else of one that is not told
                    told = len(unit.trail) > len(unit.legs)
                    trail = unit.trail if told else (*unit.trail, unit.place)
                    unit = replace(unit, trail=trail, legs=(*unit.legs, halves))
            case "from":
                start = next(rest, "")
                trail = (*unit.trail, state.facts.sheet.find(start) or start)
                unit = replace(unit, trail=trail)
            case "as":
                unit = replace(unit, known_as=next(rest, ""))
            case _ if word.isdecimal():
                unit = replace(unit, steps=int(word))
            case _:
                raise PositionError(f"{line!r}: cannot read {word!r}")
    return state.but(units={**state.units, key: unit})


def _with_garrison(state: State, key: str, words: list[str], line: str) -> State:
    facts = state.facts.garrisons[key]
    match words:
        case ["none"]:
            return state.with_garrison(key, state.garrisons[key].side, 0)
        case [("Allied" | "German") as side]:
            return state.with_garrison(key, side, facts.full_steps(side))
        case [("Allied" | "German") as side, steps] if steps.isdecimal():
            return state.with_garrison(key, side, int(steps))
        case _:
            raise PositionError(f"{line!r}: expected a side and perhaps steps, or none")


def _units(facts: Facts, keys: list[str], line: str) -> tuple[str, ...]:
    for key in keys:
        if key not in facts.units:
            raise PositionError(f"{line!r}: no unit {key!r}{did_you_mean(key, facts.units)}")
    return tuple(keys)


def _hex(facts: Facts, name: str, line: str) -> Hex:
    found = facts.sheet.find(name)
    if found is None:
        raise PositionError(f"{line!r}: no hex {name!r}")
    return found


def _halves(text: str, line: str) -> int:
    whole = text.removesuffix("½")
    if not text or (whole and not whole.isdecimal()):
        raise PositionError(f"{line!r}: expected points, got {text!r}")
    return 2 * int(whole or 0) + text.endswith("½")


def position_lines(state: State) -> Mapping[str, str]:
    """Return a position as lines by their first word, in a fixed order; what is off is left out.

    The attack that goes on is no part of it: it is told by the actions that made it.
    """
    return {line.split()[0]: line for line in _lines(state)}


def _lines(state: State) -> Iterator[str]:
    facts = state.facts
    moment = state.moment
    earlier = tuple(c for c in state.done if c != state.command)
    words = ["turn", str(moment.turn), moment.step]
    words += [state.command] if state.command else []
    words += ["after", *earlier] if earlier else []
    yield " ".join(words)
    if state.scenario != "standard":
        yield f"scenario {state.scenario}"
    for name in ("rp_used", "regroup", "regroup_used", "attacks", "marker", "initiative_used"):
        if getattr(state, name):
            yield f"{name} {getattr(state, name)}"
    if state.recorded is not None:
        yield f"recorded {state.recorded}"
    for name, keys in (("gained", state.gained), ("attacked", state.attacked)):
        if keys:
            yield f"{name} {' '.join(sorted(keys))}"
    for key, unit in state.units.items():
        if unit.place == _OFF:
            continue
        words = [key, facts.label(unit.place), str(unit.steps)]
        words += ["hidden"] if unit.hidden else []
        words += ["spent", points_text(unit.spent)] if unit.spent else []
        words += ["penalty", points_text(unit.penalty)] if unit.penalty else []
        yield " ".join(words)
    for key, garrison in state.garrisons.items():
        if garrison.steps:
            yield f"{key} {garrison.side} {garrison.steps}"
        elif garrison.side == ALLIED:
            yield f"{key} none"
    for key, asset in state.assets.items():
        if asset.place != "GONE":
            yield f"{key} {asset.place}"
