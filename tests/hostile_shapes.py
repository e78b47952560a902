"""Logs that are well formed and absurd: deep, wide, tangled, made to cost the square of their size.

``shape(name, size)`` is made of about ``size`` things; tests take a few hundred of them, the
benchmark as many as a file of a megabyte holds.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping

from hostile_files import T

from builder.vassal.archive import archive_bytes
from builder.vassal.command_tree import CommandNode, container, encode_tree
from builder.vassal.savefile import encoded

__all__ = ["PASSWORD", "names", "shape"]

PASSWORD = "password0"
_SEAT = f"PLAYER{T}{PASSWORD}{T}Ann{T}Red"


def _unit(name: object, x: int = 1, y: int = 1) -> str:
    return f"+/{name}/piece;;;a.png;Unit {name}/Main;{x};{y};1;0"


def _move(name: object, x: int, y: int, player: str = PASSWORD) -> str:
    return f"M/{name}/Main/{x}/{y}/null/Main/1/1/null/{player}"


def _log(start: list[str], steps: list[list[str]]) -> str:
    """Commands that a log begins with, and those of its steps."""
    children = [CommandNode(), container([CommandNode(text) for text in start])]
    for first, *rest in steps:
        inner = tuple([CommandNode(f"LOG{T}{text}") for text in rest])
        children.append(CommandNode(f"LOG{T}{first}", inner))
    return encode_tree(CommandNode("begin_save", tuple(children)))


def _nested(size: int) -> str:
    """Steps inside steps; each level costs a backslash before each ESC below, so few fit."""
    node = CommandNode("CHATx")
    for _ in range(min(size, 5000)):
        node = CommandNode(f"LOG{T}CHATx", (node,))
    return encode_tree(CommandNode("begin_save", (node,)))


def _stack_in_stack(size: int) -> str:
    start = [_unit(0), *(f"+/s{n}/stack/Main;{n};1;s{n - 1};0" for n in range(1, size))]
    return _log([_SEAT, *start], [[_move(f"s{n}", n, 9)] for n in range(1, size)])


def _cycle(size: int) -> str:
    start = [f"+/s{n}/stack/Main;{n};1;s{(n + 1) % size};s{n}" for n in range(size)]
    steps = [[_move(f"s{n}", n, 9), f"-/s{n}", start[n]] for n in range(size)]
    return _log([_SEAT, *start], steps)


def _tall_stack(size: int) -> str:
    """One stack of everything, moved again and again: what moves is the square of the text."""
    members = ";".join(map(str, range(size)))
    start = [*map(_unit, range(size)), f"+/s/stack/Main;1;1;{members}"]
    return _log([_SEAT, *start], [[_move("s", n, n)] for n in range(size)])


def _restacked(size: int) -> str:
    """A stack whose whole order is told with each change."""
    few = max(2, int(size**0.5))
    names = [str(n) for n in range(few)]
    start = [*map(_unit, range(few)), f"+/s/stack/Main;1;1;{';'.join(names)}"]
    steps = []
    for n in range(few):
        order = [*names[n:], *names[:n]]
        steps.append([f"D/s/Main;{n};1;{';'.join(order)}/Main;1;1;{';'.join(names)}"])
    return _log([_SEAT, *start], steps)


def _one_step(size: int) -> str:
    """Every piece goes its own way in a single step."""
    return _log([_SEAT, *map(_unit, range(size))], [[_move(n, n, n) for n in range(size)]])


def _decks(size: int) -> str:
    decks = [
        f"+/d{n}/deck;true;0,0,0;70;100;Always;Always;;;;;;;;;;;Deck {n}/Main;{n};{n};true;{n}"
        for n in range(size)
    ]
    return _log([_SEAT, *map(_unit, range(size)), *decks], [[_move(n, 9, n)] for n in range(size)])


def _properties(size: int) -> str:
    layer = "emb2;;2;;;2;;2;;false;;0;0;a.png,b.png;a,b;true;Layer;;;true;P{0};1;1;false;;;;"
    start = [f"GlobalProperty{T};P{n};{n % 2};Map" for n in range(size)]
    start += [f"+/{n}/{layer.format(n)}{T}piece;;;a.png;U/1{T}Main;1;1;1;0" for n in range(size)]
    return _log(
        [_SEAT, *start],
        [[f"MutableProperty{T}P{n}{T}0{T}1{T}Map", _move(n, n, n)] for n in range(size)],
    )


def _players(size: int) -> str:
    seats = [f"PLAYER{T}secret-{n}{T}Name{n}{T}Side{n}" for n in range(size)]
    steps = [[f"CHAT&lt;Name{n}&gt; - hello secret, Name{size - n}"] for n in range(size)]
    moves = [[_move(n, n, n, f"secret-{n}")] for n in range(size)]
    return _log([*seats, *map(_unit, range(size))], steps + moves)


def _undone(size: int) -> str:
    steps = [[f"CHAT<Ann> - line {n}"] for n in range(size)]
    return _log([_SEAT], steps + [[f"CHAT* UNDO: <Ann> - line {n}"] for n in range(size)])


def _undone_rolls(size: int) -> str:
    steps = [[f"CHAT*** 2d6 = {n % 6 + 1},3 *** <Ann>"] for n in range(size)]
    steps += [
        [f"UNDO{T}true", f"CHAT* UNDO: *** 2d6 = {n % 6 + 1},3 *** <Ann>", f"UNDO{T}false"]
        for n in range(size)
    ]
    return _log([_SEAT], steps)


def _rolls(report: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: _log([_SEAT], [[f"CHAT{report(n)}"] for n in range(size)])


def _roll_properties(size: int) -> str:
    """Steps with very many buttons each."""
    few = min(size, 990)
    step = [f"MutableProperty{T}B{n}_result{T}0{T}{n % 6 + 1}{T}Module" for n in range(few)]
    step += [f"CHAT* it says {n}" for n in range(few)]
    return _log([_SEAT], [step] * max(1, size // few))


def _symbols(size: int) -> str:
    few = min(size, 490)
    step = [f"SHOW_RESULTS{T}B{n}{T}{n % 6},2" for n in range(few)]
    return _log([_SEAT], [[*step, "CHAT*** B1 = [hit,miss] *** <Ann>"]] * max(1, size // few))


def _traits(size: int) -> str:
    """One piece of very many traits, changed again and again."""
    few = min(size, 700)
    labels = "".join(
        f"label;76,130;L;12;;0,0,0;t;0;c;0;b;c;$pieceName$$pieceName$;Dialog;0;0;;;{chr(92) * n}{T}"
        for n in range(12)
    )
    state = "".join(f"x{chr(92) * n}{T}" for n in range(12))
    adds = [f"+/{n}/{labels}piece;;;a.png;U/{state}Main;1;1;1;0" for n in range(few)]
    steps = [[f"D/{n}/y{state[1:]}Main;2;1;1;0/{state}Main;1;1;1;0"] for n in range(few)]
    return _log([_SEAT, *adds], steps)


def _boards(size: int) -> str:
    picker = "MainBoardPicker" + "".join(f"{T}Board{T}{n}{T}{n}" for n in range(size))
    return _log([_SEAT, picker, *map(_unit, range(size))], [[_move(n, n, n)] for n in range(size)])


def _opaque(size: int) -> str:
    return _log(
        [_SEAT, *(f"X{n}{T}what" for n in range(size))],
        [[f"-/{n}"] for n in range(size)] + [[f"Y{n}{T}"] for n in range(size)],
    )


def _long_id(size: int) -> str:
    name = "9" * 4000
    few = max(1, size // 1000)
    start = [_unit(name), f"+/{name}9/stack/Main;1;2;{name};{name}9"]
    return _log([_SEAT, *start], [[_move(name, 1, n), f"-/{name}8"] for n in range(few)])


def _notes(size: int) -> str:
    start = [f"PNOTE{T}{PASSWORD}{T}text {n}" for n in range(size)]
    start += [f"SNOTE{T}note{T}{PASSWORD}{T}text{T}true" for n in range(size)]
    return _log([_SEAT, *start], [[text] for text in start])


def _masks(size: int) -> str:
    """Very many owners that are nobody's: each may be a password."""
    start = [
        f"+/{n}/obs;72,130;a.png;Turn;G;?;player:;Peek{T}piece;;;a.png;U/owner-{n}{T}Main;1;1;1;0"
        for n in range(size)
    ]
    return _log([_SEAT, *start], [[_move(n, n, n)] for n in range(size)])


def _bomb(size: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("savedGame", b"begin_save" + bytes(min(size * 20_000, 60_000_000)))
    return buffer.getvalue()


_TEXTS: Mapping[str, Callable[[int], str]] = {
    "steps in steps": _nested,
    "stacks in stacks": _stack_in_stack,
    "a cycle of stacks": _cycle,
    "a tall stack": _tall_stack,
    "a stack told anew": _restacked,
    "one step of all": _one_step,
    "decks": _decks,
    "properties": _properties,
    "players": _players,
    "undone lines": _undone,
    "undone rolls": _undone_rolls,
    "rolls": _rolls(lambda n: f"*** 2d6 = {n % 6 + 1},{n % 5 + 1} *** <Ann>"),
    "rolls of many kinds": _rolls(lambda n: f"*** Die {n} = {n % 6 + 1} *** <Ann>"),
    "rolls of many dice": _rolls(
        lambda n: f"*** {n % 97 + 1}d{n % 10 + 2} x{n} = {n % 97 + 5} *** <P{n % 50}>"
    ),
    "rolls of large dice": _rolls(lambda n: f"*** d{9999 - n % 999} = {n % 6 + 1} *** <Ann>"),
    "rolls of many players": _rolls(lambda n: f"*** 2d6 = {n % 6 + 1},2 *** <Ann{n}>"),
    "rolls of VASL": _rolls(
        lambda n: f"*** (Other DR) {n % 6 + 1},2 *** <Ann> [{n} / 9 avg 7 (7)]"
    ),
    "rolls that are none": _rolls(lambda n: f"*** {'a = ' * 400} {n} <<((**"),
    "rolls of properties": _roll_properties,
    "rolls of symbols": _symbols,
    "pieces of many traits": _traits,
    "boards": _boards,
    "unknown commands": _opaque,
    "an id of 4000 digits": _long_id,
    "notes": _notes,
    "masks": _masks,
    "lines of typed rolls": _rolls(lambda n: f"<Ann> - rolls 2d6: {n % 6}, 3 and ** d6 = 3"),
    "chat of HTML": _rolls(lambda n: f"&lt;Ann&gt; - <script>alert({n})</script>"),
}


def names() -> tuple[str, ...]:
    """What logs there are, by what is absurd about them."""
    return (*_TEXTS, "a bomb")


def shape(name: str, size: int) -> bytes:
    """An absurd log of about ``size`` things."""
    if name == "a bomb":
        return _bomb(size)
    return archive_bytes({"savedGame": encoded(_TEXTS[name](size)), "savedata": b"<data/>"})
