"""What may stand in ``charts.toml``: which charts a game has, and how each is made of data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from builder.gamebox.charts import Align

__all__ = ["ChartTable", "ChartsFile", "ColumnTable", "CountersTable"]

_STRICT = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnTable:
    """A column of a chart.

    ``name`` is the column of the CSV file; in a chart made of counters ``text`` says what stands
    in it: ``{field}`` is a counter's value and ``{count}`` how many counters the row stands for;
    where one of them is empty, the first of ``otherwise`` that has all its values stands instead.
    With ``list`` every counter of the row is listed. ``words`` replaces values by what is printed.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    label: str = ""
    short: str = ""
    align: Align = "left"
    figure: bool = False
    head: bool = False
    compact: bool = True
    text: str = ""
    otherwise: tuple[str, ...] = ()
    list: bool = False
    words: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountersTable:
    """Rows made of ``counters.csv``: those that fit ``where``, one row for each ``group``.

    ``where``: field to the values that fit; an empty list fits any value but none.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    where: dict[str, tuple[str, ...]] = field(default_factory=dict)
    group: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartTable:
    """A chart: ``charts/NAME.csv``, or made of the counters.

    ``group``: the column (or, with counters, the template) of the headings that rows stand under.
    ``box`` and ``box_lines``: lines to be printed in boxes of the map, ``{column}`` for cells.
    ``width``: millimetres at most, 0 for the style's own. ``compact_groups``: whether the headings
    between rows are shown where there is little room.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    title: str
    subtitle: str = ""
    group: str = ""
    group_words: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    compact_notes: tuple[str, ...] = ()
    compact_groups: bool = True
    box: str = ""
    box_lines: tuple[str, ...] = ()
    width: float = 0.0
    counters: CountersTable | None = None
    column: tuple[ColumnTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartsFile:
    """``charts.toml``: the charts in the order in which players see them."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    mark: str = "*"
    mark_note: str = "our own figure, not in the rulebook"
    chart: tuple[ChartTable, ...] = ()
