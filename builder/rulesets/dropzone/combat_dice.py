"""Rule 5.2, steps 5 and 6 of a combat: how many dice each side rolls, and which faces there are.

The text of these steps is missing; example 3 shows them (C-4, G-13).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from builder.hexes.grid import Hex
from builder.rules.core import Breach
from builder.rulesets.dropzone.actions import Roll
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, Side, UnitFacts, enemy_of
from builder.rulesets.dropzone.hits import withheld
from builder.rulesets.dropzone.participants import is_meant, role_of, side_in, strength_of
from builder.rulesets.dropzone.state import Fight, State

__all__ = ["DiceCount", "TerrainDice", "dice_of", "missing_rolls", "strange_faces", "terrain_dice"]

_ACROSS = ("river", "bridge")


class DiceCount(NamedTuple):
    """How many dice a side rolls in combat, and why.

    ``words`` is the sum as a finding prints it; ``ours`` names the figures in it that the rulebook
    does not give, and ``low`` to ``high`` is what it could be whatever they were: terrain changes
    no roll by more than a die a kind, armor has two or three dice, the reconnaissance unit four.
    """

    n: int
    words: str
    ours: tuple[str, ...]
    low: int
    high: int

    def rests_on(self, rolled: int) -> tuple[str, ...]:
        """Return the figures that another number of dice would call into question."""
        return self.ours if self.low <= rolled <= self.high else ()


class TerrainDice(NamedTuple):
    """One change of the number of dice by terrain."""

    kind: str
    name: str
    dice: int
    is_ours: bool


@book.states("DZ-1.1b")
def terrain_dice(state: State, fight: Fight, side: Side) -> tuple[TerrainDice, ...]:
    """Rules 1.1 and 5.2: what the terrain of a target does to a side's dice; effects add up.

    Clear ground does nothing: example 3 counts nothing but the hill in a hex that is clear below.
    The river counts if every attacker is across one, by a bridge or not (G-2).
    """
    ground = state.facts.ground
    if fight.target not in state.facts.sheet:
        return ()
    attacks = side == fight.side
    found = []
    for kind in ground.features(fight.target):
        row = ground.figures.get(kind)
        if row is None or kind == "clear":
            continue
        dice, ours = row.defender, row.defender_is_ours
        if attacks:
            dice, ours = row.attacker, row.attacker_is_ours
        found.append(TerrainDice(kind, kind, dice, ours))
    if attacks:
        found += _river(state, fight)
    return tuple(found)


def _river(state: State, fight: Fight) -> list[TerrainDice]:
    ground = state.facts.ground
    around = ground.neighbors_of.get(fight.target, ())
    kinds = []
    for key in strength_of(state, fight):
        if key in fight.attackers and key in state.units:
            place = fight.places.get(key)
            if isinstance(place, Hex) and place in around:
                kinds.append(ground.side_kind(place, fight.target))
            else:
                kinds.append("")
    crossed = [k for k in kinds if k in _ACROSS]
    if not crossed:
        return []
    row = ground.figures["river" if "river" in crossed else "bridge"]
    dice = row.attacker if len(crossed) == len(kinds) else 0
    name = "river" if dice else "river (not all across)"
    return [TerrainDice("river", name, dice, row.attacker_is_ours)]


@book.states("DZ-5.2.1b")
def dice_of(state: State, side: Side) -> DiceCount:
    """Rule 5.2: the dice that a side rolls in the combat that was announced last; 0 without one.

    The attacker's units, or the defending unit and garrison, as they were when the first combat
    die fell, changed by terrain; never below 0. A side that has nothing left rolls nothing.
    """
    fight = state.fight
    if fight is None:
        return DiceCount(0, "no attack", (), 0, 0)
    return _count(state, fight, side, strength_of(state, fight))


def missing_rolls(state: State) -> tuple[Side, ...]:
    """Return the sides whose combat roll is still to come, the attacker first.

    Nobody's if one side has nothing left, or has had nothing from the start.
    """
    fight = state.fight
    if fight is None or fight.kind == "interdiction":
        return ()
    if len({side_in(fight, k) for k in strength_of(state, fight)}) < 2:
        return ()
    return tuple(
        side
        for side in (fight.side, enemy_of(fight.side))
        if not fight.rolled(side, "COMBAT", "LAND") and dice_of(state, side).n
    )


def _count(state: State, fight: Fight, side: Side, strength: Mapping[str, int]) -> DiceCount:
    facts = state.facts
    words: list[str] = []
    ours: list[str] = []
    total = low = high = 0
    for key, steps in strength.items():
        if side_in(fight, key) != side:
            continue
        unit = facts.units.get(key)
        dice = steps if unit is None else unit.dice(steps)
        total += dice
        words.append(f"{facts.title(key)} {dice}")
        least = most = dice
        if unit is not None and unit.drc_is_ours:
            least, most = _printed_range(unit, steps)
            ours.append(f"dice of {unit.title}")
        low += min(least, dice)
        high += max(most, dice)
    if not words:
        return DiceCount(0, "nothing left", (), 0, 0)
    for change in terrain_dice(state, fight, side):
        total += change.dice
        if change.dice:
            words.append(f"{change.name} {change.dice:+}".replace("-", "−"))
        low += min(change.dice, -1) if change.is_ours else change.dice
        high += max(change.dice, 1) if change.is_ours else change.dice
        if change.is_ours:
            ours.append(facts.ground.figures[change.kind].name)
    n = max(0, total)
    return DiceCount(n, ", ".join(words), tuple(ours), max(0, low), max(0, high))


def _printed_range(unit: UnitFacts, steps: int) -> tuple[int, int]:
    """Return the least and most dice that rule 1.2 lets a counter have."""
    if unit.is_armor:
        return (2, 3) if steps == 1 else (4, 4)
    return (1, 4)


# ----------------------------------------------------------------------------------- the judges


@book.rule("DZ-5.2.5", "DZ-5.2.5b", "DZ-5.2.4d", "DZ-1.2j", "DZ-1.2s", on=Roll)
def combat_roll(state: State, action: Roll) -> Iterator[Breach]:
    """Rule 5.2: each side rolls once, as many dice as its pieces and the terrain give it."""
    fight = state.fight
    if fight is None or action.kind not in ("COMBAT", "LAND"):
        return
    if action.side not in (ALLIED, GERMAN) or fight.kind == "interdiction":
        return
    if not is_meant(fight, action.attack) or (action.side == fight.side and not fight.attackers):
        return  # it was not announced: said by the row on announcing
    if fight.rolled(action.side, "COMBAT", "LAND"):
        yield Breach(
            "DZ-5.2.5",
            f"the {action.side} side has rolled already in the attack on "
            f"{state.facts.label(fight.target)}",
            hexes=(fight.target,),
        )
        return
    count = dice_of(state, action.side)
    rolled = len(action.faces)
    if rolled == count.n or _was_said(state, fight, action.side, rolled - count.n):
        return
    row, hint = _explained(state, fight, action.side, rolled)
    dice = "die" if count.n == 1 else "dice"
    yield Breach(
        row,
        f"the {action.side} {role_of(fight, action.side)} of {state.facts.label(fight.target)} "
        f"has {count.n} {dice} ({count.words}), {rolled} were rolled{hint}",
        pieces=tuple(k for k in strength_of(state, fight) if side_in(fight, k) == action.side),
        hexes=(fight.target,),
        rests_on=count.rests_on(rolled),
        legal=(f"{count.n} {dice}",),
    )


def _explained(state: State, fight: Fight, side: Side, rolled: int) -> tuple[str, str]:
    """Return the row of a wrong number and what explains it; the general row if in doubt."""
    strength = strength_of(state, fight)
    found: dict[str, str] = {}
    before = dict(strength)
    for volley in fight.volleys:
        if volley.kind in ("IF", "AT"):
            for key in volley.losses:
                before[key] = before.get(key, 0) + 1
    if before != strength and _count(state, fight, side, before).n == rolled:
        found["DZ-5.2.4d"] = "steps lost to fire do not roll"
    changes = terrain_dice(state, fight, side)
    terrain = sum(c.dice for c in changes)
    units = {k: n for k, n in strength.items() if side_in(fight, k) == side}
    dice = sum(
        state.facts.units[k].dice(n) if k in state.facts.units else n for k, n in units.items()
    )
    forgotten = {c.kind for c in changes if c.dice and max(0, dice + terrain - c.dice) == rolled}
    if forgotten == {"hill"}:
        found["DZ-5.2.5b"] = "the hill counts once"
    elif forgotten:
        found["DZ-5.2.5"] = " or ".join(f"the {kind} counts" for kind in sorted(forgotten))
    if side == fight.side and any(
        max(0, dice + terrain + n) == rolled for n in _garrison_dice(state, fight, side)
    ):
        found["DZ-1.2s"] = "a garrison rolls in defense only"
    if units and max(0, sum(units.values()) + terrain) == rolled:
        found["DZ-1.2j"] = "the dice stand on the counter, they are not its steps"
    if len(found) == 1:
        ((row, hint),) = found.items()
        return row, f"; {hint}"
    return "DZ-5.2.5", f": {' or '.join(found.values())}?" if found else ""


def _was_said(state: State, fight: Fight, side: Side, more: int) -> bool:
    """Tell whether a number is wrong by what another finding has named already.

    A garrison that joined is counted; or fewer dice fell, as if hits of fire had been taken.
    """
    joined = sum(state.steps_of(k) for k in fight.attackers if k in state.garrisons)
    if more > 0:
        return side == fight.side and more == joined
    return any(
        v.kind in ("IF", "AT") and v.side != side and not v.is_closed and withheld(state, v)
        for v in fight.volleys
    )


def _garrison_dice(state: State, fight: Fight, side: Side) -> set[int]:
    """Return the dice of garrisons that an attacker may have counted by mistake."""
    beside: set[str] = set()
    for key in fight.attackers:
        place = state.hex_of(key)
        garrison = state.garrison_at.get(place) if place is not None else None
        if garrison is not None and state.garrisons[garrison].side == side:
            beside.add(garrison)
    return {sum(state.steps_of(k) for k in beside)} - {0}


@book.rule("DZ-5.2.5", "DZ-5.2.4b", "DZ-5.2.4c", on=Roll)
def strange_faces(state: State, action: Roll) -> Iterator[Breach]:
    """Rules 1.2 and 5.2: a die shows only faces that it has; which those are is open (G-3)."""
    rows = {"IF": "DZ-5.2.4b", "AT": "DZ-5.2.4c", "COMBAT": "DZ-5.2.5", "LAND": "DZ-5.2.5"}
    if action.kind not in rows or action.side not in state.facts.dice:
        return
    die = state.facts.dice[action.side]
    strange = tuple(dict.fromkeys(f for f in action.faces if f not in die))
    if strange:
        ours = state.facts.dice_is_ours.get(action.side, False)
        yield Breach(
            rows[action.kind],
            f"the {action.side} die has no {' and no '.join(strange)} face",
            rests_on=(f"{action.side} combat die",) if ours else (),
            legal=tuple(dict.fromkeys(die)),
        )
