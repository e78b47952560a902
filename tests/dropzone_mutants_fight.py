"""The rulebook's examples 1 to 3 as a log, and the ten mistakes that a checker must catch in it.

KGr von Schwerin attacks Roche Rousse with an assault gun and two companies. Typed from the
rulebook: places, dice and losses are those of its text.
"""

from __future__ import annotations

from dropzone_mutants_game import Edit, Script

from builder.rulesets.dropzone.ruleset import DropZone

__all__ = ["ROCHE_ROUSSE", "roche_rousse"]

GIVEN = """
turn 4 COMBAT KGVS
242-AG 0810
1-I-933 0911
2-I-933 0912
3-I-933 0614
A-1-517 0811
B-1-517 0711
G-Roche-Rousse Allied
GA-3 HAND
AA-9 HAND
"""
JOINS = tuple(f"JOIN n=1 unit={unit}" for unit in ("242-AG", "1-I-933", "2-I-933"))
FIRE_ON_GUN = "LOSE unit=1-I-933 cause=IF attack=1"
GERMAN = "ROLL side=German kind=COMBAT faces=armor,ffi,ffi,miss,miss attack=1"
ALLIED = "ROLL side=Allied kind=COMBAT faces=armor,infantry,miss attack=1"
ENDS = (
    "LOSE unit=A-1-517 cause=COMBAT attack=1",
    "LOSE unit=G-Roche-Rousse cause=COMBAT attack=1",
    "LOSE unit=242-AG cause=COMBAT attack=1",
    "LOSE unit=1-I-933 cause=COMBAT attack=1",
)
ADVANCE = "ADVANCE unit=2-I-933 to=0811 attack=1"
END = "PHASE turn=4 step=ENDACT command=KGVS"
LINES = (
    "ATTACK n=1 target=0811",
    *JOINS,
    "COMMIT side=German attack=1 asset=GA-3",
    "COMMIT side=Allied attack=1 asset=AA-9",
    "USE asset=GA-3 mode=IF attack=1",
    "USE asset=AA-9 mode=IF attack=1",
    "ROLL side=German kind=IF faces=airborne,ffi,ffi attack=1",
    "ROLL side=Allied kind=IF faces=infantry attack=1",
    "LOSE unit=A-1-517 cause=IF attack=1",
    FIRE_ON_GUN,
    GERMAN,
    ALLIED,
    *ENDS,
    ADVANCE,
    END,
)


def roche_rousse(rules: DropZone) -> Script:
    """Return the fight as the rulebook tells it."""
    return Script(rules, rules.position((), GIVEN), LINES)


ROCHE_ROUSSE = (
    Edit(
        "the FFI garrison is removed on the asset roll, though A Company shields it",
        "DZ-1.2x",
        {
            "LOSE unit=A-1-517 cause=IF attack=1": (
                "LOSE unit=A-1-517 cause=IF attack=1",
                "LOSE unit=G-Roche-Rousse cause=IF attack=1",
            )
        },
        until=FIRE_ON_GUN,
    ),
    Edit(
        "the infantry face is applied to the assault gun",
        "DZ-1.2b",
        {FIRE_ON_GUN: ("LOSE unit=242-AG cause=IF attack=1",)},
        until=FIRE_ON_GUN,
    ),
    Edit(
        "the German rolls six dice: the lost step or the hill explains it",
        "DZ-5.2.5",
        {GERMAN: ("ROLL side=German kind=COMBAT faces=armor,ffi,ffi,miss,miss,miss attack=1",)},
    ),
    Edit(
        "the German rolls six dice for a full 1st Company: without the hill",
        "DZ-5.2.5b",
        {
            "ROLL side=Allied kind=IF faces=infantry attack=1": (
                "ROLL side=Allied kind=IF faces=miss attack=1",
            ),
            FIRE_ON_GUN: (),
            GERMAN: (
                "ROLL side=German kind=COMBAT faces=armor,ffi,ffi,miss,miss,miss,miss attack=1",
            ),
        },
    ),
    Edit(
        "the German rolls four dice and leaves the lost step out twice",
        "DZ-5.2.5",
        {GERMAN: ("ROLL side=German kind=COMBAT faces=armor,ffi,ffi,miss attack=1",)},
    ),
    Edit(
        "the Ally rolls two dice and forgets hill or garrison",
        "DZ-5.2.5b",
        {ALLIED: ("ROLL side=Allied kind=COMBAT faces=armor,infantry attack=1",)},
    ),
    Edit(
        "the armor face is applied to 2nd Company while the assault gun stands",
        "DZ-5.2.6b",
        {
            "LOSE unit=242-AG cause=COMBAT attack=1": ("LOSE unit=2-I-933 cause=COMBAT attack=1",),
        },
        is_found_later=True,  # until 1st Company loses a step too, it is the infantry face
    ),
    Edit(
        "the eliminated 1st Company advances",
        "DZ-5.2.7",
        {ADVANCE: ("ADVANCE unit=1-I-933 to=0811 attack=1",)},
        until=ADVANCE,
    ),
    Edit(
        "no one advances, and the FFI garrison is not placed again",
        "DZ-6j",
        {ADVANCE: ()},
    ),
    Edit(
        "the Allied asset fires its anti-tank value, and the infantry face scores",
        "DZ-5.2.4c",
        {
            "USE asset=AA-9 mode=IF attack=1": ("USE asset=AA-9 mode=AT attack=1",),
            "ROLL side=Allied kind=IF faces=infantry attack=1": (
                "ROLL side=Allied kind=AT faces=infantry,miss,miss attack=1",
            ),
            FIRE_ON_GUN: ("LOSE unit=1-I-933 cause=AT attack=1",),
        },
    ),
    Edit(
        "2nd Company attacks again in the same activation",
        "DZ-5.2b",
        {ADVANCE: (ADVANCE, "ATTACK n=2 target=0711", "JOIN n=2 unit=2-I-933")},
        until=ADVANCE,
    ),
)
"""The ten of the rulebook's examples, one of them with both explanations of its six dice."""
