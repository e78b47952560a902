"""Areas laid over hexes: what share of each hex they cover, and which terrain follows from that.

Shapes are shapely geometries in board pixels. Hexes that lie wholly inside a shape are found with
its prepared form; only hexes on its border are cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from builder.hexes.field import HexField
from builder.hexes.lattice import Hex

__all__ = ["area_shares", "polygonal", "repaired", "terrain_of_shares"]

# Shares are compared after rounding: an area drawn exactly to the middle of a hex is half of it,
# whatever the last digit of the cut says.
_DIGITS = 9


def polygonal(shape: BaseGeometry) -> MultiPolygon:
    """Return the parts of a shape that have an area, as one valid multipolygon.

    >>> polygonal(shapely.LineString([(0, 0), (1, 1)])).is_empty
    True
    """
    parts = [p for p in shapely.get_parts(shape) if not p.is_empty]
    flat: list[Polygon] = []
    for part in parts:
        if isinstance(part, Polygon):
            flat.append(part)
        elif isinstance(part, MultiPolygon) or hasattr(part, "geoms"):
            flat.extend(polygonal(part).geoms)
    return MultiPolygon([p for p in flat if p.area > 0])


def repaired(shape: BaseGeometry) -> tuple[MultiPolygon, str]:
    """Return a valid multipolygon and why it had to be repaired (empty if it was valid).

    A ring that crosses itself is cut into its loops (a bow tie becomes two triangles), holes are
    cut out of what is then left, and parts without area fall away.

    >>> tie = Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    >>> shape, reason = repaired(tie)
    >>> len(shape.geoms), shape.area, reason.split("[")[0]
    (2, 2.0, 'Self-intersection')
    """
    if shape.is_valid:
        return polygonal(shape), ""
    reason = shapely.is_valid_reason(shape)
    # GEOS's other method would fill a hole that shares a border with its outline.
    whole = shapely.make_valid(shape, method="structure", keep_collapsed=False)
    return polygonal(whole), str(reason)


def area_shares(field: HexField, shapes: Iterable[BaseGeometry]) -> dict[Hex, float]:
    """Return the share, over 0 and up to 1, of each hex that the shapes together cover.

    Shapes that overlap count once. Hexes without a share are left out. Shapes must be valid
    (see :func:`repaired`).
    """
    union = shapely.union_all([s for s in shapes if not s.is_empty])
    if union.is_empty:
        return {}
    shapely.prepare(union)
    hexes = [field.hexes[int(i)] for i in np.sort(field.index.query(union, predicate="intersects"))]
    polygons = np.array([field.polygons[h] for h in hexes], dtype=object)
    inside = shapely.contains_properly(union, polygons)
    shares: dict[Hex, float] = {}
    for hex_, polygon, is_inside in zip(hexes, polygons, inside, strict=True):
        share = 1.0 if is_inside else float(polygon.intersection(union).area / polygon.area)
        share = min(round(share, _DIGITS), 1.0)
        if share > 0:
            shares[hex_] = share
    return shares


def terrain_of_shares(
    field: HexField,
    shares: Mapping[str, Mapping[Hex, float]],
    *,
    bases: Sequence[str],
    default: str,
    thresholds: Mapping[str, float],
) -> dict[Hex, tuple[str, frozenset[str]]]:
    """Return the base terrain and the flags of every hex of the field.

    ``shares`` has, for each word, the share of each hex (:func:`area_shares`). A word takes a hex
    if its share reaches its threshold. ``bases`` are the words of which a hex has one: the largest
    share wins, and among equals the one that comes first. All other words are flags and add up.
    A hex that no base takes has the ``default`` base.
    """
    rank = {word: i for i, word in enumerate(bases)}
    found: dict[Hex, tuple[str, frozenset[str]]] = {}
    for hex_ in field.hexes:
        taken = {
            word: share
            for word, of_hex in shares.items()
            if (share := of_hex.get(hex_, 0.0)) > 0 and share >= thresholds[word]
        }
        base = min(
            (word for word in taken if word in rank),
            key=lambda word: (-taken[word], rank[word]),
            default=default,
        )
        found[hex_] = base, frozenset(word for word in taken if word not in rank)
    return found
