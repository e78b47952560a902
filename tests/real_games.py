"""The games that the real VASSAL has recorded: their logs, their lists, and what the chat says.

A list of actions stands beside each log (``.txt``, the notation of ``hexwright play``): what was
done, whatever any reader makes of it. :func:`told_by_lines` and :func:`told_by_reports` get the
same out of the chat of a log, by patterns written here, so that the lists can be held against the
logs without our own reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from vlog_text import chat_texts

from builder.vassal.savefile import read_save, write_save

GAMES = Path(__file__).parent / "fixtures" / "logs" / "games"

_LINE = re.compile(r"\* ?DZ: (?P<verb>[A-Z]+)(?P<fields>.*)")
_MOVE = re.compile(r"\* (?P<name>.+) moves (?P<start>\S+) -> (?P<end>\S+)")
_UNDO = "* UNDO: "
_FINDING = "# finding: "
#: The module's own lines and the tracker's steps, in the text of a log behind its first state.
_SAID = re.compile(r"(?:CHAT(?=[^\x1b]*DZ:)|TURN(?=TurnTracker))[^\x1b]*?(?=\\*(?:\x1b|$))")


@dataclass(frozen=True, slots=True)
class RealGame:
    """A game in one log or in several that follow each other."""

    name: str
    logs: tuple[Path, ...]

    def listed(self) -> list[list[str]]:
        """The list of each log, without its comments."""
        return [listed(path) for path in self.logs]

    def findings(self) -> list[str]:
        """What is wrong in the game: ruling and row, by the heads of the lists."""
        heads = (p.with_suffix(".txt").read_text(encoding="utf-8") for p in self.logs)
        lines = (line for head in heads for line in head.splitlines())
        return [h.removeprefix(_FINDING) for h in lines if h.startswith(_FINDING)]


def real_games(folder: Path = GAMES) -> tuple[RealGame, ...]:
    """The games in a folder; the logs of one game share the first word of their names."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*.vlog")):
        found.setdefault(path.stem.partition("-")[0], []).append(path)
    return tuple(RealGame(name, tuple(paths)) for name, paths in found.items())


def listed(log: Path) -> list[str]:
    """The actions of the list beside a log."""
    lines = log.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def write_bare(log: Path, target: Path) -> None:
    """Write a log as if nobody had touched the tracker and the module had said nothing."""
    save = read_save(log)
    border = save.text.rindex("end_save")
    head, tail = save.text[:border], save.text[border:]
    bare, count = _SAID.subn("", tail)
    assert count > 0, f"{log.name} has no lines"
    target.write_bytes(write_save(replace(save, text=head + bare)))


# ------------------------------------------------------------------------------ the chat of a log


def _said(log: Path) -> list[str]:
    """What the chat of a log says in the end: without what was taken back."""
    found: list[str] = []
    for text in chat_texts(log):
        if text.startswith(_UNDO):
            last = max(i for i, t in enumerate(found) if t == text.removeprefix(_UNDO))
            del found[last]
        else:
            found.append(text)
    return found


def told_by_reports(log: Path) -> list[str]:
    """Where counters were dragged to, by the reports of moves, in order."""
    return [m["end"] for text in _said(log) if (m := _MOVE.fullmatch(text)) is not None]


def dragged(actions: Iterable[str]) -> Iterator[str]:
    """Where the actions of a list drag a counter to; a drop is dragged only to correct it."""
    for action in actions:
        verb, fields = _parts(action)
        if verb in ("MOVE", "LAND", "DISPLACE", "ADVANCE", "RETURN"):
            yield fields["to"]
        elif verb == "RECEIVE":
            yield f"Entry{fields['area']}"
        elif verb == "SET_VP":
            yield f"VP{fields['value']}"


def aliases(log: Path) -> dict[str, str]:
    """Which unit an alias stands for: by the head of a list, and by its drops in their order."""
    text = log.with_suffix(".txt").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("# aliases: "):
            found |= dict(pair.split("=") for pair in line.removeprefix("# aliases: ").split())
    units = [_parts(a)[1]["unit"] for a in listed(log) if a.startswith("DROP ")]
    return found | {f"H{n}": unit for n, unit in enumerate(units, 1)}


def told_by_lines(log: Path) -> list[str]:
    """The module's lines of a log as actions, in order, with what :func:`tellable` leaves."""
    names = aliases(log)
    found = []
    for text in _said(log):
        match = _LINE.fullmatch(text)
        if match is not None:
            fields = dict(pair.split("=", 1) for pair in match["fields"].split())
            if "unit" in fields:
                fields["unit"] = names.get(fields["unit"], fields["unit"])
            found += _action(match["verb"], fields)
    return found


def _action(verb: str, f: dict[str, str]) -> list[str]:
    match verb:
        case "PHASE":
            command = "" if f["cmd"] == "none" else f" {f['cmd']}"
            return [f"PHASE {f['turn']} {f['step']}{command}"]
        case "CHIT":
            return [f"CHIT {f['cmd']} {f['by']}"]
        case "DRAW":
            return [f"DRAW_ASSET {f['side']}"]
        case "ASSET" if "id" not in f:
            return [f"COMMIT {f['side']} {f['attack']}"]
        case "ASSET":
            return [f"USE {f['id']} {f['mode']}"]
        case "ATTACK":
            return [f"ATTACK {f['n']} {f['target']}"]
        case "JOIN" | "LEAVE":
            return [f"{verb} {f['attack']} {f['unit']}"]
        case "ROLL":
            return [f"ROLL {f['side']} {f['kind']} {f.get('faces', '')}".rstrip()]
        case "LOSS":
            return [f"LOSE {f['unit']} {f['cause']}"]
        case "GAIN" if f["cause"] == "RETURN":
            return [f"RETURN {f['unit']}"]
        case "GAIN":
            return [f"GAIN {f['unit']} {f['cause']}"]
        case "REVEAL":
            return [f"REVEAL {f['unit']} {f['cause']}"]
        case "LIB":
            return [f"LIBERATE {f['objective']} {f['cause']}"]
        case "GARRISON":
            return [f"BUY_GARRISON {f['objective']} {f['pay']}"]
        case "ADVANCE":
            return [f"ADVANCE {f['unit']} {f['hex']}"]
        case "DROP":
            return [f"DROP {f['unit']} {f['white']} {f['red']}"]
        case "VP":
            return [f"SET_VP {f['value']}"]
        case "ENTER":
            return []  # a move, and its report says where
        case _:
            return [verb]


_TELLABLE = {
    "PHASE": ("turn", "step", "command"),
    "CHIT": ("command", "means"),
    "DRAW_ASSET": ("side",),
    "COMMIT": ("side", "attack"),
    "USE": ("asset", "mode"),
    "ATTACK": ("n", "target"),
    "JOIN": ("n", "unit"),
    "LEAVE": ("n", "unit"),
    "ROLL": ("side", "kind", "faces"),
    "LOSE": ("unit", "cause"),
    "RETURN": ("unit",),
    "GAIN": ("unit", "cause"),
    "REVEAL": ("unit", "cause"),
    "LIBERATE": ("garrison", "cause"),
    "BUY_GARRISON": ("garrison", "pay"),
    "ADVANCE": ("unit", "to"),
    "DROP": ("unit", "white", "red"),
    "SET_VP": ("value",),
    "RESET": (),
}


def tellable(actions: Iterable[str]) -> list[str]:
    """The actions of a list of which the module writes lines, with what a line tells of them."""
    found = []
    for action in actions:
        verb, fields = _parts(action)
        if verb in _TELLABLE:
            found.append(" ".join([verb, *(fields[n] for n in _TELLABLE[verb] if n in fields)]))
    return found


def _parts(action: str) -> tuple[str, dict[str, str]]:
    verb, *pairs = action.split()
    return verb, dict(pair.split("=", 1) for pair in pairs)
