"""Positions as text, both ways: for examples, playthroughs and people.

One line a fact: ``phase 1 Attacker DRIFT``, ``nation GERMAN 1941``, ``wind 2 MILD``,
``PA 1K5 AERIAL``, ``US-Sq1 BoxB``, ``D-Sq1 1Q6``. What is not named is off the map; a text that
begins with ``start`` and a scenario tells what differs from its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

from builder.hexes.grid import Hex
from builder.problems import BuilderError, did_you_mean
from builder.rulesets.airdrop.actions import Fire
from builder.rulesets.airdrop.facts import is_onboard, label
from builder.rulesets.airdrop.follow import start_state
from builder.rulesets.airdrop.open_facts import DropFacts
from builder.rulesets.airdrop.state import PHASES, Chute, State, Stick, Unit, WingPlan, is_parachute

__all__ = ["PositionError", "position_lines", "read_position"]

_STATUS: Final = ("AERIAL", "LANDED", "DEPLOYED", "REMOVED", "RECOVERED", "ELIMINATED")
_UNIT_FLAGS: Final = (
    *("broken", "wounded", "eliminated", "partially_armed", "exhausted"),
    *("deployed", "displaced", "dm"),
)
_CHUTE_FLAGS: Final = ("broken", "flipped", "blown", "adjusted", "chained")


P = TypeVar("P", Unit, Chute)


class PositionError(BuilderError):
    """A line that describes no position; the message quotes it."""


def read_position(facts: DropFacts, text: str) -> State:
    """Return the state that a text describes; :class:`PositionError` quotes a wrong line."""
    state = State(
        ground=facts.ground, figures=facts.figures, units=dict(facts.units), turn=1, phase="SETUP"
    )
    for raw in text.splitlines():
        words = raw.split("#")[0].split()
        if words:
            state = _Line(facts, raw.strip()).on(state, words)
    return state


class _Line:
    """One line of a position."""

    def __init__(self, facts: DropFacts, text: str) -> None:
        self.facts = facts
        self.text = text

    def on(self, state: State, words: list[str]) -> State:
        """Return the state with what the line says."""
        match words:
            case ["start", scenario]:
                return start_state(self.facts, scenario)
            case ["phase", turn, side, phase] if turn.isdecimal() and phase in PHASES:
                return replace(state, turn=int(turn), side=side, phase=phase)
            case ["drop", turn, side] if turn.isdecimal():
                return replace(state, drop=(int(turn), side))
            case ["nation", nation]:
                return replace(state, nationality=nation)
            case ["nation", nation, date] if date.isdecimal():
                return replace(state, nationality=nation, date=int(date))
            case ["weather", weather]:
                return replace(state, weather=weather)
            case ["wind", direction, force] if direction.isdecimal():
                return replace(state, wind_dir=int(direction), wind_force=force)
            case ["cvp", points] if points.isdecimal():
                return replace(state, cvp=int(points))
            case ["started", *sides]:
                return replace(state, started=frozenset(sides))
            case ["answered" | "reduced" | "tried" as name, *pieces]:
                named: dict[str, Any] = {name: frozenset(pieces)}
                return replace(state, **named)
            case ["mark", kind, *pieces]:
                return replace(state, markers=state.markers | {(kind, p) for p in pieces})
            case ["dice", cause, *faces]:
                dice = dict(self._face(f) for f in faces)
                return replace(state, dice={**state.dice, cause: dice})
            case ["attacked", unit, at, kind]:
                attacked = state.attacked | {(unit, self._hex(at), kind)}
                return replace(state, attacked=attacked)
            case ["entered", unit, *hexes]:
                ways = tuple(self._hex(h) for h in hexes)
                return replace(state, entered={**state.entered, unit: ways})
            case ["fire", firer, chute, *rest]:
                drm = tuple(rest)
                return replace(state, fire=Fire(firer, chute, 1, 1, drm=drm))
            case ["wing", wing, point, grain, letters, *rest] if grain.isdecimal():
                return self._wing(state, wing, point, int(grain), letters, rest)
            case ["stick", letter, *units]:
                return self._stick(state, letter, units)
            case [key, *rest] if key in self.facts.units:
                return self._unit(state, key, rest)
            case [key, *rest] if is_parachute(key):
                return self._chute(state, key, rest)
            case _:
                raise PositionError(
                    f"cannot read {self.text!r}{did_you_mean(words[0], self.facts.units)}"
                )

    def _hex(self, name: str) -> Hex:
        found = self.facts.sheet.find(name)
        if found is None:
            raise PositionError(f"{self.text!r}: no hex {name!r}")
        return found

    def _face(self, text: str) -> tuple[str, int]:
        piece, sign, die = text.partition("=")
        if not sign or not die.isdecimal():
            raise PositionError(f"{self.text!r}: expected piece=die, got {text!r}")
        return piece, int(die)

    def _wing(
        self, state: State, wing: str, point: str, grain: int, letters: str, rest: list[str]
    ) -> State:
        plan = WingPlan(wing, self._hex(point), grain, tuple(letters.split(",")))
        match rest:
            case []:
                pass
            case ["dr", dr, at] if dr.isdecimal():
                plan = replace(plan, dr=int(dr), point=self._hex(at))
            case _:
                raise PositionError(f"{self.text!r}: expected dr, its die and a hex")
        return replace(state, wings={**state.wings, wing: plan})

    def _stick(self, state: State, letter: str, units: list[str]) -> State:
        """Take the contents of a box as those that were dropped."""
        known = [state.units[u] for u in units if u in state.units]
        stick = Stick(
            letter,
            tuple(u.id for u in known if not state.is_separate(u)),
            tuple(u.id for u in known if state.is_separate(u)),
        )
        return replace(state, sticks={**state.sticks, letter: stick})

    def _unit(self, state: State, key: str, words: list[str]) -> State:
        unit = state.units[key]
        rest = iter(words)
        for word in rest:
            if word.startswith("Box"):
                unit = replace(unit, stick=word.removeprefix("Box"), where=None)
            elif word in _UNIT_FLAGS:
                unit = _flagged(unit, word)
            elif word == "of":
                unit = replace(unit, stick=next(rest, ""))
            else:
                at = self._hex(word)
                unit = replace(unit, where=at, offboard=not is_onboard(at))
        return replace(state, units={**state.units, key: unit})

    def _chute(self, state: State, key: str, words: list[str]) -> State:
        chute = state.chutes.get(key, Chute(key, status="AERIAL"))
        rest = iter(words)
        for word in rest:
            match word:
                case "drift":
                    colored, _, white = next(rest, "").partition(",")
                    if not (colored.isdecimal() and white.isdecimal()):
                        raise PositionError(f"{self.text!r}: expected two dice, as 5,3")
                    chute = replace(chute, drift=(int(colored), int(white)))
                case "checks":
                    chute = replace(chute, checks=self._count(next(rest, "")))
                case "copies":
                    chute = replace(chute, copies=self._count(next(rest, "")))
                case "failed":
                    chute = replace(chute, failed=next(rest, ""))
                case "at":
                    chute = replace(chute, landed_at=next(rest, ""))
                case "by":
                    shot = (next(rest, ""), chute.where or Hex(0, 0))
                    chute = replace(chute, fired_by=(*chute.fired_by, shot))
                case _ if word in _STATUS:
                    chute = replace(chute, status=word)
                case _ if word in _CHUTE_FLAGS:
                    chute = _flagged(chute, word)
                case _:
                    at = self._hex(word)
                    chute = replace(chute, where=at, start=chute.start or at)
        off = chute.where is not None and not is_onboard(chute.where)
        chute = replace(chute, offboard=off and chute.status != "AERIAL")
        chutes = {**state.chutes, key: chute}
        drop = state.drop or (state.turn, state.side)
        return replace(state, chutes=chutes, drop=drop)

    def _count(self, text: str) -> int:
        if not text.isdecimal():
            raise PositionError(f"{self.text!r}: expected a number, got {text!r}")
        return int(text)


def _flagged(piece: P, word: str) -> P:
    changes: dict[str, Any] = {word: True}
    return replace(piece, **changes)


def position_lines(state: State) -> Mapping[str, str]:
    """Return a position as lines by their first word, in a fixed order; what is off is left out."""
    lines: dict[str, str] = {}
    for line in _lines(state):
        words = line.split()
        key = words[0] if words[0] not in ("mark", "wing", "dice") else " ".join(words[:2])
        lines[key] = line
    return lines


def _lines(state: State) -> Iterator[str]:
    yield f"phase {state.turn} {state.side} {state.phase}"
    yield f"nation {state.nationality} {state.date}"
    yield f"weather {state.weather}"
    yield f"wind {state.wind_dir} {state.wind_force}"
    if state.cvp:
        yield f"cvp {state.cvp}"
    for key, wing in state.wings.items():
        words = ["wing", key, label(wing.planned), str(wing.grain), ",".join(wing.sticks)]
        words += ["dr", str(wing.dr), label(wing.point)] if wing.point is not None else []
        yield " ".join(words)
    for key, chute in state.chutes.items():
        words = [key, label(chute.where) if chute.where is not None else "", chute.status]
        words += ["drift", f"{chute.drift[0]},{chute.drift[1]}"] if chute.drift else []
        words += [name for name in _CHUTE_FLAGS if getattr(chute, name)]
        words += ["checks", str(chute.checks)] if chute.checks else []
        words += ["failed", chute.failed] if chute.failed else []
        words += ["at", chute.landed_at] if chute.landed_at not in ("", "GROUND") else []
        yield " ".join(w for w in words if w)
    for key, unit in state.units.items():
        where = f"Box{unit.stick}" if unit.stick and unit.where is None else ""
        where = label(unit.where) if unit.where is not None else where
        flags = [name for name in _UNIT_FLAGS if getattr(unit, name) and name != "dm"]
        if where or "eliminated" in flags:
            yield " ".join(w for w in (key, where, *flags) if w)
    marks: dict[str, list[str]] = {}
    for kind, piece in sorted(state.markers):
        marks.setdefault(kind, []).append(piece)
    for kind, pieces in marks.items():
        yield f"mark {kind} {' '.join(pieces)}"
    for cause, dice in state.dice.items():
        yield f"dice {cause} {' '.join(f'{p}={d}' for p, d in dice.items())}"
