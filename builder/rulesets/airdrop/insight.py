"""What of a drop can be shown: the board around a finding, and the casualty points."""

from __future__ import annotations

from collections.abc import Iterator

from builder.gamebox.boards import BoardView, ShownPiece
from builder.hexes.grid import Hex
from builder.rules.insight import Eyes, Standing
from builder.rules.referee import Found
from builder.rulesets.airdrop.actions import Action, Blow, Drift
from builder.rulesets.airdrop.facts import step
from builder.rulesets.airdrop.findings import located
from builder.rulesets.airdrop.state import State, place_of

__all__ = ["pictured", "pieces_of", "standing"]


def pictured(found: Found[State, Action], eyes: Eyes) -> tuple[BoardView, BoardView] | None:
    """Return the board before and after a finding's action; ``None`` if no hex is concerned."""
    place = located(found)
    marked = tuple(dict.fromkeys(_hexes(found)))
    start = place.start if isinstance(place.start, Hex) else None
    end = place.end if isinstance(place.end, Hex) else None
    if not marked and start is None and end is None:
        return None
    way = _way(found, start)
    before, after = (
        BoardView(
            pieces=tuple(pieces_of(state, eyes, place.unit)),
            way=way,
            start=start if end is not None and end != start else None,
            end=end if end != start else None,
            marked=marked,
            is_after=is_after,
        )
        for state, is_after in ((found.before, False), (found.after, True))
    )
    return before, after


def pieces_of(state: State, eyes: Eyes, top: str = "") -> Iterator[ShownPiece]:
    """Yield what lies on the map, parachutes above units; ``top`` lies on top."""
    shown: list[tuple[bool, ShownPiece]] = []
    for key, unit in state.units.items():
        if unit.where is not None and not unit.eliminated:
            role = "back" if unit.broken and unit.kind not in ("sw", "gun") else "front"
            shown.append((key == top, ShownPiece(key, unit.where, role)))
    for key, chute in state.chutes.items():
        if chute.where is not None and chute.status in ("AERIAL", "LANDED"):
            is_down = chute.flipped if chute.is_weapon else chute.status == "LANDED"
            role = "back" if is_down else "front"
            shown.append((key == top, ShownPiece(key, chute.where, role)))
    yield from (piece for _, piece in sorted(shown, key=lambda pair: pair[0]))


def _hexes(found: Found[State, Action]) -> Iterator[Hex]:
    """Yield the hexes that a finding is about: those it names, then those of its pieces."""
    yield from found.breach.hexes
    for name in ("to", "hex", "dp"):
        value = getattr(found.action, name, None)
        if isinstance(value, Hex):
            yield value
    pieces = [*found.breach.pieces]
    pieces += [str(getattr(found.action, n, "") or "") for n in ("chute", "unit", "piece")]
    for piece in pieces:
        at = place_of(found.before, piece) if piece else None
        if at is not None:
            yield at


def _way(found: Found[State, Action], start: Hex | None) -> tuple[Hex, ...]:
    """Return the hexes over which dice or wind take a parachute, its start first."""
    state = found.before
    match found.action:
        case Drift(colored=direction, to=to) if start is not None:
            most = 10
        case Blow(to=to) if start is not None:
            direction, most = state.wind_dir, 4
        case _:
            return ()
    way = [start]
    while way[-1] != to and len(way) <= most and 1 <= direction <= 6:
        way.append(step(way[-1], direction))
    return tuple(way) if way[-1] == to else ()


def standing(state: State) -> Standing:
    """Return the casualty points of the drop; nobody holds objectives."""
    return Standing(state.turn, state.cvp, {})
