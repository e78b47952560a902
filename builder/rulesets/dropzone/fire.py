"""Rules 1.4 and 5.2.4: indirect and anti-tank fire: its dice, and that it comes before combat."""

from __future__ import annotations

from collections.abc import Iterator

from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import Roll, Use
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.combat_dice import terrain_dice
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, AssetFacts
from builder.rulesets.dropzone.participants import (
    FIRE,
    is_meant,
    is_over,
    pending_fire,
    printed_dice,
    uses_of,
)
from builder.rulesets.dropzone.state import Fight, State, Usage

__all__ = ["fire_roll"]

_NAMES = {"IF": "indirect fire", "AT": "anti-tank fire"}
_ROWS = {"IF": "DZ-5.2.4b", "AT": "DZ-5.2.4c"}


@book.rule("DZ-1.4d", "DZ-5.2.4b", "DZ-5.2.4c", "DZ-5.2.1a", on=Roll)
def fire_roll(state: State, action: Roll) -> Iterator[Breach]:
    """Rules 1.4 and 5.2.4: fire is rolled once an asset, with its printed dice, no terrain."""
    fight = state.fight
    if fight is None or action.kind not in _ROWS or action.side not in (ALLIED, GERMAN):
        return
    if not is_meant(fight, action.attack):
        return
    where = state.facts.label(fight.target)
    uses = uses_of(fight, action.side)
    if not uses:
        yield Breach(
            "DZ-5.2.1a",
            f"the {action.side} side rolled {_NAMES[action.kind]} at {where}, and has turned no "
            "asset",
            Ruling.WARNING,
            hexes=(fight.target,),
        )
        return
    pending = [u for u in pending_fire(fight) if u.side == action.side]
    usage = next((u for u in pending if FIRE[u.mode] == action.kind), None)
    if usage is None:
        yield _no_such_roll(state, fight, action, pending, uses)
        return
    yield from _count(state, fight, action, usage)


def _no_such_roll(
    state: State, fight: Fight, action: Roll, pending: list[Usage], uses: tuple[Usage, ...]
) -> Breach:
    name = state.facts.title((pending or uses)[0].asset)
    meant = FIRE[(pending or uses)[0].mode]
    why = f"it was turned for {_NAMES[meant]}" if pending else "its dice have fallen already"
    return Breach(
        _ROWS[action.kind],
        f"the {action.side} side rolled {_NAMES[action.kind]} for {name}: {why}",
        pieces=((pending or uses)[0].asset,),
        hexes=(fight.target,),
    )


def _count(state: State, fight: Fight, action: Roll, usage: Usage) -> Iterator[Breach]:
    asset = state.facts.assets[usage.asset]
    printed = printed_dice(asset, action.kind)
    rolled = len(action.faces)
    if rolled == printed:
        return
    terrain = sum(c.dice for c in terrain_dice(state, fight, action.side))
    by_terrain = bool(terrain) and rolled == max(0, printed + terrain)
    row = _ROWS[action.kind]
    if row == "DZ-5.2.4b" and asset.kind == "INDIRECT" and not by_terrain:
        row = "DZ-1.4d"
    yield Breach(
        row,
        f"{asset.name} gives {printed} dice of {_NAMES[action.kind]}, {rolled} were rolled"
        + ("; terrain does not change fire" if by_terrain else ""),
        pieces=(asset.id,),
        hexes=(fight.target,),
        rests_on=_ours(asset),
        legal=(f"{printed} dice",),
    )


def _ours(asset: AssetFacts) -> tuple[str, ...]:
    return (f"dice of {asset.name}",) if asset.is_ours else ()


@book.rule("DZ-5.2.4a", on=(Roll, Use))
def fire_first(state: State, action: Roll | Use) -> Iterator[Breach]:
    """Rule 5.2.4: assets have fired before the first die of the combat falls."""
    fight = state.fight
    if fight is None or is_over(fight) or fight.kind == "interdiction":
        return
    facts = state.facts
    if isinstance(action, Roll):
        late = pending_fire(fight) if action.kind in ("COMBAT", "LAND") else ()
        if not late or fight.strength is not None:
            return
        names, pieces = [facts.title(u.asset) for u in late], tuple(u.asset for u in late)
    else:
        if action.mode not in ("IF", "AT") or fight.strength is None:
            return
        if action.target not in (None, fight.target) or action.asset not in facts.assets:
            return
        names, pieces = [facts.title(action.asset)], (action.asset,)
    yield Breach(
        "DZ-5.2.4a",
        f"combat at {facts.label(fight.target)} was rolled before the fire of "
        f"{' and '.join(names)}",
        pieces=pieces,
        hexes=(fight.target,),
    )
