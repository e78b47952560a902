"""Rules 1.4 and 5.2, steps 1 and 2: assets in combat: whose, how many, for whom, and when."""

from __future__ import annotations

from collections.abc import Iterator

from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import Commit, DrawAsset, Roll, Use
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, Side, enemy_of
from builder.rulesets.dropzone.participants import (
    FIRE,
    FIRE_ASSETS,
    is_meant,
    is_over,
    participants,
    printed_dice,
    role_of,
    starts_interdiction,
    uses_of,
)
from builder.rulesets.dropzone.state import Fight, State

__all__ = ["coordinates", "why_no_asset"]


@book.states("DZ-1.4o")
def why_no_asset(state: State, side: Side) -> tuple[str, str]:
    """Rule 1.4: return the row and the reason why a side cannot use an asset in the attack.

    Both empty if it can: a unit that is not FFI takes part, or, in defense, a headquarters.
    """
    fight = state.fight
    if fight is None:
        return "", ""
    facts = state.facts
    pieces = participants(state, fight, side)
    if not pieces:
        return "", ""
    units = [k for k in pieces if k in facts.units]
    guards = [facts.garrisons[k] for k in pieces if k in facts.garrisons]
    if any(not facts.units[k].is_ffi for k in units) or any(g.is_hq(side) for g in guards):
        return "", ""
    if not units:
        return "DZ-1.4p", f"the {guards[0].name(side)} is alone"
    names = " and ".join(facts.title(k) for k in units)
    return "DZ-1.4q", f"only FFI take part there ({names})"


def coordinates(fight: Fight) -> bool:
    """Tell whether a Coordinated Attack has been turned in an attack."""
    return any(u.mode == "JOIN" for u in fight.uses)


def _may_hide_coordination(fight: Fight, side: Side) -> bool:
    """Tell whether an asset that a side laid face down may be a Coordinated Attack."""
    return side == ALLIED == fight.side and not coordinates(fight)


def _was_judged(fight: Fight, side: Side, asset: str) -> bool:
    """Tell whether an asset that is turned was judged as a fire asset when it was laid down."""
    if (side, asset) in fight.committed:
        return True
    return (side, "") in fight.committed and not _may_hide_coordination(fight, side)


# ------------------------------------------------------------------------------- each asset


@book.rule("DZ-1.4c", on=(Commit, Use, DrawAsset))
def used_once(state: State, action: Commit | Use | DrawAsset) -> Iterator[Breach]:
    """Rule 1.4: an asset that was used is gone."""
    asset = state.assets.get(action.asset)
    if asset is not None and asset.used:
        yield Breach(
            "DZ-1.4c",
            f"{state.facts.title(action.asset)} ({action.asset}) was used already",
            pieces=(action.asset,),
        )


@book.rule("DZ-1.4f", "DZ-1.4i", on=Commit)
def allied_only(state: State, action: Commit) -> Iterator[Breach]:
    """Rule 1.4: Air Strikes and Coordinated Attacks are Allied; the latter needs an attack."""
    asset = state.facts.assets.get(action.asset)
    if asset is None or asset.kind not in ("AIRSTRIKE", "COORDINATED"):
        return
    if action.side == GERMAN:
        row = "DZ-1.4f" if asset.kind == "AIRSTRIKE" else "DZ-1.4i"
        yield Breach(row, f"{asset.name} is Allied, the German side played it", pieces=(asset.id,))
    elif asset.kind == "COORDINATED":
        yield from _coordinates_wrongly(state, asset.id)


def _coordinates_wrongly(state: State, asset: str) -> Iterator[Breach]:
    name = state.facts.title(asset)
    if state.side == GERMAN:
        yield Breach(
            "DZ-1.4i", f"{name} serves Allied attacks, the Germans are active", pieces=(asset,)
        )


@book.rule("DZ-1.4d", "DZ-1.4e", "DZ-1.4i", on=Use)
def mode_of_asset(state: State, action: Use) -> Iterator[Breach]:
    """Rule 1.4: what each kind of asset can do.

    Indirect fire has one value; the anti-tank value needs enemy armor (C-20); only a Coordinated
    Attack lets others join. Initiative and Regroup are matters of other steps.
    """
    facts, fight = state.facts, state.fight
    asset = facts.assets.get(action.asset)
    if asset is None:
        return
    if action.mode == "JOIN":
        if asset.kind != "COORDINATED":
            yield Breach(
                "DZ-1.4i",
                f"{asset.name} lets nobody join an attack: that takes a Coordinated Attack",
                pieces=(asset.id,),
            )
        elif fight is None or (asset.side, asset.id) not in fight.committed:
            yield from _coordinates_wrongly(state, asset.id)
        return
    kind = FIRE.get(action.mode)
    if kind is None:
        return
    if asset.kind not in FIRE_ASSETS:
        row = "DZ-1.4i" if asset.kind == "COORDINATED" else "DZ-1.4d"
        yield Breach(row, f"{asset.name} has no dice", pieces=(asset.id,))
    elif kind == "AT" and printed_dice(asset, kind) == 0:
        yield Breach("DZ-1.4d", f"{asset.name} has no anti-tank value", pieces=(asset.id,))
    elif kind == "AT":
        yield from _needs_armor(state, action)


def _needs_armor(state: State, action: Use) -> Iterator[Breach]:
    facts, fight = state.facts, state.fight
    asset = facts.assets[action.asset]
    enemy = enemy_of(asset.side)
    if action.target is not None and (fight is None or starts_interdiction(fight, action)):
        targets = tuple(p.id for p in state.pieces_at(action.target) if p.side == enemy)
        where = facts.label(action.target)
    elif fight is not None:
        targets, where = participants(state, fight, enemy), facts.label(fight.target)
        if enemy == fight.side and not targets:
            return  # the attackers are not known
    else:
        return
    if not any(k in facts.units and facts.units[k].is_armor for k in targets):
        yield Breach(
            "DZ-1.4e",
            f"the anti-tank value of {asset.name} counts against armor, and none is among its "
            f"targets at {where}",
            pieces=(asset.id,),
            hexes=(fight.target,) if fight is not None else (),
            legal=("indirect fire",) if asset.if_value else (),
        )


# ------------------------------------------------------------------------------- for whom


@book.rule("DZ-1.4p", "DZ-1.4q", "DZ-4.2.4b", on=(Commit, Use))
def who_can_be_helped(state: State, action: Commit | Use) -> Iterator[Breach]:
    """Rules 1.4 and 4.2.4: no asset for lone FFI and common garrisons, none when units land.

    A Coordinated Attack may bring in a unit that is not FFI: it is judged with the dice.
    """
    facts, fight = state.facts, state.fight
    if fight is None or is_over(fight) or fight.kind == "interdiction":
        return
    if not is_meant(fight, action.attack):
        return
    asset = facts.assets.get(action.asset)
    if isinstance(action, Commit):
        side = action.side
        if side not in (ALLIED, GERMAN):
            return
        if asset is None and _may_hide_coordination(fight, side):
            return
    else:
        if asset is None or action.mode not in ("IF", "AT", "JOIN"):
            return
        side = asset.side
        if action.target not in (None, fight.target) or _was_judged(fight, side, asset.id):
            return
    if fight.kind == "landing":
        yield Breach(
            "DZ-4.2.4b",
            f"the {side} side played an asset in a landing combat at {facts.label(fight.target)}",
            pieces=(action.asset,) if action.asset else (),
            hexes=(fight.target,),
        )
    elif asset is None or asset.kind != "COORDINATED":
        yield from _no_asset(state, fight, side, action.asset)


def _no_asset(state: State, fight: Fight, side: Side, asset: str) -> Iterator[Breach]:
    row, why = why_no_asset(state, side)
    if row:
        yield Breach(
            row,
            f"the {side} {role_of(fight, side)} of {state.facts.label(fight.target)} cannot use "
            f"{state.facts.title(asset) or 'an asset'}: {why}",
            pieces=(asset,) if asset else (),
            hexes=(fight.target,),
        )


@book.rule("DZ-1.4q", on=Roll)
def coordinated_ffi(state: State, action: Roll) -> Iterator[Breach]:
    """Rule 1.4: a Coordinated Attack in which only FFI attack helps FFI alone."""
    fight = state.fight
    if fight is None or fight.has_dice or action.kind == "DIR" or not coordinates(fight):
        return
    if not uses_of(fight, fight.side):
        asset = next(u.asset for u in fight.uses if u.mode == "JOIN")
        yield from _no_asset(state, fight, fight.side, asset)


# ------------------------------------------------------------------------------- how many, when


@book.rule("DZ-5.2.2a", "DZ-5.2.2b", "DZ-1.4j", on=(Commit, Use))
def one_fire_asset(state: State, action: Commit | Use) -> Iterator[Breach]:
    """Rules 5.2.2 and 1.4: one fire asset a side; a Coordinated Attack comes on top of it."""
    fight = state.fight
    if fight is None or is_over(fight) or fight.kind == "landing":
        return
    if not is_meant(fight, action.attack):
        return
    facts = state.facts
    asset = facts.assets.get(action.asset)
    if asset is not None and asset.kind not in FIRE_ASSETS:
        return
    if isinstance(action, Commit):
        side = action.side
        surely = _fire_laid(state, fight, side, action.asset)
    else:
        if asset is None or action.mode not in FIRE or starts_interdiction(fight, action):
            return
        side = asset.side
        if action.target not in (None, fight.target):
            return
        if _fire_laid(state, fight, side) > 1 and _was_judged(fight, side, asset.id):
            return
        surely = len(uses_of(fight, side)) + 1
    if surely < 2:
        return
    row = "DZ-5.2.2a" if side == fight.side else "DZ-5.2.2b"
    if _is_coordinated(state, fight, side):
        row = "DZ-1.4j"
    yield Breach(
        row,
        f"the {side} {role_of(fight, side)} of {facts.label(fight.target)} played a second fire "
        "asset",
        pieces=(action.asset,) if action.asset else (),
        hexes=(fight.target,),
    )


def _is_coordinated(state: State, fight: Fight, side: Side) -> bool:
    if side != fight.side:
        return False
    laid = [state.facts.assets[a].kind for s, a in fight.committed if a in state.facts.assets]
    return coordinates(fight) or "COORDINATED" in laid


def _fire_laid(state: State, fight: Fight, side: Side, *more: str) -> int:
    """Return how many assets of a side are surely fire assets among those laid face down."""
    facts = state.facts
    laid = [a for s, a in fight.committed if s == side] + list(more)
    fire = sum(a in facts.assets and facts.assets[a].kind in FIRE_ASSETS for a in laid)
    unknown = sum(a not in facts.assets for a in laid)
    return fire + max(0, unknown - _spare(state, fight, side))


def _spare(state: State, fight: Fight, side: Side) -> int:
    """Return how many unknown assets of a side may be a Coordinated Attack: one, or none."""
    return int(_may_hide_coordination(fight, side) and not _is_coordinated(state, fight, side))


@book.rule("DZ-5.2.1c", on=Commit)
def attacker_speaks_first(state: State, action: Commit) -> Iterator[Breach]:
    """Rule 5.2.1: the attacker says whether he plays an asset before the defender does."""
    fight = state.fight
    if fight is None or action.side != fight.side or is_over(fight):
        return
    if not is_meant(fight, action.attack):
        return
    enemy = enemy_of(fight.side)
    if any(side == enemy for side, _ in fight.committed) and not any(
        side == fight.side for side, _ in fight.committed
    ):
        yield Breach(
            "DZ-5.2.1c",
            f"the {fight.side} attacker of {state.facts.label(fight.target)} laid his asset down "
            "after the defender’s",
            Ruling.WARNING,
            hexes=(fight.target,),
        )


@book.rule("DZ-5.2.2c", on=(Roll, Use))
def turned_together(state: State, action: Roll | Use) -> Iterator[Breach]:
    """Rule 5.2.2: all assets of an attack lie open before any of them fires."""
    fight = state.fight
    if fight is None or is_over(fight) or fight.strength is not None:
        return
    if not is_meant(fight, action.attack):
        return
    if isinstance(action, Roll):
        if fight.has_dice or action.kind == "DIR":
            return
        closed = [
            side
            for side in (fight.side, enemy_of(fight.side))
            if sum(s == side for s, _ in fight.committed) > sum(u.side == side for u in fight.uses)
        ]
        if not closed:
            return
        what = f"the asset of the {' and of the '.join(closed)} side still lay face down"
    else:
        if action.mode not in ("IF", "AT") or not fight.has_dice:
            return
        if action.target not in (None, fight.target):
            return
        what = f"{state.facts.title(action.asset)} was turned after it"
    yield Breach(
        "DZ-5.2.2c",
        f"fire at {state.facts.label(fight.target)} began before all assets were turned: {what}",
        Ruling.WARNING,
        hexes=(fight.target,),
    )
