"""Rule 5.2.2.b: an Air Strike by itself against a German unit in the open."""

from __future__ import annotations

from collections.abc import Iterator

from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import Commit, Join, Roll, Use
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.participants import is_meant
from builder.rulesets.dropzone.state import State

__all__ = ["has_air_strike", "interdiction_targets", "may_be_interdicted", "why_not_interdicted"]


def why_not_interdicted(state: State, h: Hex) -> tuple[str, Ruling]:
    """Return why a hex cannot be interdicted, in words that follow its number, and how sure.

    No words if it can. Ground is clear if it is clear and no hill; a road junction does not change
    it. That a hill is not clear is a reading (C-17), the rest is plain.
    """
    if h not in state.facts.sheet or not any(
        state.facts.units[k].side == GERMAN for k in state.units_at.get(h, ())
    ):
        return "holds no German unit", Ruling.ILLEGAL
    features = state.facts.ground.features(h)
    if features[0] != "clear":
        return f"is {features[0]}, not clear", Ruling.ILLEGAL
    if h in state.zones[ALLIED]:
        return "is in an Allied zone of control", Ruling.ILLEGAL
    if "hill" in features:
        return "is a hill, not clear", Ruling.WARNING
    return "", Ruling.LEGAL


def may_be_interdicted(state: State, h: Hex) -> bool:
    """Tell whether a hex can be interdicted, and an Air Strike may be left to do it."""
    return has_air_strike(state) and not why_not_interdicted(state, h)[0]


def has_air_strike(state: State) -> bool:
    """Tell whether an Air Strike may be left; drawn or not, as a log need not show its draw."""
    return any(
        state.facts.assets[k].kind == "AIRSTRIKE" and a.place in ("HAND", "POOL", "COMMIT")
        for k, a in state.assets.items()
    )


def interdiction_targets(state: State) -> tuple[Hex, ...]:
    """Return the hexes that an Air Strike may interdict now, in the order of the units."""
    return tuple(h for h in state.units_at if not why_not_interdicted(state, h)[0])


@book.rule("DZ-5.2.2d", on=Use)
def interdiction(state: State, action: Use) -> Iterator[Breach]:
    """Rule 5.2.2.b: by an Air Strike, in an Allied activation, a unit in clear terrain, no ZOC.

    A garrison is no unit (C-26). With attackers beside the target it is no interdiction.
    """
    if not action.mode.startswith("INTERDICT") or action.asset not in state.facts.assets:
        return
    facts, fight = state.facts, state.fight
    target = action.target if action.target is not None else fight.target if fight else None
    asset = facts.assets[action.asset]
    if target is None:
        if state.side == GERMAN:
            message = f"{asset.name} interdicts nothing: it is a German activation"
            yield Breach("DZ-5.2.2d", message, pieces=(action.asset,))
        return
    where = facts.label(target)
    why, ruling = why_not_interdicted(state, target)
    if asset.kind != "AIRSTRIKE":
        why, ruling = f"{asset.name} is no Air Strike", Ruling.ILLEGAL
    elif state.side == GERMAN:
        why, ruling = "it is a German activation", Ruling.ILLEGAL
    elif fight is not None and not fight.has_dice and fight.target == target and fight.attackers:
        why, ruling = f"units attack {where}: the asset supports them", Ruling.ILLEGAL
    elif why:
        why = f"{where} {why}"
    else:
        return
    yield Breach(
        "DZ-5.2.2d",
        f"{where} cannot be interdicted by {asset.name}: {why}",
        ruling,
        pieces=(action.asset, *state.units_at.get(target, ())),
        hexes=(target,),
        legal=tuple(facts.label(h) for h in interdiction_targets(state)),
    )


@book.rule("DZ-5.2.2d", on=(Roll, Join, Commit))
def interdiction_alone(state: State, action: Roll | Join | Commit) -> Iterator[Breach]:
    """Rule 5.2.2.b: an interdiction is fire alone: no units, no combat, no asset against it."""
    fight = state.fight
    if fight is None or fight.kind != "interdiction":
        return
    if not is_meant(fight, action.n if isinstance(action, Join) else action.attack):
        return
    if isinstance(action, Roll):
        if action.kind not in ("COMBAT", "LAND"):
            return
        what = "no combat is rolled"
    elif isinstance(action, Join):
        what = "no unit joins it"
    else:
        what = "no asset is played beside it"
    yield Breach(
        "DZ-5.2.2d",
        f"the Air Strike at {state.facts.label(fight.target)} is an interdiction: {what}",
        hexes=(fight.target,),
    )
