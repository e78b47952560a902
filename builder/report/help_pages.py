"""The help pages of a game: plain HTML in a folder of its own, without scripts or outer files.

Templates (``templates/help``) get a few values and two functions: ``cell`` turns the markup of
charts into HTML, ``plain`` into words. They may be a game author's own, so they run in a sandbox.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup, escape

from builder.draw.charts import tone_of
from builder.draw.palette import ColorPalette, UnknownColorError
from builder.gamebox.charts import (
    CHIP,
    Break,
    Chart,
    ChartRow,
    Mark,
    RuleRow,
    Words,
    parts_of,
    plain_text,
)
from builder.gamebox.lines import Grammar
from builder.gamebox.model import Game
from builder.gamebox.open_help import HelpFile
from builder.problems import ProblemLog, Source, did_you_mean
from builder.reading import read_text
from builder.report.help_commands import counter_menus, log_lines, module_buttons, seats
from builder.report.sandbox import TEMPLATE_ERRORS, sandbox
from builder.vassal.archive import archive_bytes

__all__ = ["START_PAGE", "help_pages", "help_zip"]

START_PAGE: Final = "index.html"
_PAGES: Final = (
    (START_PAGE, "index", "Start", ""),
    ("commands.html", "commands", "Commands", "Menus of the counters, buttons, seats, and the log"),
    ("rules.html", "rules", "Rules", "Every rule by its number, in our own words"),
    ("charts.html", "charts", "Charts", "Terrain, dice and hits, the turn track, victory"),
    ("forces.html", "charts", "Forces", "Order of battle, reinforcements, assets"),
    ("glossary.html", "glossary", "Glossary", "What the short names mean"),
)
_SECTION: Final = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class RuleSection:
    """Rules that stand under one heading, such as 5.1."""

    number: str
    title: str
    anchor: str
    rules: tuple[RuleRow, ...]


@dataclass(frozen=True, slots=True)
class RuleChapter:
    """The sections of one chapter of the rulebook."""

    number: str
    title: str
    anchor: str
    sections: tuple[RuleSection, ...]


def help_pages(
    game: Game,
    charts: Sequence[Chart],
    rules: Sequence[RuleRow],
    texts: HelpFile,
    grammar: Grammar | None,
    *,
    templates: Mapping[str, Path],
    symbols: Mapping[str, Path],
    palette: ColorPalette,
    log: ProblemLog,
) -> dict[str, bytes]:
    """Return file name to content: the pages and, under ``symbols/``, the drawings they show.

    ``grammar`` is that of the game's lines, if it has any; ``templates`` and ``symbols`` are stem
    to path, as :meth:`~builder.workspace.Workspace.files` gives them. A page without content is
    left out.
    Unknown symbols and colors, and mistakes in a template, become Problems; then nothing returned
    is to be used.
    """
    from jinja2 import (
        DictLoader,
        TemplateError,
        TemplateNotFound,
        TemplateSyntaxError,
    )

    sources: dict[str, str] = {}
    for name, path in templates.items():
        text = read_text(path, log, f"help/{path.name}")
        if text is not None:
            sources[f"{name}.html"] = text
    environment = sandbox(DictLoader(sources))
    environment.filters["groupby_run"] = _groups
    cells = _Cells(symbols, palette, log)
    pages = [page for page in _PAGES if _has_content(page[0], charts, rules, texts)]
    values: dict[str, Any] = {
        "game": game,
        "help": texts,
        "pages": [(file, label) for file, _, label, _ in pages],
        "about": {file: about for file, _, _, about in pages},
        "cell": cells.html,
        "plain": plain_text,
        "kinds": counter_menus(game),
        "buttons": module_buttons(game),
        "seats": seats(game),
        "lines": log_lines(grammar),
        "chapters": rule_chapters(rules, texts.chapters),
        "sections": {rule.id: rule.section for rule in rules},
        "terms": sorted(texts.glossary.items(), key=lambda item: (item[0].casefold(), item[0])),
    }
    found: dict[str, bytes] = {}
    for file, template, label, _ in pages:
        shown = [c for c in charts if c.is_of_counters == (file == "forces.html")]
        try:
            page = environment.get_template(f"{template}.html")
            text = page.render(values, title=label, current=file, charts=shown)
        except TemplateSyntaxError as error:
            log.add(Source(f"help/{error.name or template}", error.lineno, 1), str(error.message))
        except TemplateNotFound as error:
            hint = did_you_mean(str(error.name), sources)
            log.add(Source(f"help/{template}.html"), f"no template {str(error.name)!r}{hint}")
        except (TemplateError, *TEMPLATE_ERRORS) as error:
            # a template can call anything with anything: what it raises is its author's mistake
            log.add(Source(f"help/{template}.html"), f"cannot be filled in: {error}")
        else:
            found[file] = text.encode()
    return {**found, **cells.files()}


def _has_content(
    file: str, charts: Sequence[Chart], rules: Sequence[RuleRow], texts: HelpFile
) -> bool:
    match file:
        case "rules.html":
            return bool(rules)
        case "charts.html":
            return any(not c.is_of_counters for c in charts)
        case "forces.html":
            return any(c.is_of_counters for c in charts)
        case "glossary.html":
            return bool(texts.glossary)
        case _:
            return True


def help_zip(pages: Mapping[str, bytes]) -> bytes:
    """Return the pages as the ZIP that VASSAL's BrowserHelpFile unpacks; same pages, same bytes."""
    return archive_bytes(pages)


def rule_chapters(rules: Sequence[RuleRow], titles: Mapping[str, str]) -> tuple[RuleChapter, ...]:
    """Return the rules under chapters (5) and sections (5.1), in the order in which they come.

    A citation such as 5.2.1, 3.3a or 2.A goes under its section 5.2, 3.3 or 2.
    """
    chapters: dict[str, dict[str, list[RuleRow]]] = {}
    for rule in rules:
        match = _SECTION.match(rule.section)
        section = match[0] if match else rule.section
        chapters.setdefault(section.split(".")[0], {}).setdefault(section, []).append(rule)
    return tuple(
        RuleChapter(
            number,
            titles.get(number, ""),
            f"chapter-{number}",
            tuple(
                RuleSection(section, titles.get(section, ""), f"section-{section}", tuple(rows))
                for section, rows in sections.items()
            ),
        )
        for number, sections in chapters.items()
    )


def _groups(rows: Sequence[ChartRow]) -> list[tuple[str, list[ChartRow]]]:
    return [(g, list(run)) for g, run in itertools.groupby(rows, key=lambda row: row.group)]


class _Cells:
    """Turns markup into HTML and remembers the drawings that it needs."""

    def __init__(self, symbols: Mapping[str, Path], palette: ColorPalette, log: ProblemLog) -> None:
        self.symbols = symbols
        self.palette = palette
        self.log = log
        self.used: dict[str, tuple[str, str]] = {}

    def html(self, text: str) -> Markup:
        return Markup("").join(self._parts(text))

    def _parts(self, text: str) -> Iterator[Markup]:
        for part in parts_of(text):
            match part:
                case Words(is_strong=True):
                    yield Markup("<strong>{}</strong>").format(part.text)
                case Words():
                    yield escape(part.text)
                case Break():
                    yield Markup("<br>")
                case Mark():
                    yield self._mark(part, text)

    def _mark(self, mark: Mark, text: str) -> Markup:
        paint = ink = edge = ""
        if mark.color:
            try:
                tone = tone_of(mark.color, self.palette)
            except UnknownColorError as error:
                self.log.add(Source("help pages"), f"{plain_text(text)!r}: {error}")
            else:
                paint, ink, edge = tone.paint, tone.ink, tone.edge
        if mark.name == CHIP:
            style = f"background:{paint or 'currentColor'};border-color:{edge or 'currentColor'}"
            return Markup('<span class="chip" style="{}"></span>').format(style)
        if mark.name not in self.symbols:
            hint = did_you_mean(mark.name, self.symbols)
            where = Source("help pages")
            self.log.add(where, f"{plain_text(text)!r}: unknown symbol {mark.name!r}{hint}")
            return Markup("")
        color = ink if mark.is_tile else paint
        file = f"symbols/{mark.name}{color.replace('#', '-')}.svg"
        self.used[file] = (mark.name, color)
        words = mark.name.removeprefix("die_").replace("_", " ")
        kind = "symbol" if color or mark.is_tile else "symbol plain"
        image = Markup('<img class="{}" src="{}" alt="{}">').format(kind, file, words)
        if not mark.is_tile:
            return image
        style = f"background:{paint};border-color:{edge}" if paint else ""
        head = (
            Markup('<span class="tile" style="{}">').format(style)
            if style
            else Markup('<span class="tile">')
        )
        return head + image + Markup("</span>")

    def files(self) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for file, (name, color) in sorted(self.used.items()):
            text = read_text(self.symbols[name], self.log, f"symbols/{name}.svg")
            if text is not None:
                found[file] = (text.replace("currentColor", color) if color else text).encode()
        return found
