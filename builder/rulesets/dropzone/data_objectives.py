"""What the rulebook says of objectives and garrisons in a game's files (rules 1.2, 6 and 7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.gamebox.model import Counter, Game, Place
from builder.problems import Problem
from builder.rulesets.dropzone.book import book

__all__ = ["check_objectives"]

_HQ: Final = {"Le Mitan": "HQ TF/2", "Hill 212": "HQ 509", "St Rosaline": "HQ 517"}
"""Rule 6: the objectives with an Allied headquarters; all others have FFI."""
_STAR: Final = "Le Muy"
_STRONG: Final = "Draguignan town"
"""Rule 6: the one objective whose FFI have two steps."""


def check_objectives(game: Game) -> Iterator[Problem]:
    """Yield what is wrong with the marks of objectives and with their garrison counters."""
    for place in game.map.places:
        if place.fields.get("vp"):
            yield from marks(place)
    for counter in game.counters:
        if counter.layout == "garrison":
            yield from command_of_garrison(counter)
            yield from liberator_of_garrison(counter)
            yield from steps_of_garrison(counter)


@book.states("DZ-7b")
def marks(place: Place) -> Iterator[Problem]:
    """Rule 7: points on red or yellow, and for Le Muy alone a star on red."""
    points, color = str(place.fields.get("vp")), place.fields.get("color")
    if color not in ("red", "yellow"):
        yield Problem(place.source, f"{place.name}: the points of an objective are red or yellow")
    if (points == "star") is not (place.name == _STAR):
        what = "has a star" if place.name == _STAR else "gives points; the star is Le Muy’s"
        yield Problem(place.source, f"{place.name} {what}")
    elif points == "star" and color == "yellow":
        yield Problem(place.source, f"{place.name}: its star is on red")
    elif points != "star" and not (points.isdecimal() and int(points) > 0):
        yield Problem(place.source, f"{place.name}: expected points or a star, got {points!r}")


@book.states("DZ-1.2y")
def command_of_garrison(counter: Counter) -> Iterator[Problem]:
    """Rule 1.2: a garrison belongs to no Command."""
    if counter.fields.get("command"):
        yield Problem(counter.source, f"{counter.id}: command: a garrison belongs to no Command")


@book.states("DZ-6h")
def liberator_of_garrison(counter: Counter) -> Iterator[Problem]:
    """Rule 6: Le Mitan, Hill 212 and St Rosaline have a headquarters, all others FFI."""
    objective = str(counter.fields.get("objective") or "")
    name = _HQ.get(objective, "FFI")
    kind = "airborne" if objective in _HQ else "ffi"
    if counter.fields.get("liberator") != name or counter.fields.get("liberator_kind") != kind:
        yield Problem(
            counter.source, f"{counter.id}: the liberator of {objective} is {name} ({kind})"
        )


@book.states("DZ-1.2p", "DZ-6k")
def steps_of_garrison(counter: Counter) -> Iterator[Problem]:
    """Rule 1.2: two steps for the German headquarters and the FFI of Draguignan, else one."""
    german = 2 if counter.fields.get("hq") else 1
    if counter.steps != german:
        yield Problem(counter.source, f"{counter.id}: steps: this German garrison has {german}")
    allied = 2 if counter.fields.get("objective") == _STRONG else 1
    if (counter.fields.get("liberator_steps") or 1) != allied:
        yield Problem(
            counter.source, f"{counter.id}: liberator_steps: this Allied garrison has {allied}"
        )
