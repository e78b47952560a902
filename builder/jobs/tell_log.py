"""Saves and logs -> the story of a game, step by step: who moved what from where to where.

.vlog -> log steps -> replay (+ the module's names) -> events -> StoryStep -> text or JSON lines
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from builder.gamebox.events import Event, Place
from builder.problems import BuilderError, UnreadableError, UsageError, did_you_mean
from builder.vassal.command_tree import CommandNode, parse_tree
from builder.vassal.replay import Step, Story, replay
from builder.vassal.replay_module import (
    ModuleFacts,
    ModuleName,
    find_module,
    module_name,
    read_module_facts,
)
from builder.vassal.savefile import SaveFile, read_save
from builder.vassal.twin_secrets import hiding, player_ids

__all__ = [
    "Between",
    "Opening",
    "Player",
    "StoryStep",
    "Tale",
    "ids_hidden",
    "log_tree",
    "read_log",
    "story_step",
    "tell_log",
]

_MAX_ID = 40


Hide: TypeAlias = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Player:
    """A player as told: a name and a side, never an id."""

    name: str
    side: str | None


@dataclass(frozen=True, slots=True)
class Between:
    """What changed between the end of a file and the beginning of the next one of the same game.

    Each entry is a piece's name with its place, or with both places.
    """

    gone: tuple[tuple[str, Place], ...] = ()
    new: tuple[tuple[str, Place], ...] = ()
    elsewhere: tuple[tuple[str, Place, Place], ...] = ()
    is_other_game: bool = False
    """Whether the two have no piece in common."""

    @property
    def is_same(self) -> bool:
        """Whether the next file begins exactly where the last one ended."""
        return not (self.gone or self.new or self.elsewhere)


@dataclass(frozen=True, slots=True)
class Opening:
    """A file as its story begins: what it is, who plays, how many pieces lie on the table."""

    file: str
    module: ModuleName
    steps: int
    pieces: int
    players: tuple[Player, ...]
    turn: str
    between: Between | None
    warnings: tuple[str, ...]
    hide: Hide = field(default=str, repr=False, compare=False)
    """Puts ids of players out of sight in whatever is printed of it: people type passwords."""


@dataclass(frozen=True, slots=True)
class StoryStep:
    """One step of one file, told; ``number`` counts from 1 in each file."""

    file: str
    number: int
    turn: str
    actor: str | None
    events: tuple[Event, ...]
    problems: tuple[str, ...] = ()
    undone_by: int | None = None
    hide: Hide = field(default=str, repr=False, compare=False)
    """As that of the opening."""


Tale = Opening | StoryStep
"""What a story is made of: an opening for each file, and its steps."""


def tell_log(
    files: Sequence[Path],
    module: Path | None = None,
    *,
    folders: Sequence[Path] = (),
    steps: tuple[int, int] | None = None,
    piece: str | None = None,
    viewer: str | None = None,
) -> Iterator[Tale]:
    """Yield the story of files of one game, in the order given.

    ``module`` gives places and turns their names; without it one of the log's module name is looked
    for in ``folders``. ``steps`` are the first and last number to tell, ``piece`` tells only the
    steps in which a piece of that name, or part of a name, has a part. With a ``viewer`` (a
    player's name or side) hidden pieces stay hidden.

    Raises :class:`~builder.problems.UnreadableError`, naming the file, for one that cannot be
    read, and :class:`~builder.problems.UsageError` if nobody is called like the viewer, or at the
    end if no piece was called like ``piece``.
    """
    if not files:
        raise UsageError("no log to tell")
    ending: Story | None = None
    known: dict[Path, ModuleFacts] = {}
    hide = ids_hidden(files)
    wanted = None if piece is None else _Wanted(piece)
    for path in files:
        save = read_log(path)
        named = module_name(save.members)
        facts, warnings = _facts(named, module, folders, known)
        run = replay(log_tree(path, save), facts, viewer=viewer)
        first = _first(path, run)
        if viewer is not None:
            _check_viewer(viewer, first.story)
        if wanted is not None:
            wanted.look_at(first.story)
        between = None if ending is None else _between(ending, first.story)
        yield _opening(path, named, first, between, (*warnings, *first.problems), hide)
        ending = first.story
        for step in run:
            told = story_step(path, step, hide)
            if steps is not None and not steps[0] <= step.number <= steps[1]:
                continue
            if wanted is None or wanted.is_in(told):
                yield told
    if wanted is not None:
        wanted.check()


def read_log(path: Path) -> SaveFile:
    """Return a save or log; raises UnreadableError, naming the file, if it cannot be read."""
    try:
        return read_save(path)
    except BuilderError as error:
        message = str(error)
        named = message if str(path) in message else f"{path}: {message}"
        raise UnreadableError(named) from None


def log_tree(path: Path, save: SaveFile) -> CommandNode:
    """Return a log's commands; raises UnreadableError, naming the file, if they are damaged."""
    try:
        return parse_tree(save.text)
    except BuilderError as error:
        raise UnreadableError(f"{path}: {error}") from None


def ids_hidden(files: Sequence[Path]) -> Hide:
    """Return what puts the ids of all files out of sight: one may name the player of another."""
    ids: dict[str, None] = {}
    for path in files:
        ids |= dict.fromkeys(player_ids(log_tree(path, read_log(path))))
    return hiding(ids).text


def _first(path: Path, run: Iterator[Step]) -> Step:
    try:
        return next(run)
    except BuilderError as error:
        raise UnreadableError(f"{path}: {error}") from None


def _facts(
    named: ModuleName, module: Path | None, folders: Sequence[Path], known: dict[Path, ModuleFacts]
) -> tuple[ModuleFacts, list[str]]:
    """Return the facts of the module that was given or found, and what to say about it."""
    warnings: list[str] = []
    path = module
    if path is None:
        found = find_module(named, folders)
        if found is None:
            asked = f"module {named.text} not found" if named.name else "the log names no module"
            return ModuleFacts(), [f"{asked}: places are told in pixels"]
        path = found[0]
    facts = known.get(path)
    if facts is None:
        facts = known[path] = read_module_facts(path)
        warnings += facts.warnings
    if named.name and facts.name.name != named.name:
        warnings.append(f"made with module {named.text}, told with another one, {facts.name.text}")
    elif named.version and facts.name.version != named.version:
        warnings.append(f"made with module {named.text}, told with version {facts.name.version}")
    return facts, warnings


def _check_viewer(viewer: str, story: Story) -> None:
    known = {word for seat in story.players() for word in (seat.name, seat.side) if word}
    if viewer not in known:
        raise UsageError(f"no player or side {viewer!r} in the log{did_you_mean(viewer, known)}")


def _opening(
    path: Path,
    named: ModuleName,
    first: Step,
    between: Between | None,
    warnings: Sequence[str],
    hide: Hide,
) -> Opening:
    seats = first.story.players()
    return Opening(
        file=path.name,
        module=named,
        steps=first.steps,
        pieces=len(first.table.pieces),
        players=tuple(Player(seat.name, seat.side) for seat in dict.fromkeys(seats)),
        turn=first.turn,
        between=between,
        warnings=tuple(dict.fromkeys(warnings)),
        hide=hide,
    )


def story_step(path: Path, step: Step, hide: Hide = str) -> StoryStep:
    """Return a step as a story tells it."""
    return StoryStep(
        file=path.name,
        number=step.number,
        turn=step.turn,
        actor=step.actor,
        events=step.events,
        problems=step.problems,
        undone_by=step.undone_by,
        hide=hide,
    )


def _between(ending: Story, beginning: Story) -> Between:
    """Compare two tables by the ids of pieces; a piece in a stack is where the stack is."""
    old, new = ending.table, beginning.table
    return Between(
        gone=tuple(_named(ending, i) for i in old.pieces if i not in new.pieces),
        new=tuple(_named(beginning, i) for i in new.pieces if i not in old.pieces),
        elsewhere=tuple(
            (beginning.thing(i).name, ending.place(i), beginning.place(i))
            for i in new.pieces
            if i in old.pieces and old.at(i) != new.at(i) and not beginning.is_hidden(i)
        ),
        is_other_game=bool(old.pieces) and old.pieces.keys().isdisjoint(new.pieces),
    )


def _named(story: Story, ident: str) -> tuple[str, Place]:
    return story.thing(ident).name, story.place(ident)


class _Wanted:
    """The pieces that a reader asks for by a name, a part of one, or an id."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._folded = name.casefold()
        self._seen: dict[str, None] = {}
        self._is_found = False

    def look_at(self, story: Story) -> None:
        """Note what pieces there are."""
        for ident in story.table.pieces:
            thing = story.thing(ident)
            self._note(thing.id, thing.name, thing.basic)

    def is_in(self, step: StoryStep) -> bool:
        """Return whether such a piece has a part in the step."""
        things = [t for t in (getattr(event, "piece", None) for event in step.events) if t]
        return sum(self._note(thing.id, thing.name, thing.basic) for thing in things) > 0

    def check(self) -> None:
        """Raise :class:`UsageError` if no piece at all was called so."""
        if not self._is_found:
            hint = did_you_mean(self._name, self._seen)
            raise UsageError(f"no piece {self._name[:_MAX_ID]!r} in the log{hint}")

    def _note(self, ident: str, name: str, basic: str) -> bool:
        self._seen.setdefault(basic or name)
        is_one = ident == self._name or any(self._folded in n.casefold() for n in (name, basic))
        self._is_found = self._is_found or is_one
        return is_one
