"""Rule 9.42: Sticks that Deploy when they land badly, and who goes downwind."""

from __future__ import annotations

from collections.abc import Iterator

from builder.rules.core import Breach, Ruling
from builder.rulesets.airdrop.actions import Deploy, Displace, Mc, Phase, Tc
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.effects import chosen
from builder.rulesets.airdrop.facts import label, rests_on_terrain, step, terrain_hex
from builder.rulesets.airdrop.landing import deadly
from builder.rulesets.airdrop.state import MMC, SMC, Chute, State, Unit, halves_of

__all__ = ["deployed_of", "goes_downwind", "must_deploy"]


@book.states("E9.42d", "E9.42e")
def must_deploy(state: State, letter: str) -> str:
    """Rule 9.42: the row by which a Stick that fails its TC appears, empty for a lone Half-Squad.

    More than one Half-Squad Deploys; a leader or crew is shown even where nothing Deploys.
    """
    units = state.units_of(letter)
    if halves_of(units) > 1:
        return "E9.42d"
    return "E9.42e" if any(u.kind in (*SMC, "crew") for u in units) else ""


@book.states("E9.42f")
def deployed_of(state: State, letter: str) -> tuple[Unit, ...]:
    """Rule 9.42: the MMC as which a Stick has Deployed, the eliminated included."""
    return tuple(
        u for u in state.units.values() if u.stick == letter and u.deployed and u.kind in MMC
    )


@book.states("E9.42f")
def goes_downwind(state: State, letter: str) -> tuple[str, ...]:
    """Rule 9.42: the MMC of a Stick of which one goes downwind: Half-Squads, or two crews."""
    mmc = deployed_of(state, letter)
    if len(mmc) < 2:
        return ()
    return tuple(u.id for u in mmc if u.kind == "hs") or tuple(u.id for u in mmc)


@book.rule("E9.42d", "E9.42e", on=Phase)
def deployed_when_failed(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 9.42: a Stick that has failed its landing TC Deploys at once."""
    if not state.ends(action, "CHECKS"):
        return
    for chute in state.chutes.values():
        if chute.failed != "TC" or chute.status != "LANDED":
            continue
        row = must_deploy(state, chute.letter)
        if row == "E9.42d":
            text = f"Stick {chute.letter} failed its TC and Deploys"
            yield Breach(row, text, pieces=(chute.id,))
        elif row:
            text = f"Stick {chute.letter} failed its TC: its SMC or crew is revealed"
            yield Breach(row, text, pieces=(chute.id,))


@book.rule("E9.42d", on=Deploy)
def deployment(state: State, action: Deploy) -> Iterator[Breach]:
    """Rule 9.42: after a failed TC a Stick appears in its hex, a squad as its two Half-Squads."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None:
        return
    one, box = (action.chute,), state.units_of(chute.letter)
    if chute.failed != "TC" or chute.status != "LANDED" or state.phase != "CHECKS":
        text = f"{action.chute} has failed no landing TC and does not Deploy"
        yield Breach("E9.42d", text, pieces=one)
        return
    if action.hex != chute.where:
        here = label(chute.where)
        text = f"Stick {chute.letter} Deploys in {here}, not in {label(action.hex)}"
        yield Breach("E9.42d", text, pieces=one, hexes=(action.hex,), legal=(here,))
    if box and not must_deploy(state, chute.letter):
        text = f"Stick {chute.letter} has nothing to Deploy"
        yield Breach("E9.42d", text, pieces=one)
    for unit in box:
        if unit.kind == "squad":
            halves = sum(
                u.half_of == unit.id for i in action.units if (u := state.units.get(i)) is not None
            )
            if halves != 2 or unit.id in action.units:
                text = f"{unit.id} of Stick {chute.letter} is replaced by its two Half-Squads"
                yield Breach("E9.42d", text, pieces=(unit.id,))
        elif unit.kind == "hs" and unit.id not in action.units:
            text = f"{unit.id} of Stick {chute.letter} is placed when it Deploys"
            yield Breach("E9.42d", text, pieces=(unit.id,))


@book.rule("E9.42e", on=Deploy)
def shown_when_deploying(state: State, action: Deploy) -> Iterator[Breach]:
    """Rule 9.42: a SMC or crew of a Stick that Deploys is revealed."""
    chute = state.chutes.get(action.chute)
    if chute is None:
        return
    for unit in state.units_of(chute.letter):
        if unit.kind in (*SMC, "crew") and unit.id not in action.units:
            text = f"{unit.id} of Stick {chute.letter} is revealed when it Deploys"
            yield Breach("E9.42e", text, pieces=(unit.id,))


@book.rule("E9.42f", on=Displace)
def downwind(state: State, action: Displace) -> Iterator[Breach]:
    """Rule 9.42: one Half-Squad goes one hex downwind, and a SMC that a selection sends along."""
    unit = state.units.get(action.unit)
    if unit is None:
        return
    chute = state.chutes.get(f"P{unit.stick}")
    one = (unit.id,)
    if chute is None or chute.where is None or chute.status != "DEPLOYED" or not unit.deployed:
        text = f"{unit.id} has not Deployed and does not go downwind"
        yield Breach("E9.42f", text, pieces=one)
        return
    why = _stays(state, chute, unit)
    to = step(chute.where, state.wind_dir)
    if why:
        yield Breach("E9.42f", f"{unit.id} does not go downwind: {why}", pieces=one)
    elif action.to != to:
        text = f"one HS of Stick {chute.letter} moves downwind to {label(to)}, not to "
        text += label(action.to)
        yield Breach("E9.42f", text, pieces=one, hexes=(action.to,), legal=(label(to),))


def _stays(state: State, chute: Chute, unit: Unit) -> str:
    """Return why a unit that has Deployed stays where it is, or nothing."""
    if unit.displaced:
        return "it has gone already"
    going = goes_downwind(state, chute.letter)
    if not going:
        return f"Stick {chute.letter} has no two Half-Squads"
    if unit.kind == "sw":
        # it goes with who carries it
        led = any(u.displaced for u in deployed_of(state, chute.letter))
        return "" if led else "nobody who may carry it has gone"
    if unit.kind in SMC:
        picked = unit.id in chosen(state, "DEPLOY", chute.letter)
        return "" if picked else "no Random Selection sends it"
    if unit.id not in going:
        return f"it is no Half-Squad, as {', '.join(going)} is"
    gone = [u.id for u in deployed_of(state, chute.letter) if u.displaced]
    return f"{gone[0]} of its Stick has gone" if gone else ""


@book.rule("E9.42f", "E9.42h", on=Phase)
def displaced_by_the_end(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 9.42: one Half-Squad of every Deployed Stick has gone, and deadly ground eliminated."""
    if not state.ends(action, "CHECKS"):
        return
    for chute in state.chutes.values():
        if chute.status != "DEPLOYED" or chute.where is None:
            continue
        going = goes_downwind(state, chute.letter)
        if going and not any(u.displaced for u in deployed_of(state, chute.letter)):
            to = label(step(chute.where, state.wind_dir))
            text = f"one of {', '.join(going)} of Stick {chute.letter} goes downwind to {to}"
            yield Breach("E9.42f", text, pieces=going, legal=(to,))
    for unit in state.units.values():
        if unit.where is None or not unit.displaced or unit.eliminated:
            continue
        if state.ground.kills(terrain_hex(unit.where), after_landing=True):
            text = f"{unit.id} is placed in {deadly(state, unit.where)} in {label(unit.where)}"
            rests = rests_on_terrain(unit.where)
            yield Breach("E9.42h", f"{text}: eliminated", pieces=(unit.id,), rests_on=rests)


@book.rule("E9.42g", on=(Mc, Tc))
def no_further_check(state: State, action: Mc | Tc) -> Iterator[Breach]:
    """Rule 9.42: who has Deployed makes no further landing check."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.status != "DEPLOYED":
        return
    if isinstance(action, Tc) or action.cause == "LAND":
        text = f"{action.chute} has Deployed: no further landing check"
        yield Breach("E9.42g", text, Ruling.WARNING, (action.chute,))
