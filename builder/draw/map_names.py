"""The names on a map and the positions each may take: places, regions, rivers, roads."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import shapely

from builder.draw.fonts import face_metrics, text_width
from builder.draw.map_labels import Candidate, Label, Obstacles, text_outline
from builder.draw.map_lines import Linework
from builder.draw.map_plan import Floats, Plan
from builder.draw.map_style import MapStyle, TextStyle
from builder.draw.scene import Element, Fill, Halo, Point, Stroke, Text, rounded_rectangle
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
    (36, 20, "start", 2.2),
    (36, -18, "start", 2.4),
    (-36, 20, "end", 2.3),
    (-36, -18, "end", 2.5),
    (58, 0, "start", 3.0),
    (-58, 0, "end", 3.1),
    (0, 24, "middle", 2.6),
    (0, 72, "middle", 4.0),
    (0, -64, "middle", 4.4),
    (40, 58, "start", 4.4),
    (-40, 58, "end", 4.5),
    (40, -62, "start", 4.8),
    (-40, -62, "end", 4.9),
)
_SIZES = ((1.0, 0.0), (0.86, 4.0), (0.72, 8.0))
"""Shares of the lettering's size, and what each costs: better smaller than not at all."""


def halo_text(
    plan: Plan,
    style: MapStyle,
    look: TextStyle,
    text: str,
    at: Point,
    *,
    anchor: str = "middle",
    angle: float = 0.0,
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
        "start" if anchor == "start" else "end" if anchor == "end" else "middle",
        "middle",
        round(angle, 3),
        plan.size(look.spacing * share),
        halo,
    )


def printed_name(place: Place) -> str:
    """Return what the map prints for a place: its ``label`` if it has one."""
    label = place.fields.get("label")
    return label if isinstance(label, str) and label else place.name.replace("_", " ")


def _candidate(plan: Plan, texts: Sequence[Text], cost: float) -> Candidate | None:
    """Return a position, or ``None`` if it does not lie on the paper."""
    margin = max((t.halo.width * 0.6 if t.halo else 0.0) for t in texts) + plan.size(1)
    outlines = np.array([text_outline(t, margin) for t in texts])
    xs, ys = outlines[..., 0], outlines[..., 1]
    if xs.min() < 0 or ys.min() < 0 or xs.max() > plan.width or ys.max() > plan.height:
        return None
    return Candidate(tuple(texts), outlines, cost)


def _splits(text: str) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield a name in one line, and long ones in two, with what that costs."""
    yield (text,), 0.0
    cuts = [i for i, letter in enumerate(text) if letter in " -" and 2 < i < len(text) - 3]
    if len(text) > 11 and cuts:
        cut = min(cuts, key=lambda i: (abs(i - len(text) / 2), i))
        keep = cut + (text[cut] == "-")
        yield (text[:keep], text[cut + 1 :]), 0.5 if len(text) < 16 else -0.4


def _places(plan: Plan, style: MapStyle) -> Iterator[Label]:
    aims: dict[Point, list[Place]] = defaultdict(list)
    rank = {kind: i for i, kind in enumerate(style.place)}
    for place in plan.sheet.places:
        look = style.place.get(place.kind, style.place.get("label"))
        if look is None or not look.text or place.hex not in plan.index:
            continue
        if look.mark == "aim":
            aims[plan.center(place.hex)].append(place)
            continue
        lettering = style.text[look.text]
        name = printed_name(place)
        if place.kind == "label":
            yield Label(name, 50, tuple(_region(plan, style, lettering, place, name)))
        else:
            at = plan.center(place.hex)
            found = tuple(_around(plan, style, lettering, at, name))
            yield Label(name, rank.get(place.kind, 40), found)
    for at, group in aims.items():
        lettering = style.text[style.place[group[0].kind].text]
        name = " · ".join(printed_name(p) for p in group)
        yield Label(name, 45, tuple(_around(plan, style, lettering, at, name)))


def _around(
    plan: Plan, style: MapStyle, look: TextStyle, center: Point, name: str
) -> Iterator[Candidate]:
    for share, smaller in _SIZES:
        leading = look.size * share * 0.98
        for lines, extra in _splits(name):
            for dx, dy, anchor, cost in _AROUND:
                # A block of two lines grows away from the middle of the hex.
                first = dy - leading * (len(lines) - 1) * (1 if dy > 0 else 0.0)
                if len(lines) > 1 and dy >= 50:
                    first = dy
                texts = [
                    halo_text(
                        plan,
                        style,
                        look,
                        line,
                        (
                            center[0] + plan.size(dx),
                            center[1] + plan.size(first + leading * number),
                        ),
                        anchor=anchor,
                        share=share,
                    )
                    for number, line in enumerate(lines)
                ]
                found = _candidate(plan, texts, cost + extra + smaller)
                if found:
                    yield found


def _region(
    plan: Plan, style: MapStyle, look: TextStyle, place: Place, name: str
) -> Iterator[Candidate]:
    """A region's name may drift by a hex and a half, and stays within the hexes."""
    x, y = plan.center(place.hex)
    shapely.prepare(plan.field)
    for share, smaller in _SIZES:
        for j in range(-6, 7):
            for i in range(-6, 7):
                at = (x + plan.size(25 * i), y + plan.size(25 * j))
                cost = smaller + math.hypot(i, j) * 0.6
                found = _candidate(
                    plan, [halo_text(plan, style, look, name, at, share=share)], cost
                )
                if found and shapely.contains_xy(plan.field, found.outlines[0]).all():
                    yield found


def _smoothed(line: Floats, rounds: int) -> Floats:
    for _ in range(rounds):
        if len(line) < 3:
            break
        line = np.vstack([line[:1], (line[:-2] + 2 * line[1:-1] + line[2:]) / 4, line[-1:]])
    return line


def _rivers(plan: Plan, style: MapStyle, lines: Linework) -> Iterator[Label]:
    look = style.text["river"]
    longest: dict[str, Floats] = {}
    for (name, _), curves in lines.rivers.items():
        for curve in curves:
            if name and (name not in longest or len(curve) > len(longest[name])):
                longest[name] = curve
    for name, curve in longest.items():
        length = float(np.hypot(*np.diff(curve, axis=0).T).sum())
        found = list(_along(plan, style, look, name, curve))
        parts = max(1, int(length / (14 * plan.unit)))
        for part in range(parts):
            own = [c for share, c in found if part <= share * parts < part + 1 or parts == 1]
            yield Label(name, 30, tuple(own))


def _along(
    plan: Plan, style: MapStyle, look: TextStyle, name: str, curve: Floats
) -> Iterator[tuple[float, Candidate]]:
    """Yield positions beside a river with their share of its length: turned, on either bank."""
    path = shapely.LineString(_smoothed(curve, 60))
    width = text_width(name, look.font, plan.size(look.size), plan.size(look.spacing))
    steps = int((path.length - width) / (0.2 * plan.unit)) + 1
    river = shapely.LineString(curve)
    for step in range(max(steps, 1)):
        start = step * 0.2 * plan.unit
        a, b = path.interpolate(start), path.interpolate(min(start + width, path.length))
        dx, dy = b.x - a.x, b.y - a.y
        length = math.hypot(dx, dy)
        if length < 0.5 * width:
            continue
        if dx < 0:
            dx, dy = -dx, -dy
        angle = math.degrees(math.atan2(dy, dx))
        middle = ((a.x + b.x) / 2, (a.y + b.y) / 2)
        # Bent stretches cost more, and so does lettering that stands on its head or end.
        bent = abs(1 - length / width) * 20 + abs(angle) / 45
        for hand in (-1, 1):
            for distance in (17, 22, 28, 35):
                off = hand * plan.size(distance)
                at = (middle[0] - dy / length * off, middle[1] + dx / length * off)
                text = halo_text(plan, style, look, name, at, angle=angle)
                found = _candidate(plan, [text], bent + distance / 12)
                if found is None:
                    continue
                outline = shapely.Polygon(found.outlines[0])
                if outline.distance(river) > plan.size(4.5):
                    yield (start + width / 2) / path.length, found
                    break


def _roads(plan: Plan, style: MapStyle, lines: Linework) -> Iterator[Label]:
    """Yield the numbers of roads, on the road where it crosses from hex to hex."""
    look = style.text["road"]
    by_name: dict[tuple[str, str], list[Floats]] = defaultdict(list)
    for route, curve in lines.links:
        if route.name and route.end is not None:
            by_name[route.name, route.kind].append(curve)
    for (name, kind), curves in by_name.items():
        parts = max(1, len(curves) // 9)
        size = math.ceil(len(curves) / parts)
        for part in range(parts):
            own = curves[part * size : (part + 1) * size]
            found = []
            for number, curve in enumerate(own):
                for index, extra in ((4, 0.0), (3, 0.4), (5, 0.5)):
                    at = (float(curve[index][0]), float(curve[index][1]))
                    cost = extra + 0.15 * abs(number - (len(own) - 1) / 2)
                    found.append(_shield(plan, style, look, name, kind, at, cost))
            yield Label(name, 20, tuple(found))


def _shield(
    plan: Plan, style: MapStyle, look: TextStyle, name: str, kind: str, at: Point, cost: float
) -> Candidate:
    line = style.route[kind]
    size = plan.size(look.size)
    width = text_width(name, look.font, size) + plan.size(4.4)
    height = face_metrics(look.font).cap_height * size + plan.size(4.6)
    left, top = at[0] - width / 2, at[1] - height / 2
    box = rounded_rectangle(left, top, width, height, plan.size(1.8), 3)
    elements: tuple[Element, ...] = (
        Fill((box,), style.ink(style.sheet.paper)),
        Stroke((box,), style.ink(line.casing), plan.size(0.9), True),
        halo_text(plan, style, look, name, at),
    )
    outline = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    return Candidate(elements, np.array([outline]), cost)


def names(plan: Plan, style: MapStyle, lines: Linework) -> list[Label]:
    """Return all labels of the map with their possible positions."""
    return [*_places(plan, style), *_roads(plan, style, lines), *_rivers(plan, style, lines)]


def obstacles(
    plan: Plan, style: MapStyle, lines: Linework, grounds: Iterable[object], numbers: Sequence[Text]
) -> Obstacles:
    """Return what names keep off: marks, hex numbers and boxes; and, at a cost, lines."""
    marks: list[object] = [*grounds]
    if numbers:
        marks += shapely.polygons(
            np.array([text_outline(t, plan.size(0.6)) for t in numbers])
        ).tolist()
    for box in plan.sheet.boxes:
        x, y, s = box.x * plan.scale, box.y * plan.scale, plan.scale
        marks.append(shapely.box(x, y, x + box.width * s, y + box.height * s))
    step = plan.size(3)
    points = [
        shapely.get_coordinates(shapely.segmentize(shape, step))
        for shape in (lines.road_shape, lines.river_shape)
        if not shape.is_empty
    ]
    dense = np.concatenate(points) if points else np.zeros((0, 2))
    return Obstacles(np.array(marks, dtype=object), dense, 0.35)
