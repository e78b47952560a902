"""Games that the program plays against itself: nothing illegal, nothing lost, both sides win some.

What is counted here is counted anew, from ``places.csv`` and from where pieces stand, and not by
the functions that the rules use.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

import pytest
from strategies_dropzone import FOLDER, rules

from builder.hexes.grid import Hex
from builder.rules.playthrough import Deed, Playthrough
from builder.rulesets.dropzone import candidates_combat as combat
from builder.rulesets.dropzone import candidates_flow as flow
from builder.rulesets.dropzone import candidates_points as points
from builder.rulesets.dropzone.actions import (
    Action,
    Advance,
    Attack,
    BuyGarrison,
    Chit,
    Commit,
    Declare,
    Discard,
    Displace,
    DrawAsset,
    DrawUnit,
    Drop,
    Gain,
    Join,
    Land,
    Liberate,
    Lose,
    Move,
    Phase,
    PoolLate,
    Receive,
    Return,
    ReturnChits,
    Reveal,
    Roll,
    SetVP,
    Use,
)
from builder.rulesets.dropzone.candidates_moves import landing_candidates, move_candidates
from builder.rulesets.dropzone.state import State

Deeds = Iterable[Deed[State, Action]]

# in game 192 three units wait for each other's hexes
GAMES: Final = [("standard", seed) for seed in (*range(1, 30), 192)] + [
    ("ghost", seed) for seed in range(1, 11)
]
SOAK: Final = [("standard", seed) for seed in range(101, 301)] + [
    ("ghost", seed) for seed in range(101, 201)
]

with (FOLDER / "places.csv").open(encoding="utf-8", newline="") as _file:
    PLACES: Final = {row["hex"]: row for row in csv.DictReader(_file) if row["color"]}


@pytest.fixture(scope="module")
def games() -> dict[tuple[str, int], Playthrough[State, Action]]:
    return {(scenario, seed): rules().play(scenario, seed) for scenario, seed in GAMES}


# ------------------------------------------------------------------------- what must always hold


def standing(state: State) -> dict[str, list[str]]:
    """The units in each hex by its printed number."""
    found: dict[str, list[str]] = {}
    for key, unit in state.units.items():
        if isinstance(unit.place, Hex) and unit.steps:
            found.setdefault(rules().facts.label(unit.place), []).append(key)
    return found


def allied_points(state: State, color: str) -> tuple[int, int]:
    """Points of a color that the Allies hold, and that they do not hold."""
    facts = rules().facts
    units = standing(state)
    held = lost = 0
    for label, row in PLACES.items():
        if row["color"] != color or row["vp"] == "star":
            continue
        if state.scenario == "ghost" and row["name"].startswith("Draguignan"):
            continue
        sides = {facts.units[k].side for k in units.get(label, [])}
        sides |= {
            g.side
            for k, g in state.garrisons.items()
            if g.steps and facts.label(facts.garrisons[k].hex) == label
        }
        if sides == {"Allied"}:
            held += int(row["vp"])
        else:
            lost += int(row["vp"])
    return held, lost


def wrong_with(state: State) -> Iterator[str]:
    """What cannot be in any game, at any moment."""
    facts = rules().facts
    for key, unit in state.units.items():
        if not 0 <= unit.steps <= facts.units[key].steps:
            yield f"{key} has {unit.steps} steps"
        if (unit.steps == 0) != str(unit.place).startswith("Elim"):
            yield f"{key} has {unit.steps} steps and is at {unit.place}"
    for key, garrison in state.garrisons.items():
        full = 2 if key in {"G-Le-Muy", "G-Draguignan-town"} else 1
        if not 0 <= garrison.steps <= full:
            yield f"{key} has {garrison.steps} steps"
    homes = Counter(facts.garrisons[k].hex for k, g in state.garrisons.items() if g.steps)
    if len(state.garrisons) != 19 or any(n > 1 for n in homes.values()):
        yield f"{len(state.garrisons)} garrisons, {homes}"
    sides = Counter(k[:2] for k in state.assets)
    if sides != {"AA": 12, "GA": 10}:
        yield f"assets: {sides}"
    if any(a.place == "POOL" and a.used for a in state.assets.values()):
        yield "a used asset is in the cup again"
    if not 0 <= state.marker <= 25:
        yield f"the VP marker is at {state.marker}"


def wrong_at(state: State, action: Action) -> Iterator[str]:
    """What is wrong with the state in which an action is done, or with the action."""
    if isinstance(action, Phase) and action.step == "COMBAT":
        for label, keys in standing(state).items():
            if len(keys) > 1:
                yield f"{keys} stand in {label}"
            if len({rules().facts.units[k].side for k in keys}) > 1:
                yield f"both sides in {label}"
    if isinstance(action, SetVP):
        red, red_lost = allied_points(state, "red")
        yellow, _ = allied_points(state, "yellow")
        due = red if state.turn == 3 else (state.recorded or 0) + yellow - red_lost
        if action.value != min(max(due, 0), 25):
            yield f"VP {action.value}, counted {due}"


def faults(played: Playthrough[State, Action]) -> list[str]:
    """Everything that is wrong in a game, with the action."""
    found = []
    gone: set[str] = set()
    for number, (state, action) in enumerate(played.deeds):
        line = f"{number}: {rules().write_action(action)}"
        found += [f"{line}: {b.row} {b.message}" for b in rules().judge(state, action)]
        found += [f"{line}: {text}" for text in (*wrong_with(state), *wrong_at(state, action))]
        back = {k for k in gone if state.assets[k].place != "GONE"}
        found += [f"{line}: {k} came back" for k in back]
        gone |= {k for k, a in state.assets.items() if a.place == "GONE"}
    return [*found, *(f"end: {text}" for text in wrong_with(played.end))]


def test_all_that_is_done_is_legal_and_nothing_is_lost(
    games: dict[tuple[str, int], Playthrough[State, Action]],
) -> None:
    found = {game: faults(played) for game, played in games.items()}
    assert {game: wrong for game, wrong in found.items() if wrong} == {}


def winners(games: Iterable[Playthrough[State, Action]]) -> Counter[str]:
    return Counter(played.end.result.split()[0] for played in games)


def test_both_sides_win_some(
    games: dict[tuple[str, int], Playthrough[State, Action]],
) -> None:
    # the cards of the Ghost Division lack their forces: with those of the standard game its lower
    # levels are the Allies' almost always
    standard = [played for (scenario, _), played in games.items() if scenario == "standard"]
    won = winners(standard)
    assert won["German"] >= len(standard) / 4, won
    assert won["Allied"] >= len(standard) / 4, won


def test_every_game_ends_by_a_result_of_the_rulebook(
    games: dict[tuple[str, int], Playthrough[State, Action]],
) -> None:
    for (scenario, seed), played in games.items():
        last = played.deeds[-1].state
        assert last.turn in (3, 6), seed
        assert played.end.result, seed
        assert played.end.scenario == scenario
        if last.turn == 3:
            held = Counter(
                row["color"]
                for label, row in PLACES.items()
                if rules().facts.sheet.find(label) in last.held_by
                and last.held_by[rules().facts.sheet.find(label)] == {"Allied"}  # type: ignore[index]
            )
            assert held["red"] == 10
            assert held["yellow"] >= 2


def test_players_use_what_the_game_gives_them(
    games: dict[tuple[str, int], Playthrough[State, Action]],
) -> None:
    facts = rules().facts
    kinds: set[type] = set()
    assets: set[str] = set()
    for played in games.values():
        kinds |= {type(action) for _, action in played.deeds}
        assets |= {facts.assets[a.asset].kind for _, a in played.deeds if isinstance(a, Use)}
    wanted = {Move, Attack, Join, Roll, Lose, Advance, Liberate, Gain, Return, Reveal, Land, Use}
    assert wanted | {BuyGarrison, DrawUnit, Receive, SetVP, Declare, PoolLate} <= kinds
    assert assets == {"INDIRECT", "ANTITANK", "AIRSTRIKE", "INITIATIVE", "COORDINATED", "REGROUP"}


def test_same_seed_same_game() -> None:
    first, again = rules().play("standard", 11), rules().play("standard", 11)
    assert [d.action for d in first.deeds] == [d.action for d in again.deeds]
    assert first.end == again.end
    assert [d.action for d in rules().play("standard", 12).deeds] != [d.action for d in first.deeds]


@pytest.mark.soak
def test_many_games() -> None:
    won: Counter[str] = Counter()
    for scenario, seed in SOAK:
        played = rules().play(scenario, seed)
        assert faults(played) == [], (scenario, seed)
        if scenario == "standard":
            won += winners([played])
    assert won["German"] >= won.total() / 4, won
    assert won["Allied"] >= won.total() / 4, won


# ---------------------------------------------------------------- what is offered is what is done


def offered(state: State, action: Action) -> Iterable[Action]:
    """What the candidates offer of an action's kind."""
    side = rules().actor(state, action)
    match action:
        case Phase():
            found = flow.next_phase(state)
            return () if found is None else (found,)
        case Chit():
            return flow.chit_candidates(state)
        case ReturnChits():
            back = flow.return_chits(state)
            return () if back is None else (back,)
        case PoolLate():
            late = flow.pool_late(state)
            return () if late is None else (late,)
        case SetVP():
            return points.vp_candidates(state)
        case Declare():
            return points.declare_candidates(state)
        case DrawAsset():
            return flow.draw_candidates(state)
        case Drop(unit=unit, white=white, red=red):
            units = flow.drop_candidates(state)
            return (Drop(k, white, red, flow.drop_target(state, k, white, red)) for k in units)
        case DrawUnit():
            return flow.draw_unit_candidates(state)
        case Receive(unit=unit):
            return flow.receive_candidates(state, unit)
        case Land() | Displace():
            units_due = state.command_units(state.command)
            return (a for k in units_due for a in landing_candidates(state, k))
        case Gain(unit=unit):
            return points.gain_candidates(state, unit)
        case Return(unit=unit):
            return points.return_candidates(state, unit)
        case Move(unit=unit):
            return move_candidates(state, unit)
        case Attack():
            strikes = combat.interdiction_candidates(state)
            alone = (Attack(state.attacks + 1, u.target) for u in strikes if u.target is not None)
            return (*combat.attack_candidates(state), *alone)
        case Join(unit=unit):
            return combat.join_candidates(state, unit)
        case Commit():
            return combat.commit_candidates(state, side)
        case Use(mode="FIRST"):
            return flow.first_asset_candidates(state)
        case Use(mode="RP"):
            return points.regroup_use_candidates(state)
        case Use():
            return combat.use_candidates(state, side)
        case Discard():
            return combat.discard_candidates(state)
        case Reveal():
            return combat.reveal_candidates(state)
        case Roll(kind=kind, side=who, faces=faces, attack=attack):
            owed = combat.owed_rolls(state)
            return (Roll(who, kind, faces, attack) for r in owed if r == (who, kind, len(faces)))
        case Lose(cause="GARRISON") | BuyGarrison():
            return points.buy_garrison_candidates(state)
        case Lose():
            return combat.loss_candidates(state)
        case Advance():
            return combat.advance_candidates(state)
        case Liberate():
            return points.liberate_candidates(state)
        case _:
            return ()


def is_forced(state: State, action: Action) -> bool:
    """Whether an action is no choice: what a landing owes, and the interdiction just announced."""
    match action:
        case Roll(kind="DIR") | Lose(cause="LAND"):
            return True
        case Commit() | Use():
            return state.fight is not None and not state.fight.attackers
        case Chit(means="asset"):
            return True
        case _:
            return False


@pytest.mark.parametrize("game", [("standard", 1), ("standard", 5), ("ghost", 2)])
def test_what_is_done_was_offered(
    games: dict[tuple[str, int], Playthrough[State, Action]], game: tuple[str, int]
) -> None:
    for state, action in games[game].deeds:
        if not is_forced(state, action):
            assert action in set(offered(state, action)), rules().write_action(action)


# ------------------------------------------------------------------ what is changed names its row


def far(h: Hex) -> Hex:
    """A hex at the other end of the map."""
    sheet = rules().facts.sheet
    corners = [sheet.find(label) for label in ("0101", "2401", "0118", "2418")]
    known = [c for c in corners if c is not None]
    return max(known, key=lambda c: (sheet.grid.distance(c, h), c))


def free_far(state: State, h: Hex) -> Hex:
    """A hex far away in which nobody stands."""
    grid, sheet = rules().facts.sheet.grid, rules().facts.sheet
    start = far(h)
    around = [start, *(grid.neighbor(start, d) for d in range(6))]
    return next(n for n in around if n in sheet and n not in state.held_by)


Mutation = tuple[str, Callable[[State, Any], Action | None], frozenset[str]]


def rows(*names: str) -> frozenset[str]:
    return frozenset(f"DZ-{name}" for name in names)


def enemy_on_map(state: State) -> str:
    """A unit on the map of the side that is not active."""
    known = state.facts.units
    return next(k for k, u in state.units.items() if u.is_on_map and known[k].side != state.side)


def armor_of(state: State, command: str) -> str | None:
    """The armor of a Command, on the map if it can be; one has none."""
    known = state.facts.units
    found = [k for k, f in known.items() if f.is_armor and f.command == command]
    return max(found, key=lambda k: (state.units[k].is_on_map, k), default=None)


def too_far(state: State, action: Move) -> Action | None:
    here = state.units[action.unit].place
    return replace(action, to=free_far(state, here)) if isinstance(here, Hex) else None


def gain_of_armor(state: State, action: Gain) -> Action | None:
    found = armor_of(state, state.facts.units[action.unit].command)
    return replace(action, unit=found) if found is not None else None


DICE_ROWS: Final = rows(
    *("5.2.5", "5.2.5b", "5.2.4b", "5.2.4c", "5.2.4d", "1.1b", "1.2j", "1.2s", "1.4d", "1.4e")
)

MUTATIONS: Final[dict[type, tuple[Mutation, ...]]] = {
    Move: (
        ("too far", too_far, rows("5.1a", "5.1c", "5.1f")),
        (
            "of the enemy",
            lambda s, a: replace(
                a, unit=enemy_on_map(s)
            ),
            rows("1.3a", "5.1a", "5a", "4.2.3a"),
        ),
    ),
    Roll: (
        (
            "one die more",
            lambda _, a: None if a.kind == "DIR" else replace(a, faces=(*a.faces, "miss")),
            DICE_ROWS,
        ),
    ),
    Attack: (
        (
            "on a hex where nobody is",
            lambda s, a: replace(a, target=free_far(s, a.target)),
            rows("5.1j", "5.2.1a", "5.2a", "5.2.2d"),
        ),
    ),
    Chit: (
        ("again", lambda s, a: replace(a, command=s.done[0]) if s.done else None, rows("3.2c")),
    ),
    Gain: (
        ("two steps", lambda _, a: replace(a, by_steps=2), rows("4.1b", "4.1x", "4.1.1")),
        (
            "armor",
            gain_of_armor,
            rows("4.1.3", "4.1x", "4.1.2a", "1.4n", "4.1.5b"),
        ),
    ),
    Phase: (
        (
            "a step left out",
            lambda s, a: replace(a, step="COMBAT") if a.step == "RU" else None,
            rows("3a", "3.3b", "4.2.2"),
        ),
    ),
    SetVP: (("one too many", lambda _, a: replace(a, value=a.value + 1), rows("7d", "7g", "7e")),),
    Advance: (
        ("elsewhere", lambda s, a: replace(a, to=free_far(s, a.to)), rows("5.2.7")),
    ),
    BuyGarrison: (
        ("for nothing", lambda _, a: replace(a, pay="", unit=""), rows("6c", "6d")),
        ("of two steps", lambda _, a: replace(a, steps=2), rows("6e", "1.2p")),
    ),
    Declare: (
        (
            "another",
            lambda _, a: replace(a, level="Allied_Total_Victory"),
            rows("7c", "7h", "7f", "10e"),
        ),
    ),
    Liberate: (
        ("of three steps", lambda _, a: replace(a, steps=3), rows("6k", "1.2p")),
    ),
    Join: (
        (
            "of the enemy",
            lambda s, a: replace(
                a, unit=enemy_on_map(s)
            ),
            rows("5.2a", "1.3a", "5.2.1a"),
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", MUTATIONS, ids=lambda kind: kind.__name__)
def test_a_changed_action_names_its_row(
    games: dict[tuple[str, int], Playthrough[State, Action]], kind: type
) -> None:
    deeds = [d for game in GAMES[:6] for d in games[game].deeds if type(d.action) is kind]
    for name, change, expected in MUTATIONS[kind]:
        tried = 0
        for state, action in deeds[:: max(1, len(deeds) // 60)]:
            changed = change(state, action)
            if changed is None or changed == action:
                continue
            tried += 1
            found = {b.row for b in rules().judge(state, changed)}
            line = f"{name}: {rules().write_action(changed)} broke {found}"
            assert found, line
            assert found <= expected, line
        assert tried, f"{kind.__name__} {name}: nothing was tried"
