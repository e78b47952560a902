"""Runs scripts in the real VASSAL and reads what it answers.

``run_vassal(module, lines)`` opens a module under a screen of its own, runs the script of
``java/hexwright/engine/Script.java`` and returns an :class:`EngineRun`. A run costs about three
seconds before its first command, so a test module should put its commands into few runs.

Commands (words with blanks in double quotes; PIECE = piece id, ``gpid:N``, basic name, current
name, or ``at:PLACE``, the first in a hex, box, deck or map of that name; LOC = location name or
``x,y``, either also after ``MAP@``):

======================================== =====================================================
``newgame [SIDE]``                       File > New Game, taking a side
``setups`` · ``setup NAME``              predefined setups · start one
``load F`` · ``save F`` · ``saveload F`` open a save or log · write one · write, read, compare
``beginlog F`` · ``endlog``              record
``step [N]`` · ``stepall``               play the open log
``dump F`` · ``text F``                  a save's command tree · its decoded text
``audit``                                what VASSAL swallows, right after newgame or setup
``pieces [P,P…]`` · ``state``            pieces with properties · types and states
``expect PIECE LOC [NAME]``              a problem if it is not so · also ``expectcount N``
``hexnames MAP F`` · ``hexpoints MAP F`` names and snaps of many points · points of many names
``runmenus LOC [DEPTH]``                 every menu command of every piece type, so many in a row
``refresh test|real``                    Tools > Refresh Counters, by gpid alone
``menu PIECE`` · ``command PIECE TEXT``  the right-click menu · one entry of it
``key PIECE "ctrl F"`` · ``named``       a key stroke · a named key command
``move PIECE LOC`` · ``movestack``       a drag · also ``place SLOT LOC``, ``draw DECK LOC``
``dice NAME`` · ``seed N``               roll · make rolls repeatable
``turn next|prev [NAME]`` · ``turntext`` the turn tracker
``press NAME`` · ``hotkey KEY``          a toolbar button · a global hotkey
``chat TEXT`` · ``undo`` · ``join SIDE`` · ``players`` · ``deckkey DECK KEY`` · ``deckmenus``
``loc LOC`` · ``maps`` · ``showing MAP`` · ``inventory`` · ``prop NAME`` · ``pprop PIECE NAME``
``windowshot F`` · ``shot F``            VASSAL's window · the screen, as PNG
``mapshot MAP F [ZOOM]``                 a whole map, as PNG
``lookat LOC`` · ``zoom MAP FACTOR``     scroll a map's window · its zoom
``mousedrag LOC LOC`` · ``mouseclick LOC`` · ``type "ctrl F"`` · ``screenpos LOC``
``answer yes|no|close|default``          modal dialogs; default = close, and call it a problem
``sleep MS``
======================================== =====================================================
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / ".engine"
SCREEN = (1400, 1000)

CLEAN = 0
REFUSED = 1
SCRIPT_ERROR = 2
PROBLEMS = 3


class EngineError(Exception):
    """The engine could not be run, or died; this says nothing about the module."""


@dataclass(frozen=True, slots=True)
class EngineProblem:
    """Something VASSAL complained about, or a check of ours found.

    ``kind`` is one of *log, bug, dialog, chat, strict, expect, audit, menu, saveload, refused*.
    """

    line: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What one line of the script gave: its data (JSON), and what changed on the table."""

    line: int
    command: str
    data: Any
    changes: dict[str, list[dict[str, Any]]] | None
    chat: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EngineRun:
    """A whole run: exit code, problems, chat, and a result for every command that ended."""

    code: int
    vassal: str
    problems: tuple[EngineProblem, ...]
    results: tuple[CommandResult, ...]
    notes: tuple[str, ...]
    dialogs: tuple[str, ...]
    steps: tuple[dict[str, Any], ...]
    error: str | None
    stderr: str = field(repr=False)

    @property
    def problem_texts(self) -> list[str]:
        """``kind: text`` of every problem: what a failing assert should show."""
        return [f"{p.kind}: {p.text}" for p in self.problems]

    def all(self, command: str) -> list[CommandResult]:
        """The results of every line with this command, in order."""
        return [r for r in self.results if r.command == command]

    def one(self, command: str) -> CommandResult:
        """The result of the only line with this command."""
        found = self.all(command)
        if len(found) != 1:
            raise EngineError(f"{len(found)} results of {command!r}; error: {self.error}")
        return found[0]


def engine_absence(folder: Path = ENGINE) -> str | None:
    """Why the engine cannot be run here, or None when it can."""
    if not (folder / "engine.json").exists():
        return "no engine: run `make engine` first"
    for program in ("java", "Xvfb"):
        if shutil.which(program) is None:
            return f"{program} not found: run `make engine` first"
    return None


@contextmanager
def screen(size: tuple[int, int] = SCREEN) -> Iterator[str]:
    """A virtual X screen of our own on a free display; yields its name, such as ``:5``."""
    # -displayfd lets the server choose a free number itself and tell it: no race between runs.
    reader, writer = os.pipe()
    width, height = size
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{width}x{height}x24"]
    try:
        server = subprocess.Popen(
            [*command, "-nolisten", "tcp"],
            pass_fds=[writer],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    finally:
        os.close(writer)
    try:
        with os.fdopen(reader) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise EngineError(f"Xvfb did not start (exit code {server.wait()})")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


def run_vassal(
    module: Path,
    lines: Sequence[str],
    *,
    user: str = "Tester",
    password: str = "pw-tester",
    size: tuple[int, int] = SCREEN,
    timeout: float = 150,
    engine: Path = ENGINE,
) -> EngineRun:
    """Open *module* in VASSAL and run the script *lines* on it.

    The player's home, preferences and image cache live in a folder that is deleted afterwards.

    Raises:
        EngineError: the engine is not set up, timed out, or died without its closing line.
    """
    absence = engine_absence(engine)
    if absence is not None:
        raise EngineError(absence)
    with tempfile.TemporaryDirectory(prefix="hexwright-vassal-") as home, screen(size) as display:
        script = Path(home) / "script.txt"
        script.write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = engine_command(home, module, str(script), user, password, engine)
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "DISPLAY": display, "HOME": home},
        )
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            raise EngineError(f"no end after {timeout} s; last lines:\n{_tail(out)}") from None
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    return parse_run(out, err)


def engine_command(
    home: str, module: Path, script: str, user: str, password: str, engine: Path = ENGINE
) -> list[str]:
    """The command that opens a module and runs a script on it, ``-`` for standard input."""
    description = json.loads((engine / "engine.json").read_text(encoding="utf-8"))
    # The classes lie in separate folders and jars; no class path can hold them all otherwise.
    return [
        *("java", "-Xmx1g", "-Xshare:auto", "-XX:+UseSerialGC"),
        *(f"-Duser.home={home}", f"-DVASSAL.conf={home}", f"-Djava.util.prefs.userRoot={home}"),
        *("-Duser.language=en", "-Duser.country=US", "-Dfile.encoding=UTF-8"),
        f"-Dlogback.configurationFile={description['logback']}",
        *(f"-Dhexwright.user={user}", f"-Dhexwright.password={password}"),
        *("-cp", os.pathsep.join(description["classpath"])),
        *(description["main"], str(module.resolve()), script),
    ]


def _tail(text: str) -> str:
    return "\n".join(text.splitlines()[-12:])


def parse_run(out: str, err: str) -> EngineRun:
    """The harness's output, one JSON object per line, as a value."""
    events = [json.loads(line) for line in out.splitlines()]
    kinds: dict[str, list[dict[str, Any]]] = {}
    for event in events:
        kinds.setdefault(event["type"], []).append(event)
    ends = kinds.get("end")
    if not ends:
        raise EngineError(f"the engine died:\n{_tail(out)}\n{_tail(err)}")
    chat: dict[int, list[str]] = {}
    for event in kinds.get("chat", []):
        chat.setdefault(event["n"], []).append(event["text"])
    errors = kinds.get("error")
    return EngineRun(
        code=ends[0]["code"],
        vassal=kinds["ready"][0]["vassal"] if "ready" in kinds else "",
        problems=tuple(
            EngineProblem(e["n"], e["kind"], e["text"]) for e in kinds.get("problem", [])
        ),
        results=tuple(
            CommandResult(
                e["n"], e["command"], e["data"], e["changes"], tuple(chat.get(e["n"], ()))
            )
            for e in kinds.get("result", [])
        ),
        notes=tuple(e["text"] for e in kinds.get("note", [])),
        dialogs=tuple(e["text"] for e in kinds.get("dialog", [])),
        steps=tuple(kinds.get("step", [])),
        error=f"{errors[0]['text']}\n{errors[0].get('trace', '')}" if errors else None,
        stderr=err,
    )
