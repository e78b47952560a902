"""Rule 5.2, step 6: which steps a roll takes, and whether they were taken.

The step's text is missing; examples 2 and 3 show it (C-4, G-13): hits of a roll are taken together;
an armor face goes to armor as long as there is some; a garrison loses only after the unit in its
hex; the owner chooses among equals; no hit that can still score is withheld, what cannot is lost.

Units of one kind are alike to the dice, so what a roll may do is reckoned by kinds: the totals
that every legal allocation ends with are few, however many pieces there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from builder.rulesets.dropzone.actions import Lose
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, Target, enemy_of
from builder.rulesets.dropzone.state import State, Volley

__all__ = [
    "Allocation",
    "Group",
    "allocations",
    "eligible",
    "ends_of",
    "groups_of",
    "legal_losses",
    "losses_owed",
    "lost_by",
    "target_of",
    "totals",
    "volley_of",
    "withheld",
]

_MOST: Final = 60
"""Dice of one face beyond which a roll is no roll: bounds the work on absurd files."""

_Losses: TypeAlias = tuple[tuple[str, int], ...]

_ARMOR, _MAIN, _FFI, _GARRISON = range(4)


class Allocation(NamedTuple):
    """Steps lost to a roll by piece, those that lose none left out."""

    losses: tuple[tuple[str, int], ...]


class Group(NamedTuple):
    """Pieces that dice cannot tell apart: armor, main infantry, FFI, or the garrison.

    ``pieces`` maps each to its steps at the roll.
    """

    target: Target
    pieces: Mapping[str, int]

    @property
    def steps(self) -> int:
        """Their steps in all."""
        return sum(self.pieces.values())


def target_of(state: State, piece: str) -> Target | None:
    """Return what a unit or garrison is hit as, or ``None`` for anything else."""
    facts = state.facts
    if piece in facts.units:
        return facts.units[piece].target
    if piece in facts.garrisons and piece in state.garrisons:
        return facts.garrisons[piece].target(state.garrisons[piece].side)
    return None


def groups_of(state: State, volley: Volley) -> tuple[Group, Group, Group, Group]:
    """Return the targets of a roll as armor, main infantry, FFI units and the garrison."""
    facts = state.facts
    enemy = enemy_of(volley.side)
    found: tuple[dict[str, int], ...] = ({}, {}, {}, {})
    garrison: Target = "german_inf" if enemy == GERMAN else "ffi"
    for piece, steps in volley.targets:
        if steps <= 0:
            continue
        if piece in facts.garrisons:
            # as it was at the roll, whoever holds the objective by now
            garrison = facts.garrisons[piece].target(enemy)
            found[_GARRISON][piece] = steps
        elif piece in facts.units:
            target = facts.units[piece].target
            found[{"armor": _ARMOR, "ffi": _FFI}.get(target, _MAIN)][piece] = steps
    main: Target = "german_inf" if enemy == GERMAN else "airborne"
    return (
        Group("armor", found[_ARMOR]),
        Group(main, found[_MAIN]),
        Group("ffi", found[_FFI]),
        Group(garrison, found[_GARRISON]),
    )


@lru_cache(maxsize=4096)
def totals(
    faces: tuple[int, int, int], steps: tuple[int, int, int, int], garrison: Target, is_at: bool
) -> frozenset[tuple[int, int, int, int]]:
    """Return the steps lost by armor, main infantry, FFI and garrison, in every legal way.

    ``faces`` counts armor faces, faces of the main infantry's own (infantry against Germans,
    airborne against Allies), and FFI faces; ``is_at`` for anti-tank fire.
    """
    armor, own, ffi = faces
    tanks, main, partisans, guard = steps
    on_armor = min(armor, tanks)
    if is_at:
        return frozenset({(on_armor, 0, 0, 0)})
    any_of = own + armor - on_armor  # left armor faces hit whatever its own face would hit
    found = set()
    for by_ffi in range(min(ffi, partisans) + 1):
        for more in range(min(any_of, partisans - by_ffi) + 1):
            on_main = min(main, any_of - more)
            left, left_ffi = any_of - more - on_main, ffi - by_ffi
            standing = partisans - by_ffi - more
            if standing and (left or left_ffi):
                continue  # a hit would be withheld
            cleared = on_armor == tanks and on_main == main and not standing
            can_hit = left + (left_ffi if garrison == "ffi" else 0)
            on_guard = min(guard, can_hit) if cleared else 0
            found.add((on_armor, on_main, by_ffi + more, on_guard))
    return frozenset(found)


def ends_of(
    state: State, volley: Volley, groups: tuple[Group, Group, Group, Group]
) -> frozenset[tuple[int, int, int, int]]:
    """Return the totals by group with which every legal allocation of a roll ends."""
    count = volley.faces.count
    own = "infantry" if enemy_of(volley.side) == GERMAN else "airborne"
    faces = (min(count("armor"), _MOST), min(count(own), _MOST), min(count("ffi"), _MOST))
    armor, main, ffi, garrison = (g.steps for g in groups)
    steps = (armor, main, ffi, garrison)
    return totals(faces, steps, groups[_GARRISON].target, volley.kind == "AT")


def lost_by(volley: Volley, groups: tuple[Group, Group, Group, Group]) -> tuple[int, ...]:
    """Return the steps that each group has lost to a roll so far."""
    return tuple(sum(volley.losses.count(k) for k in g.pieces) for g in groups)


@book.states("DZ-5.2.4e", "DZ-5.2.6a")
def allocations(state: State, volley: Volley) -> Iterator[Allocation]:
    """Yield every legal way in which a roll's hits may fall, whatever was lost so far.

    There can be many if many units take part: they are made one after the other.
    """
    groups = groups_of(state, volley)
    for ends in sorted(ends_of(state, volley, groups)):
        parts = (
            _shared(tuple(g.pieces.items()), lost) for g, lost in zip(groups, ends, strict=True)
        )
        for chosen in product(*(tuple(p) for p in parts)):
            yield Allocation(tuple(pair for part in chosen for pair in part))


def _shared(
    pieces: tuple[tuple[str, int], ...], lost: int
) -> Iterator[tuple[tuple[str, int], ...]]:
    if not pieces:
        if lost == 0:
            yield ()
        return
    (piece, steps), rest = pieces[0], pieces[1:]
    room = sum(n for _, n in rest)
    for here in range(max(0, lost - room), min(steps, lost) + 1):
        for others in _shared(rest, lost - here):
            yield ((piece, here), *others) if here else others


def eligible(state: State, volley: Volley) -> tuple[str, ...]:
    """Return the pieces of which one more step can go in a legal allocation, losses so far given.

    A garrison is offered even while the unit in its hex is still to be taken off, if both must go.
    Steps that another group lost beyond its due do not count here: they were said when they went.
    """
    groups = groups_of(state, volley)
    ends = ends_of(state, volley, groups)
    most = [max(end[i] for end in ends) for i in range(len(groups))]
    taken = lost_by(volley, groups)
    lost = [min(n, m) for n, m in zip(taken, most, strict=True)]
    found = []
    for number, group in enumerate(groups):
        if taken[number] > most[number]:
            continue
        after = [n + (i == number) for i, n in enumerate(lost)]
        if any(all(a <= e for a, e in zip(after, end, strict=True)) for end in ends):
            found += [k for k, n in group.pieces.items() if volley.losses.count(k) < n]
    return tuple(found)


def withheld(state: State, volley: Volley) -> bool:
    """Tell whether hits of a roll that can score have not been taken.

    Not where a step too many has gone elsewhere: that was said when it went.
    """
    groups = groups_of(state, volley)
    lost = lost_by(volley, groups)
    ends = ends_of(state, volley, groups)
    return lost not in ends and any(
        all(n <= e for n, e in zip(lost, end, strict=True)) for end in ends
    )


def legal_losses(state: State) -> tuple[tuple[str, str], ...]:
    """Return the next pieces that may lose a step to an open roll, as (piece, cause).

    A garrison comes after the units of its hex; what has lost too much already is not offered.
    """
    fight = state.fight
    found: dict[tuple[str, str], None] = {}
    for volley in fight.volleys if fight is not None else ():
        if volley.is_closed or not withheld(state, volley):
            continue
        cause = "COMBAT" if volley.kind == "LAND" else volley.kind
        pieces = [k for k in eligible(state, volley) if state.steps_of(k) > 0]
        units = [k for k in pieces if k in state.units]
        found.update(dict.fromkeys((k, cause) for k in units or pieces))
    return tuple(found)


def losses_owed(state: State, *kinds: str) -> bool:
    """Tell whether open rolls (of some kinds, or any) have hits that are still to be taken."""
    fight = state.fight
    return fight is not None and any(
        not v.is_closed and (not kinds or v.kind in kinds) and withheld(state, v)
        for v in fight.volleys
    )


def volley_of(state: State, action: Lose) -> int | None:
    """Return the number of the roll that a loss in combat belongs to, or ``None`` if none does.

    An open roll that allows it, else the first open one against the piece; else one that is over
    and was left with hits to take: that they came late has been said by then.
    """
    fight = state.fight
    side = state.side_of(action.unit)
    if fight is None or side not in (ALLIED, GERMAN):
        return None
    if action.cause not in ("IF", "AT", "COMBAT"):
        return None
    kinds = ("COMBAT", "LAND") if action.cause == "COMBAT" else (action.cause,)
    mine = [n for n, v in enumerate(fight.volleys) if v.kind in kinds and v.side == enemy_of(side)]
    allowing = [n for n in mine if action.unit in eligible(state, fight.volleys[n])]
    still_open = [n for n in mine if not fight.volleys[n].is_closed]
    for n in (*(n for n in allowing if n in still_open), *still_open, *allowing):
        return n
    return None
