"""Sorts rolls into groups (player and kind, all rolls of the same dice, everyone) and tests each.

The groups of a player are its kinds as the module names them; where several kinds are made with
the same dice, one more group holds them together, and where dice of one sort occur in several of
those, one more holds every single die. Typed and undone rolls never enter a count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias, TypeVar

from builder.report.dice_chances import Effort, chance_of_run, chance_of_same
from builder.report.dice_stats import (
    EVERYONE,
    MAX_CELLS,
    UNKNOWN,
    Average,
    Die,
    Doubles,
    Group,
    Roll,
    Scope,
    Streak,
    is_number,
    label_order,
    moments_of,
    numbered_die,
    tally_of,
    totals_of,
)

__all__ = ["OTHERS", "OTHER_KINDS", "DiceOf", "summarize"]

_MAX_DICE: Final = 100
"""Rolls of more dice have a mean and faces, but no distribution of totals."""

OTHERS: Final = "(other players)"
OTHER_KINDS: Final = "(other kinds)"
_MAX_PLAYERS: Final = 50
_MAX_KINDS: Final = 250
_MAX_PAIRS: Final = 400
"""So many groups are told, those of the most rolls; the others are told together."""


@dataclass(frozen=True, slots=True)
class _Dice:
    """What one kind is rolled with: ``count`` 0 if it varies, ``die`` ``None`` if unknown."""

    die: Die | None
    count: int
    bonus: int
    is_whole: bool
    notes: tuple[str, ...] = ()

    @property
    def shape(self) -> str:
        """``2d6`` for rolls of always the same known numbered dice, else nothing."""
        die = self.die
        if die is None or not (die.is_known and die.numbers and self.count and self.is_whole):
            return ""
        if self.bonus or not die.name.startswith("d") or die.name.startswith("die"):
            return ""
        return f"{self.count}{die.name}"


class _Sample(NamedTuple):
    """The results of a group in order: single faces, and values of whole rolls."""

    faces: list[tuple[str, Roll]]
    values: list[tuple[int, Roll]]


DiceOf: TypeAlias = Mapping[tuple[str, str], Die]
"""Known dice by player and kind; the player is :data:`EVERYONE` where all have the same."""


def summarize(rolls: Iterable[Roll], known: DiceOf | None = None) -> tuple[Group, ...]:
    """Return all groups, by player; a player's groups of several kinds come before its kinds.

    ``known`` are the definitions of dice. Groups of :data:`EVERYONE` come first if there are
    several players; a kind that they roll with different dice has none. Groups of typed rolls come
    last. Of very many players or kinds those with the fewest rolls are one: :data:`OTHERS`,
    :data:`OTHER_KINDS`.
    """
    effort = Effort()
    ordered = sorted(rolls, key=lambda roll: (roll.log, roll.step))
    groups: list[Group] = []
    for is_typed in (False, True):
        chosen = _bounded([roll for roll in ordered if roll.is_typed is is_typed])
        kinds = {name: _dice_of(name, own, known or {}) for name, own in _by_kind(chosen).items()}
        by_player: dict[str, list[Roll]] = {}
        for roll in chosen:
            by_player.setdefault(roll.player, []).append(roll)
        if len(by_player) > 1:
            shared = {name: dice[EVERYONE] for name, dice in kinds.items() if EVERYONE in dice}
            common = [roll for roll in chosen if roll.kind in shared]
            groups += _groups_of(EVERYONE, common, shared, is_typed, effort)
        for player in sorted(by_player, key=lambda name: (name.casefold(), name)):
            rolled = {roll.kind for roll in by_player[player]}
            own = {name: kinds[name].get(player) or kinds[name][EVERYONE] for name in rolled}
            groups += _groups_of(player or UNKNOWN, by_player[player], own, is_typed, effort)
    return tuple(groups)


def _bounded(rolls: list[Roll]) -> list[Roll]:
    """Put the players and kinds together that go beyond what a report can tell."""
    players = _commonest([roll.player for roll in rolls], _MAX_PLAYERS)
    kinds = _commonest([roll.kind for roll in rolls], _MAX_KINDS)
    pairs = _commonest([(roll.player, roll.kind) for roll in rolls], _MAX_PAIRS)
    return [
        roll
        if roll.player in players and roll.kind in kinds and (roll.player, roll.kind) in pairs
        else roll._replace(
            player=roll.player if roll.player in players else OTHERS,
            kind=roll.kind
            if roll.kind in kinds and (roll.player, roll.kind) in pairs
            else OTHER_KINDS,
        )
        for roll in rolls
    ]


_Name = TypeVar("_Name")


def _commonest(names: Sequence[_Name], most: int) -> set[_Name]:
    return {name for name, _ in Counter(names).most_common(most)}


def _by_kind(rolls: Iterable[Roll]) -> dict[str, list[Roll]]:
    found: dict[str, list[Roll]] = {}
    for roll in rolls:
        found.setdefault(roll.kind, []).append(roll)
    return dict(sorted(found.items(), key=lambda item: (item[0].casefold(), item[0])))


def _groups_of(
    player: str,
    rolls: Sequence[Roll],
    kinds: Mapping[str, _Dice],
    is_typed: bool,
    effort: Effort,
) -> list[Group]:
    by_kind = _by_kind(rolls)
    shapes: dict[str, list[str]] = {}
    sorts: dict[str, set[str]] = {}
    for name in by_kind:
        shape = kinds[name].shape
        if shape:
            shapes.setdefault(shape, []).append(name)
            die = kinds[name].die
            sorts.setdefault(die.name if die else "", set()).add(shape)
    groups = []
    for name in sorted(sorts):
        several = sorts[name]
        members = [kind for shape in sorted(several) for kind in shapes[shape]]
        if len(several) > 1:
            wanted = set(members)
            own = [roll for roll in rolls if roll.kind in wanted]
            first = kinds[members[0]]
            dice = _Dice(first.die, 1, 0, True)
            groups.append(_group(player, f"every {name}", "die", own, dice, is_typed, effort))
    for shape, members in sorted(shapes.items()):
        if len(members) > 1:
            wanted = set(members)
            own = [roll for roll in rolls if roll.kind in wanted]
            name = f"all {shape}"
            groups.append(_group(player, name, "shape", own, kinds[members[0]], is_typed, effort))
    for name, own in by_kind.items():
        groups.append(_group(player, name, "kind", own, kinds[name], is_typed, effort))
    return groups


# ----------------------------------------------------------------------------- what was rolled with


def _dice_of(name: str, rolls: Sequence[Roll], known: DiceOf) -> dict[str, _Dice]:
    """Return the dice of one kind by player, or of :data:`EVERYONE` if they are the same."""
    players = sorted({roll.player for roll in rolls})
    if not any((player, name) in known for player in players):
        return {EVERYONE: _dice_in(rolls, known.get((EVERYONE, name)))}
    return {
        player: _dice_in(
            [roll for roll in rolls if roll.player == player],
            known.get((player, name)) or known.get((EVERYONE, name)),
        )
        for player in players
    }


def _dice_in(rolls: Sequence[Roll], known: Die | None) -> _Dice:
    counts = {roll.dice or len(roll.faces) for roll in rolls}
    bonuses = {roll.bonus for roll in rolls}
    count = counts.pop() if len(counts) == 1 else 0
    bonus = bonuses.pop() if len(bonuses) == 1 else 0
    is_whole = all(r.kept in (0, r.dice) and len(r.faces) in (0, r.dice) for r in rolls)
    sides = {roll.sides for roll in rolls}
    die = known
    if die is None and len(sides) == 1 and sides != {0}:
        die = numbered_die(sides.pop())
    notes: list[str] = []
    if die is not None:
        strange = _strange(rolls, die, count if is_whole else 0, bonus)
        if strange is not None:
            notes.append(f"{strange!r} is no result of {count or 'any'} {die.name}")
            die = None
    if not is_whole:
        notes.append("not all dice that were thrown were kept: no test")
    elif die is None:
        shown = tuple(sorted({f for roll in rolls for f in roll.faces}, key=label_order))
        if len(shown) > MAX_CELLS:
            notes.append(f"the die is not known, and {len(shown)} faces were seen: no count")
        elif shown:
            die = Die(shown, (1,) * len(shown), is_known=False)
            notes.append(
                f"the die is not known: the {len(shown)} faces seen are taken for equally likely"
            )
        else:
            notes.append("the dice are not known: no test")
    return _Dice(die, count, bonus, is_whole, tuple(notes))


def _strange(rolls: Sequence[Roll], die: Die, count: int, bonus: int) -> str | None:
    """Return the first result that such dice cannot give."""
    faces = set(die.faces)
    numbers = die.numbers
    for roll in rolls:
        for face in roll.faces:
            if face not in faces:
                return face
        if numbers and count and not roll.faces and roll.total is not None:
            lowest, highest = min(numbers) * count + bonus, max(numbers) * count + bonus
            if not lowest <= roll.total <= highest:
                return str(roll.total)
    return None


# ---------------------------------------------------------------------------------------- a group


def _group(
    player: str,
    name: str,
    scope: Scope,
    rolls: Sequence[Roll],
    dice: _Dice,
    is_typed: bool,
    effort: Effort,
) -> Group:
    kept = [roll for roll in rolls if not roll.is_undone]
    group = Group(
        *(player, name, scope, len(kept), is_typed, dice.die, dice.count),
        undone=tuple(roll for roll in rolls if roll.is_undone),
        notes=dice.notes,
    )
    if not kept:
        return group
    die = dice.die if dice.is_whole else None
    is_known = die is not None and die.is_known
    sample = _sample(kept, scope)
    face_chances = None
    if die is not None and len(die.faces) <= MAX_CELLS:
        face_chances = {f: w / die.sides for f, w in zip(die.faces, die.weights, strict=True)}
    faces = None
    seen = Counter(face for face, _ in sample.faces)
    if 0 < len(seen) <= MAX_CELLS:
        faces = tally_of(seen, face_chances)
    numbers = Counter(str(value) for value, _ in sample.values)
    total_chances: dict[str, float] | None = None
    if die is not None and is_known and 0 < dice.count <= _MAX_DICE:
        exact = totals_of(die, dice.count, dice.bonus)
        total_chances = None if exact is None else {str(t): p for t, p in exact.items()}
    # Totals of a varying number of dice have no common distribution.
    shows_totals = (
        0 < len(numbers) <= MAX_CELLS and (dice.count > 1 or faces is None) and scope != "die"
    )
    totals = tally_of(numbers, total_chances) if shows_totals else None
    values = tuple(value for value, _ in sample.values) if dice.count or not faces else ()
    return replace(
        group,
        faces=faces,
        totals=totals,
        values=values,
        average=_average(values, die if is_known else None, dice),
        same=_same(
            sample,
            total_chances if shows_totals else face_chances,
            shows_totals,
            is_known,
            effort,
        ),
        above=_beyond(sample, die, dice, total_chances, 1) if is_known and values else None,
        below=_beyond(sample, die, dice, total_chances, -1) if is_known and values else None,
        doubles=_doubles(kept, die if is_known else None) if _is_pair(dice, scope) else None,
    )


def _sample(kept: Sequence[Roll], scope: Scope) -> _Sample:
    faces = [(face, roll) for roll in kept for face in roll.faces]
    if scope != "die":
        values = [(value, roll) for roll in kept if (value := roll.value) is not None]
        return _Sample(faces, values)
    # a die whose face the log does not tell is still told by the total if it was alone
    alone = [
        (face, roll)
        for roll in kept
        for face in (roll.faces or ((str(roll.total),) if roll.dice == 1 else ()))
    ]
    return _Sample(alone, [(int(face), roll) for face, roll in alone if is_number(face)])


def _average(values: Sequence[int], die: Die | None, dice: _Dice) -> Average | None:
    if not values:
        return None
    mean = sum(values) / len(values)
    moments = moments_of(die) if die is not None and dice.count else None
    if moments is None:
        return Average(mean)
    expected = moments[0] * dice.count + dice.bonus
    return Average(mean, expected, (moments[1] * dice.count / len(values)) ** 0.5)


# ---------------------------------------------------------------------------------------- streaks


def _longest(marks: Sequence[str | None]) -> tuple[int, int]:
    """Return length and start of the longest run of one mark; ``None`` is part of no run."""
    best, start, length = (0, 0), 0, 0
    for index, mark in enumerate(marks):
        if mark is None:
            length = 0
            continue
        if length and mark == marks[index - 1]:
            length += 1
        else:
            start, length = index, 1
        if length > best[0]:
            best = (length, start)
    return best


def _same(
    sample: _Sample,
    chances: Mapping[str, float] | None,
    of_totals: bool,
    is_known: bool,
    effort: Effort,
) -> Streak | None:
    """Return the longest run of one total, or of one face where there are no totals."""
    totals = [(str(value), roll) for value, roll in sample.values]
    results = totals if of_totals else sample.faces
    length, start = _longest([label for label, _ in results])
    if length < 2:
        return None
    odds = None
    if chances is not None and is_known:
        odds = chance_of_same(len(results), tuple(chances.values()), length, effort)
    label, roll = results[start]
    return Streak(length, label, roll.log, roll.step, odds)


def _beyond(
    sample: _Sample,
    die: Die | None,
    dice: _Dice,
    chances: Mapping[str, float] | None,
    sign: int,
) -> Streak | None:
    """Return the longest run of results above (sign 1) or below (-1) the expected mean."""
    moments = moments_of(die) if die is not None and dice.count else None
    if moments is None:
        return None
    expected = moments[0] * dice.count + dice.bonus
    word = "above" if sign > 0 else "below"
    length, start = _longest(
        [word if (value - expected) * sign > 0 else None for value, _ in sample.values]
    )
    if length < 2:
        return None
    odds = None
    if chances is not None:
        share = sum(p for label, p in chances.items() if (int(label) - expected) * sign > 0)
        odds = chance_of_run(len(sample.values), share, length)
    roll = sample.values[start][1]
    return Streak(length, word, roll.log, roll.step, odds)


def _is_pair(dice: _Dice, scope: Scope) -> bool:
    return dice.count == 2 and dice.is_whole and scope != "die"


def _doubles(kept: Sequence[Roll], die: Die | None) -> Doubles | None:
    pairs = [roll for roll in kept if len(roll.faces) == 2]
    if not pairs:
        return None
    marks = ["doubles" if roll.faces[0] == roll.faces[1] else None for roll in pairs]
    count = len(marks) - marks.count(None)
    share = None if die is None else sum((w / die.sides) ** 2 for w in die.weights)
    length, start = _longest(marks)
    odds = chance_of_run(len(marks), share, length) if share is not None and length else None
    first = pairs[start]
    run = Streak(length, "doubles", first.log, first.step, odds) if length else None
    return Doubles(count, None if share is None else share * len(pairs), run)
