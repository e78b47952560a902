"""A whole drop in the real VASSAL: the program's players decide, menus and mouse do it.

:class:`DrivenDrop` is a table of :mod:`builder.rulesets.airdrop.policy_table`, so the policy plays
at it as at any other. But every action goes to an open VASSAL as a player would do it: an entry of
a counter's menu, a button, the turn tracker, a drag. Dice are VASSAL's: they are read back from the
counters. Nothing here uses our own writer of logs or the reader of logs.

``told`` lists what was done; a test compares it with what the referee reads from the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.live import LiveVassal

from builder.hexes.grid import Hex
from builder.rules.dice import Thrower
from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop.dice import attacked_piece, wing_piece
from builder.rulesets.airdrop.facts import label
from builder.rulesets.airdrop.policy_table import PlayTable
from builder.rulesets.airdrop.state import State

__all__ = ["DrivenDrop"]

WEATHERS = {"CLEAR": "clear", "MUD": "mud", "MIST": "mist", "GUSTY": "gusty", "SNOW": "snow"}
FORCES = {"NONE": "no wind", "MILD": "mild breeze", "HEAVY": "heavy wind", "GUST": "gust"}
GRAINS = ("", "north to south", "north-east to south-west", "south-east to north-west")
COUNTS = ("", "one", "two", "three", "four", "five")
BRIDGES = {"wide": "at a bridge", "one_lane": "at a one-lane bridge"}
LEVELS = ("NMC", "1MC", "2MC", "3MC", "4MC")
CAUSES = {"FIRE": "by fire", "LAND": "by its landing", "OFFBOARD": "offboard"}
CAUSES["OTHER"] = "for another reason"
ATTACKS = {"FIRE": "ordinary fire", "TPBF": "triple point blank fire", "CC": "close combat"}
PICKS = {"TARGET": "Random Selection die", "CASUALTY": "for the casualty"}
PICKS["DEPLOY"] = "for who goes downwind"
MARKS = {
    "PIN": "pinned", "CONCEALED": "concealed", "CC": "in close combat (CC)",
    "CX": "exhausted (CX)", "SYSTEMS": "partially armed", "DM": "DM", "PILLBOX": "in a pillbox",
}  # fmt: skip
TASK = "task check (all other ground)"
MORALE = "morale check (woods, buildings, ...)"


class DrivenDrop(PlayTable):
    """A table whose actions are done in VASSAL, by a player who plays both sides."""

    def __init__(self, vassal: LiveVassal, state: State, seed: int) -> None:
        """Sit down at a state that VASSAL's table shows."""
        super().__init__(state, Thrower(seed))
        self.vassal = vassal
        self.is_done = False
        """Whether the next action was done when its dice were thrown."""
        self.wing = ""
        self.ids: dict[str, str] = {}
        for piece in vassal("pieces Unit").data:
            self.ids.setdefault(piece["properties"]["Unit"], piece["id"])

    @property
    def told(self) -> list[a.Action]:
        """What was done, in order."""
        return [deed.action for deed in self.deeds]

    # --- dice ---------------------------------------------------------------------------------

    def one(self, kind: type[a.Action], piece: str, how: str = "") -> int:
        """Throw a die in VASSAL and return what it shows."""
        if kind is a.Wind:
            self.menu("Wind", "Roll for the direction")
            return int(self.vassal("prop WindDir").data)
        if kind is a.Dproll:
            self.menu(piece, "Drop point dr")
        elif kind is a.Land:
            self.menu(piece, BRIDGES[how])
        elif kind is a.Rs:
            self.menu(piece, PICKS[how])
            self.is_done = True
            return self.shown(piece, "Pick")
        elif kind is a.Canister:
            self.menu(piece, "Looks for an arms canister")
        self.is_done = True
        return self.shown(piece, "Die")

    def pair(self, kind: type[a.Action], piece: str, how: str = "") -> tuple[int, int]:
        """Throw a colored and a white die in VASSAL and return what they show."""
        if kind is a.Dproll:
            first, second = ("First", "Second") if how == "boards" else ("Colored", "White")
            return self.shown(piece, first), self.shown(piece, second)
        if kind is a.Drift:
            self.menu(piece, "Drift")
        elif kind is a.Fire:
            firer, _, leader = how.partition(" ")
            self.menu(firer, "Takes aim, or acts next")
            if leader:
                self.menu(leader, "Directs the unit that takes aim")
            self.menu(piece, "Is fired at")
        elif kind is a.Tc:
            self.menu(piece, TASK)
        elif kind is a.Mc:
            cause, plus = how.split()
            self.menu(piece, MORALE if cause == "LAND" else LEVELS[int(plus)])
        self.is_done = True
        return self.shown(piece, "Colored"), self.shown(piece, "White")

    # --- actions ------------------------------------------------------------------------------

    def try_to(self, action: a.Action) -> bool:
        """Do an action in VASSAL, unless its dice have done it, if no rule forbids it."""
        legal = self.is_legal(action)
        if legal and not self.is_done:
            self.perform(action)
        assert legal or not self.is_done, f"the program threw dice for {action}"
        self.is_done = False
        return super().try_to(action)

    def perform(self, action: a.Action) -> None:
        """Do an action as a player does it."""
        match action:
            case a.Weather(state=weather):
                self.menu("Weather", WEATHERS[weather])
            case a.Wind(force=force):
                self.menu("Force", FORCES[force])
            case a.Phase(turn=turn, side=side, phase=phase):
                self.go_to(f"Turn {turn} {side} {phase}")
            case a.Wing(id=wing, dp=point, grain=grain, sticks=sticks):
                self.move(wing_piece(wing), point)
                self.menu(wing_piece(wing), GRAINS[grain])
                self.menu(wing_piece(wing), COUNTS[len(sticks)])
                self.menu(wing_piece(wing), "Open the plan")
            case a.Place(chute=chute):
                plan = next(w for w in self.state.wings.values() if chute[1:] in w.sticks)
                if self.wing != plan.id:
                    # one command lays the whole line
                    self.wing = plan.id
                    self.menu(wing_piece(plan.id), "Place its line of parachutes")
            case a.Blow():
                pass  # the command that drifts has done it
            case a.Adjust(chute=piece, to=to):
                self.move(piece, to)
            case a.Land(chute=chute, place=place):
                self.menu(chute, "beneath a foot bridge" if place == "IN" else "on the ground")
            case a.Flip(chute=chute):
                self.menu(chute, "Flips over (it has landed)")
            case a.Chain(chute=chute):
                self.menu(chute, "Goes on downwind (interior building hex)")
            case a.Deploy(chute=chute):
                self.menu(chute, "Deploys (failed its task check)")
            case a.Displace(unit=unit):
                self.menu(unit, "Goes downwind (its Stick Deployed)")
            case a.Open(chute=chute):
                self.menu(chute, "Removed: its units are placed")
            case a.Elim(piece=piece, cause=cause):
                self.menu(piece, CAUSES[cause])
            case a.Loss(unit=unit, kind=kind):
                self.lose(unit, kind)
            case a.Mark(kind=kind, piece=piece):
                self.menu(piece, MARKS[kind])
            case a.Move(unit=unit, to=to) | a.Rout(unit=unit, to=to) | a.Advance(unit=unit, to=to):
                self.move(unit, to)
            case a.Attack(unit=unit, kind=kind):
                self.menu(unit, "Takes aim, or acts next")
                self.menu(attacked_piece(self.state, action), ATTACKS[kind])
            case a.Recover(unit=unit, chute=chute):
                self.menu(unit, "Takes aim, or acts next")
                self.menu(chute, "Is recovered by the unit that acts")
            case a.Cvp(points=points):
                self.vassal(f"move {self.ids['CVP']} CVP{points}")
            case a.Rally(unit=unit):
                self.menu(unit, "Rallies")
            case _:
                raise AssertionError(f"nobody has shown the driver how to do {action}")

    def lose(self, name: str, kind: str) -> None:
        """Wound or eliminate a unit in its box; a squad there loses one of its halves."""
        unit = self.state.units[name]
        whole = self.state.units.get(unit.half_of)
        if kind == "WOUND":
            self.menu(name, "Is wounded")
        elif whole is not None and whole.stick and whole.where is None and not unit.stick:
            self.menu(whole.id, f"Loses its Half-Squad {name[-1]}")
        else:
            self.menu(name, "as a casualty of its Stick")

    # --- VASSAL -------------------------------------------------------------------------------

    def menu(self, piece: str, entry: str) -> None:
        self.vassal(f'command {self.ids[piece]} "{entry}"')

    def move(self, piece: str, to: Hex) -> None:
        self.vassal(f"move {self.ids[piece]} {label(to)}")

    def go_to(self, wanted: str) -> None:
        """Step the turn tracker on until it shows a phase."""
        for _ in range(30):
            self.vassal("turn next")
            shown = self.vassal("turntext").data
            if wanted in str(shown):
                return
        raise AssertionError(f"the tracker never shows {wanted!r}")

    def shown(self, piece: str, name: str) -> int:
        """Return what a property of a counter shows."""
        return int(self.vassal(f"pprop {self.ids[piece]} {name}").data)

    def table(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the counters by id as VASSAL has them."""
        return {p["properties"]["Unit"]: p for p in self.vassal("pieces Unit,Status").data}
