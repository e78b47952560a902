"""Rule 8: who plays which Command, if a roster of the players is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import (
    Action,
    Advance,
    Attack,
    BuyGarrison,
    Commit,
    DrawAsset,
    DrawUnit,
    Drop,
    Gain,
    Join,
    Land,
    Move,
    Receive,
    Return,
    Roll,
    Use,
)
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.sequence import COMMANDS, COMMANDS_OF, SIDE_OF
from builder.rulesets.dropzone.state import State

__all__ = ["commands_meant", "is_owned_by_roster", "row_of_roster"]

_OWN = (Advance, Drop, Gain, Land, Move, Receive, Return)
"""What the player of the unit's own Command does."""
_SIDES = (Commit, DrawAsset, Roll)
"""What either player of a side may do: assets are the side's, and one of a team may throw dice."""


def _players(roster: Mapping[str, tuple[str, ...]]) -> dict[str, frozenset[str]]:
    known = {p: frozenset(c for c in names if c in COMMANDS) for p, names in roster.items()}
    return {p: names for p, names in known.items() if names}


def row_of_roster(roster: Mapping[str, tuple[str, ...]]) -> str:
    """Return the row of rule 8 for as many players as a roster has; empty for one player.

    >>> row_of_roster({"Ann": ("517PRCT", "2IPBG"), "Ben": ("148RD", "KGVS")})
    'DZ-8a'
    >>> row_of_roster({"Ann": ("517PRCT",), "Ben": ("2IPBG",)})
    'DZ-8b'
    """
    players = _players(roster)
    if len(players) == 2:
        sides = {SIDE_OF[c] for names in players.values() for c in names}
        return "DZ-8b" if sides == {ALLIED} else "DZ-8a"
    return {3: "DZ-8c", 4: "DZ-8d"}.get(len(players), "")


def commands_meant(state: State, action: object) -> tuple[str, ...]:
    """Return the Commands one of whose players takes an action; empty if anybody may.

    A unit of the other Allied Command joins a coordinated attack by agreement, and losses are
    often taken by whoever is nearer to the counter, so neither is held against a player here.
    """
    facts = state.facts
    if isinstance(action, _OWN):
        unit = facts.units.get(action.unit)
        return (unit.command,) if unit is not None else ()
    if isinstance(action, Join):
        side = facts.side_of(action.unit) if action.unit in facts.units else None
        return COMMANDS_OF.get(side or "", ())
    if isinstance(action, Attack):
        return (state.command,) if state.command in COMMANDS else ()
    if isinstance(action, _SIDES):
        return COMMANDS_OF.get(action.side, ())
    if isinstance(action, Use):
        asset = facts.assets.get(action.asset)
        return COMMANDS_OF[asset.side] if asset is not None else ()
    if isinstance(action, DrawUnit):
        unit = facts.units.get(action.unit)
        return COMMANDS_OF[unit.side] if unit is not None else ()
    return COMMANDS_OF[GERMAN] if isinstance(action, BuyGarrison) else ()


def is_owned_by_roster(state: State, action: Action) -> bool:
    """Tell whether the roster says who may take an action, so that rule 8 judges who did."""
    known = action.by in state.roster and bool(row_of_roster(state.roster))
    return known and bool(commands_meant(state, action))


@book.rule(
    *("DZ-8a", "DZ-8b", "DZ-8c", "DZ-8d"),
    on=(*_OWN, *_SIDES, Join, Attack, Use, DrawUnit, BuyGarrison),
)
def own_command(state: State, action: Move) -> Iterator[Breach]:
    """Rule 8: a player acts for his own Commands; for those that nobody plays, anybody does.

    A warning: one who helps an absent friend writes the same log.
    """
    players = _players(state.roster)
    row, by = row_of_roster(state.roster), action.by
    if not row or by not in state.roster:
        return
    meant = commands_meant(state, action)
    owners = tuple(p for p, names in players.items() if not names.isdisjoint(meant))
    if not owners or by in owners:
        return
    unit = getattr(action, "unit", "")
    title = f" ({state.facts.title(unit)})" if unit else ""
    yield Breach(
        row,
        f"{by} acted for {' or '.join(meant)}{title}, which {' and '.join(owners)} "
        f"play{'s' * (len(owners) == 1)}",
        Ruling.WARNING,
        pieces=(unit,) if unit else (),
        legal=owners,
    )
