"""Rules 1.4, 3.1 and 3.4: drawing assets, and what is put back at the end of a turn."""

from __future__ import annotations

from collections.abc import Iterator

from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import DrawAsset, Phase, PoolLate
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, Figure, Side
from builder.rulesets.dropzone.state import State

__all__ = ["draws_due", "in_pool"]


def in_pool(state: State, side: Side) -> tuple[str, ...]:
    """Return the assets of a side that can be drawn."""
    facts = state.facts.assets
    return tuple(k for k, a in state.assets.items() if a.place == "POOL" and facts[k].side == side)


def draws_due(state: State, side: Side) -> Figure | None:
    """Return how many assets a side draws in this turn, or ``None`` if the track does not say."""
    figures = state.facts.turns.get(state.turn)
    return figures.assets.get(side) if figures is not None else None


def _assets(number: int) -> str:
    return f"{number} asset{'s' * (number != 1)}"


# --------------------------------------------------------------------------------------- drawing


@book.rule("DZ-1.4b", "DZ-3.1a", on=DrawAsset)
def draw(state: State, action: DrawAsset) -> Iterator[Breach]:
    """Rules 1.4 and 3.1: first in turns 2 to 6, by chance, no more than due."""
    side, facts = action.side, state.facts
    due = draws_due(state, side)
    if due is None:
        return
    pieces = (action.asset,) if action.asset in facts.assets else ()
    asset = facts.assets.get(action.asset)
    drawn = state.drawn.get(side, 0)
    if state.turn == 1:
        why, ours = "no assets are drawn in turn 1", False
    elif state.step != "ASSETDRAW":
        why, ours = f"assets are drawn before the first chit, not in step {state.step}", False
    elif drawn >= due.value:
        why, ours = f"it has drawn {drawn}, and {due.value} are due in turn {state.turn}", True
    elif asset is not None and asset.side != side:
        why, ours = f"{asset.name} lies in the other side’s pool", False
    elif asset is not None and state.assets[asset.id].place in ("HAND", "COMMIT"):
        why, ours = f"{asset.name} ({asset.id}) is drawn already", False
    elif not action.is_random:
        why, ours = "it was chosen, and draws are by chance", False
    else:
        return
    yield Breach(
        "DZ-1.4b",
        f"the {side} side cannot draw this asset: {why}",
        pieces=pieces,
        rests_on=(due.name,) if ours and due.is_ours else (),
    )


@book.rule("DZ-1.4b", "DZ-3.1a", on=Phase)
def drew_too_few(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 3.1: the draw ends when both sides have what is due, or their pools are empty.

    A side need not keep what it drew for long, but it draws (there is no limit to what it keeps).
    """
    if state.step != "ASSETDRAW" or (action.turn, action.step) == (state.turn, state.step):
        return
    for side in (ALLIED, GERMAN):
        due, drawn = draws_due(state, side), state.drawn.get(side, 0)
        if due is None or drawn >= due.value or not in_pool(state, side):
            continue
        yield Breach(
            "DZ-1.4b",
            f"the {side} side drew {_assets(drawn)} in turn {state.turn}, and {due.value} "
            f"{'is' if due.value == 1 else 'are'} due",
            rests_on=(due.name,) if due.is_ours else (),
            legal=(f"draw {due.value - drawn} more",),
        )


# ----------------------------------------------------------------------------- the turn-4 assets


@book.rule("DZ-3.4b", on=DrawAsset)
def drawn_too_early(state: State, action: DrawAsset) -> Iterator[Breach]:
    """Rule 3.4: a turn-4 asset is in no pool before the end of turn 3.

    That they were not put there when turn 3 ended is said once, at that moment.
    """
    asset = state.assets.get(action.asset)
    if asset is not None and asset.place == "LATE" and state.turn <= 3:
        yield Breach(
            "DZ-3.4b",
            f"{state.facts.title(action.asset)} was drawn in turn {state.turn}: it joins the pool "
            "at the end of turn 3",
            Ruling.WARNING,
            pieces=(action.asset,),
        )


@book.rule("DZ-3.4b", on=PoolLate)
def pooled(state: State, action: PoolLate) -> Iterator[Breach]:
    """Rule 3.4: the turn-4 assets join the pools at the end of turn 3 (C-14)."""
    late = tuple(a for a in action.assets if a in state.assets and state.assets[a].place == "LATE")
    if not late or state.turn > 3 or (state.turn == 3 and state.step == "ENDTURN"):
        return
    yield Breach(
        "DZ-3.4b",
        f"{_assets(len(late))} of turn 4 joined the pools in turn {state.turn}, step {state.step}",
        Ruling.WARNING,
        pieces=late,
        legal=("turn 3 ENDTURN",),
    )


@book.rule("DZ-3.4b", on=Phase)
def not_pooled(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 3.4: when turn 3 is over, no turn-4 asset is left beside the pools."""
    if state.turn != 3 or state.step != "ENDTURN" or action.turn <= 3 or state.result:
        return
    late = tuple(k for k, a in state.assets.items() if a.place == "LATE")
    if late:
        yield Breach(
            "DZ-3.4b",
            f"turn 3 ended, and {_assets(len(late))} of turn 4 did not join the pools",
            Ruling.WARNING,
            pieces=late,
            legal=("add the turn 4 assets",),
        )


# ------------------------------------------------------------------------------------- the chits


@book.rule("DZ-3.4a", on=Phase)
def chits_back(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 3.4: no turn begins before all chits of the last one are back in the cup."""
    if state.step != "ENDTURN" or action.turn <= state.turn or state.result:
        return
    if state.chits:
        one = len(state.chits) == 1
        yield Breach(
            "DZ-3.4a",
            f"turn {state.turn} ended, and the chit{'s' * (not one)} of {', '.join(state.chits)} "
            f"{'is' if one else 'are'} not back in the cup",
            legal=("return the chits",),
        )
