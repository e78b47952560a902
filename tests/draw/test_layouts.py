from __future__ import annotations

from pathlib import Path

from strategies_draw import shipped_layouts, shipped_palette

from builder.draw.layouts import Layout, read_layouts
from builder.problems import ProblemLog

BASE = """
size = [10, 10]
grid = 50
[faces.front.elements]
ground = { kind = "box", fill = "side:Allied", corner = 4 }
name = { kind = "text", text = "{name}", size = 10, x = 2, y = 2, width = 30, height = 10 }
"""


def read(tmp_path: Path, **files: str) -> tuple[dict[str, Layout], list[str]]:
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    log = ProblemLog()
    layouts = read_layouts(
        {p.stem: p for p in tmp_path.glob("*.toml")},
        log,
        palette=shipped_palette(),
        symbols=["tank", "infantry"],
    )
    return layouts, [str(problem) for problem in sorted(set(log.problems))]


def test_the_shipped_layouts_are_sound_and_half_an_inch() -> None:
    layouts = shipped_layouts()
    assert set(layouts) >= {"unit", "ffi", "garrison", "asset", "chit", "marker"}
    counters = {n: x for n, x in layouts.items() if n not in {"tray", "airtray", "chute"}}
    assert {(layout.width, layout.height) for layout in counters.values()} == {(12.7, 12.7)}
    assert [face.role for face in layouts["unit"].faces] == ["step", "hidden"]
    assert [face.role for face in layouts["garrison"].faces] == ["step", "back"]


def test_a_layout_completes_what_it_extends(tmp_path: Path) -> None:
    layouts, problems = read(
        tmp_path,
        base=BASE,
        child='extends = "base"\n'
        "[faces.front.elements]\n"
        'name = { kind = "text", size = 8 }\n'
        'mark = { kind = "symbol", symbol = "tank" }\n'
        '[faces.back]\nlike = "front"\nrole = "back"\nremove = ["mark"]\n'
        'elements.ground = { kind = "line", stroke = "#000000" }\n',
    )
    assert problems == []
    front, back = layouts["child"].faces
    assert [element.name for element in front.elements] == ["ground", "name", "mark"]
    name = front.elements[1].table
    assert (name.text, name.size, name.width) == ("{name}", 8, 30)
    assert (layouts["child"].width, layouts["child"].unit) == (10, 0.2)
    assert [element.name for element in back.elements] == ["ground", "name"]
    # an element of another kind replaces the old one instead of completing it
    assert back.elements[0].table.fill is None
    assert (front.role, back.role) == ("front", "back")
    # the parent is as it was
    assert layouts["base"].faces[0].elements[1].table.size == 10
    assert front.elements[1].source.path == "child.toml"
    assert front.elements[0].source.path == "base.toml"


def test_every_mistake_is_told_with_file_line_and_nearest_word(tmp_path: Path) -> None:
    layouts, problems = read(
        tmp_path,
        base=BASE,
        bad='extends = "base"\n'
        "[faces.front.elements]\n"
        'name = { kind = "text", font = "blod" }\n'
        'mark = { kind = "symbol", symbol = "tnak" }\n'
        'box = { kind = "box", fill = "sdie:Allied", corner = 2, text = "x" }\n'
        'frame = { kind = "box", shape = "rond" }\n'
        'small = { kind = "text", text = "x", size = 5, min_size = 9 }\n',
        lost='extends = "bsae"\n',
        typo='extends = "base"\n[faces.front.elements]\nname = { kind = "text", widht = 3 }\n',
        like='extends = "base"\n[faces.back]\nlike = "frnt"\n[faces.front]\nremove = ["nmae"]\n',
    )
    assert set(layouts) == {"base"}
    expected = [
        ("bad.toml:3", "name: unknown font 'blod'; did you mean 'bold'?"),
        ("bad.toml:4", "mark: unknown symbol 'tnak'; did you mean 'tank'?"),
        ("bad.toml:5", "box: a box has no 'text'"),
        ("bad.toml:5", "box: unknown color group 'sdie'; did you mean 'side'?"),
        ("bad.toml:6", "frame: unknown shape 'rond'; did you mean 'round'?"),
        ("bad.toml:7", "small: expected 0 < min_size <= size"),
        ("like.toml:3", "like: no face 'frnt' before this one; did you mean 'front'?"),
        ("like.toml:5", "remove: no element 'nmae'; did you mean 'name'?"),
        ("lost.toml:1", "extends: unknown layout 'bsae'; did you mean 'base'?"),
        ("typo.toml:3", "unknown key 'widht'; did you mean 'width'?"),
    ]
    assert len(problems) == len(expected)
    for problem, (place, message) in zip(problems, expected, strict=True):
        assert problem.startswith(place + ":")
        assert message in problem


def test_circles_and_what_extends_a_bad_layout_are_no_layouts(tmp_path: Path) -> None:
    layouts, problems = read(
        tmp_path,
        a='extends = "b"\n',
        b='extends = "a"\n',
        c='extends = "c"\n',
        bad="size = [0, 5]\n",
        heir='extends = "bad"\n',
    )
    assert layouts == {}
    told = "\n".join(problems)
    assert "a > b > a: a circle" in told
    assert "c > c: a circle" in told
    assert "size and grid: expected more than 0" in told
    assert len(problems) == 3
