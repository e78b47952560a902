"""An attack that no line names: whom it is on follows from who joins, who loses, and the dice.

The module counts attacks (``AttackNo``) and marks who joined, but a counter cannot know which hex
was meant; only the line says it. Without lines the steps of an attack are held until a loss, or
whatever follows it, tells.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.facts import Side, enemy_of
from builder.rulesets.dropzone.interdiction import interdiction_targets
from builder.rulesets.dropzone.odds import expected_dice
from builder.rulesets.dropzone.reader_digest import Digest
from builder.rulesets.dropzone.sequence import COMMANDS
from builder.rulesets.dropzone.state import State

__all__ = ["HeldAttack", "is_unnamed_attack"]


def is_unnamed_attack(digest: Digest) -> bool:
    """Tell whether a step counts a new attack without a line that says on which hex."""
    is_new = "AttackNo" in digest.properties
    typed = any(line.verb == "ATTACK" for line in digest.typed)
    return is_new and digest.line("ATTACK") is None and not typed


@dataclass
class HeldAttack:
    """The steps of an attack whose target is not known yet."""

    digests: list[Digest] = field(default_factory=list)

    def add(self, digest: Digest) -> None:
        """Keep a step."""
        self.digests.append(digest)

    def ends_with(self, digest: Digest, state: State) -> bool:
        """Tell whether a step is no part of the attack any more."""
        if "AttackNo" in digest.properties or digest.turn is not None:
            return True
        if any(f"Chit-{c}" in digest.travels for c in COMMANDS):
            return True
        if self._has_dice() and any(
            changes.get("Joined") == "0" and "Steps" not in changes
            for changes in digest.changes.values()
        ):
            return True  # all marks are taken off
        joined = self._joined()
        return any(
            k in state.facts.units
            and k not in joined
            and state.units[k].steps > 0
            and "Steps" not in digest.changes.get(k, {})  # the dead go to their box
            for k in digest.travels
        )

    def is_known(self, state: State) -> bool:
        """Tell whether a loss of the defender has shown the target."""
        return self._hit(state) is not None

    def targets(self, state: State) -> tuple[Hex, ...]:
        """Return the hexes that could have been meant: one if a loss or a reveal tells.

        Else the hexes beside all that joined which the enemy holds; those come first against
        which the attackers would have the dice that were thrown.
        """
        hit = self._hit(state)
        if hit is not None:
            return (hit,)
        side = self._side(state)
        joined = [h for k in self._joined() if (h := state.hex_of(k)) is not None]
        on_enemies = [h for h in joined if side is not None and state.is_held(h, enemy_of(side))]
        if on_enemies:
            return (on_enemies[0],)  # a landing is fought out in the hex itself
        around = [set(state.facts.ground.neighbors_of[h]) for h in joined]
        if side is None or not around:
            return interdiction_targets(state) if self._is_interdiction() else ()
        dice = self._dice(side)
        keys = tuple(self._joined())

        def misfit(h: Hex) -> tuple[bool, Hex]:
            return (dice is not None and expected_dice(state, h, keys, side) != dice, h)

        # if nothing is beside all of them, what most are beside
        beside = {h: sum(h in near for near in around) for h in set.union(*around)}
        most = max((n for h, n in beside.items() if state.is_held(h, enemy_of(side))), default=0)
        held = (h for h, n in beside.items() if n == most and state.is_held(h, enemy_of(side)))
        return tuple(sorted(held, key=misfit))

    def _joined(self) -> list[str]:
        found: dict[str, None] = {}
        for digest in self.digests:
            for key, changes in digest.changes.items():
                if changes.get("Joined", "0") != "0":
                    found[key] = None
                elif "Joined" in changes and "Steps" not in changes:
                    found.pop(key, None)
        return list(found)

    def _is_interdiction(self) -> bool:
        return any(
            changes.get("Mode", "").startswith("INTERDICT")
            for digest in self.digests
            for changes in digest.changes.values()
        )

    def _has_dice(self) -> bool:
        return any(
            key.startswith("Dice-") and "Faces" in changes
            for digest in self.digests
            for key, changes in digest.changes.items()
        )

    def _side(self, state: State) -> Side | None:
        for key in self._joined():
            if key in state.facts.units:
                return state.facts.units[key].side
        return state.side

    def _hit(self, state: State) -> Hex | None:
        """Return the hex of the first piece of the other side that is shown or loses a step."""
        side = self._side(state)
        for digest in self.digests:
            for key, changes in digest.changes.items():
                h = state.hex_of(key)
                is_hit = "Steps" in changes or "Revealed" in changes
                if is_hit and h is not None and state.side_of(key) != side:
                    return h
        return None

    def _dice(self, side: Side) -> int | None:
        """Return how many combat dice the attacker threw."""
        for digest in self.digests:
            tray = digest.changes.get(f"Dice-{side}", {})
            if "Faces" in tray:
                return len([f for f in tray["Faces"].split(",") if f])
        return None
