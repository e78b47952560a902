"""The numbers of the hexes: where each stands, and the ground that it needs for itself.

On boards that are cut a number keeps to the half of its hex that is left, and is printed without
the board's prefix: the board's plate tells it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from builder.draw.fonts import text_width
from builder.draw.map_lines import Linework
from builder.draw.map_plan import Floats, KeepOff, Plan, Shapes, points_of
from builder.draw.map_style import MapStyle, TextStyle
from builder.draw.scene import Halo, Text

__all__ = ["number_grounds", "numbers"]


@dataclass(frozen=True, slots=True)
class _Lettering:
    """How the numbers of some hexes are written; ``tops`` (n,) and ``middles`` (n,) place them."""

    look: TextStyle
    labels: Sequence[str]
    middles: Floats
    tops: Floats
    is_haloed: NDArray[np.bool_]


def numbers(plan: Plan, style: MapStyle, lines: Linework, grounds: Shapes) -> Iterator[Text]:
    """Yield the number of each hex, below the middle of its top; with a halo on a road.

    Beside cut boards a number that would stand on a mark's ``grounds`` is left out.
    """
    if plan.sheet.grid.numbering is None:
        return
    for lettering in _letterings(plan, style, lines, grounds):
        look = lettering.look
        size, color = plan.size(look.size), style.ink(look.color)
        halo = Halo(style.ink(look.halo or style.sheet.ground), plan.size(look.halo_width or 1.4))
        places = zip(
            lettering.labels,
            lettering.middles.tolist(),
            lettering.tops.tolist(),
            lettering.is_haloed.tolist(),
            strict=True,
        )
        for label, x, top, is_haloed in places:
            yield Text(
                round(x, 3),
                round(top, 3),
                label,
                size,
                color,
                look.font,
                baseline="top",
                halo=halo if is_haloed else None,
            )


def _letterings(
    plan: Plan, style: MapStyle, lines: Linework, grounds: Shapes
) -> Iterator[_Lettering]:
    look = style.text["number"]
    labels = plan.sheet.grid.labels(plan.sheet.columns, plan.sheet.rows)
    tops = _tops(plan)
    if plan.boards:
        on_board, printed, x, y = _on_boards(plan, look, tops)
        yield _Lettering(look, printed, x, y, np.full(len(x), bool(look.halo)))
        small = style.text.get("number-beyond", look)
        middles = np.column_stack([plan.centers[:, 0], tops])
        beside = ~on_board & ~KeepOff([], grounds).hits(points_of(middles), 0)
        rest = np.flatnonzero(beside).tolist()
        none = np.zeros(len(rest), dtype=bool)
        own = [labels[n] for n in rest]
        yield _Lettering(small, own, plan.centers[rest, 0], tops[rest], none)
        return
    middles = np.column_stack([plan.centers[:, 0], tops + 0.33 * plan.size(look.size)])
    line = KeepOff([lines.road_shape, lines.river_shape], [])
    on_line = line.hits(points_of(middles), plan.size(9)) | bool(look.halo)
    yield _Lettering(look, labels, plan.centers[:, 0], tops, on_line)


def _tops(plan: Plan) -> Floats:
    # Pointy hexes have a corner on top: the number goes down to where there is room for it.
    depth = plan.size(15 if plan.sheet.grid.sideways else 6.6)
    result: Floats = plan.corners[:, :, 1].min(axis=1) + depth
    return result


def _on_boards(
    plan: Plan, look: TextStyle, tops: Floats
) -> tuple[NDArray[np.bool_], list[str], Floats, Floats]:
    """Return which hexes lie on boards, and their numbers as printed with middles and tops."""
    on_board = np.array([not plan.is_beyond(h) for h in plan.hexes])
    rows = np.flatnonzero(on_board)
    printed = [_printed(plan, n) for n in rows.tolist()]
    half = np.array([text_width(t, look.font, plan.size(look.size)) / 2 for t in printed])
    shown = shapely.union_all([b.outline for b in plan.boards])
    shapely.prepare(shown)
    x, y = plan.centers[rows].T
    step, gap = 0.25 * plan.unit, plan.size(5)
    above, left, right = (
        ~shapely.contains_xy(shown, x + dx, y + dy)
        for dx, dy in ((step / 9, -step), (-step, step / 9), (step, step / 9))
    )
    top = np.where(above & ~left & ~right, y + gap, tops[rows])
    return on_board, printed, x + (half + gap) * left - (half + gap) * right, top


def _printed(plan: Plan, number: int) -> str:
    h = plan.hexes[number]
    label = plan.sheet.grid.label(h)
    owner = next(b.board for b in plan.boards if b.board.covers(h))
    return label.removeprefix(owner.numbering.location_format.partition("$")[0])


def number_grounds(plan: Plan, style: MapStyle) -> Shapes:
    """Return the rectangle of each number that hexes print, where nothing else should stand."""
    if plan.sheet.grid.numbering is None:
        return np.array([], dtype=object)
    look = style.text["number"]
    high = plan.size(0.7 * look.size)
    if plan.boards:
        _, printed, x, y = _on_boards(plan, look, _tops(plan))
    else:
        x, y = plan.centers[:, 0], _tops(plan)
        printed = plan.sheet.grid.labels(plan.sheet.columns, plan.sheet.rows)
    half = np.array([text_width(t, look.font, plan.size(look.size)) / 2 for t in printed])
    gap = plan.size(2)
    boxes = shapely.box(x - half - gap, y - gap, x + half + gap, y + high + gap)
    return np.atleast_1d(np.asarray(boxes, dtype=object))
