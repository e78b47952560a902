"""The state of a game of Drop Zone: immutable, with everything that a rule may ask of the table.

A state holds what happened in the current turn and activation as far as rules need it (points
spent, units that attacked, replacement points used), so that an action can be judged by the state
alone. Movement points are counted in halves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from builder.hexes.grid import Hex
from builder.rules.turns import Moment
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, Facts, Side, enemy_of
from builder.rulesets.dropzone.sequence import COMMANDS_OF, SEQUENCE, SIDE_OF

__all__ = [
    "AssetPlace",
    "AssetState",
    "Fight",
    "GarrisonState",
    "Piece",
    "Place",
    "State",
    "UnitState",
    "Usage",
    "Volley",
    "zoc_of",
]

Place: TypeAlias = Hex | str
AssetPlace: TypeAlias = str
"""One of LATE, POOL, HAND, COMMIT, USED (turned, still on the table), GONE (discarded)."""

_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class UnitState:
    """A unit: where it is, its steps, and what it did in the current activation.

    ``trail`` are the places from which its moves started and ``legs`` what each cost in half
    points; ``penalty`` the half points lost by the order of entry (rule 4.2.3). ``known_as`` is
    the alias of a hidden unit, empty if it has none.
    """

    place: Place
    steps: int
    hidden: bool = False
    trail: tuple[Place, ...] = ()
    legs: tuple[int, ...] = ()
    penalty: int = 0
    known_as: str = ""

    @property
    def spent(self) -> int:
        """Half points spent in this activation, without the penalty of entry."""
        return sum(self.legs)

    @property
    def hex(self) -> Hex | None:
        """Its hex, or ``None`` if it is not on the map."""
        return self.place if isinstance(self.place, Hex) else None

    @property
    def is_on_map(self) -> bool:
        """Whether it stands in a hex with at least a step."""
        return self.steps > 0 and isinstance(self.place, Hex)


class GarrisonState(NamedTuple):
    """The garrison of an objective: the side that held it last, and its steps, 0 if it is gone."""

    side: Side
    steps: int


class AssetState(NamedTuple):
    """Where an asset is, and whether it has been used."""

    place: AssetPlace
    used: bool = False


class Usage(NamedTuple):
    """An asset turned for an attack: who, and in which mode."""

    asset: str
    side: Side
    mode: str


@dataclass(frozen=True, slots=True)
class Volley:
    """One roll of an attack, and what was lost to it.

    ``side`` rolled; ``faces`` as they fell; ``targets`` maps the pieces that it could hit to their
    steps at that moment (in order: units, then garrison); ``losses`` names a piece for each step
    lost; ``is_closed`` once something else has begun, after which no loss belongs to it.
    """

    kind: str
    side: Side
    faces: tuple[str, ...]
    targets: tuple[tuple[str, int], ...]
    losses: tuple[str, ...] = ()
    is_closed: bool = False


@dataclass(frozen=True, slots=True)
class Fight:
    """The attack announced last, until the next one or the end of the activation (rule 5.2).

    ``kind``: *attack*, *interdiction* (an air strike alone) or *landing* (rule 4.2.4).
    ``defenders`` are the unit and the garrison in the target when it was announced; ``committed``
    the sides that laid an asset face down, with its id or an empty text, in that order;
    ``places`` are where attackers stood when they joined (of the eliminated nothing else tells);
    ``strength`` maps every live participant to its steps when the first combat die fell;
    ``advanced`` names the unit that went into the emptied hex.
    """

    n: int
    target: Hex
    side: Side
    kind: str = "attack"
    attackers: tuple[str, ...] = ()
    defenders: tuple[str, ...] = ()
    committed: tuple[tuple[Side, str], ...] = ()
    uses: tuple[Usage, ...] = ()
    volleys: tuple[Volley, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict)
    strength: Mapping[str, int] | None = None
    advanced: str = ""

    def rolled(self, side: Side, *kinds: str) -> bool:
        """Tell whether a side has rolled dice of one of some kinds in this attack."""
        return any(v.side == side and v.kind in kinds for v in self.volleys)

    @property
    def has_dice(self) -> bool:
        """Whether any die has fallen."""
        return bool(self.volleys)


class Piece(NamedTuple):
    """A unit or garrison in a hex, as rules ask for it."""

    id: str
    side: Side
    steps: int
    is_garrison: bool


@dataclass(frozen=True)
class State:
    """A moment of a game. Not slotted, so that what is derived from positions can be kept.

    ``command`` is the active Command, ``done`` the Commands of this turn in order, the active one
    last; ``chits`` those whose chit is outside the cup. ``gained`` are units with a replacement
    point this turn; ``named_first`` is the Command for which an Initiative asset was played;
    ``rp_used`` and ``regroup`` / ``regroup_used`` count this activation's points
    from the track and from Regroup; ``garrison_paid`` names units that gave a step for a garrison
    that is not yet back. ``lapsed`` are Commands whose points were not all spent when their
    activation ended. ``emptied`` maps garrisons whose objectives a combat has emptied to what is
    due there (see :mod:`liberation`), ``overdue`` are those that were not placed in time.
    ``attacked`` are units that took part in an attack this activation,
    ``entered`` how many came in by each hex. ``landing`` are units of the daylight landing that
    still owe something: *loss* or *attack* or *direction*. ``marker`` is the box of the VP marker,
    ``recorded`` the points written down after turn 3. ``result`` is the level of victory once the
    game is over. ``roster`` maps players to the Commands that they play; empty if unknown.
    ``throws`` counts the throws on each dice tray, by its counter and the count's name there.
    """

    facts: Facts = field(repr=False, compare=False)
    scenario: str = "standard"
    moment: Moment = SEQUENCE.first
    command: str = ""
    done: tuple[str, ...] = ()
    chits: tuple[str, ...] = ()
    units: Mapping[str, UnitState] = field(default_factory=dict)
    garrisons: Mapping[str, GarrisonState] = field(default_factory=dict)
    assets: Mapping[str, AssetState] = field(default_factory=dict)
    drawn: Mapping[Side, int] = field(default_factory=dict)
    drawn_units: tuple[str, ...] = ()
    initiative_used: int = 0
    named_first: str = ""
    gained: frozenset[str] = frozenset()
    rp_used: int = 0
    regroup: int = 0
    regroup_used: int = 0
    garrison_paid: tuple[str, ...] = ()
    lapsed: frozenset[str] = frozenset()
    emptied: Mapping[str, str] = field(default_factory=dict)
    overdue: frozenset[str] = frozenset()
    attacked: frozenset[str] = frozenset()
    entered: Mapping[Hex, int] = field(default_factory=dict)
    landing: Mapping[str, str] = field(default_factory=dict)
    direction: int = 0
    fight: Fight | None = None
    attacks: int = 0
    marker: int = 0
    recorded: int | None = None
    result: str = ""
    roster: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    throws: Mapping[tuple[str, str], int] = field(default_factory=dict)

    # --- the moment -----------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The turn, from 1."""
        return self.moment.turn

    @property
    def step(self) -> str:
        """The step by the tracker's word."""
        return self.moment.step

    @property
    def side(self) -> Side | None:
        """The side of the active Command, if one is active."""
        return SIDE_OF.get(self.command)

    # --- positions ------------------------------------------------------------------------------

    @cached_property
    def units_at(self) -> Mapping[Hex, tuple[str, ...]]:
        """The units in each occupied hex, in the order of ``counters.csv``."""
        found: dict[Hex, tuple[str, ...]] = {}
        for key, unit in self.units.items():
            if unit.steps > 0 and isinstance(unit.place, Hex):
                found[unit.place] = (*found.get(unit.place, ()), key)
        return found

    @cached_property
    def garrison_at(self) -> Mapping[Hex, str]:
        """The garrison in each hex that has a live one."""
        facts = self.facts.garrisons
        return {facts[k].hex: k for k, g in self.garrisons.items() if g.steps > 0}

    @cached_property
    def held_by(self) -> Mapping[Hex, frozenset[Side]]:
        """The sides with a unit or garrison in each occupied hex: one, unless a rule was broken."""
        found: dict[Hex, set[Side]] = {}
        for h, keys in self.units_at.items():
            found.setdefault(h, set()).update(self.facts.units[k].side for k in keys)
        for h, key in self.garrison_at.items():
            found.setdefault(h, set()).add(self.garrisons[key].side)
        return {h: frozenset(sides) for h, sides in found.items()}

    @cached_property
    def _closed(self) -> Mapping[Side, frozenset[Hex]]:
        return {
            side: frozenset(h for h, sides in self.held_by.items() if enemy_of(side) in sides)
            for side in (ALLIED, GERMAN)
        }

    def closed_to(self, side: Side) -> frozenset[Hex]:
        """Return the hexes that the enemy of a side holds."""
        return self._closed[side]

    @cached_property
    def kept(self) -> dict[tuple[str, ...], Any]:
        """What others have worked out of this state and keep with it, by name and piece."""
        return {}

    def is_held(self, h: Hex, side: Side) -> bool:
        """Tell whether a side has a unit or garrison in a hex."""
        return side in self.held_by.get(h, ())

    @cached_property
    def zones(self) -> Mapping[Side, frozenset[Hex]]:
        """The zone of control of each side: see :func:`zoc_of`."""
        return {side: zoc_of(self, side) for side in (ALLIED, GERMAN)}

    def in_enemy_zoc(self, h: Hex, side: Side) -> bool:
        """Tell whether a hex lies in the zone of control of a side's enemy."""
        return h in self.zones[enemy_of(side)]

    def pieces_at(self, h: Hex) -> tuple[Piece, ...]:
        """Return the units and the garrison in a hex, units first."""
        found = [
            Piece(k, self.facts.units[k].side, self.units[k].steps, False)
            for k in self.units_at.get(h, ())
        ]
        key = self.garrison_at.get(h)
        if key is not None:
            found.append(Piece(key, self.garrisons[key].side, self.garrisons[key].steps, True))
        return tuple(found)

    def steps_of(self, piece: str) -> int:
        """Return the steps of a unit or garrison; 0 for anything unknown."""
        if piece in self.units:
            return self.units[piece].steps
        return self.garrisons[piece].steps if piece in self.garrisons else 0

    def hex_of(self, piece: str) -> Hex | None:
        """Return the hex of a live unit or garrison, or ``None``."""
        if piece in self.units:
            unit = self.units[piece]
            return unit.hex if unit.steps > 0 else None
        if piece in self.garrisons and self.garrisons[piece].steps > 0:
            return self.facts.garrisons[piece].hex
        return None

    def side_of(self, piece: str) -> Side | None:
        """Return the side of a unit, asset or garrison (the side that holds or held it last)."""
        if piece in self.garrisons:
            return self.garrisons[piece].side
        return self.facts.side_of(piece)

    def command_units(self, command: str) -> Iterator[str]:
        """Yield the units of a Command, in the order of ``counters.csv``."""
        return (k for k, f in self.facts.units.items() if f.command == command)

    # --- changes --------------------------------------------------------------------------------

    def but(self, **changes: Any) -> State:
        """Return a state with some fields changed."""
        return replace(self, **changes)

    def with_unit(self, key: str, **changes: Any) -> State:
        """Return a state with one unit changed."""
        units = dict(self.units)
        units[key] = replace(units[key], **changes)
        return replace(self, units=units)

    def with_garrison(self, key: str, side: Side, steps: int) -> State:
        """Return a state with one garrison changed."""
        return replace(self, garrisons={**self.garrisons, key: GarrisonState(side, steps)})

    def with_asset(self, key: str, place: AssetPlace, *, used: bool) -> State:
        """Return a state with one asset changed."""
        return replace(self, assets={**self.assets, key: AssetState(place, used)})

    def elimination_box(self, side: Side) -> str:
        """Return the name of a side's box for what it has lost."""
        return f"Elim{side}"

    @property
    def is_german_activation(self) -> bool:
        """Whether a German Command is active."""
        return self.command in COMMANDS_OF[GERMAN]


@book.states("DZ-5.1g")
def zoc_of(state: State, side: Side) -> frozenset[Hex]:
    """Rule 5.1: the six neighbors on the map of every unit and garrison of a side, no exception."""
    neighbors = state.facts.ground.neighbors_of
    # a hex that is not on the map has no neighbors on it
    held = (h for h, sides in state.held_by.items() if side in sides)
    return frozenset(n for h in held for n in neighbors.get(h, ()))
