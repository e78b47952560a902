"""Rule 7, and 10.2 for the Ghost Division: points, sudden death, levels of victory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import Declare, Phase, SetVP
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, Facts, Objective
from builder.rulesets.dropzone.objectives import controller_of
from builder.rulesets.dropzone.state import State

__all__ = [
    "AUTOMATIC",
    "SUDDEN_DEATH",
    "Outcome",
    "counts",
    "due_points",
    "final_points",
    "is_automatic",
    "is_sudden_death",
    "level_of",
    "outcome",
    "red_points",
    "track_box",
]

SUDDEN_DEATH: Final = "Allied Sudden Death Victory"
AUTOMATIC: Final = "German Automatic Victory"
"""Rule 7: the two results that are no levels of the chart."""

_TRACK: Final = (0, 25)
"""The ends of the track of victory points: 25 is the highest level of rule 7."""
_UNCOUNTED: Final = frozenset({"Draguignan town", "Draguignan village"})
_YELLOW_NEEDED: Final = 2


@book.states("DZ-10d")
def counts(state: State, objective: str) -> bool:
    """Rule 10.2: whether an objective counts for points: in Ghost Division Draguignan does not."""
    return state.scenario != "ghost" or objective not in _UNCOUNTED


def _of(state: State, color: str, *, allied: bool = True) -> Iterator[Objective]:
    """Yield the objectives of a color that the Allies control, or do not control."""
    for o in state.facts.objectives.values():
        if o.color == color and (controller_of(state, o.name) == ALLIED) is allied:
            yield o


@book.states("DZ-7d", "DZ-7e")
def red_points(state: State) -> int:
    """Rule 7: the points of the red objectives under Allied control; Le Muy's star gives none."""
    return sum(o.points for o in _of(state, "red") if counts(state, o.name))


@book.states("DZ-7g", "DZ-3.4d")
def final_points(state: State) -> int:
    """Rule 7: the record of turn 3, plus yellow points held, less red points not held (C-27).

    Can fall below zero when everything was lost again; the sum is what counts, whatever the track
    can show. With the objectives of our map it is 24 at most, although the best level asks for 25
    (C-1), and 21 in Ghost Division, whose best level goes up to 23 (C-2): the printed map's own
    numbers would settle it.
    """
    yellow = sum(o.points for o in _of(state, "yellow") if counts(state, o.name))
    lost = sum(o.points for o in _of(state, "red", allied=False) if counts(state, o.name))
    return (state.recorded or 0) + yellow - lost


def due_points(state: State) -> int:
    """Return the points as they are counted now: red ones up to turn 3, the final sum after it."""
    return red_points(state) if state.turn <= 3 else final_points(state)


def track_box(points: int) -> int:
    """Return the box where the marker goes: the track has no place below 0 or above 25.

    >>> track_box(-3), track_box(18), track_box(30)
    (0, 18, 25)
    """
    low, high = _TRACK
    return min(max(points, low), high)


# ------------------------------------------------------------------------------------- the results


@book.states("DZ-7c")
def is_sudden_death(state: State) -> bool:
    """Rule 7: all red objectives, Le Muy with them, and two yellow ones are Allied.

    Control is asked, not points: in Ghost Division Draguignan gives none and still counts here.
    """
    is_red = not any(_of(state, "red", allied=False))
    return is_red and sum(1 for _ in _of(state, "yellow")) >= _YELLOW_NEEDED


@book.states("DZ-7f")
def is_automatic(state: State) -> bool:
    """Rule 7: the Germans control Le Muy."""
    return any(
        o.is_star and controller_of(state, o.name) == GERMAN
        for o in state.facts.objectives.values()
    )


@book.states("DZ-7h", "DZ-10e")
def level_of(facts: Facts, scenario: str, points: int) -> str:
    """Rules 7 and 10.2: the level of a sum; beyond the ends of the chart the level at that end."""
    levels = facts.levels.get(scenario) or facts.levels.get("standard") or ()
    for level in levels:
        if level.low <= points <= level.high:
            return level.name
    if not levels:
        return ""
    ends = sorted(levels, key=lambda level: level.low)
    return (ends[-1] if points > ends[-1].high else ends[0]).name


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game stands: its level of victory, the points, whether it is over, and in words."""

    level: str
    points: int
    is_over: bool
    words: str


def outcome(state: State) -> Outcome:
    """Return the result of a game, or what it would be if nothing more changed.

    Before the end of turn 3 the points are those of the red objectives; until the last turn the
    level is that of the points as they are.
    """
    points = due_points(state)
    level = level_of(state.facts, state.scenario, points)
    at_end = state.step == "ENDTURN" and state.turn in (3, 6)
    if at_end and state.turn == 3 and is_sudden_death(state):
        return Outcome(SUDDEN_DEATH, points, True, _control_words(state))
    if at_end and state.turn == 6:
        if is_automatic(state):
            return Outcome(AUTOMATIC, points, True, "the Germans control Le Muy")
        return Outcome(level, points, True, _sum_words(state))
    words = f"{points} VP after turn {state.turn}" if at_end else f"{points} VP so far"
    if state.result:
        return Outcome(state.result, points, True, f"declared at {words}")
    return Outcome(level, points, False, words)


def _control_words(state: State) -> str:
    red = sum(1 for _ in _of(state, "red"))
    yellow = sum(1 for _ in _of(state, "yellow"))
    of_red = sum(o.color == "red" for o in state.facts.objectives.values())
    return f"the Allies control {red} of {of_red} red and {yellow} yellow objectives"


def _sum_words(state: State) -> str:
    recorded, final = state.recorded or 0, final_points(state)
    yellow = sum(o.points for o in _of(state, "yellow") if counts(state, o.name))
    lost = recorded + yellow - final
    return f"{recorded} recorded + {yellow} yellow − {lost} red lost = {final} VP"


# ------------------------------------------------------------------------------------------ rules


def _is_counting(state: State) -> bool:
    return state.step == "ENDTURN" and state.turn in (3, 6)


@book.rule("DZ-7a", "DZ-3.4c", "DZ-3.4d", "DZ-7d", "DZ-7e", "DZ-7g", "DZ-10d", on=SetVP)
def points_on_track(state: State, action: SetVP) -> Iterator[Breach]:
    """Rules 7 and 10.2: points are counted after turns 3 and 6, and the marker shows the sum.

    A sum that is too high by just what Le Muy or Draguignan would have given is called by their
    rows, which is the likeliest reason for it.
    """
    if not _is_counting(state):
        if action.value == state.marker:
            return  # it was put back where it stood
        yield Breach(
            "DZ-7a",
            f"the VP marker was moved in turn {state.turn}, step {state.step}: points are counted "
            "at the end of turns 3 and 6 only",
            Ruling.WARNING,
        )
        return
    points = due_points(state)
    if action.value == track_box(points):
        return
    row, why = "DZ-7d" if state.turn == 3 else "DZ-7g", ""
    surplus = action.value - points
    if surplus > 0 and surplus in _uncounted_points(state):
        row, why = "DZ-10d", f"; {surplus} too many, as if Draguignan gave points in this scenario"
    elif surplus == _town_points(state.facts) and _star_is_allied(state):
        row, why = "DZ-7e", f"; {surplus} too many, as if Le Muy gave points"
    told = _sum_words(state) if state.turn == 6 else f"the red objectives held give {points} VP"
    yield Breach(
        row,
        f"the VP marker was set to {action.value}: {told}{why}",
        legal=(f"VP {track_box(points)}",),
    )


def _uncounted_points(state: State) -> frozenset[int]:
    """Return the sums that the Allied objectives without points in this scenario could add."""
    color = ("red",) if state.turn <= 3 else ("yellow",)
    sums = {0}
    for o in state.facts.objectives.values():
        if (
            o.color in color
            and not counts(state, o.name)
            and controller_of(state, o.name) == ALLIED
        ):
            sums |= {s + o.points for s in sums}
    return frozenset(sums)


def _town_points(facts: Facts) -> int:
    """Return what the star would give if it were a town like the others."""
    return max((o.points for o in facts.objectives.values() if o.kind == "town"), default=0)


def _star_is_allied(state: State) -> bool:
    return any(
        o.is_star and controller_of(state, o.name) == ALLIED
        for o in state.facts.objectives.values()
    )


@book.rule("DZ-7c", "DZ-7d", "DZ-3.4c", on=Phase)
def after_turn_3(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 7: after turn 3 the game is over by sudden death, or the red points are recorded.

    A marker that stands on the right box need not be touched.
    """
    if state.turn != 3 or state.step != "ENDTURN" or action.turn <= 3:
        return
    if is_sudden_death(state):
        yield Breach(
            "DZ-7c",
            f"the game went on after turn 3, and it was over: {_control_words(state)}",
            legal=(SUDDEN_DEATH,),
        )
        return
    points = red_points(state)
    if state.recorded is None and state.marker != track_box(points):
        yield Breach(
            "DZ-7d",
            f"turn 3 ended with the VP marker on {state.marker}: the red objectives held give "
            f"{points} VP",
            legal=(f"VP {track_box(points)}",),
        )


def _same_result(a: str, b: str) -> bool:
    """Tell whether two words for a result mean the same, "victory" written or not."""
    left, right = (t.replace("_", " ").casefold().split() for t in (a, b))
    return [w for w in left if w != "victory"] == [w for w in right if w != "victory"]


@book.rule("DZ-7a", "DZ-7c", "DZ-7f", "DZ-7h", "DZ-3.4d", "DZ-10e", on=Declare)
def declared_result(state: State, action: Declare) -> Iterator[Breach]:
    """Rules 7 and 10.2: who has won is said after turn 3 by sudden death only, and after turn 6.

    A result at another time may be a player who gives up: a warning.
    """
    said = action.level.replace("_", " ") or "a result"
    is_sudden = _same_result(said, SUDDEN_DEATH)
    if not _is_counting(state):
        yield Breach(
            "DZ-7a",
            f"{said} was declared in turn {state.turn}, step {state.step}: victory is judged at "
            "the end of turns 3 and 6 only",
            Ruling.WARNING,
        )
        return
    now = outcome(state)
    if state.turn == 3:
        is_due = is_sudden_death(state)
        if is_sudden and not is_due:
            message = f"no sudden death: {_control_words(state)}, and need all red and two yellow"
            yield Breach("DZ-7c", message, legal=("play goes on",))
        elif is_due and not is_sudden:
            message = f"{said} was declared, and it is an Allied sudden death: {now.words}"
            yield Breach("DZ-7c", message, legal=(SUDDEN_DEATH,))
        elif not is_sudden:
            message = f"{said} was declared after turn 3, and play goes on"
            yield Breach("DZ-7a", message, Ruling.WARNING, legal=("play goes on",))
        return
    if _same_result(said, now.level):
        return
    row = "DZ-10e" if state.scenario == "ghost" else "DZ-7h"
    if is_sudden:
        row = "DZ-7c"
    elif now.level == AUTOMATIC or _same_result(said, AUTOMATIC):
        row = "DZ-7f"
    yield Breach(
        row,
        f"{said} was declared, and it is: {now.level} ({now.words})",
        legal=(now.level,),
    )
