"""What is played and recorded for the tests of lines, and which lines each deed must write.

Both the tests that record with the real VASSAL and those that read the recorded logs use these
lists. A deed is a line of the engine's script and the lines that it writes, each as
``VERB key=value ...``; keys that are left out may have any value (dice, numbers drawn).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LOGS = Path(__file__).parent / "fixtures" / "logs"
SEED = "seed 1944"


@dataclass(frozen=True, slots=True)
class Deed:
    """One command of the script and the lines it must write; ``typed`` by a player's name."""

    command: str
    lines: tuple[str, ...] = ()
    typed: str | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """A log: who plays which seat, and what he does. The password is made up."""

    name: str
    seat: str
    user: str
    password: str
    deeds: tuple[Deed, ...]
    game: str = "dropzone"
    setup: str = ""
    """The set-up that is loaded, if it is not a new game."""

    @property
    def path(self) -> Path:
        """Where the recorded log is kept."""
        return LOGS / f"{self.game}-{self.name}.vlog"

    def script(self, folder: Path) -> list[str]:
        """The lines of the engine's script; the log is written to *folder*."""
        log = folder / self.path.name
        begin = [f'newgame "{self.seat}"']
        if self.setup:
            begin = [f'setup "{self.setup}"', f'join "{self.seat}"']
        return [*begin, SEED, f"beginlog {log}", *(deed.command for deed in self.deeds), "endlog"]

    def expected(self) -> list[tuple[str | None, str, dict[str, str]]]:
        """(who typed it, verb, fields as text) of every line in order."""
        found = []
        for deed in self.deeds:
            for line in deed.lines:
                verb, *pairs = line.split()
                fields = dict(pair.split("=", 1) for pair in pairs)
                found.append((deed.typed, verb, fields))
        return found


def _do(command: str, *lines: str) -> Deed:
    return Deed(command, lines)


UNIT = "1 Co I/765"  # German, two steps, at 2014
COMPANY = "A Co 1/517"  # Allied, hidden, two steps
LE_MUY = "Garrison Le Muy"


def _menu_deeds() -> Iterator[Deed]:
    """Every entry of every menu that writes a line."""
    yield _do("turn next", "PHASE turn=1 step=INIT cmd=none")
    yield _do("turn prev", "PHASE turn=1 step=SETUP cmd=none")
    yield _do("turn next", "PHASE turn=1 step=INIT cmd=none")
    yield _do(f'command "{COMPANY}" Drop', "DROP unit=H1 aim=1211")
    yield _do('command "A Co 509" Drop', "DROP unit=H2 aim=1613")
    yield _do('command "A Co 4 Para" Drop', "DROP unit=H3 aim=1510")
    for number, (chit, command) in enumerate(
        (("KGr von Schwerin", "KGVS"), ("148 Res. Div.", "148RD"), ("517 PRCT", "517PRCT")), 1
    ):
        yield _do(
            f'command "Chit {chit}" "Activate, order fixed"',
            f"CHIT cmd={command} by=fixed n={number}",
        )
    yield _do(f'command "{LE_MUY}" "Attack this hex"', "ATTACK n=1 target=1612")
    yield _do(f'command "{COMPANY}" "Join the attack"', "JOIN attack=1 unit=H1")
    yield _do(f'command "{COMPANY}" "Leave the attack"', "LEAVE attack=1 unit=H1")
    yield _do(f'command "{COMPANY}" "Join the attack"', "JOIN attack=1 unit=H1")
    yield _do('command "A Co 509" "Join the attack"', "JOIN attack=1 unit=H2")
    yield _do(f'command "{UNIT}" "Attack this hex"', "ATTACK n=2 target=2014")
    yield _do(f'command "{COMPANY}" "Attack this hex"', "ATTACK n=3")
    yield _do(f'command "{COMPANY}" "in combat"', "LOSS unit=H1 from=2 to=1 cause=COMBAT attack=3")
    yield _do(f'command "{COMPANY}" "it attacks"', "REVEAL unit=A-1-517 alias=H1 cause=ATTACK")
    yield _do(f'command "{COMPANY}" "Has advanced after combat"', "ADVANCE unit=A-1-517 attack=1")
    yield _do('command "A Co 509" "it defends"', "REVEAL unit=A-509 alias=H2 cause=DEFEND")
    yield _do('command "A Co 4 Para" "it gains a step"', "REVEAL unit=A-4Para alias=H3 cause=RP")
    yield _do(
        f'command "{COMPANY}" "by a replacement point"', "GAIN unit=A-1-517 from=1 to=2 cause=RP"
    )
    for cause, entry in (
        ("COMBAT", "in combat"),
        ("IF", "to indirect fire"),
        ("AT", "to anti-tank fire"),
        ("LAND", "landing"),
        ("GARRISON", "for a garrison"),
    ):
        yield _do(
            f'command "{UNIT}" "{entry}"',
            f"LOSS unit=1-I-765 hex=2014 from=2 to=1 cause={cause} attack=3",
        )
        yield _do(
            f'command "{UNIT}" "by Regroup"', "GAIN unit=1-I-765 hex=2014 from=1 to=2 cause=REGROUP"
        )
    yield _do(f'command "{UNIT}" "in combat"', "LOSS unit=1-I-765 from=2 to=1 cause=COMBAT")
    yield _do(f'command "{UNIT}" "in combat"', "LOSS unit=1-I-765 hex=2014 from=1 to=0")
    yield _do(
        f'command "{UNIT}" "returns to play"',
        "GAIN unit=1-I-765 hex=ElimGerman from=0 to=1 cause=RETURN",
    )
    yield from _garrison_deeds("command", "in combat", "to indirect fire", *_GARRISON_MENU)
    yield from _dice_deeds()


_GARRISON_MENU = ("by combat", "left vacant", "its garrison returns", *("for a step of its unit",))


def _garrison_deeds(
    how: str, loss: str, fire: str, combat: str, vacant: str, returns: str, step: str
) -> Iterator[Deed]:
    for cause, entry, before, after in (("COMBAT", loss, 2, 1), ("IF", fire, 1, 0)):
        yield _do(
            f'{how} "{LE_MUY}" "{entry}"',
            f"LOSS unit=G-Le-Muy hex=1612 from={before} to={after} cause={cause}",
        )
    regroup = "for a Regroup point" if how == "command" else "BackREGROUP"
    for line, entry in (
        ("LIB objective=G-Le-Muy to=ALLIED cause=COMBAT", combat),
        ("GARRISON objective=G-Le-Muy pay=STEP", step),
        ("LIB objective=G-Le-Muy to=ALLIED cause=VACANT", vacant),
        ("LOSS unit=G-Le-Muy from=1 to=0", loss),
        ("LIB objective=G-Le-Muy to=ALLIED cause=RETURN", returns),
        ("GARRISON objective=G-Le-Muy pay=REGROUP", regroup),
    ):
        yield _do(f'{how} "{LE_MUY}" "{entry}"', line)


def _dice_deeds() -> Iterator[Deed]:
    for side in ("Allied", "German"):
        tray = f'command "{side} dice"'
        yield _do(f'{tray} "0 dice"', f"ROLL kind=COMBAT side={side} attack=3 n=0")
        for kind, entries in (
            ("COMBAT", ["1 die", *(f"{n} dice" for n in range(2, 14))]),
            ("IF", ["1 die of fire", *(f"{n} dice of fire" for n in range(2, 5))]),
            ("AT", ["1 die at armor", *(f"{n} dice at armor" for n in range(2, 5))]),
            ("LAND", ["1 die landing", "2 dice landing"]),
        ):
            for number, entry in enumerate(entries, 1):
                line = f"ROLL kind={kind} side={side} attack=3 n={number}"
                yield _do(f'{tray} "{entry}"', line)
        yield _do(f'{tray} "Direction (one plain die)"', f"ROLL kind=DIR side={side} n=1")


def _key_deeds() -> Iterator[Deed]:
    """The same commands by their keys, as another module or a hotkey would send them."""
    yield _do(f'named "{COMPANY}" Drop', "DROP unit=H1 aim=1211")
    yield _do('named "Chit KGr von Schwerin" Activate', "CHIT cmd=KGVS by=fixed n=1")
    yield _do(f'named "{LE_MUY}" Attack', "ATTACK n=1 target=1612")
    yield _do(f'named "{COMPANY}" Join', "JOIN attack=1 unit=H1")
    yield _do(f'named "{COMPANY}" Leave', "LEAVE attack=1 unit=H1")
    yield _do(f'named "{COMPANY}" Join', "JOIN attack=1 unit=H1")
    yield _do(f'named "{COMPANY}" Advance', "ADVANCE unit=H1 attack=1")
    for cause in ("COMBAT", "IF", "AT", "LAND", "GARRISON"):
        yield _do(f'named "{COMPANY}" Loss{cause}', f"LOSS unit=H1 from=2 to=1 cause={cause}")
        yield _do(f'named "{COMPANY}" GainRP', "GAIN unit=H1 from=1 to=2 cause=RP")
    yield _do(f'named "{COMPANY}" RevealDEFEND', "REVEAL unit=A-1-517 alias=H1 cause=DEFEND")
    yield from _garrison_deeds(
        *("named", "LossCOMBAT", "LossIF", "LibCOMBAT", "LibVACANT", "LibRETURN", "BackSTEP")
    )
    yield _do('named "Allied dice" RollCOMBAT5', "ROLL kind=COMBAT side=Allied attack=1 n=5")
    yield _do('named "Allied dice" RollCOMBAT0', "ROLL kind=COMBAT side=Allied attack=1 n=0")
    yield _do('named "German dice" RollDir', "ROLL kind=DIR side=German n=1")
    yield _do("hotkey EndAct", "RESET")
    # INIT asks for the next chit: no Command is active
    yield _do("turn next", "PHASE turn=1 step=INIT cmd=none")
    for step in ("RP", "RU", "LAND", "MOVE", "COMBAT"):
        yield _do("turn next", f"PHASE turn=1 step={step} cmd=KGVS")
    yield _do("turn next", "RESET", "PHASE turn=1 step=ENDACT cmd=KGVS")


def _button_deeds() -> Iterator[Deed]:
    """Toolbar buttons, cups, hands and drags; undo; what players type."""
    for _ in range(29):
        yield _do("turn next", "PHASE turn=1")
    # the four ENDACT steps say RESET as well, so the walk through turn 1 is listed by itself
    yield _do("press ChitsBack")
    yield _do("turn next", "PHASE turn=2 step=ASSETDRAW")
    yield _do('move "Initiative" "Allied hand@60,60"', "DRAW side=Allied turn=2")
    yield _do("press DrawAllied", "DRAW side=Allied turn=2")
    yield _do("press DrawGerman", "DRAW side=German turn=2")
    yield _do('draw PoolAllied "Allied hand@200,60"', "DRAW side=Allied turn=2")
    yield _do(
        'command "Initiative" "Turn and use: 2 IPBG is first"',
        "ASSET id=AA-1 side=Allied kind=INITIATIVE mode=FIRST",
        "CHIT cmd=2IPBG by=asset n=1",
    )
    yield _do("press DrawChit", "CHIT by=draw n=2")
    yield _do("draw ChitCup Initiative3", "CHIT by=draw n=3")
    yield _do("zoom Main 0.35")
    yield _do("lookat ChitCup")
    yield _do("mousedrag ChitCup Initiative4", "CHIT by=draw n=4")
    yield _do("press DrawUnit")
    yield _do('move "G Co 3/517" EntryD')
    yield _do('move "G Co 3/517" 2408', "ENTER unit=G-3-517 area=D hex=2408")
    yield _do('move "148 AG Co" EntryD')
    yield _do("undo")
    yield _do('move "VP marker" VP13', "VP turn=2 value=13")
    yield _do("hotkey Unmove", "UNMOVED")
    yield _do("press EndActivation", "RESET")
    yield _do("press LateAssets")


def _walk(deeds: Iterator[Deed]) -> Iterator[Deed]:
    """Deeds with the whole of turn 1 in full: RESET before every ENDACT."""
    count = 0
    for deed in deeds:
        if deed.lines == ("PHASE turn=1",):
            count += 1
            steps = ("INIT", "RP", "RU", "LAND", "MOVE", "COMBAT", "ENDACT")
            step = "ENDTURN" if count == 29 else steps[(count - 1) % 7]
            phase = f"PHASE turn=1 step={step} cmd=none"
            lines = ("RESET", phase) if step == "ENDACT" else (phase,)
            yield Deed(deed.command, lines)
        else:
            yield deed


def _typed_deeds(user: str) -> Iterator[Deed]:
    for line in (
        "PHASE turn=2 step=MOVE cmd=148RD",
        "ATTACK n=9 target=1612",
        "RULING rule=5.2 text=played_on",
        "RESULT level=Allied_Marginal_Victory",
    ):
        yield Deed(f'chat "DZ: {line}"', (line,), user)


#: Serials in the order in which they drop: the first is H1.
DROPPED = (
    *("A Co 1/517", "B Co 1/517", "C Co 1/517", "D Co 2/517", "E Co 2/517", "F Co 2/517"),
    *("A Co 509", "B Co 509", "C Co 509", "FFI 1", "FFI 2", "FFI 3"),
    *("A Co 4 Para", "B Co 4 Para", "C Co 4 Para", "A Co 6 Para", "B Co 6 Para", "C Co 6 Para"),
    *("FFI 5", "FFI 6"),
)
STEPS = ("INIT", "RP", "RU", "LAND", "MOVE", "COMBAT", "ENDACT")


def _steps(turn: int, command: str, *steps: str) -> Iterator[Deed]:
    for step in steps:
        phase = f"PHASE turn={turn} step={step} cmd={command}"
        yield _do("turn next", *(("RESET", phase) if step == "ENDACT" else (phase,)))


def _first_turn() -> Iterator[Deed]:
    """The whole drop, then the four Commands in their fixed order; moves by a real mouse."""
    for number, company in enumerate(DROPPED, 1):
        yield _do(f'command "{company}" Drop', f"DROP unit=H{number}")
    chits = (
        ("KGr von Schwerin", "KGVS", "0807", "0808"),
        ("148 Res. Div.", "148RD", "2014", "2015"),
        ("517 PRCT", "517PRCT", "", ""),
        ("2 IPBG", "2IPBG", "", ""),
    )
    for number, (chit, command, start, end) in enumerate(chits, 1):
        yield from _steps(1, "none", "INIT")
        yield _do(
            f'command "Chit {chit}" "Activate, order fixed"',
            f"CHIT cmd={command} by=fixed n={number}",
        )
        yield from _steps(1, command, "RP", "RU", "LAND", "MOVE")
        if start:
            yield _do(f"lookat {start}")
            yield _do(f"mousedrag {start} {end}")
        yield from _steps(1, command, "COMBAT", "ENDACT")
    yield from _steps(1, "none", "ENDTURN")
    yield _do("press ChitsBack")


def _second_turn() -> Iterator[Deed]:
    """Draw, initiative by asset, RP, reinforcements, an attack with assets, and the turn's end."""
    yield from _steps(2, "none", "ASSETDRAW")
    # by name, so that the attack has its assets; the one by the button is anybody's guess
    for asset, side in (
        *(("Initiative", "Allied"), ("460 PFAB", "Allied"), ("Coastal artillery", "German")),
    ):
        yield _do(f'move "{asset}" "{side} hand@260,60"', f"DRAW side={side} turn=2")
    yield _do("press DrawGerman", "DRAW side=German turn=2")
    yield from _steps(2, "none", "INIT")
    yield _do(
        'command "Initiative" "Turn and use: 517 PRCT is first"',
        "ASSET id=AA-1 side=Allied kind=INITIATIVE mode=FIRST",
        "CHIT cmd=517PRCT by=asset n=1",
    )
    yield from _steps(2, "517PRCT", "RP", "RU")
    yield _do('move "G Co 3/517" EntryD')
    yield _do("lookat 2408")
    yield _do("mousedrag EntryD 2408", "ENTER unit=G-3-517 area=D hex=2408")
    yield from _steps(2, "517PRCT", "LAND", "MOVE")
    yield _do('move "A Co 1/517" 1511')
    yield _do('move "B Co 1/517" 1611')
    yield _do('move "C Co 1/517" 1211')
    yield from _steps(2, "517PRCT", "COMBAT")
    yield _do('command "Garrison Le Muy" "Attack this hex"', "ATTACK n=1 target=1612")
    yield _do('command "A Co 1/517" "Join the attack"', "JOIN attack=1 unit=H1 hex=1511")
    yield _do('command "B Co 1/517" "Join the attack"', "JOIN attack=1 unit=H2 hex=1611")
    yield _do('command "460 PFAB" "Commit face down"', "ASSET side=Allied attack=1")
    yield _do('command "Coastal artillery" "Commit face down"', "ASSET side=German attack=1")
    yield _do(
        'command "460 PFAB" "Turn and use: indirect fire"',
        "ASSET id=AA-7 side=Allied kind=INDIRECT mode=IF attack=1",
    )
    yield _do(
        'command "Coastal artillery" "Turn and use: indirect fire"',
        "ASSET id=GA-3 side=German kind=INDIRECT mode=IF attack=1",
    )
    yield _do('command "A Co 1/517" "it attacks"', "REVEAL unit=A-1-517 alias=H1 cause=ATTACK")
    yield _do('command "B Co 1/517" "it attacks"', "REVEAL unit=B-1-517 alias=H2 cause=ATTACK")
    yield _do('command "Allied dice" "2 dice of fire"', "ROLL kind=IF side=Allied attack=1 n=2")
    yield _do('command "German dice" "3 dice of fire"', "ROLL kind=IF side=German attack=1 n=3")
    yield _do(
        'command "B Co 1/517" "to indirect fire"',
        "LOSS unit=B-1-517 hex=1611 from=2 to=1 cause=IF attack=1",
    )
    yield _do(
        'command "Garrison Le Muy" "to indirect fire"', "LOSS unit=G-Le-Muy from=2 to=1 cause=IF"
    )
    yield _do('command "Allied dice" "3 dice"', "ROLL kind=COMBAT side=Allied attack=1 n=3")
    yield _do('command "German dice" "0 dice"', "ROLL kind=COMBAT side=German attack=1 n=0")
    yield _do(
        'command "Garrison Le Muy" "in combat"', "LOSS unit=G-Le-Muy from=1 to=0 cause=COMBAT"
    )
    yield _do("lookat 1511")
    yield _do('move "A Co 1/517" 1612')
    yield _do(
        'command "A Co 1/517" "Has advanced after combat"',
        "ADVANCE unit=A-1-517 hex=1612 attack=1",
    )
    yield _do(
        'command "Garrison Le Muy" "by combat"', "LIB objective=G-Le-Muy to=ALLIED cause=COMBAT"
    )
    for asset in ("460 PFAB", "Coastal artillery"):
        yield _do(f'command "{asset}" Discard')
    yield from _steps(2, "517PRCT", "ENDACT")
    yield from _steps(2, "none", "INIT")
    yield _do("press DrawChit", "CHIT by=draw n=2")
    yield _do("turn next", "PHASE turn=2 step=RP")
    yield _do(
        'command "B Co 1/517" "by a replacement point"',
        "GAIN unit=B-1-517 hex=1611 from=1 to=2 cause=RP",
    )
    for number in (3, 4):
        for step in STEPS[2:]:
            yield _do("turn next", *(["RESET"] if step == "ENDACT" else []), f"PHASE step={step}")
        yield _do("turn next", "PHASE step=INIT")
        yield _do("press DrawChit", f"CHIT by=draw n={number}")
        yield _do("turn next", "PHASE step=RP")
    for step in STEPS[2:]:
        yield _do("turn next", *(["RESET"] if step == "ENDACT" else []), f"PHASE step={step}")
    yield _do("turn next", "PHASE turn=2 step=ENDTURN")
    yield _do("press ChitsBack")
    yield _do('move "VP marker" VP3', "VP turn=2 value=3")


#: Dropped in the secret log, first to last; the first of them is revealed at its end.
SECRET_UNITS = ("D Co 2/517", "A Co 509", "C Co 6 Para")


def _secret_deeds() -> Iterator[Deed]:
    """What an Allied player does unseen: drops, moves, losses, assets; then he turns one up."""
    for number, company in enumerate(SECRET_UNITS, 1):
        yield _do(f'command "{company}" Drop', f"DROP unit=H{number}")
    yield _do("undo")
    yield _do('command "C Co 6 Para" Drop', "DROP unit=H3")
    yield _do('move "D Co 2/517" 1712')
    yield _do('move "A Co 509" 1713')
    yield _do('move "C Co 6 Para" 1511')
    yield _do('named "A Co 509" "Unmove"')
    yield _do('key "A Co 509" "ctrl M"')
    yield _do('command "Garrison Le Muy" "Attack this hex"', "ATTACK n=1 target=1612")
    for number, company in enumerate(SECRET_UNITS, 1):
        yield _do(f'command "{company}" "Join the attack"', f"JOIN attack=1 unit=H{number}")
    yield _do('command "A Co 509" "Leave the attack"', "LEAVE attack=1 unit=H2")
    yield _do('command "A Co 509" "in combat"', "LOSS unit=H2 from=2 to=1")
    yield _do("undo")
    yield _do('command "A Co 509" "in combat"', "LOSS unit=H2 from=2 to=1")
    yield _do('command "A Co 509" "by a replacement point"', "GAIN unit=H2 from=1 to=2")
    yield _do('command "C Co 6 Para" "in combat"', "LOSS unit=H3 from=2 to=1")
    yield _do('command "C Co 6 Para" "in combat"', "LOSS unit=H3 hex=1511 from=1 to=0")
    yield _do("press DrawAllied", "DRAW side=Allied turn=1")
    yield _do("press DrawAllied", "DRAW side=Allied turn=1")
    yield _do('draw PoolAllied "Allied hand@300,60"', "DRAW side=Allied turn=1")
    yield _do("press DrawGerman")
    yield _do('command "at:Allied hand" "Commit face down"', "ASSET side=Allied attack=1")
    yield _do('move "at:Allied hand" CommitAllied')
    yield _do('move "at:CommitAllied" 1712')
    yield _do('command "at:CommitAllied" "Back into the cup"')
    yield _do("press LateAssets")
    yield _do('command "at:Allied hand" "Commit face down"', "ASSET side=Allied attack=1")
    yield _do("press DrawAllied", "DRAW side=Allied turn=1")
    yield _do("hotkey EndAct", "RESET")
    yield _do('command "D Co 2/517" "it attacks"', "REVEAL unit=D-2-517 alias=H1 cause=ATTACK")


MENUS = Recording("menus", "Solo", "Rosa", "kornblume-7", tuple(_menu_deeds()))
KEYS = Recording("keys", "Solo", "Rosa", "kornblume-7", tuple(_key_deeds()))
BUTTONS = Recording(
    *("buttons", "Solo", "Rosa", "kornblume-7"),
    (*_walk(_button_deeds()), *_typed_deeds("Rosa")),
)
TURNS = Recording(
    *("turns", "Solo", "Rosa", "kornblume-7"),
    (Deed("zoom Main 0.35"), *_first_turn(), *_second_turn()),
)
SECRET = Recording("secret", "Allied", "Alice", "mohnblume-3", tuple(_secret_deeds()))
OPEN = (MENUS, KEYS, BUTTONS, TURNS)
RECORDINGS = (*OPEN, SECRET)
