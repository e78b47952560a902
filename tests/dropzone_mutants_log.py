"""Logs that break the rules of logs themselves: forged lines, dice taken back, others' counters.

All are of one small fight: two companies of I/933 attack A Co 509, in its own lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dropzone_mutants import Log, Mutant, own, typed

from builder.gamebox.events import Changed, Drawn, Moved, Place, Removed, Thing
from builder.hexes.grid import Hex
from builder.rulesets.dropzone.ruleset import DropZone

__all__ = ["LOG_MUTANTS"]

Make = Callable[[DropZone], Mutant]

GIVEN = """
turn 2 COMBAT KGVS
1-I-933 1005
2-I-933 1106
A-509 1006
B-509 2010 1
G-La-Motte German 1
"""
SEATS = {"Ann": "Allied", "Karl": "German", "Olga": "Referee"}
FIGHT = (
    "ATTACK n=1 target=1006",
    "JOIN n=1 unit=1-I-933",
)
ROLLS = (
    "ROLL side=German kind=COMBAT attack=1 faces=miss,miss",
    "ROLL side=Allied kind=COMBAT attack=1 faces=miss,miss",
)
END = "PHASE turn=2 step=ENDACT command=KGVS"


def _fight(rules: DropZone, *actions: str) -> Log:
    return Log(rules, rules.position(("all .",), GIVEN), SEATS).acts(actions)


def _typed_roll(rules: DropZone) -> Mutant:
    log = _fight(rules, *FIGHT, ROLLS[0])
    line = "DZ: ROLL kind=COMBAT side=Allied attack=1 n=2 faces=miss,miss"
    log.show(typed(line, "Ann"), by="Ann")
    step = log.length
    log.act(ROLLS[1]).act(END)
    return Mutant("a player types his roll before he throws", "LOG-ROLL", log, step)


def _typed_roll_like_own(rules: DropZone) -> Mutant:
    log = _fight(rules, *FIGHT, *ROLLS)
    line = "* DZ: ROLL kind=COMBAT side=Allied attack=1 n=2 faces=infantry,infantry"
    log.show(typed(line, "Ann"), by="Ann")
    step = log.length
    log.act(END)
    return Mutant("a player types a roll as the module writes it", "LOG-ROLL", log, step)


def _typed_drop(rules: DropZone) -> Mutant:
    log = _fight(rules, *FIGHT, *ROLLS)
    log.show(typed("DZ: DROP unit=H1 aim=1211 white=1 red=2 hex=1210", "Ann"), by="Ann")
    return Mutant("a player types the dice of a drop", "LOG-ROLL", log, log.length)


def _typed_change(words: str, name: str) -> Make:
    def make(rules: DropZone) -> Mutant:
        log = _fight(rules, *FIGHT)
        log.show(typed(words, "Ann"), by="Ann")
        step = log.length
        log.acts((*ROLLS, END))
        return Mutant(name, "LOG-CHANGE", log, step)

    return make


def _undone_roll(rules: DropZone) -> Mutant:
    log = _fight(rules, *FIGHT, ROLLS[0]).undone()
    log.act("ROLL side=German kind=COMBAT attack=1 faces=miss,ffi")
    step = log.length
    log.acts((ROLLS[1], END))
    return Mutant("a roll is taken back and thrown again", "LOG-UNDONE", log, step)


def _twice(rules: DropZone) -> Mutant:
    log = _fight(rules, *FIGHT, *ROLLS)
    log.act("ROLL side=German kind=COMBAT attack=1 faces=ffi,miss")
    step = log.length
    return Mutant("a side throws its dice a second time", "LOG-TWICE", log.act(END), step)


def _back_after_dice(rules: DropZone) -> Mutant:
    log = _fight(rules, FIGHT[0], FIGHT[1])
    joined = log.length
    log.act(ROLLS[0]).undone()
    first = log.length - 1
    # the next step takes the attacker back as well
    log.steps[joined - 1] = replace(log.steps[joined - 1], undone_by=log.length + 1)
    log.show(own("UNDO"))
    log.state = _fight(rules, FIGHT[0]).state
    log.acts(("JOIN n=1 unit=2-I-933", *ROLLS, END))
    return Mutant("an attacker leaves again after his dice fell", "LOG-BACK", log, first)


def _observer(rules: DropZone) -> Mutant:
    log = _fight(rules, *FIGHT, *ROLLS).act(END)
    way = _way("B-509", "2010", "2011")
    log.state = log.state.with_unit("B-509", place=_hex(rules, "2011"))
    log.show(way, by="Zoe")
    return Mutant(
        "one who watches moves a counter",
        "LOG-OBSERVER",
        log,
        log.length,
        besides=("DZ-1.3a",),
    )


def _other_seat(rules: DropZone) -> Mutant:
    log = _fight(rules, *FIGHT)
    log.show(_way("1-I-933", "1005", "1005"), by="Ann")
    step = log.length
    log.acts((*ROLLS, END))
    return Mutant("a player takes up the other's counter", "LOG-SEAT", log, step, "warning")


def _others_line(words: str, name: str) -> Make:
    def make(rules: DropZone) -> Mutant:
        log = _fight(rules, *FIGHT)
        log.show(typed(words, "Ann"), by="Ann")
        step = log.length
        log.acts((*ROLLS, END))
        return Mutant(name, "LOG-LINE", log, step, "warning")

    return make


def _one_sided(rules: DropZone) -> Mutant:
    log = _fight(rules, *FIGHT)
    log.show(typed("DZ: RULING rule=5.2.5 text=let it pass", "Ann"), by="Ann")
    step = log.length
    log.acts((*ROLLS, END))
    return Mutant("one side alone types a ruling", "LOG-RULING", log, step, "warning")


def _twice_one_sided(rules: DropZone) -> Mutant:
    log = _fight(rules, *FIGHT)
    for _ in range(2):
        log.show(typed("DZ: RULING rule=5.2.5 text=let it pass", "Ann"), by="Ann")
    step = log.length - 1
    log.acts((*ROLLS, END))
    return Mutant("one side types a ruling twice", "LOG-RULING", log, step, "warning")


def _put_down(rules: DropZone) -> Mutant:
    start = rules.position(("all .",), GIVEN + "463 AlliedT2")
    log = Log(rules, start, SEATS).acts(FIGHT)
    log.show(_way("463", "AlliedT2", "2014"))
    step = log.length
    log.state = log.state.with_unit("463", place=_hex(rules, "2014"))
    log.acts((*ROLLS, END))
    return Mutant("a unit is put onto the map out of its box", "LOG-TABLE", log, step)


def _taken_off(rules: DropZone) -> Mutant:
    log = _fight(rules, *FIGHT)
    log.show(_way("B-509", "2010", "AlliedT4"))
    step = log.length
    log.state = log.state.with_unit("B-509", place="AlliedT4")
    log.acts((*ROLLS, END))
    return Mutant("a unit is taken off the map into a box", "LOG-TABLE", log, step)


def _deleted(rules: DropZone) -> Mutant:
    log = _fight(rules, *FIGHT)
    at = Place(map="Main", label="2010")
    log.show(Removed(step=1, piece=_thing("B-509"), start=at))
    step = log.length
    log.state = log.state.with_unit("B-509", place="ElimAllied", steps=0)
    log.acts((*ROLLS, END))
    return Mutant("a counter is deleted", "DZ-1.2l", log, step)


def _changed_without_line(rules: DropZone) -> Mutant:
    log = _fight(rules, *FIGHT)
    at = Place(map="Main", label="1006")
    log.show(
        Changed(step=1, piece=_thing("A-509"), at=at, name="Steps", old="2", new="1"), by="Karl"
    )
    step = log.length
    log.state = log.state.with_unit("A-509", steps=1)
    return Mutant("steps are taken from a unit, and no dice have fallen", "DZ-1.2l", log, step)


def _asset_from_pool(rules: DropZone) -> Mutant:
    start = rules.position(("all .",), "turn 2 MOVE KGVS\nGA-3 POOL\nA-509 1006\n")
    log = Log(rules, start, SEATS)
    hand = Place(map="German hand", x=60, y=60)
    log.show(
        Drawn(step=1, piece=_thing("GA-3"), deck="PoolGerman", end=hand),
        own("DRAW side=German turn=2"),
    )
    return Mutant("an asset is drawn while units move", "DZ-1.4b", log, log.length)


def _thing(piece: str) -> Thing:
    return Thing(id=piece, name=piece)


def _way(piece: str, start: str, end: str) -> Moved:
    return Moved(
        step=1,
        piece=_thing(piece),
        start=Place(map="Main", label=start),
        end=Place(map="Main", label=end),
    )


def _hex(rules: DropZone, label: str) -> Hex:
    found = rules.facts.sheet.find(label)
    assert found is not None
    return found


LOG_MUTANTS: dict[str, Make] = {
    "typed roll": _typed_roll,
    "typed roll like the module's": _typed_roll_like_own,
    "typed drop": _typed_drop,
    "typed loss": _typed_change(
        "DZ: LOSS unit=1-I-933 hex=1005 from=2 to=1 cause=COMBAT attack=1", "a loss is typed"
    ),
    "typed loss like the module's": _typed_change(
        "* DZ: LOSS unit=1-I-933 hex=1005 from=2 to=1 cause=COMBAT attack=1",
        "a loss is typed as the module writes it",
    ),
    "typed gain": _typed_change(
        "DZ: GAIN unit=B-509 hex=2010 from=1 to=2 cause=RP", "a gain is typed"
    ),
    "typed liberation": _typed_change(
        "DZ: LIB objective=G-La-Motte to=ALLIED cause=VACANT", "a liberation is typed"
    ),
    "typed garrison": _typed_change(
        "DZ: GARRISON objective=G-La-Motte pay=STEP", "a garrison is typed"
    ),
    "typed chit": _typed_change("DZ: CHIT cmd=517PRCT by=draw n=2", "a chit is typed"),
    "typed reveal": _typed_change("DZ: REVEAL unit=A-509 cause=DEFEND", "a reveal is typed"),
    "typed draw": _typed_change("DZ: DRAW side=Allied turn=2", "a draw is typed"),
    "typed asset": _typed_change(
        "DZ: ASSET id=AA-7 side=Allied kind=INDIRECT mode=IF attack=1", "an asset is typed"
    ),
    "typed points": _typed_change("DZ: VP turn=2 value=25", "victory points are typed"),
    "roll undone": _undone_roll,
    "rolled twice": _twice,
    "taken back": _back_after_dice,
    "observer": _observer,
    "other seat": _other_seat,
    "other's phase": _others_line(
        "DZ: PHASE turn=2 step=ENDACT cmd=KGVS", "the other side ends the activation by a line"
    ),
    "other's attack": _others_line(
        "DZ: ATTACK n=2 target=1410", "the other side announces an attack by a line"
    ),
    "other's attacker": _others_line(
        "DZ: JOIN attack=1 unit=2-I-933 hex=1106", "the other side adds an attacker by a line"
    ),
    "ruling of one": _one_sided,
    "ruling of one twice": _twice_one_sided,
    "put down": _put_down,
    "taken off": _taken_off,
    "deleted": _deleted,
    "changed": _changed_without_line,
    "drawn late": _asset_from_pool,
}
"""Each by a short name; what was done stands in the mutant."""
