"""The program plays: a whole game, or one command's activation in a person's saved game."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from builder.gamebox.model import Game
from builder.gamebox.open import open_game
from builder.jobs.build_module import build_module
from builder.problems import UsageError, did_you_mean
from builder.report.playthrough import playthrough_lines
from builder.rules.playthrough import Player, Playthrough
from builder.rulesets.registry import ruleset_of
from builder.vassal.record import Recorder
from builder.vassal.record_start import module_slots, module_start
from builder.vassal.replay import replay
from builder.vassal.replay_module import (
    ModuleFacts,
    ModuleName,
    module_name,
    read_module_facts,
)
from builder.vassal.replay_story import Seat
from builder.vassal.replay_view import table_view
from builder.vassal.savefile import SaveFile, read_save, write_save
from builder.workspace import Workspace

__all__ = ["Played", "play_command", "play_game", "recorded"]

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Played:
    """What was played, its text, and what is needed to write it as a log."""

    game: Game
    player: Player
    played: Playthrough[Any, Any]
    scenario: str
    lines: tuple[str, ...]
    start: SaveFile | None = None


def play_game(folder: Path, *, scenario: str = "", seed: int = 1) -> Played:
    """Play a whole game of a scenario (the first, if none is named); same seed, same game.

    Raises UsageError for a game without rules that can play, or without such a scenario.
    """
    game, player = _open(folder)
    names = [s.name for s in game.scenarios]
    chosen = scenario or ("standard" if "standard" in names else names[0] if names else "")
    if chosen not in names:
        raise UsageError(f"no scenario {chosen!r} in {game.name}{did_you_mean(chosen, names)}")
    played = player.play(chosen, seed)
    title = next(s.title for s in game.scenarios if s.name == chosen)
    lines = playthrough_lines(f"{game.title}, {title}, seed {seed}", player, played)
    return Played(game, player, played, chosen, tuple(lines))


def play_command(
    folder: Path, save: Path, command: str, *, module: Path | None, seed: int, workspace: Workspace
) -> Played:
    """Play the next activation of one command from a saved game or from the end of a log.

    Raises UsageError for an unknown command, if it is not its turn, or if the file, or ``module``,
    is of another module than the game's.
    """
    game, player = _open(folder)
    if not player.commands:
        raise UsageError(f"{game.name} has no commands that the program could take over")
    if command not in player.commands:
        hint = did_you_mean(command, player.commands)
        raise UsageError(f"no command {command!r} in {game.name}{hint}")
    file = read_save(save)
    _must_be_of(game, module_name(file.members), save)
    facts = _facts(game, module, workspace)
    if module is not None:
        _must_be_of(game, facts.name, module)
    (last,) = deque(replay(file, facts), maxlen=1)
    played = player.play_command(table_view(last), command, seed)
    lines = playthrough_lines(f"{game.title}: {command} after {save.name}", player, played)
    return Played(game, player, played, "", tuple(lines), file)


def recorded(
    what: Played, *, module: Path | None, workspace: Workspace, progress: Progress | None = None
) -> bytes:
    """Return a playthrough as a log of the game's module.

    ``module`` is the file that players use; without one the built one in ``dist`` is taken, and if
    there is none of this version, the module is built for the purpose.
    """
    with tempfile.TemporaryDirectory() as made:
        path = module or _module(what.game, workspace, Path(made))
        facts = read_module_facts(path)
        start = what.start or module_start(path, _setup(what.game, what.scenario), facts)
        sides = [s.name for s in what.game.sides if s.is_player]
        recorder = Recorder(
            start,
            facts,
            player=f"{sides[0]} player",
            side=sides[0],
            others=tuple(Seat(f"{side} player", side) for side in sides[1:]),
            slots=module_slots(path),
        )
        total = len(what.played.deeds)
        for number, (state, action) in enumerate(what.played.deeds):
            if progress is not None and number % 50 == 0:
                progress("recording", number, total)
            by = what.player.actor(state, action)
            for events in _steps(what.player, state, action):
                recorder.step(
                    events,
                    by=f"{by} player" if by else None,
                    dragged=what.player.is_dragged(action),
                )
        return write_save(recorder.finish())


def _steps(player: Player, state: Any, action: Any) -> Iterator[tuple[Any, ...]]:
    events = tuple(player.narrate(state, action))
    for _, group in groupby(events, key=lambda e: e.step):
        yield tuple(group)


def _open(folder: Path) -> tuple[Game, Player]:
    game = open_game(folder)
    ruleset: Any = ruleset_of(game)
    if ruleset is None or not hasattr(ruleset, "play"):
        raise UsageError(f"{game.name} has no rules by which the program could play")
    player: Player = ruleset
    return game, player


def _must_be_of(game: Game, name: ModuleName, path: Path) -> None:
    """Refuse a file of another module: its counters are not those that the rules know."""
    if name.name != game.module.name:
        raise UsageError(
            f"{path.name} is of the module {name.name or 'without a name'!r}, "
            f"and {game.name} is played with {game.module.name!r}"
        )


def _setup(game: Game, scenario: str) -> str:
    """Return the name under which the module offers a scenario."""
    for setup in game.module.setup:
        if setup.scenario == scenario:
            return setup.name
    raise UsageError(f"the module of {game.name} offers no set-up of scenario {scenario!r}")


def _facts(game: Game, module: Path | None, workspace: Workspace) -> ModuleFacts:
    with tempfile.TemporaryDirectory() as made:
        return read_module_facts(module or _module(game, workspace, Path(made)))


def _module(game: Game, workspace: Workspace, scratch: Path) -> Path:
    built = workspace.dist / f"{game.name}.vmod"
    if built.is_file():
        facts = read_module_facts(built)
        if (facts.name.name, facts.name.version) == (game.module.name, game.version):
            return built
    target = scratch / f"{game.name}.vmod"
    build_module(game.folder, target, workspace=workspace, map_picture=False)
    return target
