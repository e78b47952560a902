"""Hypothesis strategies for grids: any orientation, odd sizes, negative origins, all numberings."""

from __future__ import annotations

from hypothesis import strategies as st

from builder.hexes.grid import Hex, HexGrid, Numbering

# Smaller hexes exist in no game, and below five pixels cutting to whole ones makes them overlap.
SIZES = st.floats(5, 300, allow_nan=False).map(lambda value: round(value, 5)) | st.integers(
    5, 300
).map(float)

HEXES = st.builds(Hex, st.integers(-90, 90), st.integers(-90, 90))

NUMBERINGS = st.builds(
    Numbering,
    first=st.sampled_from(["H", "V"]),
    sep=st.sampled_from(["", ".", "-", " ", "/"]),
    h_type=st.sampled_from(["N", "A"]),
    v_type=st.sampled_from(["N", "A"]),
    h_leading=st.integers(0, 3),
    v_leading=st.integers(0, 3),
    h_off=st.integers(-30, 60),
    v_off=st.integers(-30, 60),
    h_descend=st.booleans(),
    v_descend=st.booleans(),
    stagger=st.booleans(),
    location_format=st.sampled_from(
        ["$gridLocation$", "r$row$c$column$", "Hex $gridLocation$!", "$column$:$row$ ($column$)"]
    ),
    oblique=st.booleans(),
)


def hex_grids(
    numberings: st.SearchStrategy[Numbering] | st.SearchStrategy[None] = NUMBERINGS,
    sizes: st.SearchStrategy[float] = SIZES,
) -> st.SearchStrategy[HexGrid]:
    """Grids with every attribute that tells in geometry or names."""
    return st.builds(
        HexGrid,
        dx=sizes,
        dy=sizes,
        x0=st.integers(-300, 300),
        y0=st.integers(-300, 300),
        extent=st.tuples(st.integers(0, 5000), st.integers(0, 5000)),
        sideways=st.booleans(),
        numbering=numberings,
    )
