"""Rule 6: when Allied garrisons are due, step by step (V-DZ-11)."""

from hypothesis import given
from strategies_dropzone import actions, facts, positions, rules, states

from builder.hexes.grid import Hex
from builder.rules.dice import Thrower
from builder.rulesets.dropzone.actions import (
    Action,
    Advance,
    Attack,
    Join,
    Liberate,
    Lose,
    Phase,
    Roll,
)
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.candidates_points import liberate_candidates
from builder.rulesets.dropzone.liberation import Duty, duties, missed
from builder.rulesets.dropzone.playing import PlayTable
from builder.rulesets.dropzone.policy import play_game
from builder.rulesets.dropzone.state import State

LA_MOTTE = "G-La-Motte"


def _hex(label: str) -> Hex:
    found = facts().sheet.find(label)
    assert found is not None
    return found


def _state(*lines: str) -> State:
    return rules().position((), "\n".join(lines))


def _after(state: State, *steps: Action) -> State:
    for action in steps:
        state = applied(state, action)
    return state


def _attack_on_la_motte(attacker: str, face: str, victim: str) -> tuple[Action, ...]:
    side = facts().units[attacker].side
    other = "German" if side == "Allied" else "Allied"
    return (
        Attack(1, _hex("1410")),
        Join(1, attacker),
        Roll(side, "COMBAT", (face,), 1),
        Roll(other, "COMBAT", ("miss",), 1),
        Lose(victim, "COMBAT", 1),
    )


def _fought(*lines: str, attacker: str = "A-509", face: str = "infantry", victim: str) -> State:
    return _after(_state(*lines), *_attack_on_la_motte(attacker, face, victim))


ALLIED_TURN = "turn 2 COMBAT 517PRCT"
GERMAN_TURN = "turn 2 COMBAT KGVS"


def test_a_lone_garrison_makes_its_objective_due() -> None:
    state = _fought(ALLIED_TURN, "A-509 1409", f"{LA_MOTTE} German", victim=LA_MOTTE)
    assert duties(state) == (Duty(LA_MOTTE, "COMBAT", "COMBAT"),)
    assert list(liberate_candidates(state)) == [Liberate(LA_MOTTE, "COMBAT")]
    state = applied(state, Liberate(LA_MOTTE, "COMBAT"))
    assert duties(state) == ()
    assert state.garrisons[LA_MOTTE] == ("Allied", 1)


def test_a_garrison_that_still_stands_keeps_the_objective() -> None:
    lines = (ALLIED_TURN, "A-509 1409", "189-Assault 1410 1", f"{LA_MOTTE} German")
    state = _fought(*lines, victim="189-Assault")
    assert duties(state) == ()
    assert duties(applied(state, Lose(LA_MOTTE, "COMBAT", 1))) != ()


def test_the_advance_may_come_first() -> None:
    state = _fought(ALLIED_TURN, "A-509 1409", f"{LA_MOTTE} German", victim=LA_MOTTE)
    state = applied(state, Advance("A-509", _hex("1410"), 1))
    assert duties(state) == (Duty(LA_MOTTE, "COMBAT", "COMBAT"),)


def test_what_is_missed_is_missed_once() -> None:
    state = _fought(ALLIED_TURN, "A-509 1409", f"{LA_MOTTE} German", victim=LA_MOTTE)
    late: Action = Phase(2, "ENDACT", "517PRCT")
    assert missed(state, late) != ()
    state = applied(state, late)
    assert duties(state) == ()
    assert missed(state, Phase(2, "INIT")) == ()
    # whoever remembers it later may still do it
    assert not list(rules().judge(state, Liberate(LA_MOTTE, "COMBAT")))


def test_a_missed_objective_is_not_asked_for_at_the_end_of_the_next_activation() -> None:
    lines = ["start", ALLIED_TURN, "A-509 1409"]
    state = _fought(*lines, victim=LA_MOTTE)
    state = _after(state, Phase(2, "ENDACT", "517PRCT"), Phase(2, "INIT"))
    state = _after(state, Phase(2, "MOVE", "KGVS"), Phase(2, "ENDACT", "KGVS"))
    assert missed(state, Phase(2, "INIT")) == ()


def test_a_german_who_goes_in_takes_the_duty_off() -> None:
    lines = (GERMAN_TURN, "1-I-933 1409", f"{LA_MOTTE} Allied")
    state = _fought(*lines, attacker="1-I-933", face="ffi", victim=LA_MOTTE)
    assert duties(state) == (Duty(LA_MOTTE, "RETURN", "RETURN"),)
    state = applied(state, Advance("1-I-933", _hex("1410"), 1))
    assert duties(state) == ()
    assert missed(state, Phase(2, "ENDACT", "KGVS")) == ()


def test_the_garrison_returns_if_no_german_goes_in() -> None:
    lines = (GERMAN_TURN, "1-I-933 1409", f"{LA_MOTTE} Allied")
    state = _fought(*lines, attacker="1-I-933", face="ffi", victim=LA_MOTTE)
    assert [b.row for b in rules().judge(state, Attack(2, _hex("1410")))].count("DZ-6j") == 1
    assert not list(rules().judge(state, Liberate(LA_MOTTE, "RETURN")))


def test_retaken_and_liberated_again() -> None:
    lines = (ALLIED_TURN, "A-509 1409", "189-Assault 1410 1", f"{LA_MOTTE} Allied 0")
    state = _fought(*lines, victim="189-Assault")
    # the counter's Allied side was up last: its menu has no other word
    assert duties(state) == (Duty(LA_MOTTE, "RETURN", "COMBAT"),)


def test_the_step_that_is_paid_liberates_nothing() -> None:
    state = _state("turn 2 MOVE KGVS", "189-Assault 1410 1")
    assert duties(applied(state, Lose("189-Assault", "GARRISON"))) == ()


def test_vacant_objectives_are_due_at_the_end_of_german_activations_only() -> None:
    lines = ("start", f"{LA_MOTTE} none", "G-Le-Mitan none", "1-I-933 1609")
    for step in ("RP", "MOVE", "COMBAT"):
        assert duties(_state(*lines, f"turn 2 {step} KGVS")) == ()
    assert duties(_state(*lines, "turn 2 ENDACT 517PRCT")) == ()
    assert duties(_state(*lines, "turn 2 ENDACT KGVS")) == (Duty(LA_MOTTE, "VACANT", "VACANT"),)


def test_an_activation_that_ends_without_its_last_step_is_judged_too() -> None:
    state = _state("start", f"{LA_MOTTE} none", "turn 2 COMBAT KGVS")
    assert missed(state, Phase(2, "INIT")) == (Duty(LA_MOTTE, "VACANT", "VACANT"),)
    assert missed(state, Phase(2, "ENDACT", "KGVS")) == ()


def test_draguignan_and_the_headquarters() -> None:
    state = _state("turn 2 ENDACT KGVS")
    found = {}
    for duty in duties(state):
        state = applied(state, Liberate(duty.garrison, duty.cause))
        found[duty.garrison] = state.garrisons[duty.garrison].steps
    assert len(found) == 19
    assert {k for k, steps in found.items() if steps == 2} == {"G-Draguignan-town"}
    hq = {k for k, g in facts().garrisons.items() if g.is_hq("Allied")}
    assert hq == {"G-Le-Mitan", "G-Hill-212", "G-St-Rosaline"}


@given(states())
def test_duties_done_are_legal_and_leave_none(state: State) -> None:
    for action in liberate_candidates(state):
        assert not list(rules().judge(state, action))
        state = applied(state, action)
    assert duties(state) == ()


@given(positions(steps=("ENDACT",)))
def test_no_objective_is_empty_when_its_duties_are_done(state: State) -> None:
    if not state.is_german_activation:
        return
    for action in liberate_candidates(state):
        state = applied(state, action)
    held = {h for h, sides in state.held_by.items() if sides}
    assert {o.hex for o in facts().objectives.values()} <= held


@given(states(), actions())
def test_nothing_is_asked_for_twice(state: State, action: Action) -> None:
    late = {d.garrison for d in missed(state, action)}
    after = applied(state, action)
    again = {d.garrison for d in duties(after)}
    assert not late & again


def test_each_liberation_left_out_of_a_game_is_found_first() -> None:
    table = PlayTable(rules().start(), Thrower(1))
    play_game(table)
    left_out = [n for n, deed in enumerate(table.deeds) if isinstance(deed.action, Liberate)]
    assert len(left_out) > 10
    for number in left_out:
        state, found = table.deeds[number].state, list[str]()
        for deed in table.deeds[number + 1 :]:
            found += [b.row for b in rules().judge(state, deed.action)]
            if found:
                break
            state = applied(state, deed.action)
        assert found, rules().notation.write(table.deeds[number].action)
        assert found[0] in ("DZ-6f", "DZ-6g", "DZ-6j")
