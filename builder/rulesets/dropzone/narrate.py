"""What a table shows when a player takes an action: the module's own changes and lines.

The events name pieces by the ids of ``counters.csv`` and places by the printed name of a hex or
box; whoever writes them into a log looks both up on the table. They are those that the module's
menus, keys and drags cause (``prototypes.toml``), without what follows of itself, such as the
face that a layer shows. Events of one step of the log have the same ``step``, counted from 1
within the action.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.gamebox.events import (
    Changed,
    Concealed,
    Drawn,
    Event,
    Moved,
    Place,
    Placed,
    PropertyChanged,
    Removed,
    Said,
    Thing,
    TurnChanged,
)
from builder.gamebox.lines import Grammar, LineValue, write_line
from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import (
    Action,
    Advance,
    Alter,
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
    PassTurn,
    Peek,
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
from builder.rulesets.dropzone.apply_fight import counted
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.sequence import SEQUENCE
from builder.rulesets.dropzone.state import State

__all__ = ["Narrator", "is_dragged"]

_MAP: Final = "Main"
_ROUNDS: Final = ("", "1st", "2nd", "3rd", "4th")


class Narrator:
    """Tells actions as events; made once for a game's line grammar."""

    def __init__(self, grammar: Grammar) -> None:
        """Keep the grammar of the lines."""
        self.grammar = grammar

    def narrate(self, state: State, action: Action) -> tuple[Event, ...]:
        """Return the events of an action taken in a state; none for what no table shows."""
        return tuple(_Telling(self.grammar, state).tell(action))


class _Telling:
    """The telling of one action."""

    def __init__(self, grammar: Grammar, state: State) -> None:
        self.grammar = grammar
        self.state = state
        self.step = 1

    # --- words for events -----------------------------------------------------------------------

    def line(self, verb: str, **fields: LineValue) -> Said:
        return Said(step=self.step, words="* " + write_line(verb, fields, self.grammar))

    def changed(self, piece: str, name: str, new: object) -> Changed:
        at = self.place(self.state.hex_of(piece))
        return Changed(
            step=self.step, piece=_thing(piece), at=at, name=name, old=None, new=str(new)
        )

    def shelved(self, piece: str, start: Hex | str, deck: str) -> Moved:
        """Return the way of a piece into a cup."""
        end = Place(map=_MAP, label=deck, deck=deck)
        return Moved(step=self.step, piece=_thing(piece), start=self.place(start), end=end)

    def moved(self, piece: str, start: Hex | str, end: Hex | str) -> Moved:
        return Moved(
            step=self.step, piece=_thing(piece), start=self.place(start), end=self.place(end)
        )

    def covered(self, piece: str, is_on: bool) -> Concealed:
        at = self.place(self.state.hex_of(piece))
        return Concealed(step=self.step, piece=_thing(piece), at=at, how="mask", is_on=is_on)

    def global_value(self, name: str, old: object, new: object) -> PropertyChanged:
        return PropertyChanged(
            step=self.step, name=name, old=str(old), new=str(new), container="Module"
        )

    def place(self, where: Hex | str | None) -> Place:
        if where is None:
            return Place()
        return Place(map=_MAP, label=self.state.facts.label(where))

    def name(self, unit: str) -> str:
        """Return what a line calls a unit: its alias while it is hidden."""
        found = self.state.units.get(unit)
        return (found.known_as or "H0") if found is not None and found.hidden else unit

    def where(self, piece: str) -> Hex | str:
        unit = self.state.units.get(piece)
        if unit is not None:
            return unit.place
        return self.state.facts.garrisons[piece].hex

    def label(self, where: Hex | str) -> str:
        return self.state.facts.label(where)

    # --- the actions ----------------------------------------------------------------------------

    def tell(self, action: Action) -> Iterator[Event]:
        match action:
            case Phase() | Chit() | ReturnChits() | SetVP() | Declare():
                yield from self.sequence(action)
            case DrawAsset() | PoolLate() | Commit() | Use() | Discard():
                yield from self.assets(action)
            case Attack() | Join() | Leave() | Reset() | Roll() | Advance():
                yield from self.combat(action)
            case Drop() | Gain() | Lose() | Return() | Reveal() | Liberate() | BuyGarrison():
                yield from self.pieces(action)
            case DrawUnit(unit=unit):
                cup = f"Cup{GERMAN}"
                box = self.place(f"{GERMAN}T{self.state.turn}")
                yield Drawn(step=1, piece=_thing(unit), deck=cup, end=box)
            case Receive(unit=unit, area=area):
                yield self.moved(unit, self.where(unit), f"Entry{area}")
            case Land(unit=unit, to=to) | Displace(unit=unit, to=to):
                yield self.moved(unit, self.where(unit), to)
            case Move(unit=unit, to=to):
                yield from self.move(unit, to)
            case Relocate(piece=piece, to=to) if piece in self.state.assets:
                side = self.state.facts.side_of(piece)
                hand = Place(map=f"{side} hand", x=60, y=60)
                start = self.place(f"Commit{side}")
                yield Moved(step=1, piece=_thing(piece), start=start, end=hand)
            case Relocate(piece=piece, to=to):
                yield self.moved(piece, self.where(piece), to)
            case Alter(piece=piece, steps=steps):
                yield self.changed(piece, "Steps", steps)
            case Peek(unit=unit):
                yield self.covered(unit, False)
            case PassTurn():
                return

    def sequence(self, action: Phase | Chit | ReturnChits | SetVP | Declare) -> Iterator[Event]:
        state = self.state
        match action:
            case Phase():
                yield from self.phase(action)
            case Chit(command=command, means=means):
                if means != "asset" or state.named_first != command:
                    # else it was told with the use of the asset
                    yield from self.chit(command, means)
            case ReturnChits(commands=commands):
                for command in commands:
                    chit = f"Chit-{command}"
                    number = state.chits.index(command) + 1 if command in state.chits else 1
                    yield self.changed(chit, "Out", 0)
                    if command == commands[0]:
                        yield self.global_value("ChitNo", len(state.done), 0)
                    yield self.shelved(chit, f"Initiative{number}", "ChitCup")
            case SetVP(value=value):
                yield self.moved("VP", f"VP{state.marker}", f"VP{value}")
                yield self.line("VP", turn=state.turn, value=value)
            case Declare(level=level):
                # no counter can know who has won: a player types it
                words = write_line("RESULT", {"level": level}, self.grammar)
                yield Said(step=self.step, words=words, speaker=action.by or "Allied player")

    def chit(self, command: str, means: str) -> Iterator[Event]:
        chit, number = f"Chit-{command}", len(self.state.done) + 1
        yield self.changed(chit, "By", means)
        yield self.global_value("ChitNo", number - 1, number)
        yield self.global_value("ActiveCmd", self.state.command or "none", command)
        if means != "fixed":
            yield self.changed(chit, "Out", 1)
            box = self.place(f"Initiative{number}")
            yield Drawn(step=self.step, piece=_thing(chit), deck="ChitCup", end=box)
        yield self.line("CHIT", cmd=command, by=means, n=number)

    def phase(self, action: Phase) -> Iterator[Event]:
        state = self.state
        if action.step == "ENDACT":
            # the marks of attackers are taken off in a step of its own, before the tracker's
            marked = state.attacked | set(state.fight.attackers if state.fight else ())
            yield Said(step=self.step, words="*DZ: RESET")
            for unit in state.facts.units:
                if unit in marked and state.units[unit].steps > 0:
                    yield self.changed(unit, "Joined", 0)
            self.step += 1
        number = len(state.done) + (action.step == "INIT")
        word = "Start" if action.step in ("SETUP", "ASSETDRAW") else "End"
        if action.step in SEQUENCE.round:
            word = f"{_ROUNDS[min(max(number, 1), 4)]} {action.step}"
        command = action.command or "none"
        yield self.line("PHASE", turn=action.turn, step=action.step, cmd=command)
        yield TurnChanged(step=self.step, tracker="Turn", old="", new=f"Turn {action.turn} {word}")

    def assets(self, action: DrawAsset | PoolLate | Commit | Use | Discard) -> Iterator[Event]:
        state = self.state
        match action:
            case DrawAsset(side=side, asset=asset, is_random=is_random):
                hand = Place(map=f"{side} hand", x=60, y=60)
                if is_random:
                    yield Drawn(step=1, piece=_thing(asset), deck=f"Pool{side}", end=hand)
                else:
                    pool = self.place(f"Pool{side}")
                    yield Moved(step=1, piece=_thing(asset), start=pool, end=hand)
                yield self.changed(asset, "Drawn", 1)
                yield self.covered(asset, True)
                yield self.line("DRAW", side=side, turn=state.turn)
            case PoolLate(assets=assets):
                for asset in assets:
                    side = state.facts.assets[asset].side
                    yield self.shelved(asset, f"Late{side}", f"Pool{side}")
            case Commit(side=side, asset=asset):
                end = self.place(f"Commit{side}")
                hand = Place(map=f"{side} hand")
                yield Moved(step=self.step, piece=_thing(asset), start=hand, end=end)
                yield self.line("ASSET", side=side, attack=state.attacks)
            case Use(asset=asset, mode=mode, command=command):
                facts = state.facts.assets[asset]
                yield self.changed(asset, "Used", 1)
                yield self.changed(asset, "Mode", mode)
                yield self.covered(asset, False)
                yield self.line(
                    "ASSET",
                    id=asset,
                    side=facts.side,
                    kind=facts.kind,
                    mode=mode,
                    attack=state.attacks,
                )
                if command:
                    yield from self.chit(command, "asset")
            case Discard(asset=asset):
                side = state.facts.assets[asset].side
                start = f"Commit{side}"
                yield self.moved(asset, start, f"Used{side}")

    def combat(self, action: Attack | Join | Leave | Reset | Roll | Advance) -> Iterator[Event]:
        state = self.state
        match action:
            case Attack(n=n, target=target):
                yield self.global_value("AttackNo", state.attacks, n)
                yield self.line("ATTACK", n=n, target=self.label(target))
            case Join(n=n, unit=unit):
                yield self.changed(unit, "Joined", n)
                hex_ = self.label(self.where(unit))
                yield self.line("JOIN", attack=n, unit=self.name(unit), hex=hex_)
            case Leave(n=n, unit=unit):
                hex_ = self.label(self.where(unit))
                yield self.line("LEAVE", attack=n, unit=self.name(unit), hex=hex_)
                yield self.changed(unit, "Joined", 0)
            case Reset():
                yield Said(step=self.step, words="*DZ: RESET")
            case Roll():
                yield from self.roll(action)
            case Advance(unit=unit, to=to):
                yield self.moved(unit, self.where(unit), to)
                self.step += 1
                yield self.line(
                    "ADVANCE", unit=self.name(unit), hex=self.label(to), attack=state.attacks
                )

    def roll(self, action: Roll) -> Iterator[Event]:
        tray = f"Dice-{action.side}"
        if action.kind == "DIR":
            yield self.changed(tray, "Direction", action.faces[0])
            yield self.thrown(action)
            yield self.line("ROLL", kind="DIR", side=action.side, n=1, faces=action.faces)
            return
        n = len(action.faces)
        yield self.changed(tray, "N", n)
        yield self.changed(tray, "Kind", action.kind)
        yield self.changed(tray, "Faces", ",".join(action.faces))
        yield self.thrown(action)
        fields: dict[str, LineValue] = {
            "kind": action.kind,
            "side": action.side,
            "attack": self.state.attacks,
            "n": n,
        }
        if n:
            fields["faces"] = action.faces
        yield self.line("ROLL", **fields)

    def thrown(self, action: Roll) -> Event:
        """Return the tray's count, one higher: dice that fall as they lay change nothing else."""
        count = counted(action)
        return self.changed(*count, self.state.throws.get(count, 0) + 1)

    def pieces(
        self, action: Drop | Gain | Lose | Return | Reveal | Liberate | BuyGarrison
    ) -> Iterator[Event]:
        match action:
            case Drop():
                yield from self.drop(action)
            case Lose():
                yield from self.loss(action)
            case Gain(unit=unit, cause=cause, by_steps=more):
                yield from self.gained(unit, cause, self.state.steps_of(unit), more)
            case Return(unit=unit, to=to, steps=steps):
                yield from self.gained(unit, "RETURN", 0, steps)
                self.step += 1
                yield self.moved(unit, self.where(unit), to)
            case Reveal(unit=unit, shown=shown) if shown not in ("", unit):
                at = self.place(self.where(unit))
                yield Removed(step=self.step, piece=_thing(unit), start=at)
                yield Placed(step=self.step, piece=_thing(shown), at=at)
            case Reveal(unit=unit, cause=cause):
                found = self.state.units[unit]
                yield self.changed(unit, "Revealed", 1)
                yield self.changed(unit, "Cause", cause)
                yield self.covered(unit, False)
                if not cause:
                    return
                yield self.line(
                    "REVEAL",
                    unit=unit,
                    alias=found.known_as or "H0",
                    hex=self.label(found.place),
                    cause=cause,
                )
            case Liberate(garrison=key, cause=cause, steps=steps):
                full = steps or self.state.facts.garrisons[key].full_steps(ALLIED)
                yield from self.garrison(key, cause, ALLIED, full)
                yield self.line("LIB", objective=key, to="ALLIED", cause=cause)
            case BuyGarrison(garrison=key, pay=pay, steps=steps):
                full = steps or self.state.facts.garrisons[key].full_steps(GERMAN, returns=True)
                yield from self.garrison(key, pay, GERMAN, full)
                yield self.line("GARRISON", objective=key, pay=pay or "STEP")

    def drop(self, action: Drop) -> Iterator[Event]:
        state, unit = self.state, action.unit
        number = sum(bool(u.known_as) for u in state.units.values()) + 1
        aim = state.facts.units[unit].aim
        if aim is None:
            # no serial, no drop: somebody put it there
            yield self.moved(unit, self.where(unit), action.to)
            return
        yield self.global_value("DropNo", number - 1, number)
        yield self.changed(unit, "Alias", f"H{number}")
        yield self.changed(unit, "White", action.white)
        yield self.changed(unit, "Red", action.red)
        landed = _dropped(state, aim, action.white, action.red)
        yield self.moved(unit, self.where(unit), landed)
        yield self.line(
            "DROP",
            unit=f"H{number}",
            aim=self.label(aim),
            white=action.white,
            red=action.red,
            hex=self.label(landed),
        )
        if landed != action.to:
            # the player moves it from a hex in which it cannot be
            self.step += 1
            yield self.moved(unit, landed, action.to)

    def move(self, unit: str, to: Hex) -> Iterator[Event]:
        start = self.where(unit)
        yield self.moved(unit, start, to)
        if isinstance(start, str) and start.startswith("Entry"):
            area = start.removeprefix("Entry")
            yield self.line("ENTER", unit=self.name(unit), area=area, hex=self.label(to))

    def gained(self, unit: str, cause: str, steps: int, more: int) -> Iterator[Event]:
        yield self.changed(unit, "Cause", cause)
        yield self.changed(unit, "Steps", steps + more)
        yield self.line(
            "GAIN",
            unit=self.name(unit),
            hex=self.label(self.where(unit)),
            **{"from": steps, "to": steps + more},
            cause=cause,
        )

    def loss(self, action: Lose) -> Iterator[Event]:
        piece, steps = action.unit, self.state.steps_of(action.unit)
        where = self.where(piece)
        yield self.changed(piece, "Cause", action.cause)
        yield self.changed(piece, "Steps", steps - 1)
        yield self.line(
            "LOSS",
            unit=self.name(piece),
            hex=self.label(where),
            **{"from": steps, "to": steps - 1},
            cause=action.cause,
            attack=self.state.attacks,
        )
        if steps == 1:
            if piece in self.state.units and self.is_joined(piece):
                yield self.changed(piece, "Joined", 0)
            side = self.state.side_of(piece)
            yield self.moved(piece, where, f"Elim{side}")

    def is_joined(self, unit: str) -> bool:
        fight = self.state.fight
        now = fight is not None and unit in fight.attackers
        return now or unit in self.state.attacked

    def garrison(self, key: str, cause: str, side: str, steps: int) -> Iterator[Event]:
        state = self.state.garrisons[key]
        home = self.state.facts.garrisons[key].hex
        yield self.changed(key, "Cause", cause)
        if state.side != side:
            yield self.changed(key, "Holder", side.upper())
        if state.steps != steps:
            yield self.changed(key, "Steps", steps)
        if state.steps == 0:
            yield self.moved(key, f"Elim{state.side}", home)


def is_dragged(action: Action) -> bool:
    """Tell whether a player does an action by dragging a counter, and not by a command."""
    return isinstance(
        action, Move | Receive | Land | Displace | Advance | Return | SetVP | Relocate
    )


def _thing(piece: str) -> Thing:
    return Thing(id=piece, name=piece)


def _dropped(state: State, aim: Hex, white: int, red: int) -> Hex:
    """Return where the module's own command flies a unit: half of the red die, rounded up."""
    found = aim
    for _ in range((red + 1) // 2):
        found = state.facts.sheet.grid.neighbor(found, white - 1)
    return found
