"""A whole legal game in the real VASSAL: the program's players decide, menus and mouse do it.

:class:`DrivenTable` is a table of :mod:`builder.rulesets.dropzone.playing`, so the policy plays at
it as at any other. But every action goes to an open VASSAL as a player would do it: an entry of a
counter's menu, a toolbar button, the turn tracker, a drag. Dice and draws are VASSAL's: they are
read back from its table. Nothing here uses our own writer of logs or the reader of logs.

``told`` lists what was done in each log, as the actions of ``hexwright play``; a test compares it
with what the referee reads from the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from engine.live import LiveVassal

from builder.hexes.grid import Hex
from builder.rules.dice import Thrower
from builder.rules.turns import Moment
from builder.rulesets.dropzone.actions import (
    Action,
    Advance,
    Attack,
    BuyGarrison,
    Chit,
    Commit,
    Declare,
    Discard,
    Displace,
    DrawAsset,
    DrawUnit,
    Drop,
    Gain,
    Join,
    Land,
    Leave,
    Liberate,
    Lose,
    Move,
    Phase,
    PoolLate,
    Receive,
    Relocate,
    Reset,
    Return,
    ReturnChits,
    Reveal,
    Roll,
    SetVP,
    Use,
)
from builder.rulesets.dropzone.attack import attack_targets, reaching
from builder.rulesets.dropzone.candidates_combat import (
    commit_candidates,
    owed_rolls,
    reveal_duties,
    use_candidates,
)
from builder.rulesets.dropzone.candidates_flow import drop_candidates, drop_target, next_phase
from builder.rulesets.dropzone.facts import ALLIED, Side, enemy_of
from builder.rulesets.dropzone.playing import PlayTable
from builder.rulesets.dropzone.policy import play_step
from builder.rulesets.dropzone.policy_fight import finish_fight
from builder.rulesets.dropzone.ruleset import DropZone
from builder.rulesets.dropzone.state import State

__all__ = ["Aside", "DrivenTable", "Hand"]

T = TypeVar("T")

_LOSSES = {
    "COMBAT": "in combat",
    "IF": "to indirect fire",
    "AT": "to anti-tank fire",
    "LAND": "landing",
    "GARRISON": "for a garrison",
}
_GAINS = {"RP": "by a replacement point", "REGROUP": "by Regroup"}
_REVEALS = {"ATTACK": "it attacks", "DEFEND": "it defends", "RP": "it gains a step"}
_LIBERATED = {"COMBAT": "by combat", "VACANT": "left vacant", "RETURN": "its garrison returns"}
_BOUGHT = {"STEP": "for a step of its unit", "REGROUP": "for a Regroup point"}
_USES = {
    "IF": "Turn and use: indirect fire",
    "AT": "Turn and use: anti-tank fire",
    "INTERDICT_IF": "Interdict with indirect fire",
    "INTERDICT_AT": "Interdict with anti-tank fire",
    "JOIN": "Turn and use: units of the other Command join",
    "RP": "Turn and use: two replacement points",
}
_FIRST = {"517PRCT": "517 PRCT", "2IPBG": "2 IPBG"}
_DICE = {
    "COMBAT": ("die", "dice"),
    "IF": ("die of fire", "dice of fire"),
    "AT": ("die at armor", "dice at armor"),
    "LAND": ("die landing", "dice landing"),
}
FAR = 9
"""Hexes: more than any unit can go."""
REACH = (1500, 900)
"""How far a mouse drags at zoom 0.35, in pixels of the map: not out of a window of 1600 x 1000."""
_NEUTRAL = (Phase, Chit, ReturnChits, SetVP, Declare, PoolLate, Reset)
"""What anybody at the table does, so the one whose turn it is to write does it."""


@dataclass
class Hand:
    """A player: his open VASSAL, his name, and the sides whose counters he moves."""

    vassal: LiveVassal
    user: str
    sides: tuple[str, ...]
    logs: list[Path] = field(default_factory=list)
    is_seated: bool = True
    """False for one who still has to take his seat in the other's game."""


@dataclass(frozen=True, slots=True)
class Aside:
    """What players do besides: before their ``n``-th move they err, take it back and say so."""

    n: int
    words: str


class _VassalsDice(Thrower):
    """Dice and draws of VASSAL: who asks for one makes it happen at the table."""

    def __init__(self, table: DrivenTable, seed: int) -> None:
        """Keep the table; the seed is only for the players' whims."""
        super().__init__(seed)
        self._table = table

    def die(self, sides: int = 6) -> int:
        """Throw the direction die on the Allied tray: the only plain die but those of the drop."""
        assert sides == 6, "Drop Zone has no other"
        return self._table.direction()

    def draw(self, things: Sequence[T]) -> T:
        """Draw in VASSAL, and return which of the things it was."""
        return self._table.drawn(things)


class DrivenTable(PlayTable):
    """A table whose actions are done in VASSAL.

    ``mouse`` is how many drags out of which one is done with a real mouse (0: none); counters that
    share a hex are always put down by the code that ends a drag.
    """

    def __init__(
        self,
        rules: DropZone,
        state: State,
        hands: Sequence[Hand],
        *,
        seed: int = 1,
        mouse: int = 0,
        asides: Sequence[Aside] = (),
    ) -> None:
        """Sit down at a state that VASSAL's table shows."""
        super().__init__(state, _VassalsDice(self, seed))
        self.rules = rules
        self.hands = hands
        self.hand = hands[0]
        self.told: dict[Path, list[str]] = {}
        self.aliases: dict[Path, dict[str, str]] = {}
        """Which unit each alias stands for when a log begins."""
        self._mouse = mouse
        self._drags = 0
        self._moves = 0
        self._asides = {a.n: a for a in asides}
        self._is_done = False
        self._played: Moment | None = None
        self._ids: dict[str, str] = {}

    # --- the log --------------------------------------------------------------------------------

    def begin(self, path: Path) -> None:
        """Begin a log of the player whose turn it is to write."""
        self.hand.vassal(f"beginlog {path}")
        self.hand.logs.append(path)
        self.told[path] = []
        known = {u.known_as: key for key, u in self.state.units.items() if u.known_as}
        self.aliases[path] = dict(sorted(known.items(), key=lambda pair: int(pair[0][1:])))
        if self._mouse:
            self.hand.vassal("zoom Main 0.35")

    def end(self) -> None:
        """End the log."""
        self.hand.vassal("endlog")

    def pass_to(self, hand: Hand, path: Path) -> None:
        """End the log, let the other player step through it, and begin his."""
        self.end()
        last = self.hand.logs[-1]
        self.hand = hand
        hand.vassal(f"load {last}")
        left = hand.vassal("stepall").data["left"]
        assert left == 0, f"{left} steps of {last.name} could not be played"
        if not hand.is_seated:
            hand.vassal(f"join {hand.sides[0]}")
            hand.is_seated = True
        self.begin(path)

    # --- PlayTable ------------------------------------------------------------------------------

    def do(self, action: Action) -> None:
        """Take an action: in VASSAL, unless the draw or the roll has already happened there."""
        if not self._is_done:
            self._before(action)
            self._perform(action)
        self._is_done = False
        self.tell(action)
        super().do(action)

    def tell(self, action: Action) -> None:
        """Add an action to the list of what the log that is open shows."""
        line = self.rules.write_action(replace(action, by=""))
        self.told[self.hand.logs[-1]].append(line)

    def roll(self, side: Side, count: int) -> tuple[str, ...]:
        """Throw the combat dice of a side on its tray: those that are owed next."""
        owed = owed_rolls(self.state)[0]
        assert (owed.side, owed.dice) == (side, count), (
            f"{count} dice of {side}, but {owed} is owed"
        )
        n = self.state.fight.n if self.state.fight is not None else 0
        self._before(Roll(side, owed.kind, (), n))
        self._throw(side, owed.kind, count)
        faces = str(self._piece(f"Dice-{side}")["dynamic"]["Faces"])
        self._is_done = True
        return tuple(f for f in faces.split(",") if f)

    # --- what chance decides --------------------------------------------------------------------

    def direction(self) -> int:
        """Throw the direction die of a landing."""
        self._before(Roll(ALLIED, "DIR"))
        self._menu(f"Dice-{ALLIED}", "Direction (one plain die)")
        self._is_done = True
        return int(self._piece(f"Dice-{ALLIED}")["dynamic"]["Direction"])

    def drawn(self, things: Sequence[T]) -> T:
        """Draw an asset, a unit or a chit, and return the one that VASSAL drew."""
        first: Any = things[0]
        if isinstance(first, Chit) and first.means == "fixed":
            return things[0]  # an order is no draw; :meth:`do` will activate it
        self._before(first)
        before = self._places()
        if isinstance(first, DrawAsset):
            self._press(f"Draw{first.side}")
        elif isinstance(first, DrawUnit):
            self._press("DrawUnit")
        else:
            self._press("DrawChit")
        after = self._places()
        self._is_done = True
        for thing in things:
            found: Any = thing
            key = getattr(found, "asset", "") or getattr(found, "unit", "")
            key = key or f"Chit-{found.command}"
            if before[key] != after[key]:
                return thing
        changed = [k for k in after if before.get(k) != after[k]]
        assert isinstance(first, DrawUnit), f"none of {things} was drawn: {changed}"
        # one cup holds the units of both German Commands, and chance knows no Commands
        other: Any = DrawUnit(changed[0])
        return cast(T, other)

    # --- what players do by hand ----------------------------------------------------------------

    def fight_big(self) -> bool:
        """Make one attack with everything: all who reach, a second thought, assets of both sides.

        Tell whether there was anybody to attack.
        """
        state = self.state
        side, n = state.side, state.attacks + 1
        groups = {
            target: [
                k for k in reaching(state, target, (state.command,)) if k not in state.attacked
            ]
            for target in attack_targets(state)
        }
        # the enemy may lay assets only for units of his, not for a garrison alone
        target = max(groups, key=lambda h: (h in state.units_at, len(groups[h]), h), default=None)
        if side is None or target is None or not groups[target]:
            return False
        self.do(Attack(n, target))
        first, *others = groups[target]
        self._menu(first, "Join the attack")
        self.hand.vassal("undo")
        self.say("wait, let me think")
        for unit in (first, *others):
            self.try_to(Join(n, unit))
        self.do(Leave(n, first))
        self.do(Join(n, first))
        for who in (side, enemy_of(side)):
            offers = [c for c in commit_candidates(self.state, who) if self.is_legal(c)]
            fires = [c for c in offers if self.state.facts.assets[c.asset].kind != "COORDINATED"]
            if fires:
                self.do(fires[0])
        for who in (side, enemy_of(side)):
            uses = [u for u in use_candidates(self.state, who) if self.is_legal(u)]
            if uses:
                self.do(uses[0])
        finish_fight(self)
        return True

    def go_too_far(self) -> None:
        """Move a unit of the active Command much farther than it can, and back again."""
        state = self.state
        unit = next(k for k in state.command_units(state.command) if state.units[k].is_on_map)
        start = state.hex_of(unit)
        assert start is not None, "it is on the map"
        away = state.facts.sheet.grid.distance
        free = (h for h in state.facts.ground.neighbors_of if not state.held_by.get(h))
        self.do(Move(unit, min(h for h in free if away(start, h) == FAR)))
        self.do(Move(unit, start))

    def throw_as_one_likes(self) -> None:
        """Attack, claim dice that nobody threw, throw, take it back, throw; and once more."""
        state = self.state
        n = state.attacks + 1
        target = next(
            h for h in attack_targets(state) if list(reaching(state, h, (state.command,)))
        )
        self.do(Attack(n, target))
        for unit in reaching(self.state, target, (self.state.command,)):
            self.try_to(Join(n, unit))
        for key in reveal_duties(self.state):
            is_ours = self.state.facts.units[key].side == self.state.side
            self.do(Reveal(key, "ATTACK" if is_ours else "DEFEND"))
        side, kind, count = owed_rolls(self.state)[0]
        self.say(f"DZ: ROLL kind={kind} side={side} attack={n} n=1 faces=armor")
        self._throw(side, kind, count)
        self.hand.vassal("undo")
        self.do(Roll(side, kind, self.roll(side, count), n))
        finish_fight(self)
        self._throw(side, kind, 1)
        again = str(self._piece(f"Dice-{side}")["dynamic"]["Faces"])
        self._is_done = True
        self.do(Roll(side, kind, (again,), n))

    # --- steps of the game ----------------------------------------------------------------------

    def play_until(self, is_over: Callable[[State], bool], *, big: bool = False) -> None:
        """Play step after step until one has been played after which the recording ends.

        ``big``: an Allied Command makes one attack with all that it has before those of the
        policy; two players make no other, since each costs them several logs.
        """
        while True:
            if self._played != self.state.moment:
                self._step(big=big)
                self._played = self.state.moment
            phase = next_phase(self.state)
            if is_over(self.state) or self.state.result or phase is None:
                return
            self.do(phase)

    def play_phase(self) -> None:
        """Put the tracker to the next step, and do nothing in it."""
        phase = next_phase(self.state)
        assert phase is not None, "the game is not over"
        self.do(phase)

    def _step(self, *, big: bool) -> None:
        if self.state.step == "SETUP":
            for unit in tuple(drop_candidates(self.state)):
                self._drop(unit)
        elif big and self.state.step == "COMBAT":
            if self.state.side == ALLIED:
                self.fight_big()
            if len(self.hands) == 1:
                play_step(self)
        else:
            play_step(self)

    def _drop(self, unit: str) -> None:
        self._before(Drop(unit, 0, 0, "Off"))
        self._menu(unit, "Drop")
        dice = self._piece(unit)
        white, red = (int(dice["dynamic"][name]) for name in ("White", "Red"))
        to = drop_target(self.state, unit, white, red)
        if dice["location"] != self._label(to):
            self._drag(unit, self._label(to))
        self._is_done = True
        self.do(Drop(unit, white, red, to))

    # --- deeds in VASSAL ------------------------------------------------------------------------

    def _before(self, action: Action) -> None:
        """Give the log to the player who does an action, if he is another one."""
        if len(self.hands) == 1 or isinstance(action, _NEUTRAL):
            return
        side = self.rules.actor(self.state, action)
        if side in self.hand.sides:
            return
        other = next(h for h in self.hands if side in h.sides)
        first = self.hands[0].logs[0]
        number = sum(len(h.logs) for h in self.hands) + 1
        name = first.stem.rpartition("-")[0].rpartition("-")[0]
        self.pass_to(
            other, first.with_name(f"{name}-{number:02}-{other.user.lower()}{first.suffix}")
        )

    def _perform(self, action: Action) -> None:
        match action:
            case Phase():
                if action.step == "ENDACT":
                    self.tell(Reset())  # the module's own, before the tracker's step
                self.hand.vassal("turn next")
            case Chit(command=command, means="fixed"):
                self._menu(f"Chit-{command}", "Activate, order fixed")
            case Chit(means="asset"):
                pass  # happened when the asset was turned
            case ReturnChits():
                self._press("ChitsBack")
            case PoolLate():
                self._press("LateAssets")
            case Reset():
                self._press("EndActivation")
            case Declare(level=level):
                self.say(f"DZ: RESULT level={level}")
            case SetVP(value=value):
                self._drag("VP", f"VP{value}")
            case Attack(target=target):
                self._menu(self._target(target), "Attack this hex")
            case Roll(side=side, kind=kind, faces=faces) if kind != "DIR":
                assert not faces, "dice are thrown by roll()"
                self._throw(side, kind, 0)
            case _:
                self._with_counter(action)

    def _with_counter(self, action: Action) -> None:
        match action:
            case Commit(asset=asset):
                self._menu(asset, "Commit face down")
            case Use(asset=asset, mode="FIRST", command=command):
                self._menu(asset, f"Turn and use: {_FIRST[command]} is first")
            case Use(asset=asset, mode=mode):
                self._menu(asset, _USES[mode])
            case Discard(asset=asset):
                self._menu(asset, "Discard")
            case Join(unit=unit):
                self._menu(unit, "Join the attack")
            case Leave(unit=unit):
                self._menu(unit, "Leave the attack")
            case Reveal(unit=unit, cause=cause):
                self._menu(unit, _REVEALS[cause])
            case Lose(unit=unit, cause=cause):
                self._menu(unit, _LOSSES[cause])
            case Gain(unit=unit, cause=cause):
                self._menu(unit, _GAINS[cause])
            case Liberate(garrison=garrison, cause=cause):
                self._menu(garrison, _LIBERATED[cause])
            case BuyGarrison(garrison=garrison, pay=pay):
                self._menu(garrison, _BOUGHT[pay])
            case Return(unit=unit, to=to):
                self._menu(unit, "returns to play")
                self._drag(unit, self._label(to))
            case Receive(unit=unit, area=area):
                self._drag(unit, f"Entry{area}")
            case Move(unit=unit, to=to):
                self._err(unit, to)
                self._drag(unit, self._label(to))
            case Land(unit=unit, to=to) | Displace(unit=unit, to=to):
                self._drag(unit, self._label(to))
            case Advance(unit=unit, to=to):
                self._drag(unit, self._label(to))
                self._menu(unit, "Has advanced after combat")
            case Relocate(piece=piece, to=to):
                self._drag(piece, self._label(to))
            case _:
                raise AssertionError(f"nobody does this by hand: {action}")

    def _err(self, unit: str, to: Hex) -> None:
        """Move a unit to a wrong hex first, take it back, and say so, if it is time for that."""
        self._moves += 1
        aside = self._asides.get(self._moves)
        if aside is None:
            return
        around = self.state.facts.ground.neighbors_of[to]
        wrong = next(h for h in around if not self.state.held_by.get(h))
        self._drag(unit, self._label(wrong))
        self.hand.vassal("undo")
        self.say(aside.words)

    def _throw(self, side: str, kind: str, count: int) -> None:
        one, many = _DICE[kind]
        self._menu(f"Dice-{side}", f"{count} {one if count == 1 else many}")

    def _target(self, target: Hex) -> str:
        """Return a counter on which the hex is attacked: an enemy's."""
        found = [p for p in self.state.pieces_at(target) if p.side != self.state.side]
        return found[0].id

    # --- VASSAL's table -------------------------------------------------------------------------

    def _pieces(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for piece in self.hand.vassal("pieces").data:
            key = self.rules.counters.get(piece["gpid"])
            if key is not None:
                yield key, piece

    def _piece(self, key: str) -> Mapping[str, Any]:
        return next(p for k, p in self._pieces() if k == key)

    def _id(self, key: str) -> str:
        """Return VASSAL's number of a counter: the same for all players of a game."""
        if not self._ids:
            self._ids = {k: str(p["id"]) for k, p in self._pieces()}
        return self._ids[key]

    def _places(self) -> dict[str, tuple[str, str]]:
        return {k: (p["map"], p["location"]) for k, p in self._pieces()}

    def _label(self, place: Hex | str) -> str:
        return self.state.facts.label(place)

    def _menu(self, key: str, entry: str) -> None:
        self.hand.vassal(f'command {self._id(key)} "{entry}"')

    def _press(self, button: str) -> None:
        self.hand.vassal(f"press {button}")

    def say(self, words: str) -> None:
        """Type a line of chat."""
        self.hand.vassal(f'chat "{words}"')

    def _is_near(self, piece: Mapping[str, Any], to: str) -> bool:
        """Tell whether a place is in the window when the counter is in the middle of it."""
        end = self.hand.vassal(f"loc {to}").data
        away = (abs(end["x"] - piece["x"]), abs(end["y"] - piece["y"]))
        is_there = bool(piece["map"] == end["map"])
        return is_there and away[0] < REACH[0] and away[1] < REACH[1]

    def _drag(self, key: str, to: str) -> None:
        """Drag a counter to a hex or box, and see that it is there."""
        self._drags += 1
        places = self._places()
        piece = self._piece(key)
        is_alone = sum(p == places[key] for p in places.values()) == 1
        if self._mouse and self._drags % self._mouse == 0 and is_alone and self._is_near(piece, to):
            start = f"{piece['map']}@{piece['x']},{piece['y']}"
            self.hand.vassal(f"lookat {start}")
            self.hand.vassal(f"mousedrag {start} {to}")
        else:
            self.hand.vassal(f"move {piece['id']} {to}")
        found = self._piece(key)["location"]
        assert found == to, f"{key} was dragged to {to} and is in {found}"
