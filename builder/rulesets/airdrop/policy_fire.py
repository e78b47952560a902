"""The program fires at parachutes in the air, and takes what comes of it."""

from __future__ import annotations

from typing import Final

from builder.hexes.measure import distance
from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop.effects import casualties, chosen, passes, targets
from builder.rulesets.airdrop.fire import sees
from builder.rulesets.airdrop.policy_table import PlayTable, good_order
from builder.rulesets.airdrop.state import MMC, SMC, Chute, Unit

__all__ = ["IFT", "check", "first_fire", "is_firer", "reach", "reduce", "result_of"]

IFT: Final = ("2KIA", "1KIA", "K/2", "2MC", "1MC", "1MC", "NMC", "PTC")
"""Chart data of another chapter: the column of 4 FP of the Infantry Fire Table, from a DR of 0."""

FIREPOWER: Final = 4
MOST: Final = 8
"""The FP of that column, and the range in hexes beyond which nobody bothers to fire."""

WOUNDS: Final = 4
"""Another chapter's Wound Severity dr up to which a wounded SMC lives."""


def result_of(total: int) -> str:
    """Return the result of a final DR in the column of 4 FP; empty for none.

    >>> [result_of(n) for n in (-1, 2, 6, 7, 8)]
    ['2KIA', 'K/2', 'NMC', 'PTC', '']
    """
    return IFT[max(0, total)] if total < len(IFT) else ""


def is_firer(unit: Unit) -> bool:
    """Tell whether a unit fires with the FP of the column that the program knows."""
    able = unit.kind in MMC or (unit.kind == "gun" and unit.fires == "LIGHT_AA")
    return able and unit.fp == FIREPOWER and good_order(unit) and unit.where is not None


def reach(unit: Unit) -> int:
    """Return how far a unit fires with its whole FP, which is halved beyond its printed range."""
    printed = unit.strength.split("-")
    return min(MOST, int(printed[1])) if len(printed) == 3 and printed[1].isdigit() else MOST


def first_fire(table: PlayTable) -> None:
    """Rule 9.3: every able unit of the Defender fires once, at the nearest parachutes it sees."""
    directing: set[str] = set()
    for unit in tuple(table.state.units.values()):
        if unit.side == table.state.side or not is_firer(unit):
            continue
        chute = _target(table, unit)
        if chute is None:
            continue
        drm, total = ["HAZARDOUS"], table.state.figures.hazardous
        leader = _leader(table, unit, directing)
        if leader is not None:
            directing.add(leader.id)
            drm, total = [*drm, "LEADER"], total + leader.leadership
        weapon = unit.fires if unit.kind == "gun" else "SMALL"
        how = f"{unit.id} {leader.id if leader is not None else ''}"
        colored, white = table.pair(a.Fire, chute.id, how)
        shot = a.Fire(unit.id, chute.id, colored, white, FIREPOWER, weapon, tuple(drm), total)
        if table.try_to(shot):
            _take(table, chute, result_of(colored + white + total))


def _target(table: PlayTable, unit: Unit) -> Chute | None:
    """Return the parachute at which a unit fires: near, in company, and with Personnel.

    Next to a parachute its FP would be more than the program has a column for.
    """
    state = table.state
    far = reach(unit)
    seen = [
        c
        for c in state.aerial()
        if c.where is not None
        and unit.where is not None
        and 2 <= distance(unit.where, c.where) <= far
        and sees(state, unit.id, c.id)
    ]

    def wish(chute: Chute) -> tuple[bool, int, int, str]:
        assert chute.where is not None
        assert unit.where is not None
        company = len(targets(state, chute))
        return chute.is_weapon, distance(unit.where, chute.where), -company, chute.id

    return min(seen, key=wish, default=None)


def _leader(table: PlayTable, unit: Unit, busy: set[str]) -> Unit | None:
    """Return a leader in a squad's hex who has not directed yet and makes its fire better."""
    able = (
        u
        for u in table.state.units.values()
        if u.kind == "leader" and u.side == unit.side and u.where == unit.where and good_order(u)
    )
    free = [u for u in able if u.id not in busy and u.leadership < 0 and unit.kind in MMC]
    return min(free, key=lambda u: (u.leadership, u.id), default=None)


def _take(table: PlayTable, chute: Chute, result: str) -> None:
    """Rules 9.3, 9.33: let a result befall the parachutes that Random Selection names."""
    if result in ("", "PTC"):
        return
    names = targets(table.state, chute)
    if len(names) > 1:
        table.select("TARGET", names)
        names = table.state.selected("TARGET")
    for name in names:
        if name.startswith("W"):
            if "K" in result:
                table.eliminate(name, "FIRE")
        elif result.endswith("KIA"):
            _kill(table, name, int(result[0]))
        else:
            if result.startswith("K/"):
                reduce(table, name, "FIRE")
            plus = 0 if result == "NMC" else int(result.removeprefix("K/")[0])
            if table.state.chutes[name].status == "AERIAL":
                check(table, name, plus, "FIRE")


def _kill(table: PlayTable, name: str, count: int) -> None:
    """Eliminate so many of a Stick, or all with the die of the last of them; the rest breaks."""
    letter = name[1:]
    able = casualties(table.state, letter)
    if len(able) <= count:
        table.eliminate(name, "FIRE")
        return
    table.select("CASUALTY", (u.id for u in able))
    dice = table.state.dice["CASUALTY"]
    ranked = sorted((u.id for u in able), key=lambda i: -dice[i])
    for unit in [i for i in ranked if dice[i] >= dice[ranked[count - 1]]]:
        table.try_to(a.Loss(name, unit))
    if not casualties(table.state, letter):
        table.eliminate(name, "FIRE")
    elif not table.state.chutes[name].broken:
        table.try_to(a.Mark("DM", name))
    table.count_casualties()


def check(table: PlayTable, name: str, plus: int, cause: str) -> bool:
    """Rule 9.33: take a Stick's MC; tell whether it passed.

    By another chapter, who fails broken, or with an original 12, suffers Casualty Reduction.
    """
    was_broken = table.state.chutes[name].broken
    colored, white = table.pair(a.Mc, name, f"{cause} {plus}")
    passed = passes(colored, white, plus)
    table.try_to(a.Mc(name, plus, colored, white, passed, cause))
    if not passed and (was_broken or colored + white == 12):
        reduce(table, name, cause)
    return passed


def reduce(table: PlayTable, name: str, cause: str) -> None:
    """Rule 9.33: Casualty Reduction of whom Random Selection names; SMC are wounded first."""
    letter = name[1:]
    able = casualties(table.state, letter)
    if len(able) > 1:
        table.select("CASUALTY", (u.id for u in able))
    hit = chosen(table.state, "CASUALTY", letter) if len(able) > 1 else tuple(u.id for u in able)
    for one in hit:
        unit = table.state.units[one]
        lives = unit.kind in SMC and not unit.wounded
        if lives:
            table.try_to(a.Loss(name, one, "WOUND"))
            lives = table.die() <= WOUNDS
        if not lives:
            table.try_to(a.Loss(name, one))
    if not casualties(table.state, letter):
        table.eliminate(name, cause)
    table.count_casualties()
