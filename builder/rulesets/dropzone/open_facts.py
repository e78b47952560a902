"""Reads the facts of Drop Zone from a game's counters, places and charts, with every mistake."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import cast

from builder.gamebox.charts import Chart, ChartCell, plain_text
from builder.gamebox.model import Counter, Game, MapSheet
from builder.gamebox.open_charts import open_charts
from builder.hexes.grid import Hex
from builder.problems import ProblemLog, Source, did_you_mean
from builder.rulesets.dropzone.facts import (
    ALLIED,
    GERMAN,
    AssetFacts,
    AssetKind,
    Facts,
    Figure,
    GarrisonFacts,
    Level,
    Objective,
    Target,
    TurnFigures,
    UnitFacts,
)
from builder.rulesets.dropzone.ground import Ground, TerrainFigure, terrain_figures

__all__ = ["open_facts"]

_LEVELS = re.compile(r"(?P<low>\d+)(?:–(?P<high>\d+)| (?P<word>or more|or fewer))?")
_SCENARIOS = {"Standard": "standard", "Ghost Division": "ghost"}
_COLUMNS = {
    "terrain": ("move", "attacker", "defender"),
    "turns": ("turn", "rp", "allied", "german"),
    "victory": ("vp", "level"),
    "dice": ("face", "allied", "german"),
}
"""The columns from which the rules read figures, by chart."""
_MOST = 99
"""More points than a game can give: the top of a level that is open upward."""


def open_facts(game: Game, sheet: MapSheet | None = None) -> Facts:
    """Return what the rules know of a game; another map ``sheet`` may stand in for its own.

    Raises :class:`DataError` with every place where a file does not say what the rules need.
    """
    log = ProblemLog()
    charts = {c.name: c for c in open_charts(game, log)}
    map_sheet = sheet or game.map
    figures = _terrain(charts, log)
    turns = _turns(charts, log)
    levels = _levels(charts, log)
    dice, dice_is_ours = _dice(game, charts, log)
    log.check()
    assert figures is not None, "it was noted"
    objectives = _objectives(game, map_sheet)
    garrisons = {c.id: _garrison(c, map_sheet, objectives) for c in _of(game, "garrison")}
    aims = {p.name: p.hex for p in map_sheet.places_of("aim")}
    zones = {p.name: p.hex for kind in ("dz", "lz") for p in map_sheet.places_of(kind)}
    return Facts(
        sheet=map_sheet,
        ground=Ground.of(map_sheet, figures),
        units={c.id: _unit(c, map_sheet, aims, zones) for c in _of(game, "unit")},
        garrisons=garrisons,
        assets={c.id: _asset(c) for c in _of(game, "asset")},
        objectives=objectives,
        turns=turns,
        levels=levels,
        dice=dice,
        dice_is_ours=dice_is_ours,
        entries={area.name: area.hexes for area in map_sheet.entry_areas()},
        zones=zones,
        garrison_at={g.hex: g.id for g in garrisons.values()},
    )


def _of(game: Game, layout: str) -> tuple[Counter, ...]:
    return tuple(c for c in game.counters if c.layout == layout)


def _text(counter: Counter, name: str) -> str:
    return str(counter.fields.get(name) or "")


def _whole(counter: Counter, name: str, default: int = 0) -> int:
    value = counter.fields.get(name)
    return value if isinstance(value, int) else default


def _words(counter: Counter, name: str) -> tuple[str, ...]:
    value = counter.fields.get(name)
    return tuple(map(str, value)) if isinstance(value, tuple) else ()


def _numbers(counter: Counter, name: str) -> tuple[int, ...]:
    value = counter.fields.get(name)
    return tuple(int(v) for v in value) if isinstance(value, tuple) else ()


def _unit(
    c: Counter, sheet: MapSheet, aims: Mapping[str, Hex], zones: Mapping[str, Hex]
) -> UnitFacts:
    serial = _text(c, "serial")
    return UnitFacts(
        id=c.id,
        name=c.name,
        title=_text(c, "title") or c.name,
        side=c.side,
        command=_text(c, "command"),
        is_armor=_text(c, "class") == "armor",
        target=cast(Target, _text(c, "target")),  # a choice field: checked when it was read
        steps=c.steps,
        drc=_numbers(c, "drc"),
        ma=_whole(c, "ma"),
        symbol=_text(c, "symbol"),
        formation=_text(c, "formation"),
        center=_text(c, "center"),
        affiliation=_text(c, "affiliation"),
        serial=serial,
        aim=aims.get(serial) or zones.get(_text(c, "affiliation")) if serial else None,
        turn=_whole(c, "turn"),
        areas=_words(c, "areas"),
        is_random=bool(c.fields.get("random")),
        start=sheet.find(c.start) or c.start,
        is_ours=not c.fields.get("verified"),
    )


def _garrison(c: Counter, sheet: MapSheet, objectives: Mapping[str, Objective]) -> GarrisonFacts:
    name = _text(c, "objective")
    objective = objectives.get(name)
    return GarrisonFacts(
        id=c.id,
        objective=name,
        hex=objective.hex if objective else sheet.find(c.start) or Hex(0, 0),
        german_steps=c.steps,
        german_hq=_text(c, "hq"),
        allied_name=_text(c, "liberator"),
        allied_target=cast(Target, _text(c, "liberator_kind")),  # a choice field, as above
        allied_steps=_whole(c, "liberator_steps", 1),
    )


def _asset(c: Counter) -> AssetFacts:
    return AssetFacts(
        id=c.id,
        name=c.name,
        side=c.side,
        kind=cast(AssetKind, _text(c, "kind")),  # a choice field, as above
        if_value=_whole(c, "if_value"),
        at_value=_whole(c, "at_value"),
        turn=_whole(c, "turn"),
        is_ours=not c.fields.get("verified"),
    )


def _objectives(game: Game, sheet: MapSheet) -> dict[str, Objective]:
    garrisons = {_text(c, "objective"): c.id for c in _of(game, "garrison")}
    found = {}
    for place in sheet.places:
        points = str(place.fields.get("vp") or "")
        if points:
            is_star = points == "star"
            found[place.name] = Objective(
                name=place.name,
                hex=place.hex,
                kind=place.kind,
                points=int(points) if points.isdecimal() else 0,
                is_star=is_star,
                color=str(place.fields.get("color") or ""),
                garrison=garrisons.get(place.name, ""),
            )
    return found


# ----------------------------------------------------------------------------------- the charts


def _chart(charts: Mapping[str, Chart], name: str, log: ProblemLog) -> Chart | None:
    chart = charts.get(name)
    if chart is None:
        log.add(Source("charts.toml"), f"the rules need a chart {name!r}")
        return None
    known = [c.name for c in chart.columns]
    missing = [c for c in _COLUMNS[name] if c not in known]
    for column in missing:
        hint = did_you_mean(column, known)
        log.add(chart.source, f"chart {name!r}: the rules need a column {column!r}{hint}")
    return None if missing else chart


def _rows(chart: Chart) -> Iterable[tuple[Mapping[str, ChartCell], Source]]:
    names = [c.name for c in chart.columns]
    return ((dict(zip(names, row.cells, strict=True)), row.source) for row in chart.rows)


def _terrain(charts: Mapping[str, Chart], log: ProblemLog) -> Mapping[str, TerrainFigure] | None:
    chart = _chart(charts, "terrain", log)
    if chart is None:
        return None
    try:
        return terrain_figures(chart)
    except KeyError as error:
        log.add(Source("charts/terrain.csv"), f"the rules need a row {error.args[0]!r}")
    except ValueError as error:
        log.add(
            Source("charts/terrain.csv"),
            f"row {error.args[0]!r}: expected movement points in whole and half numbers",
        )
    return None


def _figure(cell: ChartCell, name: str, log: ProblemLog) -> Figure:
    value = cell.figure
    if value is None or value.denominator != 1 or value < 0:
        log.add(cell.source, f"expected a whole number, got {cell.text!r}")
        return Figure(0, cell.is_marked, name)
    return Figure(int(value), cell.is_marked, name)


def _turns(charts: Mapping[str, Chart], log: ProblemLog) -> dict[int, TurnFigures]:
    chart = _chart(charts, "turns", log)
    turns: dict[int, TurnFigures] = {}
    for row, source in _rows(chart) if chart else ():
        number = row["turn"].figure
        if number is None:
            log.add(source, f"turn: expected a whole number, got {row['turn'].text!r}")
            continue
        turn = int(number)
        turns[turn] = TurnFigures(
            turn,
            _figure(row["rp"], f"RP of turn {turn}", log),
            {
                ALLIED: _figure(row["allied"], f"Allied assets of turn {turn}", log),
                GERMAN: _figure(row["german"], f"German assets of turn {turn}", log),
            },
        )
    if chart and sorted(turns) != [1, 2, 3, 4, 5, 6]:
        log.add(chart.source, f"turns: expected rows 1 to 6, found {sorted(turns)}")
    return turns


def _levels(charts: Mapping[str, Chart], log: ProblemLog) -> dict[str, tuple[Level, ...]]:
    chart = _chart(charts, "victory", log)
    levels: dict[str, list[Level]] = {name: [] for name in _SCENARIOS.values()}
    groups = [row.group for row in chart.rows] if chart else []
    for group, (row, source) in zip(groups, _rows(chart) if chart else (), strict=True):
        scenario = next((s for word, s in _SCENARIOS.items() if group.startswith(word)), None)
        match = _LEVELS.fullmatch(row["vp"].text.strip())
        if scenario is None or match is None:
            log.add(source, f"no level of victory: {group!r}, {row['vp'].text!r}")
            continue
        low, word = int(match["low"]), match["word"]
        high = int(match["high"] or low)
        if word == "or more":
            high = _MOST
        elif word == "or fewer":
            low, high = -_MOST, low
        levels[scenario].append(Level(low, high, plain_text(row["level"].text).strip()))
    return {name: tuple(found) for name, found in levels.items()}


def _dice(
    game: Game, charts: Mapping[str, Chart], log: ProblemLog
) -> tuple[dict[str, tuple[str, ...]], dict[str, bool]]:
    dice: dict[str, tuple[str, ...]] = {}
    ours: dict[str, bool] = {}
    for counter in _of(game, "tray"):
        dice[counter.side] = _words(counter, "die")
        ours[counter.side] = not counter.fields.get("verified")
    for side in (ALLIED, GERMAN):
        if len(dice.get(side, ())) != 6:
            log.add(Source("counters.csv"), f"the rules need a dice tray of six faces for {side}")
    chart = _chart(charts, "dice", log)
    for row, source in _rows(chart) if chart else ():
        face = plain_text(row["face"].text).strip().lower()
        for side, column in ((ALLIED, "allied"), (GERMAN, "german")):
            printed = int(row[column].figure or 0)
            counted = dice.get(side, ()).count(face)
            if printed != counted:
                log.add(
                    source,
                    f"{column}: the chart has {printed} {face} faces, "
                    f"the {side} dice tray of counters.csv {counted}",
                )
    return dice, ours
