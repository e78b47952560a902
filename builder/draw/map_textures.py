"""What stands on each kind of ground, by the word of the style."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from shapely.geometry.base import BaseGeometry

from builder.draw import map_plants, map_rough
from builder.draw.map_numbers import number_grounds
from builder.draw.map_plan import KeepOff, Plan
from builder.draw.map_scatter import Ground
from builder.draw.map_style import MapStyle
from builder.draw.scene import Element

__all__ = ["GROUNDS", "textures"]

_Texture = Callable[[Ground, Sequence[str]], Iterator[Element]]
_SCATTERED: Mapping[str, _Texture] = {
    "bamboo": map_plants.bamboo,
    "cactus": map_plants.cactus,
    "crag": map_rough.crag,
    "jungle": map_plants.jungle,
    "marsh": map_plants.marsh,
    "orchard": map_plants.orchard,
    "paddy": map_rough.paddy,
    "swamp": map_plants.swamp,
}
_BY_HEX = {"frozen": map_rough.frozen, "rows": map_plants.rows}

GROUNDS = (*_SCATTERED, *_BY_HEX)
"""Kinds of ground that fill their hexes with a color and a texture."""


def textures(
    plan: Plan, style: MapStyle, shapes: Mapping[str, BaseGeometry], keep_off: KeepOff
) -> Iterator[Element]:
    """Yield what stands on the ``shapes`` by name of terrain, in the order of the style."""
    names = [n for n in shapes if style.terrain[n].kind in GROUNDS]
    if not names:
        return
    numbers = KeepOff([], number_grounds(plan, style))
    for name in names:
        area = style.terrain[name]
        inks = [style.ink(c) for c in area.detail]
        ground = Ground(plan, shapes[name], keep_off, numbers)
        if area.kind in _BY_HEX:
            yield from _BY_HEX[area.kind](ground, inks, plan.with_feature(name))
        else:
            yield from _SCATTERED[area.kind](ground, inks)
