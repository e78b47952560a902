"""Rules 5.1 and 5.2, step 1: what may be attacked, and who takes part."""

from __future__ import annotations

from collections.abc import Iterator

from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import Attack, Commit, Join, Leave, Roll, Use
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.combat_dice import missing_rolls
from builder.rulesets.dropzone.entry import may_attack_from_box
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, enemy_of
from builder.rulesets.dropzone.interdiction import has_air_strike
from builder.rulesets.dropzone.participants import is_meant, is_over, spent_units
from builder.rulesets.dropzone.state import State

__all__ = ["attack_targets", "can_reach", "landing_targets", "reaching"]


def can_reach(state: State, unit: str, target: Hex) -> bool:
    """Tell whether a unit is where it can attack a hex.

    Beside it; in an entry area whose hexes the enemy holds (rule 4.2.3); or, in the landing step,
    in it, if it must attack there (rule 4.2.4).
    """
    known = state.units.get(unit)
    if known is None or known.steps <= 0:
        return False
    if state.step == "LAND":
        return known.place == target and "attack" in state.landing.get(unit, "")
    if isinstance(known.place, Hex):
        return known.place in state.facts.ground.neighbors_of.get(target, ())
    return may_attack_from_box(state, unit, target)


def reaching(state: State, target: Hex, commands: tuple[str, ...]) -> tuple[str, ...]:
    """Return the units of some Commands that can attack a hex from where they are."""
    return tuple(
        k
        for k, f in state.facts.units.items()
        if f.command in commands and can_reach(state, k, target)
    )


def landing_targets(state: State) -> tuple[Hex, ...]:
    """Return the hexes where a unit has landed among enemies and must attack."""
    found = {
        unit.place: None
        for key, unit in state.units.items()
        if isinstance(unit.place, Hex) and "attack" in state.landing.get(key, "")
    }
    return tuple(found)


def attack_targets(state: State) -> tuple[Hex, ...]:
    """Return the hexes that the active Command can attack now: see :func:`can_reach`.

    Only units count that have not attacked yet. A garrison alone is a target too (C-25), and a
    hex may be attacked again by others (G-22).
    """
    side = state.side
    if side is None:
        return ()
    enemy = enemy_of(side)
    if state.step == "LAND":
        return tuple(h for h in landing_targets(state) if state.is_held(h, enemy))
    near: dict[Hex, None] = {}
    spent = spent_units(state)
    for key in state.command_units(state.command):
        unit = state.units[key]
        if unit.steps <= 0 or key in spent:
            continue
        if isinstance(unit.place, Hex):
            around: tuple[Hex, ...] = state.facts.ground.neighbors_of.get(unit.place, ())
        elif unit.place.startswith("Entry"):
            around = tuple(h for h in state.held_by if may_attack_from_box(state, key, h))
        else:
            continue
        near.update(dict.fromkeys(h for h in around if state.is_held(h, enemy)))
    return tuple(near)


@book.rule("DZ-5.1j", on=Attack)
def declared_attack(state: State, action: Attack) -> Iterator[Breach]:
    """Rule 5.1: against enemies beside a unit of the active Command; a garrison will do (C-25).

    A lone Air Strike needs nobody beside its target: such a hex may be announced too.
    """
    side = state.side
    if side is None:
        return
    facts = state.facts
    where = facts.label(action.target)
    if not state.is_held(action.target, enemy_of(side)):
        why = f"no {enemy_of(side)} unit or garrison is in {where}"
    elif state.step == "LAND":
        if action.target in landing_targets(state):
            return
        why = f"no unit has landed in {where} among enemies, and other attacks follow movement"
    else:
        if reaching(state, action.target, (state.command,)):
            return
        if side == ALLIED and has_air_strike(state):
            return  # announced for an Air Strike: it is judged when that is turned
        why = f"no unit of {state.command} is beside {where}"
    yield Breach(
        "DZ-5.1j",
        f"{state.command} cannot attack {where}: {why}",
        hexes=(action.target,),
        legal=tuple(facts.label(h) for h in attack_targets(state)),
    )


@book.rule("DZ-1.2r", "DZ-1.3a", "DZ-5.2a", "DZ-5.2b", on=Join)
def attacker(state: State, action: Join) -> Iterator[Breach]:
    """Rules 1.2, 1.3, 5.2: units of the active Command, beside the target, once an activation."""
    fight, facts, key = state.fight, state.facts, action.unit
    if fight is None or fight.kind == "interdiction" or not is_meant(fight, action.n):
        return
    where = facts.label(fight.target)
    if key in facts.garrisons:
        side = state.garrisons[key].side if key in state.garrisons else GERMAN
        yield Breach(
            "DZ-1.2r",
            f"the {facts.garrisons[key].name(side)} cannot attack {where}: garrisons only defend",
            pieces=(key,),
            hexes=(fight.target,),
        )
        return
    if key not in state.units or not state.command:
        return
    unit, title = facts.units[key], facts.title(key)
    if unit.side != state.side or (unit.side == GERMAN and unit.command != state.command):
        yield Breach(
            "DZ-1.3a",
            f"{title} of {unit.command} cannot attack: {state.command} is active",
            pieces=(key,),
            hexes=(fight.target,),
            legal=_titles(state, reaching(state, fight.target, (state.command,))),
        )
        return
    if key in state.attacked:
        yield Breach(
            "DZ-5.2b",
            f"{title} has attacked in this activation already",
            pieces=(key,),
            hexes=(fight.target,),
        )
    if not can_reach(state, key, fight.target):
        yield Breach(
            "DZ-5.2a",
            f"{title} at {facts.label(state.units[key].place)} cannot attack {where}: "
            + _why_out_of_reach(state, key),
            pieces=(key,),
            hexes=(fight.target,),
            legal=_titles(state, reaching(state, fight.target, (state.command,))),
        )


def _why_out_of_reach(state: State, key: str) -> str:
    if state.units[key].steps <= 0:
        return "it is eliminated"
    if state.step == "LAND":
        return "only units that have landed there attack now"
    return "it is not beside it"


def _titles(state: State, units: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(state.facts.title(k) for k in units)


@book.rule("DZ-1.4i", on=(Join, Roll))
def coordinated(state: State, action: Join | Roll) -> Iterator[Breach]:
    """Rule 1.4: units of the other Allied Command attack only by a Coordinated Attack.

    The asset may be turned after they were named; it must lie open when the first die falls.
    """
    fight, facts = state.fight, state.facts
    if fight is None or state.side != ALLIED or fight.kind != "attack":
        return
    if any(u.mode == "JOIN" for u in fight.uses) or (isinstance(action, Join) != fight.has_dice):
        return
    joining = (action.unit,) if isinstance(action, Join) else fight.attackers
    others = tuple(
        k
        for k in joining
        if k in facts.units
        and facts.units[k].side == ALLIED
        and facts.units[k].command != state.command
    )
    if others:
        yield Breach(
            "DZ-1.4i",
            f"{' and '.join(_titles(state, others))} {'is' if len(others) == 1 else 'are'} not of "
            f"{state.command}: to attack {facts.label(fight.target)} takes a Coordinated Attack",
            pieces=others,
            hexes=(fight.target,),
            legal=_titles(state, reaching(state, fight.target, (state.command,))),
        )


# ------------------------------------------------------------------------------- announcements


@book.rule("DZ-5.2.1a", on=(Roll, Join, Commit, Use))
def announced_first(state: State, action: Roll | Join | Commit | Use) -> Iterator[Breach]:
    """Rule 5.2.1: first the target, then the attackers, then assets and dice; one by one."""
    words = _what(state, action)
    fight = state.fight
    if not words:
        return
    number = action.n if isinstance(action, Join) else action.attack
    if fight is None:
        why = "no attack was announced"
    elif not is_meant(fight, number):
        why = f"attack {fight.n} on {state.facts.label(fight.target)} was announced last"
        words = f"{words} for attack {number}"
    elif isinstance(action, Roll):
        if fight.attackers or fight.kind == "interdiction" or fight.has_dice:
            return
        why = f"nobody attacks {state.facts.label(fight.target)}"
    elif isinstance(action, Join) and fight.has_dice and action.unit not in fight.attackers:
        why = "its dice have begun to fall"
    else:
        return
    yield Breach(
        "DZ-5.2.1a",
        f"{words}: {why}",
        Ruling.WARNING,
        hexes=(fight.target,) if fight is not None else (),
    )


def _what(state: State, action: Roll | Join | Commit | Use) -> str:
    match action:
        case Roll():
            return "" if action.kind == "DIR" else f"the {action.side} side rolled dice"
        case Join():
            return f"{state.facts.title(action.unit)} joined"
        case Commit():
            return f"the {action.side} side laid an asset down"
        case Use():
            by_itself = action.mode not in ("IF", "AT", "JOIN") or action.target is not None
            return "" if by_itself else f"{state.facts.title(action.asset)} was turned"


@book.rule("DZ-5.2.1a", on=Leave)
def no_way_back(state: State, action: Leave) -> Iterator[Breach]:
    """Rule 5.2.1: who was announced fights; a mark may go before dice fall, or when all is over."""
    fight = state.fight
    if fight is None or not fight.has_dice or action.unit not in fight.attackers:
        return
    if not is_over(fight) and missing_rolls(state):
        yield Breach(
            "DZ-5.2.1a",
            f"{state.facts.title(action.unit)} left the attack on "
            f"{state.facts.label(fight.target)} after dice had fallen",
            Ruling.WARNING,
            pieces=(action.unit,),
            hexes=(fight.target,),
        )
