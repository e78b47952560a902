"""One game of the main module as a caller gives it: every action that the recorder's page lists.

Things are named by their counters' ids and places by their labels, as a rule set knows them; what
VASSAL does by itself is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from builder.gamebox.events import (
    Changed,
    Concealed,
    Drawn,
    Event,
    Moved,
    Place,
    PropertyChanged,
    Rolled,
    Said,
    Thing,
    TurnChanged,
    Undone,
)

__all__ = ["Action", "actions"]

NOWHERE = Place()


class Action(NamedTuple):
    """A step: what is told, by whom, whether by hand; the lines that all see."""

    events: tuple[Event, ...]
    by: str = "Allied"
    dragged: bool = False
    adds: tuple[str, ...] = ()
    """Lines that the recorder writes by itself, before those that are told."""

    @property
    def lines(self) -> list[str]:
        """The chat of the step, as VASSAL shows it."""
        told = []
        for event in self.events:
            if isinstance(event, Said):
                told.append(event.words if event.speaker is None else _typed(event))
            elif isinstance(event, Rolled):
                told.append(event.report)
        return [*self.adds, *told]


def _typed(event: Said) -> str:
    return f"<{event.speaker}> - {event.words}"


def line(words: str) -> Said:
    return Said(step=0, words=f"* DZ: {words}")


def changed(unit: str, name: str, new: str, old: str | None = None) -> Changed:
    return Changed(step=0, piece=Thing(unit, ""), at=NOWHERE, name=name, old=old, new=new)


def moved(unit: str, end: str | Place) -> Moved:
    place = end if isinstance(end, Place) else Place(label=end)
    return Moved(step=0, piece=Thing(unit, ""), start=NOWHERE, end=place)


def drawn(unit: str, deck: str, end: str | Place) -> Drawn:
    place = end if isinstance(end, Place) else Place(label=end)
    return Drawn(step=0, piece=Thing(unit, ""), deck=deck, end=place)


def masked(unit: str, by: str | None = None, *, is_on: bool) -> Concealed:
    return Concealed(step=0, piece=Thing(unit, ""), at=NOWHERE, how="mask", is_on=is_on, by=by)


def prop(name: str, old: str, new: str) -> PropertyChanged:
    return PropertyChanged(step=0, name=name, old=old, new=new, container="Module")


def turn(words: str, text: str) -> Action:
    changes = TurnChanged(step=0, tracker="Turn", old="", new=text)
    return Action((line(words), changes), "Solo")


HAND = Place("Allied hand", 60, 60)
DECK = Place(deck="PoolAllied")


def actions() -> Iterator[Action]:
    """The game."""
    yield turn("PHASE turn=1 step=INIT cmd=none", "Turn 1 1st INIT")
    yield Action((prop("ChitNo", "0", "1"), prop("ActiveCmd", "none", "KGVS"),
                  line("CHIT cmd=KGVS by=fixed n=1")), "German")  # fmt: skip
    for number, (unit, white, red, end) in enumerate(
        (("A-1-517", "6", "4", "1010"), ("B-1-517", "1", "1", "1210")), 1
    ):
        yield Action(
            (
                prop("DropNo", str(number - 1), str(number)),
                changed(unit, "Alias", f"H{number}"),
                changed(unit, "White", white, "0"),
                changed(unit, "Red", red, "0"),
                moved(unit, end),
                line(f"DROP unit=H{number} aim=1211 white={white} red={red} hex={end}"),
            )
        )
    yield turn("PHASE turn=1 step=MOVE cmd=KGVS", "Turn 1 1st MOVE")
    yield Action((moved("A-1-517", "1210"),), dragged=True,
                 adds=("* Hidden unit moves 1010 -> 1210",))  # fmt: skip
    yield Action((moved("A-1-517", "1511"),), dragged=True,
                 adds=("* Hidden unit moves 1210 -> 1511",))  # fmt: skip
    yield Action((moved("1-I-765", "1713"), moved("2-I-765", "1713")), "German", dragged=True,
                 adds=("* 1 Co I/765 (2) moves 2014 -> 1713",
                       "* 2 Co I/765 (2) moves 1812 -> 1713"))  # fmt: skip
    yield Action((Undone(step=0, undone_step=None),), "German",
                 adds=("* UNDO: * 2 Co I/765 (2) moves 1812 -> 1713",
                       "* UNDO: * 1 Co I/765 (2) moves 2014 -> 1713"))  # fmt: skip
    yield Action((moved("G-3-517", "EntryD"),), dragged=True,
                 adds=("* G Co 3/517 (2) moves AlliedT2 -> EntryD",))  # fmt: skip
    yield Action((moved("G-3-517", "2408"), line("ENTER unit=G-3-517 area=D hex=2408")),
                 dragged=True, adds=("* G Co 3/517 (2) moves EntryD -> 2408",))  # fmt: skip
    yield from _attack()
    yield from _assets()
    yield from _chits_and_garrison()


def _attack() -> Iterator[Action]:
    yield Action((prop("AttackNo", "0", "1"), line("ATTACK n=1 target=1612")))
    for unit, alias, hex_ in (("A-1-517", "H1", "1511"), ("B-1-517", "H2", "1210")):
        yield Action(
            (changed(unit, "Joined", "1", "0"), line(f"JOIN attack=1 unit={alias} hex={hex_}"))
        )
    yield Action((line("LEAVE attack=1 unit=H2 hex=1210"), changed("B-1-517", "Joined", "0")))
    yield Action((changed("A-1-517", "Revealed", "1"), changed("A-1-517", "Cause", "ATTACK"),
                  masked("A-1-517", is_on=False),
                  line("REVEAL unit=A-1-517 alias=H1 hex=1511 cause=ATTACK")))  # fmt: skip
    yield Action((changed("Dice-Allied", "N", "2", "0"), changed("Dice-Allied", "Kind", "COMBAT"),
                  changed("Dice-Allied", "Faces", "armor,miss"),
                  line("ROLL kind=COMBAT side=Allied attack=1 n=2 faces=armor,miss")))  # fmt: skip
    yield Action((changed("Dice-German", "Kind", "COMBAT"),
                  line("ROLL kind=COMBAT side=German attack=1 n=0")), "German")  # fmt: skip
    yield Action((changed("A-1-517", "Cause", "COMBAT"), changed("A-1-517", "Steps", "1", "2"),
                  line("LOSS unit=A-1-517 hex=1511 from=2 to=1 cause=COMBAT attack=1"),
                  ))  # fmt: skip
    yield Action((changed("A-1-517", "Cause", "RP"), changed("A-1-517", "Steps", "2", "1"),
                  line("GAIN unit=A-1-517 hex=1511 from=1 to=2 cause=RP")))  # fmt: skip
    yield Action((changed("1-I-765", "Cause", "COMBAT"), changed("1-I-765", "Steps", "0", "2"),
                  line("LOSS unit=1-I-765 hex=2014 from=1 to=0 cause=COMBAT attack=1"),
                  moved("1-I-765", "ElimGerman")), "German")  # fmt: skip
    yield Action((Said(step=0, words="*DZ: RESET"), changed("A-1-517", "Joined", "0", "1")))


def _assets() -> Iterator[Action]:
    yield Action((drawn("AA-7", "PoolAllied", HAND), changed("AA-7", "Drawn", "1", "0"),
                  masked("AA-7", "Allied", is_on=True),
                  line("DRAW side=Allied turn=1")))  # fmt: skip
    yield Action((drawn("AA-1", "PoolAllied", Place("Allied hand", 160, 60)),
                  changed("AA-1", "Drawn", "1", "0"), line("DRAW side=Allied turn=1")),
                 dragged=True, adds=("* Asset moves PoolAllied -> offboard",))  # fmt: skip
    yield Action((moved("AA-7", "CommitAllied"), line("ASSET side=Allied attack=1")))
    yield Action((changed("AA-7", "Used", "1", "0"), changed("AA-7", "Mode", "IF"),
                  masked("AA-7", is_on=False),
                  line("ASSET id=AA-7 side=Allied kind=INDIRECT mode=IF attack=1")))  # fmt: skip
    yield Action((moved("AA-7", "UsedAllied"),))
    yield Action((changed("AA-1", "Drawn", "0", "1"), moved("AA-1", DECK)))
    yield Action((changed("AA-7", "Drawn", "0"), changed("AA-7", "Used", "0"),
                  masked("AA-7", "Allied", is_on=True), moved("AA-7", DECK)))  # fmt: skip


def _chits_and_garrison() -> Iterator[Action]:
    chits = ("Chit-KGVS", "Chit-2IPBG")
    yield Action(tuple(e for c in chits for e in (
        changed(c, "Out", "0", "1"), moved(c, Place(deck="ChitCup")))), "German")  # fmt: skip
    yield Action((changed("Chit-2IPBG", "By", "draw", "fixed"), prop("ChitNo", "1", "2"),
                  prop("ActiveCmd", "KGVS", "2IPBG"), changed("Chit-2IPBG", "Out", "1", "0"),
                  drawn("Chit-2IPBG", "ChitCup", "Initiative2"),
                  line("CHIT cmd=2IPBG by=draw n=2")))  # fmt: skip
    yield Action((moved("VP", "VP13"), line("VP turn=1 value=13")), dragged=True,
                 adds=("* VP marker moves VP0 -> VP13",))  # fmt: skip
    muy = "G-Le-Muy"
    yield Action((changed(muy, "Cause", "COMBAT"), changed(muy, "Steps", "0", "2"),
                  line("LOSS unit=G-Le-Muy hex=1612 from=1 to=0 cause=COMBAT attack=1"),
                  moved(muy, "ElimGerman")), "German")  # fmt: skip
    yield Action((changed(muy, "Cause", "COMBAT"), changed(muy, "Holder", "ALLIED", "GERMAN"),
                  changed(muy, "Steps", "1", "0"), moved(muy, "1612"),
                  line("LIB objective=G-Le-Muy to=ALLIED cause=COMBAT")))  # fmt: skip
    yield Action((changed(muy, "Cause", "STEP"), changed(muy, "Holder", "GERMAN", "ALLIED"),
                  line("GARRISON objective=G-Le-Muy pay=STEP")), "German")  # fmt: skip
    yield Action((Said(step=0, words="DZ: RULING rule=5.2 text=a & b", speaker="Alice"),))
    yield Action((Rolled(step=0, dice="d6", result="4", total=4, kept=1,
                         report="* d6 = 4 (Alice)"),))  # fmt: skip
