"""What of a game of Drop Zone can be shown: the board around a finding, the score, the dice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from builder.gamebox.boards import BoardView, ShownPiece
from builder.hexes.grid import Hex
from builder.rules.insight import Eyes, Standing, Thrown
from builder.rules.referee import Found, Located
from builder.rulesets.dropzone.actions import Action, Join, Move, Roll
from builder.rulesets.dropzone.apply_moves import way_of
from builder.rulesets.dropzone.facts import ALLIED, FACES, GERMAN, enemy_of
from builder.rulesets.dropzone.findings import located
from builder.rulesets.dropzone.hits import target_of
from builder.rulesets.dropzone.objectives import controller_of
from builder.rulesets.dropzone.state import State
from builder.rulesets.dropzone.victory import due_points

__all__ = ["pictured", "pieces_of", "standing", "thrown"]


def pictured(found: Found[State, Action], eyes: Eyes) -> tuple[BoardView, BoardView] | None:
    """Return the board before and after a finding's action; ``None`` if no hex is concerned."""
    place = located(found)
    marked = tuple(dict.fromkeys(_hexes(found)))
    way = _way(found, place)
    start, end = (place.start, place.end) if way or place.start is not None else (None, None)
    if isinstance(found.action, Join) and isinstance(place.end, Hex):
        start, end = found.before.hex_of(found.action.unit), place.end
    if not (marked or way or isinstance(start, Hex) or isinstance(end, Hex)):
        return None
    enemy = enemy_of(place.side) if place.side else ""
    views = []
    for state, is_after in ((found.before, False), (found.after, True)):
        views.append(
            BoardView(
                pieces=tuple(pieces_of(state, eyes, place.unit)),
                zone=state.zones[enemy] if enemy else frozenset(),
                zone_side=enemy,
                way=way,
                start=start,
                end=end,
                marked=marked,
                is_after=is_after,
            )
        )
    return views[0], views[1]


def pieces_of(state: State, eyes: Eyes, top: str = "") -> Iterator[ShownPiece]:
    """Yield what lies on the map, garrisons below; ``top`` lies on top, even if in a box."""
    for key, garrison in state.garrisons.items():
        if garrison.steps > 0:
            role = "step" if garrison.side == GERMAN else "back"
            yield ShownPiece(key, state.facts.garrisons[key].hex, role, garrison.steps)
    for key, unit in sorted(state.units.items(), key=lambda item: item[0] == top):
        if unit.steps <= 0 or not (isinstance(unit.place, Hex) or key == top):
            continue
        if unit.hidden and not eyes.see(state.facts.units[key].side):
            yield ShownPiece(key, unit.place, "hidden")
        else:
            yield ShownPiece(key, unit.place, "step", unit.steps)


def _hexes(found: Found[State, Action]) -> Iterator[Hex]:
    """Yield the hexes that a finding is about: those it names, then those of its pieces."""
    state, action = found.before, found.action
    yield from found.breach.hexes
    for name in ("to", "target", "hex", "entry"):
        value = getattr(action, name, None)
        if isinstance(value, Hex):
            yield value
    pieces = [*found.breach.pieces]
    pieces += [str(getattr(action, n, "") or "") for n in ("unit", "piece", "garrison")]
    for piece in pieces:
        for moment in (state, found.after):
            at = moment.hex_of(piece)
            if at is not None:
                yield at
    attack = getattr(action, "attack", 0)
    for moment in (state, found.after):
        if attack and moment.fight is not None and moment.fight.n == attack:
            yield moment.fight.target


def _way(found: Found[State, Action], place: Located) -> tuple[Hex, ...]:
    """Return the hexes of the cheapest way of a move, its start first, if it could be walked."""
    state, action = found.before, found.action
    if not isinstance(action, Move) or place.unit not in state.units:
        return ()
    if action.unit not in state.units or not isinstance(action.to, Hex):
        return ()
    if action.to not in state.facts.sheet:
        return ()
    way = way_of(state, action) or way_of(state, action, through=True)
    if way is None:
        return ()
    start = state.units[action.unit].place
    hexes = (start, *way.hexes) if isinstance(start, Hex) else way.hexes
    return (*(a for a, b in pairwise(hexes) if a != b), *hexes[-1:])


def standing(state: State) -> Standing:
    """Return points and objectives held."""
    held = {ALLIED: 0, GERMAN: 0}
    for name in state.facts.objectives:
        side = controller_of(state, name)
        if side is not None:
            held[side] += 1
    return Standing(state.turn, due_points(state), held)


def thrown(action: Action, after: State) -> Thrown | None:
    """Return a roll of dice that hit or miss: faces that can score on what was there.

    Anti-tank fire scores on armor alone (rule 5.2.4). ``None`` for the die of direction, and for
    dice without a target.
    """
    if not isinstance(action, Roll) or action.kind == "DIR" or not action.faces:
        return None
    volleys = after.fight.volleys if after.fight is not None else ()
    if not volleys or (volleys[-1].side, volleys[-1].faces) != (action.side, action.faces):
        return None
    facts = after.facts
    targets = {target_of(after, key) for key, steps in volleys[-1].targets if steps > 0}
    if action.kind == "AT":
        targets &= {"armor"}
    if not targets:
        return None
    scoring = frozenset[str]().union(*(FACES[t] for t in targets if t is not None))
    die = facts.dice[action.side]
    dice = len(action.faces)
    hits = sum(face in scoring for face in action.faces)
    expected = dice * sum(face in scoring for face in die) / len(die)
    return Thrown(after.turn, action.side, dice, hits, expected)
