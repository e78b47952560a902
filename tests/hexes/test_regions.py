from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from builder.hexes.regions import Region, RegionGrid
from builder.hexes.zones import OFFBOARD, Board, Zone, ZonedGrid

SEA = RegionGrid(regions=(Region("Malta", 100, 100), Region("Crete", 300, 100)))


def test_the_nearest_point_names_a_pixel() -> None:
    assert [SEA.name_at(x, 400) for x in (0, 199, 200, 201)] == ["Malta", "Malta", "Malta", "Crete"]
    assert SEA.snap(250, 90) == (300, 100)
    assert RegionGrid(regions=SEA.regions, snap_to=False).snap(250, 90) == (250, 90)
    assert SEA.point_of("Crete") == (300, 100)
    assert SEA.point_of("Cyprus") is None


def test_regions_in_a_zone_and_around_it() -> None:
    box = Zone(
        name="Box",
        path=((0, 0), (50, 0), (50, 50), (0, 50)),
        location_format="$name$: $gridLocation$",
        grid=RegionGrid(regions=(Region("Pool", 5, 5),)),
    )
    board = Board(extent=(500, 200), grid=ZonedGrid(zones=(box,), background=SEA))
    assert board.name_at(49, 49) == "Box: Pool"
    assert board.name_at(60, 60) == "Malta"
    assert Board(extent=(9, 9), grid=RegionGrid(regions=())).name_at(1, 1) == OFFBOARD


@given(st.lists(st.builds(Region, st.text(), *[st.integers(-999, 999)] * 2), min_size=1))
def test_a_snapped_pixel_keeps_its_region(regions: list[Region]) -> None:
    grid = RegionGrid(regions=tuple(regions))
    region = grid.region_at(17, -4)
    assert region is not None
    x, y = grid.snap(17, -4)
    assert (x, y) == region[1:]
    assert (x - 17) ** 2 + (y + 4) ** 2 == min((r.x - 17) ** 2 + (r.y + 4) ** 2 for r in regions)
