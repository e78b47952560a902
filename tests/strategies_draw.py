"""What drawing's laws are tested with: texts of the font's letters, scenes, sample counters."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from builder.draw import palette as palettes
from builder.draw.fonts import FACES, registered_font
from builder.draw.layouts import Layout, read_layouts
from builder.draw.scene import Element, Fill, Halo, Point, Repeat, Scene, Stroke, Text
from builder.draw.symbols import installed_symbols
from builder.gamebox.model import Counter, FieldValue
from builder.problems import ProblemLog, Source

ROOT = Path(__file__).parents[1]

FIELDS: dict[str, FieldValue] = {
    "command": "517PRCT",
    "formation": "1/517",
    "center": "blue",
    "symbol": "parachute_infantry",
    "drc": (2, 1),
    "ma": 4,
    "serial": None,
    "objective": None,
    "hq": None,
    "liberator": None,
    "liberator_kind": None,
    "liberator_steps": None,
    "kind": None,
    "if_value": None,
    "at_value": None,
}


def counter(
    id_: str = "A-1-517",
    name: str = "A Co",
    *,
    side: str = "Allied",
    layout: str = "unit",
    steps: int = 2,
    **fields: FieldValue,
) -> Counter:
    """A counter with the columns that the shipped layouts name."""
    return Counter(
        id_, name, side, layout, "tab", "", steps, 1, (), FIELDS | fields, Source("counters.csv", 7)
    )


def shipped_palette() -> palettes.ColorPalette:
    log = ProblemLog()
    palette = palettes.read_palette(ROOT / "art" / "palette.toml", log)
    log.check()
    return palette


def shipped_layouts() -> dict[str, Layout]:
    log = ProblemLog()
    paths = {p.stem: p for p in (ROOT / "templates" / "counters").glob("*.toml")}
    layouts = read_layouts(paths, log, palette=shipped_palette(), symbols=installed_symbols().paths)
    log.check()
    assert set(layouts) == set(paths)
    return layouts


fonts = st.sampled_from(sorted(FACES))
colors = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


def letters(font: str) -> st.SearchStrategy[str]:
    """Texts of any characters that a face can show."""
    # the painter writes a no-break space as a space, whose width may differ
    known = registered_font(font).face.charToGlyph
    codes = sorted(code for code in known if code >= 32 and code != 0xA0)
    return st.text(st.sampled_from([chr(code) for code in codes]), max_size=24)


words = st.text("ABCMUabgpqx0123456789½é-/.' ", min_size=1, max_size=24)

points: st.SearchStrategy[Point] = st.tuples(
    st.floats(-5, 25).map(lambda v: round(v, 2)), st.floats(-5, 25).map(lambda v: round(v, 2))
)
rings = st.lists(points, min_size=3, max_size=7).map(tuple)
opacities = st.sampled_from([1.0, 0.5])
sizes = st.floats(0.5, 6).map(lambda v: round(v, 2))

fills: st.SearchStrategy[Element] = st.builds(
    Fill, st.lists(rings, min_size=1, max_size=3).map(tuple), colors, opacities
)
strokes: st.SearchStrategy[Element] = st.builds(
    Stroke,
    st.lists(rings, min_size=1, max_size=3).map(tuple),
    colors,
    sizes,
    st.booleans(),
    st.sampled_from([(), (1.0, 2.0)]),
)
texts: st.SearchStrategy[Element] = st.builds(
    Text,
    st.floats(0, 20),
    st.floats(0, 20),
    words,
    sizes,
    colors,
    fonts,
    st.sampled_from(["start", "middle", "end"]),
    st.sampled_from(["baseline", "middle", "top", "bottom"]),
    st.floats(-180, 180),
    halo=st.none() | st.builds(Halo, colors, st.floats(0.1, 0.5)),
)
simple = fills | strokes | texts
repeats: st.SearchStrategy[Element] = st.builds(
    Repeat,
    st.lists(simple, min_size=1, max_size=3).map(tuple),
    st.lists(points, max_size=3).map(tuple),
)
scenes = st.builds(
    Scene,
    st.just(20.0),
    st.just(20.0),
    st.lists(simple | repeats, max_size=5).map(tuple),
    st.none() | colors,
)
