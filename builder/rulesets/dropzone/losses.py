"""Rules 1.2 and 5.2: judges of losses: what may hit what, and that no hit is withheld."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import Advance, Attack, Lose, Phase, Roll, Use
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.combat_dice import dice_of, missing_rolls
from builder.rulesets.dropzone.facts import FACES, Target
from builder.rulesets.dropzone.hits import (
    eligible,
    ends_of,
    groups_of,
    losses_owed,
    lost_by,
    target_of,
    volley_of,
    withheld,
)
from builder.rulesets.dropzone.participants import (
    is_over,
    role_of,
    starts_interdiction,
    strength_of,
)
from builder.rulesets.dropzone.sequence import SIDE_OF
from builder.rulesets.dropzone.state import Fight, State, Volley

__all__ = ["loss_in_combat"]

_ROWS: Final[Mapping[Target, str]] = {
    "armor": "DZ-1.2b",
    "airborne": "DZ-1.2e",
    "ffi": "DZ-1.2f",
    "german_inf": "DZ-1.2g",
}
_KINDS: Final = {"IF": "indirect fire", "AT": "anti-tank fire"}


@book.rule(
    "DZ-1.2b",
    "DZ-1.2e",
    "DZ-1.2f",
    "DZ-1.2g",
    "DZ-1.2o",
    "DZ-1.2x",
    "DZ-5.2.4c",
    "DZ-5.2.6a",
    "DZ-5.2.6b",
    on=Lose,
)
def loss_in_combat(state: State, action: Lose) -> Iterator[Breach]:
    """Rules 1.2 and 5.2: a step lost to a roll must be one that the roll can take.

    A loss without any roll is no matter of combat: the rules on steps have it.
    """
    number = volley_of(state, action)
    fight = state.fight
    if number is None or fight is None or state.steps_of(action.unit) <= 0:
        return
    volley = fight.volleys[number]
    may = eligible(state, volley)
    if action.unit in may:
        return
    if not fight.attackers and volley.side != fight.side and fight.kind != "interdiction":
        return  # who attacked was never said, so that nobody knows who could be hit
    row, why = _fault(state, volley, action.unit)
    title = _title(state, action.unit)
    yield Breach(
        row,
        f"{title} lost a step to the {_roll_text(volley)}: {why}",
        pieces=(action.unit,),
        hexes=(fight.target,),
        legal=tuple(_title(state, k) for k in may),
    )


def _title(state: State, piece: str) -> str:
    if piece in state.garrisons and piece in state.facts.garrisons:
        return state.facts.garrisons[piece].name(state.garrisons[piece].side)
    return state.facts.title(piece)


def _roll_text(volley: Volley) -> str:
    faces = ", ".join(volley.faces) or "no dice"
    return f"{volley.side} {_KINDS.get(volley.kind, 'combat')} roll ({faces})"


def _fault(state: State, volley: Volley, piece: str) -> tuple[str, str]:
    """Return the row that a loss breaks, and why in words."""
    target = target_of(state, piece)
    targets = dict(volley.targets)
    if piece not in targets or target is None:
        return "DZ-5.2.6a", "it was not among the targets"
    if volley.kind == "AT":
        if target != "armor":
            return "DZ-5.2.4c", "anti-tank fire hits armor only"
        return "DZ-5.2.4c", "only an armor face counts in anti-tank fire"
    groups = groups_of(state, volley)
    lost = lost_by(volley, groups)
    standing = [k for k, n in targets.items() if k in state.units and volley.losses.count(k) < n]
    scoring = [f for f in volley.faces if f in FACES[target]]
    faces = " or ".join(sorted(FACES[target]))
    if piece in state.garrisons:
        if standing and not _can_clear(state, volley):
            names = " and ".join(state.facts.title(k) for k in standing)
            return "DZ-1.2x", f"{names} must be eliminated first"
        if not scoring:
            return "DZ-1.2o", f"it takes the face {faces}"
    elif target == "armor":
        if len(scoring) <= lost[0]:
            return "DZ-1.2b", "it is armor, and no armor face is left"
    elif not scoring:
        return _ROWS[target], f"it takes the face {faces}"
    armor = [k for k in groups[0].pieces if volley.losses.count(k) < groups[0].pieces[k]]
    if armor and "armor" in volley.faces and _takes_armor_face(volley, target, lost):
        names = " or ".join(state.facts.title(k) for k in armor)
        return "DZ-5.2.6b", f"the armor hit must be applied to {names}"
    return "DZ-5.2.6a", "the faces do not take that many steps"


def _can_clear(state: State, volley: Volley) -> bool:
    """Tell whether some legal allocation takes every unit among the targets off."""
    groups = groups_of(state, volley)
    units = tuple(g.steps for g in groups[:3])
    return any(end[:3] == units for end in ends_of(state, volley, groups))


def _takes_armor_face(volley: Volley, target: Target, lost: tuple[int, ...]) -> bool:
    """Tell whether a loss would be right if armor faces could be applied to anything."""
    own = sum(f != "armor" and f in FACES[target] for f in volley.faces)
    return own < sum(lost[1:]) + 1 <= own + volley.faces.count("armor")


# ------------------------------------------------------------------------------- hits withheld


@book.rule("DZ-5.2.4d", on=Roll)
def fire_before_combat(state: State, action: Roll) -> Iterator[Breach]:
    """Rule 5.2.4: what fire has hit is gone before the combat is rolled."""
    fight = state.fight
    if fight is None or action.kind not in ("COMBAT", "LAND"):
        return
    for volley in fight.volleys:
        if volley.kind in ("IF", "AT") and not volley.is_closed and withheld(state, volley):
            yield _withheld(state, fight, volley, "DZ-5.2.4d")


@book.rule("DZ-5.2.6a", on=(Attack, Advance, Phase, Use))
def all_hits_taken(state: State, action: Attack | Advance | Phase | Use) -> Iterator[Breach]:
    """Rule 5.2: nothing goes on while a hit that can score is withheld (C-4, G-13)."""
    fight = state.fight
    if fight is None or is_over(fight) or not _goes_on(fight, action):
        return
    for volley in fight.volleys:
        if not volley.is_closed and withheld(state, volley):
            yield _withheld(state, fight, volley, "DZ-5.2.6a")


def _goes_on(fight: Fight, action: Attack | Advance | Phase | Use) -> bool:
    return not isinstance(action, Use) or starts_interdiction(fight, action)


def _withheld(state: State, fight: Fight, volley: Volley, row: str) -> Breach:
    may = eligible(state, volley)
    names = " or ".join(_title(state, k) for k in may)
    return Breach(
        row,
        f"the {_roll_text(volley)} at {state.facts.label(fight.target)} takes another step "
        f"of {names}",
        pieces=may,
        hexes=(fight.target,),
        legal=tuple(_title(state, k) for k in may),
    )


@book.rule("DZ-5.2.5", on=(Attack, Advance, Phase, Use))
def both_sides_roll(state: State, action: Attack | Advance | Phase | Use) -> Iterator[Breach]:
    """Rule 5.2: an attack in which dice have fallen is fought out: both sides roll."""
    fight = state.fight
    if fight is None or not fight.has_dice or is_over(fight) or not _goes_on(fight, action):
        return
    if losses_owed(state, "IF", "AT"):
        return  # hits of fire were withheld: what would be left to roll is not known
    missing = [(side, dice_of(state, side)) for side in missing_rolls(state)]
    if missing:
        words = [f"the {side} {role_of(fight, side)} {c.n} ({c.words})" for side, c in missing]
        yield Breach(
            "DZ-5.2.5",
            f"the attack on {state.facts.label(fight.target)} was not rolled out: "
            f"{' and '.join(words)} dice are missing",
            pieces=tuple(strength_of(state, fight)),
            hexes=(fight.target,),
        )


# ----------------------------------------------------------------------- who chooses; eliminated


@book.rule("DZ-5.2.4e", "DZ-1.4k", on=Lose)
def who_chooses(state: State, action: Lose) -> Iterator[Breach]:
    """Rules 5.2 and 1.4: the owner of the group says which unit loses, if there is a choice.

    In a coordinated attack that is the active player for all attackers.
    """
    number = volley_of(state, action)
    fight = state.fight
    commands = state.roster.get(action.by, ())
    side = state.side_of(action.unit)
    if number is None or fight is None or not commands or side is None:
        return
    may = eligible(state, fight.volleys[number])
    if len(may) < 2 or action.unit not in may:
        return
    facts = state.facts
    legal = tuple(_title(state, k) for k in may)
    if side not in {SIDE_OF.get(c) for c in commands}:
        yield Breach(
            "DZ-5.2.4e",
            f"{action.by} chose {_title(state, action.unit)} for a loss; its own side chooses",
            Ruling.WARNING,
            pieces=(action.unit,),
            hexes=(fight.target,),
            legal=legal,
        )
    elif (
        side == fight.side
        and any(u.mode == "JOIN" for u in fight.uses)
        and state.command not in commands
    ):
        yield Breach(
            "DZ-1.4k",
            f"{action.by} chose {facts.title(action.unit)} for a loss; in a coordinated attack "
            f"the player of {state.command} chooses",
            Ruling.WARNING,
            pieces=(action.unit,),
            hexes=(fight.target,),
            legal=legal,
        )


@book.rule("DZ-5.2.6c", on=Phase)
def eliminated(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 5.2: a unit without steps is off the map by the end of the fighting."""
    if state.step not in ("COMBAT", "LAND") or action.step == state.step:
        return
    for key, unit in state.units.items():
        if unit.steps <= 0 and isinstance(unit.place, Hex):
            yield Breach(
                "DZ-5.2.6c",
                f"{state.facts.title(key)} has no step left and still stands in "
                f"{state.facts.label(unit.place)}",
                pieces=(key,),
                hexes=(unit.place,),
                legal=(state.elimination_box(state.facts.units[key].side),),
            )
