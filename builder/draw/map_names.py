"""The names on a map and the positions each may take: places, regions, rivers, roads."""

from __future__ import annotations

import dataclasses
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import shapely

from builder.draw.fonts import face_metrics, text_width
from builder.draw.map_labels import Candidate, Label, Obstacles, text_outline
from builder.draw.map_lines import Linework, crossings
from builder.draw.map_plan import Floats, Plan, polygons_of
from builder.draw.map_shapes import ring_of
from builder.draw.map_style import MapStyle, TextStyle
from builder.draw.scene import (
    Element,
    Fill,
    Halo,
    Point,
    Stroke,
    Text,
    rectangle,
    rounded_rectangle,
)
from builder.gamebox.model import Place

__all__ = ["halo_text", "names", "obstacles", "printed_name"]

# Middle of the name relative to the hex's center in hundredths, anchor, and cost: below first.
_AROUND: tuple[tuple[float, float, str, float], ...] = (
    (0, 38.5, "middle", 0),
    (0, -29, "middle", 1.0),
    (-14, 38.5, "middle", 0.6),
    (14, 38.5, "middle", 0.7),
    (-28, 38.5, "middle", 1.6),
    (28, 38.5, "middle", 1.7),
    (-20, -29, "middle", 1.7),
    (20, -29, "middle", 1.8),
    (0, 26, "middle", 2.0),
    (-16, 26, "middle", 2.4),
    (16, 26, "middle", 2.5),
    (4, 38.5, "start", 1.4),
    (-4, 38.5, "end", 1.5),
    (4, -29, "start", 2.4),
    (-4, -29, "end", 2.5),
    (36, 20, "start", 4.2),
    (36, -18, "start", 4.4),
    (-36, 20, "end", 4.3),
    (-36, -18, "end", 4.5),
    (60, 0, "start", 5.0),
    (-60, 0, "end", 5.1),
    (0, 72, "middle", 7.0),
    (0, -64, "middle", 7.4),
    (40, 60, "start", 7.4),
    (-40, 60, "end", 7.5),
    (40, -64, "start", 7.8),
    (-40, -64, "end", 7.9),
)


def halo_text(
    plan: Plan,
    style: MapStyle,
    look: TextStyle,
    text: str,
    at: Point,
    *,
    share: float = 1.0,
) -> Text:
    """Return a text in a lettering of the style, its capitals centered on ``at``."""
    halo = Halo(style.ink(look.halo), plan.size(look.halo_width)) if look.halo else None
    return Text(
        round(at[0], 3),
        round(at[1], 3),
        text,
        plan.size(look.size * share),
        style.ink(look.color),
        look.font,
        "middle",
        "middle",
        0.0,
        plan.size(look.spacing * share),
        halo,
    )


def printed_name(place: Place) -> str:
    """Return what the map prints for a place: its ``label`` if it has one."""
    label = place.fields.get("label")
    return label if isinstance(label, str) and label else place.name.replace("_", " ")


def _margin(plan: Plan, look: TextStyle) -> float:
    """Return how much room a lettering wants around its letters, in millimetres."""
    return plan.size(0.6 * look.halo_width + 1)


def _fits(plan: Plan, outlines: Floats) -> bool:
    """Tell whether a position lies on the paper."""
    (left, top), (right, bottom) = outlines.min(axis=(0, 1)), outlines.max(axis=(0, 1))
    return bool(left >= 0 and top >= 0 and right <= plan.width and bottom <= plan.height)


def _splits(text: str) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield a name in one line, and long ones in two, with what that costs."""
    if "\n" in text:
        yield tuple(text.split("\n")), 0.0
        return
    yield (text,), 0.0
    cuts = [i for i, letter in enumerate(text) if letter in " -" and 2 < i < len(text) - 3]
    if len(text) > 11 and cuts:
        cut = min(cuts, key=lambda i: (abs(i - len(text) / 2), i))
        keep = cut + (text[cut] == "-")
        yield (text[:keep], text[cut + 1 :]), 0.5 if len(text) < 16 else -0.4


def _places(plan: Plan, style: MapStyle, share: float) -> Iterator[Label]:
    aims: dict[Point, list[Place]] = defaultdict(list)
    rank = {kind: i for i, kind in enumerate(style.place)}
    rivers = {f.name for f in plan.sheet.sides.values()}
    for number, place in enumerate(plan.sheet.places):
        look = style.place.get(place.kind, style.place.get("label"))
        if look is None or not look.text or place.hex not in plan.index:
            continue
        at = plan.center(place.hex)
        if look.mark == "aim":
            aims[at].append(place)
            continue
        name = printed_name(place)
        if not look.open_text:
            found = _around(plan, style, style.text[look.text], at, name, share)
            yield Label(f"place {number}", name, rank.get(place.kind, 40), tuple(found))
        elif name not in rivers:  # a river bears its name along its course
            terrain = plan.sheet.terrain.get(place.hex)
            kinds = {style.terrain[f].kind for f in terrain.features} if terrain else set()
            lettering = style.text[look.open_text if kinds <= {"plain"} else look.text]
            found = _region(plan, style, lettering, at, name, share)
            yield Label(f"place {number}", name, 50, tuple(found))
    for at, group in aims.items():
        lettering = style.text[style.place[group[0].kind].text]
        name = "\n".join(printed_name(p) for p in group)
        found = _around(plan, style, lettering, at, name, share)
        yield Label(f"aim {at}", name, 45, tuple(found))


def _around(
    plan: Plan, style: MapStyle, look: TextStyle, center: Point, name: str, share: float
) -> Iterator[Candidate]:
    """Yield positions in and around a hex; what sticks out of the hex costs more."""
    leading = look.size * share * 0.98
    middle = np.array(center)
    shape = plan.corners[0] - plan.centers[0]
    normals = (shape + np.roll(shape, -1, axis=0)) / 2
    reach = (normals**2).sum(axis=1)
    for lines, extra in _splits(name):
        texts = [halo_text(plan, style, look, line, (0, 0), share=share) for line in lines]
        flat = [text_outline(t, _margin(plan, look)) for t in texts]
        half = [-float(o[:, 0].min()) for o in flat]
        for dx, dy, anchor, cost in _AROUND:
            # A block of two lines grows away from the middle of the hex.
            first = dy - leading * (len(lines) - 1) * (0 < dy < 50)
            hand = {"middle": 0.0, "start": 1.0, "end": -1.0}[anchor]
            moves = [
                (hand * wide + plan.size(dx), plan.size(first + leading * number))
                for number, wide in enumerate(half)
            ]
            relative = np.array([o + m for o, m in zip(flat, moves, strict=True)])
            outlines = relative + middle
            if not _fits(plan, outlines):
                continue
            outside = ((relative.reshape(-1, 2) @ normals.T) > reach).any(axis=1).mean()
            elements = tuple(
                dataclasses.replace(t, x=m[0], y=m[1]) for t, m in zip(texts, moves, strict=True)
            )
            yield Candidate(elements, center, outlines, cost + extra + 2.4 * float(outside))


def _region(
    plan: Plan, style: MapStyle, look: TextStyle, center: Point, name: str, share: float
) -> Iterator[Candidate]:
    """A region's name may drift by a hex and a half, and stays within the hexes."""
    text = halo_text(plan, style, look, name, (0, 0), share=share)
    j, i = np.mgrid[-6:7, -6:7].reshape(2, -1)
    places = np.column_stack([i, j]) * plan.size(25) + np.array(center)
    outlines = text_outline(text, _margin(plan, look))[None] + places[:, None]
    shapely.prepare(plan.field)
    inside = shapely.contains(plan.field, shapely.polygons(outlines))
    cost = np.hypot(i, j) * 0.6
    for number in np.flatnonzero(inside).tolist():
        x, y = places[number].tolist()
        yield Candidate((text,), (x, y), outlines[number][None], float(cost[number]))


def _smoothed(line: Floats, rounds: int) -> Floats:
    for _ in range(rounds):
        if len(line) < 3:
            break
        line = np.vstack([line[:1], (line[:-2] + 2 * line[1:-1] + line[2:]) / 4, line[-1:]])
    return line


def _rivers(plan: Plan, style: MapStyle, lines: Linework, share: float) -> Iterator[Label]:
    """Yield the name of each river, more than once if it is long."""
    look = style.text["river"]
    longest: dict[str, Floats] = {}
    for (name, _), curves in lines.rivers.items():
        for curve in curves:
            if name and (name not in longest or len(curve) > len(longest[name])):
                longest[name] = curve
    for name, curve in longest.items():
        length = float(np.hypot(*np.diff(curve, axis=0).T).sum())
        found = list(_along(plan, style, look, name, curve, share))
        parts = max(1, int(length / (14 * plan.unit)))
        for part in range(parts):
            own = [c for at, c in found if part <= at * parts < part + 1 or parts == 1]
            yield Label(f"river {name} {part}", name, 30, tuple(own))


def _along(
    plan: Plan, style: MapStyle, look: TextStyle, name: str, curve: Floats, share: float
) -> Iterator[tuple[float, Candidate]]:
    """Yield positions beside a river with their share of its length: turned, on either bank."""
    path = shapely.LineString(_smoothed(curve, 60))
    level = halo_text(plan, style, look, name, (0, 0), share=share)
    flat = text_outline(level, _margin(plan, look))
    width = text_width(name, look.font, level.size, level.spacing)
    starts = np.arange(0, max(path.length - width, 1e-9), 0.35 * plan.unit)
    a = shapely.get_coordinates(shapely.line_interpolate_point(path, starts))
    b = shapely.get_coordinates(shapely.line_interpolate_point(path, starts + width))
    run = b - a
    length = np.hypot(*run.T)
    kept = length > 0.5 * width
    starts, a, b, run, length = starts[kept], a[kept], b[kept], run[kept], length[kept]
    # Never upside down: the reading direction is to the right, or straight down.
    run = np.where((run[:, 0] < 0)[:, None], -run, run) / length[:, None]
    angles = np.degrees(np.arctan2(run[:, 1], run[:, 0]))
    # Bent stretches cost more, and so does lettering that stands on its head or end.
    bent = np.abs(1 - length / width) * 20 + np.abs(angles) / 45
    hands = [h * plan.size(d) for h in (-1, 1) for d in (17, 22, 28, 35)]
    across = np.column_stack([-run[:, 1], run[:, 0]])
    places = ((a + b) / 2)[:, None] + across[:, None] * np.array(hands)[None, :, None]
    turn = np.stack([run, across], axis=1)
    outlines = (flat @ turn)[:, None] + places[:, :, None]
    gap = shapely.distance(shapely.polygons(outlines), shapely.LineString(curve))
    for i, angle in enumerate(angles.tolist()):
        for bank in (range(4), range(4, 8)):
            k = next((k for k in bank if gap[i, k] > plan.size(4.5)), None)
            if k is None or not _fits(plan, outlines[i, k][None]):
                continue
            text = dataclasses.replace(level, angle=round(angle, 3))
            x, y = places[i, k].tolist()
            cost = float(bent[i]) + abs(hands[k]) / plan.size(12)
            found = Candidate((text,), (x, y), outlines[i, k][None], cost)
            yield float(starts[i] + width / 2) / path.length, found


def _roads(plan: Plan, style: MapStyle, lines: Linework, share: float) -> Iterator[Label]:
    """Yield the numbers of roads, on the road where it crosses from hex to hex."""
    by_name: dict[tuple[str, str], list[Floats]] = defaultdict(list)
    for route, curve in lines.links:
        if route.name and route.end is not None:
            by_name[route.name, route.kind].append(curve)
    for (name, kind), curves in by_name.items():
        parts = max(1, len(curves) // 9)
        size = math.ceil(len(curves) / parts)
        shield, outline = _shield(plan, style, name, kind, share)
        for part in range(parts):
            own = curves[part * size : (part + 1) * size]
            found = []
            for number, curve in enumerate(own):
                for index, extra in ((4, 0.0), (3, 0.4), (5, 0.5), (2, 1.2), (6, 1.3), (1, 1.8)):
                    x, y = curve[index].tolist()
                    cost = extra + 0.15 * abs(number - (len(own) - 1) / 2)
                    found.append(Candidate(shield, (x, y), outline + curve[index], cost))
            yield Label(f"road {name} {kind} {part}", name, 20, tuple(found))


def _shield(
    plan: Plan, style: MapStyle, name: str, kind: str, share: float
) -> tuple[tuple[Element, ...], Floats]:
    """Return the plate of a road's number around the origin, and its outline (1, 4, 2)."""
    look, line = style.text["road"], style.route[kind]
    size = plan.size(look.size * share)
    width = text_width(name, look.font, size) + plan.size(4.4)
    height = face_metrics(look.font).cap_height * size + plan.size(4.6)
    plate = ring_of(rounded_rectangle(-width / 2, -height / 2, width, height, plan.size(1.8), 3))
    elements: tuple[Element, ...] = (
        Fill((plate,), style.ink(style.sheet.paper)),
        Stroke((plate,), style.ink(line.casing), plan.size(0.9), closed=True),
        halo_text(plan, style, look, name, (0, 0), share=share),
    )
    return elements, np.array([rectangle(-width / 2, -height / 2, width, height)])


def names(plan: Plan, style: MapStyle, lines: Linework, share: float = 1.0) -> list[Label]:
    """Return all labels of the map with their possible positions, at a share of their size."""
    return [
        *_places(plan, style, share),
        *_roads(plan, style, lines, share),
        *_rivers(plan, style, lines, share),
    ]


def obstacles(
    plan: Plan, style: MapStyle, lines: Linework, grounds: Iterable[object], numbers: Sequence[Text]
) -> Obstacles:
    """Return what names keep off: marks, hex numbers and boxes; and, at a cost, lines."""
    marks: list[object] = [*grounds]
    if numbers:
        # All alike: the outline of the widest one serves for each.
        widest = max(numbers, key=lambda t: text_width(t.text, t.font, t.size))
        flat = text_outline(dataclasses.replace(widest, x=0, y=0), plan.size(0.6))
        places = np.array([(t.x, t.y) for t in numbers])
        marks += polygons_of(flat[None] + places[:, None]).tolist()
    for box in plan.sheet.boxes:
        x, y, s = box.x * plan.scale, box.y * plan.scale, plan.scale
        marks.append(shapely.box(x, y, x + box.width * s, y + box.height * s))
    for crossing in crossings(plan, style, lines):
        marks.append(shapely.Point(crossing.at).buffer(plan.size(7), quad_segs=2))
    step = plan.size(3)
    points = [
        shapely.get_coordinates(shapely.segmentize(shape, step))
        for shape in (lines.road_shape, lines.river_shape)
        if not shape.is_empty
    ]
    dense = np.concatenate(points) if points else np.zeros((0, 2))
    return Obstacles(np.array(marks, dtype=object), dense, 0.18)
