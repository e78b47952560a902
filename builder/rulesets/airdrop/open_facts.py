"""Reads what the rules of the air drop know of a game: ground, units, figures, where they start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from builder.gamebox.charts import Chart
from builder.gamebox.model import Counter, Game, MapSheet
from builder.gamebox.open_charts import open_charts
from builder.problems import Problem, ProblemLog, Source, did_you_mean
from builder.rulesets.airdrop.facts import LEFT, NUMBERS, RIGHT, SHARED, TOP, Figures, Ground
from builder.rulesets.airdrop.state import Unit

__all__ = ["DropFacts", "check_ground", "open_facts"]

_LAYOUTS: Final = ("mmc", "smc", "sw")
_FIGURES: Final = ("hazardous", "squad", "crew", "half_squad", "smc", "leadership")
_BOARDS: Final = (("Board1", LEFT), ("Board2", SHARED))


@dataclass(frozen=True, slots=True)
class DropFacts:
    """What holds for a whole game.

    ``units`` maps ids to units as they are before anything has happened; ``titles`` every counter
    to what players call it; ``starts`` scenarios to counters and the places where they stand,
    ``nations`` scenarios to the nationality of the drop and its year.
    """

    sheet: MapSheet
    ground: Ground
    figures: Figures
    units: Mapping[str, Unit]
    titles: Mapping[str, str]
    starts: Mapping[str, Mapping[str, str]]
    nations: Mapping[str, tuple[str, int]]


def open_facts(game: Game, sheet: MapSheet | None = None) -> DropFacts:
    """Return what the rules know of a game; another map ``sheet`` may stand in for its own.

    Raises :class:`DataError` with every place where a file does not say what the rules need.
    """
    log = ProblemLog()
    figures = _figures(game, log)
    log.problems += check_ground(game)
    log.check()
    used = sheet or game.map
    setups = {s.scenario: s.properties for s in game.module.setup}
    return DropFacts(
        sheet=used,
        ground=Ground(
            {h: t.base for h, t in used.terrain.items()},
            {h: frozenset(t.flags) for h, t in used.terrain.items() if t.flags},
        ),
        figures=figures,
        units={c.id: _unit(c) for c in game.counters if c.layout in _LAYOUTS},
        titles={c.id: _title(c) for c in game.counters},
        starts={
            s.name: {c.id: c.start for c in game.counters if c.start} | dict(s.starts)
            for s in game.scenarios
        },
        nations={
            s.name: (
                setups.get(s.name, {}).get("Nat", "US"),
                _year(setups.get(s.name, {}).get("Date", "")),
            )
            for s in game.scenarios
        },
    )


def check_ground(game: Game) -> Iterator[Problem]:
    """Yield where the map is not the two boards that the rules count on."""
    boards = {b.name: b for b in game.map.grid.boards}
    for name, column in _BOARDS:
        board = boards.get(name)
        if board is None:
            yield Problem(Source("map.toml"), f"the rules need a board {name!r}")
            continue
        shape = (board.column, board.row, board.columns, board.rows)
        wanted = (column, TOP, RIGHT - SHARED + 1, NUMBERS + 1)
        if shape != wanted:
            words = f"board {name!r}: the rules need column, row, columns, rows {wanted}"
            yield Problem(Source("map.toml"), f"{words}, got {shape}")


def _figures(game: Game, log: ProblemLog) -> Figures:
    chart: Chart | None = next((c for c in open_charts(game, log) if c.name == "figures"), None)
    if chart is None:
        log.add(Source("charts.toml"), "the rules need a chart 'figures'")
        return Figures()
    names = [c.name for c in chart.columns]
    known: dict[str, int] = {}
    ours: set[str] = set()
    for row in chart.rows:
        cells = dict(zip(names, row.cells, strict=True))
        name = cells["figure"].text
        value = cells["value"].figure
        if name not in _FIGURES:
            log.add(row.source, f"no figure {name!r} in the rules{did_you_mean(name, _FIGURES)}")
        elif value is None or value.denominator != 1:
            log.add(cells["value"].source, f"expected a whole number, got {cells['value'].text!r}")
        else:
            known[name] = int(value)
            if cells["value"].is_marked:
                ours.add(name)
    for name in _FIGURES:
        if name not in known and not log.errors:
            log.add(Source("charts/figures.csv"), f"the rules need a figure {name!r}")
    values: dict[str, Any] = known
    return replace(Figures(ours=frozenset(ours)), **values)


def _unit(counter: Counter) -> Unit:
    def text(name: str) -> str:
        return str(counter.fields.get(name) or "")

    def whole(name: str) -> int:
        value = counter.fields.get(name)
        return value if isinstance(value, int) else 0

    return Unit(
        id=counter.id,
        kind=text("kind"),
        side=counter.side,
        nationality=text("nationality"),
        name=counter.name,
        half_of=text("half_of"),
        strength=text("strength"),
        sw=text("sw"),
        fires=text("fires") or "SMALL",
        fp=whole("fp"),
        leadership=whole("leadership"),
        elite=bool(counter.fields.get("elite")),
        can_dm=bool(counter.fields.get("dm")),
        dm=bool(counter.fields.get("dm")),
    )


def _title(counter: Counter) -> str:
    if counter.layout not in _LAYOUTS:
        return counter.name
    return f"{counter.name} ({counter.id})"


def _year(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) == 4 else 1944
