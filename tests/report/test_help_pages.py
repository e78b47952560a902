from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from builder.draw.palette import read_palette
from builder.draw.symbols import installed_symbols
from builder.gamebox.charts import Chart, ChartCell, ChartColumn, ChartRow, RuleRow
from builder.gamebox.lines import open_lines
from builder.gamebox.model import Game
from builder.gamebox.open import read_game
from builder.gamebox.open_charts import open_charts, open_rules
from builder.gamebox.open_help import HelpFile, TopicTable, open_help
from builder.problems import ProblemLog
from builder.report.help_commands import counter_menus
from builder.report.help_pages import START_PAGE, help_pages, help_zip

ROOT = Path(__file__).parents[2]
DROPZONE = ROOT / "mapdata" / "dropzone"
TEMPLATES = {p.stem: p for p in sorted((ROOT / "templates" / "help").glob("*.html"))}
PALETTE = read_palette(ROOT / "art" / "palette.toml", ProblemLog())
VOID = {"meta", "img", "br", "link", "input", "hr", "wbr"}


@pytest.fixture(scope="module")
def game() -> Game:
    game, _ = read_game(DROPZONE)
    assert game is not None
    return game


def made(
    game: Game,
    charts: tuple[Chart, ...] = (),
    rules: tuple[RuleRow, ...] = (),
    texts: HelpFile | None = None,
    *,
    templates: dict[str, Path] = TEMPLATES,
) -> tuple[dict[str, bytes], ProblemLog]:
    log = ProblemLog()
    pages = help_pages(
        game,
        charts,
        rules,
        texts or HelpFile(),
        None,
        templates=templates,
        symbols=installed_symbols().paths,
        palette=PALETTE,
        log=log,
    )
    return pages, log


@pytest.fixture(scope="module")
def pages(game: Game) -> dict[str, bytes]:
    log = ProblemLog()
    pages = help_pages(
        game,
        open_charts(game, log),
        open_rules(DROPZONE, log),
        open_help(DROPZONE, log),
        open_lines(DROPZONE, log),
        templates=TEMPLATES,
        symbols=installed_symbols().paths,
        palette=PALETTE,
        log=log,
    )
    assert log.problems == []
    return pages


class Page(HTMLParser):
    """Reads a page strictly: every element is closed where it was opened."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.tags: set[str] = set()
        self.words: list[str] = []
        self.attributes: set[str] = set()
        self.headings: list[int] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(str(value))
            elif name == "href":
                self.links.append(str(value))
            elif name == "src":
                self.sources.append(str(value))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "title"} & set(self.open):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


def read(pages: dict[str, bytes]) -> dict[str, Page]:
    return {n: Page(data.decode()) for n, data in pages.items() if n.endswith(".html")}


# -------------------------------------------------------------------------------------- Drop Zone


def test_the_pages_are_all_there(pages: dict[str, bytes]) -> None:
    assert [name for name in pages if "/" not in name] == [
        *("index.html", "commands.html", "rules.html", "charts.html", "forces.html"),
        "glossary.html",
    ]
    assert START_PAGE in pages


def test_pages_are_well_formed_and_every_link_leads_somewhere(pages: dict[str, bytes]) -> None:
    parsed = read(pages)
    for name, page in parsed.items():
        assert len(page.ids) == len(set(page.ids)), name
        assert page.headings.count(1) == 1, name
        assert page.headings[0] == 1, name
        for link in page.links:
            file, _, anchor = link.partition("#")
            target = parsed[file or name]
            assert not anchor or anchor in target.ids, f"{name}: {link}"
        for source in page.sources:
            assert source in pages, f"{name}: {source}"


def test_nothing_runs_and_nothing_comes_from_outside(pages: dict[str, bytes]) -> None:
    for name, page in read(pages).items():
        assert not {"script", "iframe", "object", "embed", "link", "form"} & page.tags, name
        assert not any(a.startswith("on") for a in page.attributes), name
        text = pages[name].decode()
        assert "//" not in text.replace("://www.w3.org", ""), name
        assert "url(" not in text, name
        assert "@import" not in text, name
    for name, data in pages.items():
        if name.endswith(".svg"):
            assert b"<script" not in data
            assert b"href" not in data


def test_every_drawing_is_used(pages: dict[str, bytes]) -> None:
    used = {source for page in read(pages).values() for source in page.sources}
    assert {name for name in pages if name.startswith("symbols/")} == used


def test_every_rule_can_be_linked_to(pages: dict[str, bytes]) -> None:
    page = read(pages)["rules.html"]
    rules = open_rules(DROPZONE, ProblemLog())
    assert {rule.id for rule in rules} <= set(page.ids)
    for rule in rules:
        assert " ".join(rule.text.split()) in page.text, rule.id


def test_charts_show_their_figures_and_mark_our_own(pages: dict[str, bytes]) -> None:
    page = read(pages)["charts.html"]
    assert "Woods 2 −1 * 0 *" in page.text.replace("*", " * ").replace("  ", " ")
    assert "* our own figure, not in the rulebook" in page.text


def test_menus_are_those_of_the_prototypes(game: Game, pages: dict[str, bytes]) -> None:
    text = read(pages)["commands.html"].text
    for trait in (t for p in game.prototypes for t in p.traits):
        command = trait.get("command", "")
        if command and "@{" not in command and trait.get("trait") != "SubMenu":
            assert command in text, command
        for word in trait.get("each", ()):
            if command == "@{each:2}":
                assert word.split("|")[1] in text, word
    assert "@{" not in text
    assert "Ctrl+M" in text


def test_lines_stand_with_their_keys(pages: dict[str, bytes]) -> None:
    text = read(pages)["commands.html"].text
    assert "DZ: ATTACK n target" in text
    assert "DZ: RULING typed" in text


def test_same_pages_same_bytes(game: Game, pages: dict[str, bytes]) -> None:
    again = help_zip(dict(reversed(pages.items())))
    assert again == help_zip(pages)
    with zipfile.ZipFile(io.BytesIO(again)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == pages


# --------------------------------------------------------------------------------- any other game


def rule(identity: str, section: str, **changes: str) -> RuleRow:
    row = RuleRow(identity, section, "Title", "Text.", "E", ("P",), "note")
    return replace(row, **changes)  # type: ignore[arg-type]  # only texts are changed


def chart(text: str) -> Chart:
    return Chart(
        "c", "Chart", "", (ChartColumn("a", "A"),), (ChartRow((ChartCell(text),), "Group"),)
    )


def test_pages_without_content_are_left_out(game: Game) -> None:
    pages, log = made(game)
    assert log.problems == []
    assert list(pages) == ["index.html", "commands.html"]


def test_what_data_say_is_text_and_never_markup(game: Game) -> None:
    evil = "<script>alert(1)</script><b onclick='x'>&amp;"
    pages, log = made(
        replace(game, title=evil),
        (chart(evil),),
        (rule("R-1", "1", title=evil, text=evil), rule("R-2", "1", same_as="R-1")),
        HelpFile(lead=evil, topic=(TopicTable(title=evil, text=(evil,)),), glossary={evil: evil}),
    )
    assert log.problems == []
    for name, page in read(pages).items():
        assert not {"script", "b"} & page.tags, name
        assert "onclick" not in page.attributes, name
        assert evil in page.text, name


def test_rules_stand_under_chapters_and_sections(game: Game) -> None:
    rules = tuple(rule(f"R{i}", s) for i, s in enumerate(("2.A", "3.3a", "5.2.1", "5.2", "5")))
    pages, _ = made(game, (), rules, HelpFile(chapters={"5": "Moving", "5.2": "Fighting"}))
    page = read(pages)["rules.html"]
    sections = [i for i in page.ids if not i.startswith("R")]
    assert sections == [
        *("main", "chapter-2", "chapter-3", "section-3.3", "chapter-5", "section-5.2")
    ]
    assert "5 Moving" in page.text
    assert "5.2 Fighting" in page.text


def test_symbols_in_colors_become_drawings_of_their_own(game: Game) -> None:
    pages, log = made(
        game, (chart("[:die_armor|side.Allied:] :star|#a0b1c2: :star: :chip|side.German:"),)
    )
    assert log.problems == []
    drawings = {name: data.decode() for name, data in pages.items() if name.endswith(".svg")}
    assert set(drawings) == {
        *("symbols/die_armor-ffffff.svg", "symbols/star-a0b1c2.svg", "symbols/star.svg")
    }
    assert "currentColor" not in drawings["symbols/star-a0b1c2.svg"]
    assert "currentColor" in drawings["symbols/star.svg"]


@pytest.mark.parametrize(
    ("text", "words"),
    [(":stra:", "unknown symbol 'stra'; did you mean 'star'?"), (":star|side.X:", "unknown color")],
)
def test_unknown_symbols_and_colors_are_problems(game: Game, text: str, words: str) -> None:
    _, log = made(game, (chart(f"lead {text}"),))
    assert any(words in p.message and "'lead'" in p.message for p in log.errors)


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("ok\n{% if %}", 2, "Expected"),
        ("{{ nothing_like_it }}", 0, "nothing_like_it"),
        ("{{ ''.__class__.__mro__ }}", 0, "unsafe"),
        ("{{ cell(3) }}", 0, "cannot be filled in"),
        ("{{ 1 // 0 }}", 0, "cannot be filled in"),
    ],
)
def test_mistakes_of_a_template_are_problems(
    game: Game, tmp_path: Path, body: str, line: int, words: str
) -> None:
    path = tmp_path / "index.html"
    path.write_text(body, "utf-8")
    _, log = made(game, templates={**TEMPLATES, "index": path})
    (problem,) = log.errors
    assert problem.source.path == "help/index.html"
    assert problem.source.line == line
    assert words in problem.message


def test_a_missing_template_is_a_problem(game: Game) -> None:
    templates = {name: path for name, path in TEMPLATES.items() if name != "_style"}
    _, log = made(game, templates=templates)
    assert log.errors
    assert all(p.message.startswith("no template '_style.html'") for p in log.errors)


def test_menus_keep_submenus_together_and_unroll_words(game: Game) -> None:
    traits = (
        {"trait": "SubMenu", "name": "Loses", "commands": ["in combat", "to fire", "unknown"]},
        {"trait": "TriggerAction", "each": ["A|in combat", "B|to fire"], "command": "@{each:2}"},
        {"trait": "TriggerAction", "command": "Rest", "key": "ctrl shift R"},
        {"trait": "TriggerAction", "key": "<Hidden>"},
        {"trait": "DynamicProperty", "commands": [{"command": "Up", "key": "<Up>", "add": 1}]},
        {"trait": "Prototype", "name": "Self"},
    )
    prototype = replace(game.prototypes[0], name="Self", description="What it is", traits=traits)
    template = replace(
        next(iter(game.pieces.values())), traits=({"trait": "Prototype", "name": "Self"},)
    )
    (menu,) = counter_menus(replace(game, prototypes=(prototype,), pieces={"big_gun": template}))
    assert menu.name == "Big gun"
    (part,) = menu.parts
    assert part.description == "What it is"
    assert [(e.name, e.keys, [i.name for i in e.entries]) for e in part.entries] == [
        ("Loses", (), ["in combat", "to fire"]),
        ("Rest", ("Ctrl", "Shift", "R"), []),
        ("Up", (), []),
    ]
