"""Mutants of a legal game: one or a few of its actions left out, changed or put in between.

The game is ``fixtures/dropzone_game.txt``. A mutant is played from the beginning of the activation
(or opening, or end of a turn) that it changes to the end of it, so that whatever it does to what
comes after shows as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dropzone_mutants import Log, Mutant

from builder.rulesets.dropzone.ruleset import DropZone
from builder.rulesets.dropzone.state import State

__all__ = ["EDITS", "NEEDS_LINES", "Edit", "Script"]

GAME = Path(__file__).with_name("fixtures") / "dropzone_game.txt"
_BORDERS = ("step=INIT", "step=ENDTURN", "step=ASSETDRAW")


@dataclass(frozen=True)
class Edit:
    """What was done otherwise than in the legal game.

    ``do`` maps a line of the game to the lines that stand for it: none if it is left out.
    ``besides``: rows of what truly remains wrong after it, as the name says. ``until`` is the line
    with which the log ends, if not the last of the activation.
    """

    name: str
    row: str
    do: Mapping[str, Sequence[str]]
    ruling: str = "illegal"
    besides: tuple[str, ...] = ()
    until: str = ""
    is_found_later: bool = False
    """Whether only what follows shows it: what is left out, or must be put right by then."""


class Script:
    """Lines of actions, and the state before each."""

    def __init__(self, rules: DropZone, start: State, lines: Sequence[str]) -> None:
        """Play them."""
        self.rules = rules
        self.lines = list(lines)
        self.states: list[State] = [start]
        for line in self.lines:
            self.states.append(rules.apply(self.states[-1], rules.read_action(line)))

    @classmethod
    def legal_game(cls, rules: DropZone) -> Script:
        """Return the legal game."""
        lines = GAME.read_text(encoding="utf-8").splitlines()
        return cls(rules, rules.start(), [line for line in lines if not line.startswith("#")])

    def log(self, first: int = 0, last: int | None = None) -> Log:
        """Return the log of a part of it."""
        return Log(self.rules, self.states[first]).acts(self.lines[first:last])

    def mutant(self, edit: Edit) -> Mutant:
        """Return the log of an edit."""
        places = [self.lines.index(line) for line in edit.do]
        first = next(
            (n for n in range(min(places), 0, -1) if self.lines[n].endswith(_BORDERS)),
            0,
        )
        if edit.until:
            end = self.lines.index(edit.until, max(places)) + 1
        else:
            end = next(
                (
                    n + 1
                    for n in range(max(places) + 1, len(self.lines))
                    if self.lines[n].endswith(_BORDERS)
                ),
                len(self.lines),
            )
        log = Log(self.rules, self.states[first])
        step = last = 0
        for line in self.lines[first:end]:
            if line in edit.do and not step:
                step = log.length + 1
            log.acts(edit.do.get(line, (line,)))
            if edit.do.get(line):
                last = log.length
        last = 0 if edit.is_found_later else last
        return Mutant(edit.name, edit.row, log, step, edit.ruling, edit.besides, last)


def _after(line: str, *more: str) -> dict[str, Sequence[str]]:
    return {line: (line, *more)}


def _before(line: str, *more: str) -> dict[str, Sequence[str]]:
    return {line: (*more, line)}


_SETUP = (
    Edit(
        "a unit stays in its box when the others drop",
        "DZ-1.2z",
        {"DROP unit=FFI-6 white=5 red=2 to=1511": ()},
    ),
    Edit(
        "a unit is put onto a German garrison, where its dice do not take it",
        "DZ-2c",
        {"DROP unit=A-509 white=4 red=1 to=1614": ("DROP unit=A-509 white=3 red=1 to=1714",)},
        "warning",
    ),
    Edit(
        "a garrison is taken off before the game begins",
        "DZ-1.2l",
        _before("PHASE turn=1 step=INIT", "ALTER piece=G-Callas steps=0"),
        besides=("DZ-2a",),  # and so it is missing when the game begins
        until="PHASE turn=1 step=INIT",
    ),
)

_SEQUENCE = (
    Edit(
        "the tracker leaves out combat",
        "DZ-3a",
        {"PHASE turn=1 step=COMBAT command=KGVS": ()},
    ),
    Edit(
        "the tracker goes back to movement after combat has begun",
        "DZ-3a",
        _after(
            "PHASE turn=1 step=COMBAT command=KGVS",
            "PHASE turn=1 step=MOVE command=KGVS",
            "PHASE turn=1 step=COMBAT command=KGVS",
        ),
    ),
    Edit(
        "148 Res. Div. acts first in turn 1",
        "DZ-3.2a",
        {
            "CHIT command=KGVS means=fixed": ("CHIT command=148RD means=fixed",),
            "PHASE turn=1 step=RP command=KGVS": ("PHASE turn=1 step=RP command=148RD",),
        },
        until="PHASE turn=1 step=RP command=KGVS",
    ),
    Edit(
        "a Command begins, and no chit was drawn",
        "DZ-3.2b",
        {"CHIT command=2IPBG means=draw": ()},
    ),
    Edit(
        "the chit of a Command that has acted comes out again",
        "DZ-3.2c",
        {"PHASE turn=2 step=RP command=2IPBG": ("CHIT command=517PRCT means=draw",)},
        until="PHASE turn=2 step=RP command=2IPBG",
    ),
    Edit(
        "the turn ends before the last Command has acted",
        "DZ-3.3d",
        {"CHIT command=2IPBG means=fixed": ("PHASE turn=1 step=ENDTURN",)},
        until="CHIT command=2IPBG means=fixed",
    ),
    Edit(
        "the chits stay out of the cup",
        "DZ-3.4a",
        {"RETURN_CHITS commands=KGVS,148RD,517PRCT,2IPBG": ()},
        until="CHIT command=517PRCT means=draw",
    ),
    Edit(
        "the turn-4 assets stay in their box",
        "DZ-3.4b",
        {
            "POOL_LATE assets=AA-8,AA-9,AA-10,AA-11,AA-12,GA-7,GA-8,GA-9,GA-10": (),
        },
        "warning",
    ),
    Edit(
        "a side draws three assets instead of two",
        "DZ-1.4b",
        _after("DRAW_ASSET side=German asset=GA-6", "DRAW_ASSET side=German asset=GA-1"),
        "warning",
    ),
    Edit(
        "a side draws one asset too few",
        "DZ-1.4b",
        {"DRAW_ASSET side=German asset=GA-6": ()},
        "warning",
    ),
    Edit(
        "an Initiative asset is used after the first chit",
        "DZ-1.4g",
        {
            "CHIT command=2IPBG means=draw": (
                "USE asset=AA-1 mode=FIRST command=2IPBG",
                "CHIT command=2IPBG means=asset",
            )
        },
    ),
    Edit(
        "a draw chooses the Command for which an Initiative asset was played",
        "DZ-3.2b",
        _after("CHIT command=517PRCT means=asset", "CHIT command=KGVS means=draw"),
        until="CHIT command=517PRCT means=asset",
    ),
)

_POINTS = (
    Edit(
        "a point too many for the turn",
        "DZ-4.1a",
        _after("GAIN unit=D-2-517 cause=RP", "GAIN unit=A-509 cause=RP"),
        "warning",
        until="PHASE turn=4 step=RU command=517PRCT",
    ),
    Edit(
        "a unit gains a step while units move",
        "DZ-4.1c",
        {
            "GAIN unit=B-1-517 cause=RP": (),
            "PHASE turn=2 step=MOVE command=517PRCT": (
                "PHASE turn=2 step=MOVE command=517PRCT",
                "GAIN unit=B-1-517 cause=RP",
            ),
        },
    ),
    Edit(
        "one unit gets both points",
        "DZ-4.1.1",
        {"GAIN unit=A-4Para cause=RP": ("GAIN unit=B-550 cause=RP",)},
        until="PHASE turn=4 step=RU command=2IPBG",
    ),
    Edit(
        "a unit of full strength gains a step",
        "DZ-4.1x",
        {"GAIN unit=D-2-517 cause=RP": ("GAIN unit=C-551 cause=RP",)},
        until="PHASE turn=4 step=RU command=517PRCT",
    ),
    Edit(
        "a unit of the other Command gains a step",
        "DZ-4.1.3",
        {"GAIN unit=B-1-517 cause=RP": ("GAIN unit=A-6Para cause=RP",)},
        until="PHASE turn=2 step=RU command=517PRCT",
    ),
    Edit(
        "a unit returns far from its zone",
        "DZ-4.1.4b",
        {"RETURN unit=A-509 to=1715": ("RETURN unit=A-509 to=1209",)},
        until="PHASE turn=3 step=RU command=517PRCT",
    ),
    Edit(
        "a unit returns with two steps",
        "DZ-4.1.4a",
        {"RETURN unit=A-509 to=1715": ("RETURN unit=A-509 to=1715 steps=2",)},
        until="PHASE turn=3 step=RU command=517PRCT",
    ),
    Edit(
        "an eliminated unit is dragged back onto the map",
        "DZ-4.1.4a",
        {"RETURN unit=A-509 to=1715": ("RELOCATE piece=A-509 to=1715",)},
        until="PHASE turn=3 step=RU command=517PRCT",
    ),
    Edit(
        "Germans gain a step, and no Regroup was played",
        "DZ-4.1a",
        {"USE asset=GA-2 mode=RP": (), "DISCARD asset=GA-2": ()},
    ),
    Edit(
        "Regroup is played in the step of movement",
        "DZ-1.4l",
        {
            "USE asset=GA-2 mode=RP": (),
            "GAIN unit=148-Recon cause=REGROUP": (),
            "PHASE turn=2 step=MOVE command=148RD": (
                "PHASE turn=2 step=MOVE command=148RD",
                "USE asset=GA-2 mode=RP",
            ),
        },
    ),
    Edit(
        "a garrison comes back, and nothing is paid",
        "DZ-6c",
        _after(
            "BUY_GARRISON garrison=G-Flayosc pay=REGROUP",
            "BUY_GARRISON garrison=G-Roquebrune-sur-Argens",
        ),
        until="PHASE turn=3 step=RU command=KGVS",
    ),
)

_MOVES = (
    Edit(
        "a company marches across the map",
        "DZ-5.1c",
        {"MOVE unit=189-Assault to=1009": ("MOVE unit=189-Assault to=2004",)},
    ),
    Edit(
        "a unit of the other Command moves",
        "DZ-1.3a",
        _after("MOVE unit=LXII-Alarm to=0907", "MOVE unit=1-I-765 to=1913"),
    ),
    Edit(
        "a unit moves when combat has begun",
        "DZ-3.3c",
        {
            "MOVE unit=LXII-Alarm to=0907": (),
            "PHASE turn=1 step=COMBAT command=KGVS": (
                "PHASE turn=1 step=COMBAT command=KGVS",
                "MOVE unit=LXII-Alarm to=0907",
            ),
        },
    ),
    Edit(
        "two units end their movement in one hex",
        "DZ-5.1l",
        _after("MOVE unit=C-509 to=1715", "MOVE unit=A-509 to=1715"),
        until="PHASE turn=1 step=COMBAT command=517PRCT",
        is_found_later=True,  # in passing they may be
    ),
    Edit(
        "a unit walks into a hex that Germans hold",
        "DZ-5.1i",
        _after("MOVE unit=B-6Para to=1312", "MOVE unit=B-4Para to=1610"),
        "warning",
        until="PHASE turn=2 step=COMBAT command=2IPBG",
    ),
    Edit(
        "a unit walks into the hex of an enemy garrison",
        "DZ-5.1o",
        _after("MOVE unit=FFI-1 to=0913", "MOVE unit=D-2-517 to=0914"),
        until="PHASE turn=1 step=COMBAT command=517PRCT",
    ),
    Edit(
        "a reinforcement comes on while attacks are made",
        "DZ-4.2.3a",
        {
            "MOVE unit=G-3-517 to=1809": (),
            "PHASE turn=2 step=COMBAT command=517PRCT": (
                "PHASE turn=2 step=COMBAT command=517PRCT",
                "MOVE unit=G-3-517 to=1809",
            ),
        },
    ),
    Edit(
        "a reinforcement comes a turn too early",
        "DZ-3.3b",
        _after("RECEIVE unit=463 area=F", "RECEIVE unit=191-Tank area=G"),
        "warning",
    ),
    Edit(
        "a reinforcement is laid beside an area that is not its own",
        "DZ-4.2.3b",
        {"RECEIVE unit=FFI-4 area=C": ("RECEIVE unit=FFI-4 area=G",)},
        "warning",
        until="PHASE turn=2 step=MOVE command=517PRCT",
    ),
    Edit(
        "one random unit too many is drawn",
        "DZ-4.2.2",
        _after("DRAW_UNIT unit=148-AP", "DRAW_UNIT unit=148-Alarm"),
        "warning",
    ),
    Edit(
        "a unit lands before the first is out of its way",
        "DZ-4.2.4e",
        {"DISPLACE unit=A-6Para to=1112": ()},
        until="LAND unit=A-551 to=1211",
    ),
    Edit(
        "one makes room three hexes away",
        "DZ-4.2.4e",
        {"DISPLACE unit=A-6Para to=1112": ("DISPLACE unit=A-6Para to=1508",)},
        until="LAND unit=A-551 to=1211",
    ),
    Edit(
        "a unit lands far from its zone",
        "DZ-4.2.4a",
        {"LAND unit=C-551 to=1211": ("LAND unit=C-551 to=1905",)},
        until="PHASE turn=3 step=MOVE command=517PRCT",
    ),
)

_TAKES = "ATTACK n=13 target=1513"
_COMBAT = (
    Edit(
        "a die too many for the attacker",
        "DZ-5.2.5",
        {
            "ROLL side=Allied kind=COMBAT faces=miss,infantry,miss,infantry attack=13": (
                "ROLL side=Allied kind=COMBAT faces=miss,infantry,miss,infantry,miss attack=13",
            )
        },
        "warning",
    ),
    Edit(
        "a die too few for the defender",
        "DZ-5.2.5",
        {
            "ROLL side=German kind=COMBAT faces=miss attack=13": (
                "ROLL side=German kind=COMBAT attack=13",
            )
        },
        "warning",
    ),
    Edit(
        "the hill is forgotten by the attacker",
        "DZ-5.2.5b",
        {
            "ROLL side=Allied kind=COMBAT faces=infantry,miss,miss,infantry,armor attack=4": (
                "ROLL side=Allied kind=COMBAT attack=4 faces=infantry,miss,miss,infantry,armor,"
                "miss",
            )
        },
    ),
    Edit(
        "the defender does not roll",
        "DZ-5.2.5",
        {"ROLL side=German kind=COMBAT faces=miss attack=13": ()},
    ),
    Edit(
        "a hit is not taken",
        "DZ-5.2.6a",
        {"LOSE unit=463 cause=COMBAT attack=15": ()},
    ),
    Edit(
        "a unit loses a step, and the dice missed",
        "DZ-1.2f",
        _after(
            "ROLL side=German kind=COMBAT faces=miss attack=16",
            "LOSE unit=FFI-4 cause=COMBAT attack=16",
        ),
    ),
    Edit(
        "a unit loses two steps to one hit",
        "DZ-5.2.6a",
        _after(
            "LOSE unit=463 cause=COMBAT attack=15",
            "LOSE unit=463 cause=COMBAT attack=15",
        ),
    ),
    Edit(
        "a unit loses a step, and nobody has rolled",
        "DZ-1.2l",
        _after(
            "PHASE turn=2 step=COMBAT command=517PRCT",
            "LOSE unit=B-1-517 cause=COMBAT",
        ),
        until="ATTACK n=10 target=1009",
    ),
    Edit(
        "dice are thrown, and no attack was announced",
        "DZ-5.2.1a",
        {
            "ATTACK n=10 target=1009": (),
            "JOIN n=10 unit=B-1-517": (),
            "JOIN n=10 unit=C-1-517": (),
            "JOIN n=10 unit=E-2-517": (),
            "COMMIT side=German attack=10 asset=GA-6": (),
            "USE asset=GA-6 mode=IF attack=10": (),
            "ROLL side=German kind=IF faces=miss,miss attack=10": (),
            "ROLL side=Allied kind=COMBAT faces=armor,miss,armor,infantry,miss attack=10": (
                "ROLL side=Allied kind=COMBAT faces=miss,miss attack=9",
            ),
            "ROLL side=German kind=COMBAT faces=miss,miss,miss attack=10": (),
            "LOSE unit=189-Assault cause=COMBAT attack=10": (),
            "LOSE unit=G-Trans-en-Provence cause=COMBAT attack=10": (),
            "ADVANCE unit=B-1-517 to=1009 attack=10": (),
            "LIBERATE garrison=G-Trans-en-Provence cause=COMBAT": (),
            "DISCARD asset=GA-6": (),
        },
        "warning",
        until="ATTACK n=11 target=1612",
    ),
    Edit(
        "a unit attacks for the second time in an activation",
        "DZ-5.2b",
        {"JOIN n=14 unit=FFI-2": ("JOIN n=14 unit=FFI-2", "JOIN n=14 unit=C-1-517")},
        until="JOIN n=14 unit=FFI-2",
    ),
    Edit(
        "a unit joins an attack on a hex far from it",
        "DZ-5.2a",
        _after("JOIN n=13 unit=C-509", "JOIN n=13 unit=463"),
        until="JOIN n=13 unit=C-509",
    ),
    Edit(
        "a unit of the other Command joins without a Coordinated Attack",
        "DZ-1.4i",
        _after("JOIN n=11 unit=B-509", "JOIN n=11 unit=B-6Para"),
        until="ROLL side=Allied kind=IF faces=miss,miss attack=11",
        is_found_later=True,  # the asset may be played until dice fall
    ),
    Edit(
        "an attacker stays hidden when dice fall",
        "DZ-5.2.3",
        {"REVEAL unit=FFI-2 cause=ATTACK": ()},
    ),
    Edit(
        "a unit that only moves is revealed",
        "DZ-1.2aa",
        _after("MOVE unit=FFI-2 to=1210", "REVEAL unit=FFI-2 cause=ATTACK"),
        "warning",
        until="PHASE turn=2 step=COMBAT command=517PRCT",
    ),
    Edit(
        "an unused hex is attacked",
        "DZ-5.1j",
        {_TAKES: (_TAKES, "ATTACK n=14 target=0301")},
        until=_TAKES,
    ),
    Edit(
        "two units go into the hex that was emptied",
        "DZ-5.2.7",
        _after(
            "ADVANCE unit=A-1-517 to=1513 attack=13",
            "ADVANCE unit=C-509 to=1513 attack=13",
        ),
        until="LIBERATE garrison=G-Junction-N7-D25 cause=COMBAT",
    ),
    Edit(
        "the liberated junction gets no garrison",
        "DZ-6f",
        {"LIBERATE garrison=G-Junction-N7-D25 cause=COMBAT": ()},
    ),
    Edit(
        "an objective is liberated while Germans stand in it",
        "DZ-6f",
        _after(
            "PHASE turn=2 step=MOVE command=517PRCT",
            "LIBERATE garrison=G-Vidauban cause=COMBAT",
        ),
        until="PHASE turn=2 step=COMBAT command=517PRCT",
    ),
    Edit(
        "an asset is used a second time",
        "DZ-1.4c",
        {
            "COMMIT side=Allied attack=26 asset=AA-7": (
                "COMMIT side=Allied attack=26 asset=AA-7",
                "COMMIT side=German attack=26 asset=GA-6",
            ),
            "COMMIT side=German attack=26 asset=GA-4": (),
        },
        until="COMMIT side=German attack=26 asset=GA-4",
    ),
    Edit(
        "the defender lays his asset before the attacker does",
        "DZ-5.2.1c",
        {
            "COMMIT side=Allied attack=26 asset=AA-7": (
                "COMMIT side=German attack=26 asset=GA-4",
                "COMMIT side=Allied attack=26 asset=AA-7",
            ),
            "COMMIT side=German attack=26 asset=GA-4": (),
        },
        "warning",
    ),
    Edit(
        "combat is rolled before the fire of an asset",
        "DZ-5.2.4a",
        {
            "ROLL side=German kind=IF faces=miss,miss attack=10": (),
            "ROLL side=Allied kind=COMBAT faces=armor,miss,armor,infantry,miss attack=10": (
                "ROLL side=Allied kind=COMBAT faces=armor,miss,armor,infantry,miss attack=10",
                "ROLL side=German kind=IF faces=miss,miss attack=10",
            ),
        },
        until="ROLL side=Allied kind=COMBAT faces=armor,miss,armor,infantry,miss attack=10",
    ),
    Edit(
        "an asset throws a die too many",
        "DZ-1.4d",
        {
            "ROLL side=German kind=IF faces=miss,miss attack=10": (
                "ROLL side=German kind=IF faces=miss,miss,miss,miss attack=10",
            )
        },
        "warning",
    ),
    Edit(
        "a garrison is moved",
        "DZ-1.2q",
        _before("ATTACK n=13 target=1513", "RELOCATE piece=G-Vidauban to=0615"),
        until="ATTACK n=14 target=1111",
    ),
    Edit(
        "a unit is taken off the map",
        "DZ-1.2l",
        _before("ATTACK n=13 target=1513", "RELOCATE piece=1-I-765 to=ElimGerman"),
        until="ATTACK n=14 target=1111",
    ),
)

_VICTORY = (
    Edit(
        "ten points are recorded after turn 3 for nine",
        "DZ-7d",
        {"SET_VP value=9": ("SET_VP value=10",)},
    ),
    Edit(
        "the final sum is a point too high",
        "DZ-7g",
        {"SET_VP value=19": ("SET_VP value=20",)},
    ),
    Edit(
        "the wrong level is declared",
        "DZ-7h",
        {"DECLARE level=Allied_Marginal_Victory": ("DECLARE level=Allied_Decisive_Victory",)},
    ),
    Edit(
        "points are set in turn 2",
        "DZ-7a",
        _before("PHASE turn=2 step=INIT", "SET_VP value=4"),
        "warning",
    ),
)

TWISTS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "a unit that came on is taken back, and comes on again": _after(
        "MOVE unit=G-3-517 to=1809",
        "RELOCATE piece=G-3-517 to=EntryD",
        "MOVE unit=G-3-517 to=1809",
    ),
    "a unit goes back and forth": _after(
        "MOVE unit=G-3-517 to=1809", "MOVE unit=G-3-517 to=1909", "MOVE unit=G-3-517 to=1809"
    ),
    "an asset that lay face down is taken up for another one": {
        "COMMIT side=Allied attack=26 asset=AA-7": (
            "COMMIT side=Allied attack=26 asset=AA-2",
            "RELOCATE piece=AA-2 to=HandAllied",
            "COMMIT side=Allied attack=26 asset=AA-7",
        )
    },
    "an attacker joins, leaves and joins again": _after(
        "JOIN n=13 unit=C-509", "LEAVE n=13 unit=C-509", "JOIN n=13 unit=C-509"
    ),
}
"""What looks odd and breaks nothing."""

NEEDS_LINES = frozenset(
    {
        # steps of the sequence that nobody has shown are what the counters need
        "a unit stays in its box when the others drop",
        "the tracker leaves out combat",
        "the tracker goes back to movement after combat has begun",
        "a Command begins, and no chit was drawn",
        "the turn ends before the last Command has acted",
        "the turn-4 assets stay in their box",
        "a side draws one asset too few",
        "a draw chooses the Command for which an Initiative asset was played",
        "a unit of the other Command gains a step",
        "a unit of the other Command moves",
        "a unit moves when combat has begun",
        "two units end their movement in one hex",
        "a reinforcement comes on while attacks are made",
        # words alone
        "an unused hex is attacked",
        "the wrong level is declared",
        # how a garrison is paid for, if not by its own property
        "a garrison comes back, and nothing is paid",
    }
)
"""Mutants that show nothing, or something else, in a log without the module's lines."""

EDITS = (*_SETUP, *_SEQUENCE, *_POINTS, *_MOVES, *_COMBAT, *_VICTORY)
"""Every mutant of the legal game."""
