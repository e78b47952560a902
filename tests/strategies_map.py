"""Hypothesis strategies for map sheets: any terrain, sides, routes, places and boxes."""

from __future__ import annotations

from hypothesis import strategies as st
from map_sample import make_grid, make_sheet, place

from builder.gamebox.model import Box, Frame, MapSheet, Place, Route
from builder.hexes.grid import Hex, Hexside

NAMES = ("Le Muy", "Roquebrune-sur-Argens", "Bois de Callas", "A", "Draguignan town", "Æ ñ")


@st.composite
def sheets(draw: st.DrawFn) -> MapSheet:
    """A map of up to five by five hexes, of either orientation, with anything on it."""
    columns, rows = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    letters = [
        "".join(draw(st.sampled_from(".whmtvjl")) for _ in range(columns)) for _ in range(rows)
    ]
    sideways = draw(st.booleans())
    hexes = st.builds(Hex, st.integers(0, columns - 1), st.integers(0, rows - 1))
    wide, high = (rows, columns) if sideways else (columns, rows)
    frame = Frame(
        104 * wide + 300,
        120 * high + 300,
        draw(st.sampled_from([4, 6])),
        draw(st.sampled_from(["", "Sample"])),
        credits=draw(st.sampled_from(["", "Drawn by nobody for nothing in particular"])),
        scale_text="One hex is a hex",
        km_per_hex=draw(st.sampled_from([0, 0.3, 1.2, 40])),
    )
    grid = make_grid(104, 120, 150, 190, (frame.width, frame.height), sideways=sideways)
    sides: dict[Hexside, tuple[str, str]] = {}
    for h, direction, kind, name in draw(
        st.lists(
            st.tuples(
                hexes,
                st.integers(0, 5),
                st.sampled_from(["river", "bridge"]),
                st.sampled_from(["", "Argens", "Nartuby"]),
            ),
            max_size=20,
        )
    ):
        sides[grid.hexside(h, direction)] = kind, name
    routes = []
    for h, direction, kind, name in draw(
        st.lists(
            st.tuples(
                hexes,
                st.integers(0, 5),
                st.sampled_from(["road", "highway"]),
                st.sampled_from(["", "N7", "D25"]),
            ),
            max_size=20,
        )
    ):
        end = grid.neighbor(h, direction)
        on_map = 0 <= end.column < columns and 0 <= end.row < rows
        out = None if on_map else direction
        routes.append(Route(h, end if on_map else None, kind, name, out))
    places: list[Place] = []
    kinds = ["town", "village", "hill", "junction", "label", "dz", "aim", "entry", "other"]
    for h, kind, name, worth in draw(
        st.lists(
            st.tuples(
                hexes,
                st.sampled_from(kinds),
                st.sampled_from(NAMES),
                st.sampled_from([None, "1", "2", "star"]),
            ),
            max_size=8,
        )
    ):
        color = None if worth is None else "red"
        places.append(place(name, h.column, h.row, kind, vp=worth, color=color))
    boxes = [
        Box(f"B{n}", label, kind, 10 + 90 * n, 20, 80, 70, side, "Track")
        for n, (label, kind, side) in enumerate(
            draw(
                st.lists(
                    st.tuples(
                        st.sampled_from(["", "1", "German assets available"]),
                        st.sampled_from(["turn", "pool", "entry"]),
                        st.sampled_from(["", "Allied", "nobody"]),
                    ),
                    max_size=3,
                )
            )
        )
    ]
    return make_sheet(
        letters,
        sides=sides,
        routes=routes,
        places=places,
        boxes=boxes,
        frame=frame,
        grid=grid,
    )
