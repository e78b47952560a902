"""A VASSAL that stays open: one command at a time, each with its answer.

A game cannot be written down before it is played, since VASSAL throws the dice: what is done next
depends on them. ``with live_vassal(module) as vassal: vassal('move "VP marker" VP1')``; the
commands are those of :mod:`engine.vassal`.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.vassal import (
    ENGINE,
    SCREEN,
    CommandResult,
    EngineError,
    engine_absence,
    engine_command,
    screen,
)

__all__ = ["LiveVassal", "live_vassal"]

_PATIENCE = 90.0
"""Seconds that one command may take; opening the module is the slowest."""


@dataclass
class LiveVassal:
    """An open VASSAL; ``problems`` holds what it complained about so far."""

    process: subprocess.Popen[bytes]
    problems: list[str] = field(default_factory=list)
    _count: int = 0
    _rest: bytes = b""

    def __call__(self, line: str) -> CommandResult:
        """Run one command; EngineError if the harness or VASSAL refuses it."""
        assert self.process.stdin is not None, "the process was started with a pipe"
        self._count += 1
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        chat: list[str] = []
        for event in self._events():
            match event["type"]:
                case "chat" if event["n"] == self._count:
                    chat.append(event["text"])
                case "result":
                    return CommandResult(
                        event["n"], event["command"], event["data"], event["changes"], tuple(chat)
                    )
                case _:
                    pass
        raise EngineError(f"VASSAL ended after {line!r}")

    def wait_until_ready(self) -> None:
        """Wait until the module is open."""
        for event in self._events():
            if event["type"] == "ready":
                return
        raise EngineError("VASSAL did not open the module: " + "; ".join(self.problems))

    def _events(self) -> Iterator[dict[str, Any]]:
        while (line := self._line()) is not None:
            event = json.loads(line)
            if event["type"] == "problem":
                self.problems.append(f"{event['kind']}: {event['text']}")
            elif event["type"] == "error":
                raise EngineError(f"{event['text']}\n{event.get('trace', '')}")
            yield event

    def _line(self) -> bytes | None:
        assert self.process.stdout is not None, "the process was started with a pipe"
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                if not waiting.select(_PATIENCE):
                    raise EngineError(f"no answer within {_PATIENCE:.0f} s")
                more = os.read(self.process.stdout.fileno(), 1 << 16)
                if not more:
                    return None
                self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return line


@contextmanager
def live_vassal(
    module: Path,
    *,
    user: str = "Tester",
    password: str = "pw-tester",
    size: tuple[int, int] = SCREEN,
    engine: Path = ENGINE,
) -> Iterator[LiveVassal]:
    """Open *module* in VASSAL under a screen of its own; both end with the block.

    Raises:
        EngineError: the engine is not set up, or it did not open the module.
    """
    absence = engine_absence(engine)
    if absence is not None:
        raise EngineError(absence)
    with tempfile.TemporaryDirectory(prefix="hexwright-vassal-") as home, screen(size) as display:
        process = subprocess.Popen(
            engine_command(home, module, "-", user, password, engine),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "DISPLAY": display, "HOME": home},
        )
        try:
            live = LiveVassal(process)
            live.wait_until_ready()
            yield live
        finally:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
