"""A checked game -> one HTML page: the findings with pictures of the board, the story, graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from builder.draw.board_views import BoardPainter, ViewColors
from builder.draw.counters import FaceArt, counter_faces
from builder.draw.map import map_scene
from builder.draw.to_png import image_to_png
from builder.gamebox.boards import BoardView
from builder.gamebox.events import Event, Thing
from builder.gamebox.model import Game
from builder.jobs.check_log import CheckedGame, rule_numbers
from builder.jobs.open_box import drawings
from builder.jobs.tell_lines import step_words
from builder.jobs.tell_log import StoryStep, ids_hidden
from builder.problems import ProblemLog, UnreadableError
from builder.report.check_html import Board, Card, CheckPage, StoryLine, check_html
from builder.report.findings import Finding
from builder.rules.insight import Insight, Standing, Thrown, insight_of
from builder.rules.readings import LOG_ROWS
from builder.workspace import Workspace

if TYPE_CHECKING:
    from builder.jobs.tell_without_rules import ToldWithoutRules

__all__ = ["check_page"]

_AROUND: Final = 3
"""Steps of the story told before and after a finding."""
_LINES: Final = 7
"""Lines of a step beyond which the rest is only counted."""
_PICTURED: Final = 100
"""Findings with pictures, the worst ones: beyond them a page would burst."""


def check_page(
    checked: CheckedGame, workspace: Workspace, told: ToldWithoutRules | None = None
) -> bytes:
    """Return the page of a checked game; ``told`` is what stands there if it has no rules.

    Raises :class:`DataError` for drawings with mistakes, :class:`UnreadableError` without a
    template.
    """
    path = workspace.find("templates", "report", "check.html")
    if path is None:
        raise UnreadableError("no templates/report/check.html in the project or the package")
    page = _page(checked, workspace)
    if told is not None:
        page = replace(page, story=told.story, dice=told.dice)
    return check_html(page, path.read_text("utf-8")).encode("utf-8")


def _page(checked: CheckedGame, workspace: Workspace) -> CheckPage:
    game = checked.game
    if game is None or checked.rules is None:
        return CheckPage(checked.report)
    insight = insight_of(checked.rules)
    findings = checked.report.findings
    boards: Mapping[int, tuple[Board, ...]] = {}
    notes: list[str] = []
    if insight is not None:
        chosen = _pictured(findings)
        if len(chosen) < len(findings):
            notes.append(f"Only the {len(chosen)} gravest findings have pictures.")
        boards = _boards(checked, insight, game, workspace, chosen)
    rows = rule_numbers(game.folder)
    tell = _Teller(checked)
    cards = []
    for number, finding in enumerate(findings):
        row = rows.get(finding.row)
        is_of_log = row is None and finding.row in LOG_ROWS
        cards.append(
            Card(
                finding,
                title=row.title if row is not None else "Playing with a log" if is_of_log else "",
                text=row.text if row is not None else LOG_ROWS.get(finding.row, ""),
                boards=boards.get(number, ()),
                story=tell.around(finding),
            )
        )
    return CheckPage(
        checked.report,
        tuple(cards),
        sides=tuple(s.name for s in game.sides if s.is_player),
        standings=tuple(_standings(checked, insight)) if insight is not None else (),
        rolls=tuple(_rolls(checked, insight)) if insight is not None else (),
        notes=tuple(notes),
    )


# ----------------------------------------------------------------------------------- pictures


def _pictured(findings: Sequence[Finding]) -> list[int]:
    """Return the numbers of the findings that have room for pictures, in order."""
    by_weight = sorted(range(len(findings)), key=lambda n: (-findings[n].ruling.rank, n))
    return sorted(by_weight[:_PICTURED])


def _boards(
    checked: CheckedGame,
    insight: Insight[Any, Any],
    game: Game,
    workspace: Workspace,
    chosen: Sequence[int],
) -> dict[int, tuple[Board, ...]]:
    """Return the pictures of findings by number; each distinct one is painted once."""
    found = [f for one in checked.judged for f in one.found]
    pairs: dict[int, tuple[BoardView, BoardView]] = {}
    for number in chosen:
        pair = insight.pictured(found[number], checked.eyes)
        if pair is not None:
            pairs[number] = pair
    if not pairs:
        return {}
    distinct = list(dict.fromkeys(pairs.values()))
    images = _painter(game, workspace).images(distinct)
    made = dict(zip(distinct, ([_board(image) for image in row] for row in images), strict=True))
    return {number: tuple(dict.fromkeys(made[pair])) for number, pair in pairs.items()}


def _board(image: Any) -> Board:
    return Board(image_to_png(image), image.width, image.height)


def _painter(game: Game, workspace: Workspace) -> BoardPainter:
    log = ProblemLog()
    palette, symbols, layouts = drawings(workspace, log)
    log.check()
    board = map_scene(game.map, palette.flat())
    counters = {counter.id: counter for counter in game.counters}

    @cache
    def faces(counter_id: str) -> tuple[FaceArt, ...]:
        counter = counters.get(counter_id)
        layout = layouts.get(counter.layout) if counter is not None else None
        if counter is None or layout is None:
            return ()
        # what is wrong with a face was said when the module was built: here it is left out
        return counter_faces(counter, layout, palette, symbols=symbols.paths, log=ProblemLog())

    colors = ViewColors({side.name: palette.color(side.color) for side in game.sides})
    return BoardPainter(game.map, board, faces, colors=colors, symbols=symbols)


# -------------------------------------------------------------------------------------- story


class _Teller:
    """Tells the steps around a finding, masked and hidden as the findings are."""

    def __init__(self, checked: CheckedGame) -> None:
        self._story = checked.story
        self._masking = checked.masking
        self._hide: Callable[[str], str] = ids_hidden(checked.paths) if checked.paths else str
        self._counters: Mapping[str, str] = getattr(checked.rules, "counters", {})

    def around(self, finding: Finding) -> tuple[StoryLine, ...]:
        """Return the steps around a finding that have anything to tell."""
        if not 0 <= finding.file < len(self._story):
            return ()
        steps = self._story[finding.file]
        here = next((n for n, s in enumerate(steps) if s.number == finding.step), None)
        if here is None:
            return ()
        own = {finding.step, *finding.steps}
        before = self._some(reversed(steps[:here]))
        after = self._some(iter(steps[here + 1 :]))
        chosen = [*reversed(before), steps[here], *after]
        return tuple(self._line(s, s.number in own) for s in chosen)

    def _some(self, steps: Iterator[StoryStep]) -> list[StoryStep]:
        """Return the next few steps in which something happened that is told."""
        found: list[StoryStep] = []
        for step in steps:
            if len(found) == _AROUND:
                break
            if step_words(step):
                found.append(step)
        return found

    def _line(self, step: StoryStep, is_here: bool) -> StoryLine:
        masked = replace(step, events=tuple(map(self._masked, step.events)))
        lines = [self._text(line) for line in step_words(masked)]
        if len(lines) > _LINES + 1:
            lines = [*lines[:_LINES], f"and {len(lines) - _LINES} more"]
        return StoryLine(
            step.number, self._text(step.actor or ""), tuple(lines), is_here, step.undone_by
        )

    def _masked(self, event: Event) -> Event:
        """Return an event with the alias of a hidden piece in place of its names."""
        piece = getattr(event, "piece", None)
        if not isinstance(piece, Thing):
            return event
        alias = self._masking.names.get(self._counters.get(piece.gpid, ""))
        if alias is None:
            return event
        named: Any = replace(piece, name=alias, basic=alias)
        # the events with a piece have it in common, and their class does not say so
        with_piece: Any = event
        masked: Event = replace(with_piece, piece=named)
        return masked

    def _text(self, text: str) -> str:
        return self._masking.text(self._hide(text))


# -------------------------------------------------------------------------------- over time


def _standings(checked: CheckedGame, insight: Insight[Any, Any]) -> Iterator[Standing]:
    """Yield how the game stood at its start, as turn 0, and at the end of each turn."""
    last: dict[int, Any] = {}
    first: Any = None
    for one in checked.judged:
        states = [before for _, _, before in one.actions]
        for state in (*states, one.state):
            first = state if first is None else first
            last[insight.standing(state).turn] = state
    if first is not None:
        yield insight.standing(first)._replace(turn=min(last) - 1)
    for turn in sorted(last):
        yield insight.standing(last[turn])


def _rolls(checked: CheckedGame, insight: Insight[Any, Any]) -> Iterator[Thrown]:
    for one in checked.judged:
        for number, (_, action, _) in enumerate(one.actions):
            is_last = number + 1 == len(one.actions)
            after = one.state if is_last else one.actions[number + 1][2]
            thrown = insight.thrown(action, after)
            if thrown is not None:
                yield thrown
