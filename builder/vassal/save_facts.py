"""What a saved game says besides its pieces: notes, extensions, clocks, commands of others.

The last word counts, and whose private note it is stays untold.
Sources: VASSAL classes ``build.module.NotesWindow``, ``build.module.ChessClockControl``,
``build.module.StartupGlobalKeyCommand``, ``build.module.ModuleExtension``.
"""

from __future__ import annotations

from collections.abc import Iterable

from builder.vassal.commands import (
    BeginSave,
    Clock,
    Command,
    Extension,
    Opaque,
    PlayerId,
    PrivateNote,
    PublicNote,
    ScenarioNote,
    SecretNote,
    StartupKey,
)
from builder.vassal.twin_pieces import Secrets
from builder.vassal.twin_values import quoted

__all__ = ["Facts"]


class Facts:
    """What was said once about a game, by area and name; no player id is in it."""

    def __init__(self, secrets: Secrets) -> None:
        """Begin with nothing said."""
        self._secrets = secrets
        self._said: dict[str, dict[str, str]] = {}
        self._private: dict[PlayerId, str] = {}
        self._counts: dict[str, int] = {}
        self.unclear: dict[str, None] = {}
        """Verbs of a module's own commands in steps: what the game says by them is not known."""

    def begin(self, commands: Iterable[Command]) -> None:
        """Note what a game begins with."""
        for command in commands:
            self._note(command)

    def go_on(self, commands: Iterable[Command]) -> None:
        """Note what is said in a step of a log."""
        for command in commands:
            if isinstance(command, BeginSave):
                self._said.clear()
                self._private.clear()
                self._counts.clear()
            elif isinstance(command, Opaque):
                self.unclear[command.verb] = None
            else:
                self._note(command)

    def area(self, name: str) -> dict[str, str]:
        """Return what was said in one area, by name."""
        said = dict(self._said.get(name, {}))
        if name == "note":
            for number, text in enumerate(self._private.values(), 1):
                said["private" if number == 1 else f"private no. {number}"] = text
        return said

    def _note(self, command: Command) -> None:
        if isinstance(command, PrivateNote):
            # Whose it is must not be told, and what it says is its owner's only.
            self._private[command.owner] = f"({len(command.text)} characters)"
            return
        fact = _fact(command)
        if fact is None:
            return
        area, name, value = fact
        label = self._secrets.text(name)
        if area == "other":
            # A verb says nothing about what the command is of: several are several things.
            count = self._counts[label] = self._counts.get(label, 0) + 1
            label = label if count == 1 else f"{label} no. {count}"
        self._said.setdefault(area, {})[label] = self._secrets.text(value)


def _fact(command: Command) -> tuple[str, str, str] | None:
    """Return area, name and value of what a save says once."""
    fact: tuple[str, str, str] | None = None
    if isinstance(command, Extension):
        fact = "extension", command.name, command.version or "(no version)"
    elif isinstance(command, ScenarioNote | PublicNote):
        name = "scenario" if isinstance(command, ScenarioNote) else "public"
        fact = "note", name, quoted(command.text)
    elif isinstance(command, SecretNote):
        shown = "hidden" if command.hidden else "shown"
        fact = "note", f"secret {command.name}", f"({shown}, {len(command.text)} characters)"
    elif isinstance(command, StartupKey):
        fact = "start-up key", command.id, str(command.applied).lower()
    elif isinstance(command, Clock):
        fact = "clock", command.name, f"{command.elapsed} ms"
    elif isinstance(command, Opaque) and command.text:
        fact = "other", command.verb or "command", quoted(command.text)
    return fact
