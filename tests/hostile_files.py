"""Damaged and hostile files for tests: mutations of small logs, modules and twins, by number.

A number always gives the same files. Mutations hit the file as it stands, its members, and the text
inside, so that they get as far as the commands, the pieces and the components.
"""

from __future__ import annotations

import io
import random
import re
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from engine.tiny_module import write_tiny

from builder.vassal.archive import archive_bytes
from builder.vassal.command_tree import CommandNode, container, encode_tree, parse_tree, walk
from builder.vassal.savefile import Coding, encoded, read_save

__all__ = [
    "ESC",
    "FIXTURES",
    "TEXTS",
    "T",
    "cut_log",
    "mutated_file",
    "mutated_log",
    "mutated_module",
    "mutated_text",
    "mutated_twin",
    "save_of",
    "small_log",
    "tiny_module",
]

ESC, T = "\x1b", "\t"
FIXTURES = Path(__file__).parent / "fixtures" / "logs"
MODULE_DATA = (
    b'<?xml version="1.0"?>\n<data version="1"><version>1.0</version><name>Tiny</name></data>'
)
ABSURD = ("-1", "2147483648", "9223372036854775808", "9" * 4000, "1e308", "NaN", "0", "99999999")


def small_log(seats: int) -> CommandNode:
    """A log of our own: a few pieces in a stack and a deck, and a step of every usual kind."""
    unit = (
        "emb2;Flip;128;F;;;;;;;0;0;a.png,b.png;one,two;true;;;;false;;1;1;false;;;;Layer"
        f"{T}mark;Side,Kind\\{T}hide;72,130;Hide;255,255,255\\\\{T}piece;;;a.png;1\\/B"
    )
    state = f"1{T}German,Inf\\{T}null\\\\{T}Main;138;90;7;1;UniqueID;"
    adds = [
        *(CommandNode(f"+/{n}/{unit}/{state}{n}") for n in range(1, 6)),
        CommandNode("+/9/stack/Main;138;90;1;2;3;@@0"),
        CommandNode(f"+/10/deck;true;0,0,0;70;100;Always;Always{';' * 20}/Main;4;8;true;4,5"),
    ]
    players = [CommandNode(f"PLAYER{T}password{n}{T}Name{n}{T}Side{n}") for n in range(seats)]
    move = "M/9/Main/190/120/null/Main/138/90/null/password0"
    return CommandNode(
        "begin_save",
        (
            CommandNode(),
            container(adds),
            CommandNode(f"MainBoardPicker{T}Board{T}0{T}0"),
            CommandNode(f"SETUP_STACK{T}"),
            *players,
            CommandNode(f"GlobalProperty{T};Weather;Rain;Module"),
            CommandNode(f"TURNTurnTracker0{T}0|3;0;false;-1;1\\;0\\;0\\;true,true"),
            CommandNode(f"NOTES{T}one|two"),
            CommandNode("end_save"),
            CommandNode(f"LOG{T}null", (CommandNode(f"LOG{T}{move}"),)),
            CommandNode(f"LOG{T}D/1/2{state[1:]}1/{state}1", (CommandNode(f"LOG{T}CHAT* flips"),)),
            CommandNode(f"LOG{T}CHAT&lt;Name0&gt; - 'hello' \\ <b>ü—"),
            CommandNode(f"LOG{T}", (CommandNode(f"LOG{T}-/3"),)),
            CommandNode(
                f"LOG{T}UNDO{T}true",
                (CommandNode(f"LOG{T}+/3/{unit}/{state}3"), CommandNode(f"LOG{T}UNDO{T}false")),
            ),
            CommandNode(f"LOG{T}MutableProperty{T}Weather{T}Rain{T}Sun{T}Module"),
        ),
    )


TEXTS = [encode_tree(small_log(2)), encode_tree(small_log(0)) + ESC + f"LOG{T}AUDIO{T}a.wav"]

DICE = [
    f"LOG{T}CHAT*** 2d6 = 3,4 *** &lt;Name0&gt;",
    f"LOG{T}CHAT*** (Other DR) 6,1 ***   <Name1> [1 / 2 avg 3 (3)]",
    f"LOG{T}CHAT* QQ: ROLL kind=combat side=German n=2 faces=H,M",
    f"LOG{T}SHOW_RESULTS{T}Combat{T}0,2,1",
    f"LOG{T}CHAT** d10 = 7 *** <Name0>{ESC}LOG{T}MutableProperty{T}d10_result{T}3{T}7{T}Module",
    f"LOG{T}MutableProperty{T}2d6_total{T}3{T}7{T}Module",
]


def save_of(*nodes: CommandNode) -> bytes:
    """A saved game whose pieces come from these commands."""
    inner = (CommandNode(), container(nodes), CommandNode("end_save"))
    return archive_bytes({"savedGame": encoded(encode_tree(CommandNode("begin_save", inner)))})


def cut_log(path: Path, chance: random.Random, *, pieces: int = 6, steps: int = 8) -> str:
    """The text of a real log with a few of its pieces and a run of its steps."""
    root = parse_tree(read_save(path).text)
    logged = [node for node in root.children if node.text.startswith(f"LOG{T}")]
    first = chance.randrange(max(1, len(logged) - steps))
    kept = logged[first : first + steps]
    named = {
        found[1]
        for step in kept
        for node in walk(step)
        if (found := re.match(r"LOG\t[-+DM]/(\d+)/?", node.text))
    }
    children: list[CommandNode] = []
    for node in root.children:
        if node in logged or node.text.startswith("PLAYER") or not node.children:
            continue
        adds = [child for child in node.children if child.text.startswith("+/")]
        chosen = [child for child in adds if child.text.split("/")[1] in named][:pieces]
        chosen += chance.sample(adds, min(pieces, len(adds)))
        children.append(container(tuple(dict.fromkeys(chosen))))
    others = [n for n in root.children if not n.children and n not in logged and n.text]
    return encode_tree(CommandNode(root.text, (CommandNode(), *children, *others, *kept)))


@cache
def _cuts() -> tuple[str, ...]:
    chance = random.Random(1)
    return tuple([cut_log(path, chance) for path in sorted(FIXTURES.glob("*.vlog"))])


# ---------------------------------------------------------------------------------------- texts


def mutated_text(text: str, chance: random.Random) -> str:
    """A text with one thing of it broken, said twice, or made absurd."""
    kind = chance.randrange(9)
    at, to = sorted(chance.sample(range(len(text)), 2))
    if kind == 0:
        return text[:at]
    if kind == 1:
        other = chance.choice(TEXTS)
        return text[:at] + other[chance.randrange(len(other)) :][: to - at] + text[to:]
    if kind == 2:
        return text[:at] + chance.choice([ESC, T, "\\", "'", "/", ";", "|", ","]) + text[at:]
    if kind == 3:
        return text[:at] + text[at + 1 :]
    if kind == 4:
        digits = str(chance.choice([-1, 2**31, 2**63, 10**4000]))
        spot = text.find(";", at)
        return text[: spot + 1] + digits + text[spot + 1 :]
    if kind == 5:
        levels = chance.randrange(1, 60)
        return text + "".join("\\" * level + ESC + "CHATx" for level in range(levels))
    if kind == 6:
        quotes = "'" * chance.randrange(1, 2000)
        return text[:at] + quotes + text[at:to] + quotes + text[to:]
    if kind == 7:
        return text[:at] + text[at:to] * chance.randrange(2, 9) + text[to:]
    return text.replace(ESC, chance.choice(["", T, "\\" + ESC, ESC + ESC, "'" + ESC]), to % 7)


def mutated_file(data: bytes, chance: random.Random) -> bytes:
    """A file cut off, with bits turned, or with a part of it lost or replaced."""
    kind = chance.randrange(4)
    at, to = sorted(chance.sample(range(len(data)), 2))
    if kind == 0:
        return data[:at]
    if kind == 1:
        flipped = bytearray(data)
        for _ in range(chance.randrange(1, 9)):
            flipped[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        return bytes(flipped)
    if kind == 2:
        return data[:at] + chance.randbytes(to - at) + data[to:]
    return data[:at] + data[to:]


def _with_absurd_numbers(text: str, chance: random.Random) -> str:
    """Put absurd numbers in place of a few that stand there."""
    found = list(re.finditer(r"(?<![\w.])-?\d+", text))
    for match in sorted(chance.sample(found, min(3, len(found))), key=lambda m: -m.start()):
        text = text[: match.start()] + chance.choice(ABSURD) + text[match.end() :]
    return text


def _with_tangled_stacks(text: str, chance: random.Random) -> str:
    """Add stacks that hold themselves, each other, decks, and the same piece."""
    ids = [*map(str, range(1, 12)), "9" * 4000, "", "null", "-5"]
    tangle = []
    for name in chance.sample(ids, 4):
        members = ";".join(chance.choices([*ids, name], k=chance.randrange(5)))
        if chance.random() < 0.7:
            tangle.append(f"+/{name}/stack/Main;1;2;{members}")
        else:
            cards = members.replace(";", ",")
            tangle.append(f"+/{name}/deck;true;0,0,0;70;100;Always;Always;;/Main;4;8;true;{cards}")
    prefix = f"LOG{T}" if chance.random() < 0.5 else ""
    spot = text.find(ESC) + 1
    if not prefix and spot:
        return text[:spot] + ESC.join(tangle) + ESC + text[spot:]
    return text + "".join(ESC + prefix + command for command in tangle)


# ----------------------------------------------------------------------------------------- logs


def mutated_log(number: int) -> bytes:
    """The mutated log of a number: every third is damaged as a file, the others inside."""
    chance = random.Random(number)
    text = chance.choice(_cuts()) if number % 50 == 0 else chance.choice(TEXTS)
    for line in chance.sample(DICE, chance.randrange(4)):
        text += ESC + line
    if number % 3:
        for _ in range(chance.randrange(1, 4)):
            mutate = chance.choice(
                [mutated_text, mutated_text, _with_absurd_numbers, _with_tangled_stacks]
            )
            text = mutate(text if len(text) > 9 else "begin_save", chance)
    game = encoded(text, chance.choice(list(Coding)), chance.randrange(256))
    if number % 6 == 1:
        return game
    if number % 6 == 3:
        return mutated_file(game, chance)
    data = _mutated_zip(
        {"savedGame": game, "savedata": MODULE_DATA, "moduledata": MODULE_DATA}, chance
    )
    return data if number % 3 else mutated_file(data, chance)


def _mutated_zip(members: Mapping[str, bytes], chance: random.Random) -> bytes:
    """A ZIP file of members; one in three has an entry more that no honest one has."""
    kind = chance.randrange(12)
    if kind > 3:
        return archive_bytes(members)
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")  # zipfile warns of twin names: they are what is wanted
        for name, data in members.items():
            archive.writestr(name, data)
        if kind == 0:
            info = zipfile.ZipInfo("x")
            info.filename = chance.choice(
                ["../evil", "/tmp/evil", "images/../../evil", "C:evil", "a\\evil", "", "./evil"]
            )
            archive.writestr(info, b"evil")
        elif kind == 1:
            archive.writestr(chance.choice(list(members)), b"another")
        elif kind == 2:
            archive.writestr("images/bomb.png", bytes(3_000_000))
        else:
            link = zipfile.ZipInfo("images/link.png")
            link.create_system = 3
            link.external_attr = 0o120777 << 16
            archive.writestr(link, "/etc/passwd")
    return buffer.getvalue()


# -------------------------------------------------------------------------------------- modules


@cache
def tiny_module(folder: Path) -> Mapping[str, bytes]:
    """The members of a small module."""
    path = write_tiny(folder / "seed.vmod")
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    path.unlink()
    return members


_ENTITIES = (
    '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]>',
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE a SYSTEM "http://localhost/a.dtd">',
)


def mutated_module(number: int, members: Mapping[str, bytes]) -> bytes:
    """The mutated module of a number, made from the members of a good one."""
    chance = random.Random(number)
    changed = dict(members)
    name = "buildFile.xml" if number % 5 else chance.choice(sorted(members))
    data = changed[name]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    if number % 3 and text:
        for _ in range(chance.randrange(1, 4)):
            mutate = chance.choice(
                [_with_absurd_numbers, _mutated_attribute, _mutated_element, mutated_text]
            )
            text = mutate(text if len(text) > 9 else "<a/>      ", chance)
        # What lxml takes for no XML at all shows little of us.
        changed[name] = text.replace(ESC, "").replace("\x00", "").encode("utf-8", "replace")
    elif data:
        changed[name] = mutated_file(data + b"  ", chance)
    packed = _mutated_zip(changed, chance)
    return mutated_file(packed, chance) if number % 7 == 0 else packed


def _mutated_attribute(text: str, chance: random.Random) -> str:
    """Change the value of an attribute, or lose it."""
    found = list(re.finditer(r'(\w+)="([^"]*)"', text))
    if not found:
        return text
    match = chance.choice(found)
    other = chance.choice(found)[2]
    value = chance.choice(["", other, *ABSURD, "../../evil", "$a$" * 99, "{" * 500, "&#10;"])
    new = chance.choice([f'{match[1]}="{value}"', "", f"x{match[0]}"])
    return text[: match.start()] + new + text[match.end() :]


def _mutated_element(text: str, chance: random.Random) -> str:
    """Nest an element deeply, double one, or declare entities."""
    found = list(re.finditer(r"<[\w.]+(?: [^<>]*)?/>", text))
    kind = chance.randrange(4)
    if kind == 0:
        head, end = text.partition("?>")[::2]
        return f"{head}?>{chance.choice(_ENTITIES)}{end}" if end else text
    if not found:
        return text
    match = chance.choice(found)
    if kind == 1:
        return text[: match.start()] + match[0] * chance.randrange(2, 200) + text[match.end() :]
    if kind == 2:
        depth = chance.choice([10, 100, 240, 300, 2000])
        tag = chance.choice(["VASSAL.build.module.Map", "VASSAL.build.widget.PanelWidget", "a"])
        nest = f"<{tag}>" * depth + f"</{tag}>" * depth
        return text[: match.start()] + nest + text[match.end() :]
    other = chance.choice(found)[0]
    return text[: match.start()] + other + text[match.end() :]


# ---------------------------------------------------------------------------------------- twins


def mutated_twin(text: str, number: int) -> bytes:
    """The mutated twin of a number, made from a good one's text."""
    chance = random.Random(number)
    if number % 4 == 0:
        return mutated_file(text.encode(), chance)
    for _ in range(chance.randrange(1, 4)):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        kind = chance.randrange(7)
        if kind == 0:
            lines[at] = _broken_line(lines[at], chance)
        elif kind == 1:
            lines[at : at + 1] = [lines[at]] * chance.randrange(9)
        elif kind == 2:
            lines[at] = " " * chance.choice([1, 2, 7, 5000]) + lines[at].lstrip()
        elif kind == 3:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 4:
            lines.insert(at, f'file "{chance.choice(["../evil", "/tmp/evil", "a/../../evil"])}"')
        elif kind == 5:
            indent = len(lines[at]) - len(lines[at].lstrip())
            lines[at:at] = [" " * (indent + 2 * n) + "chat x" for n in range(chance.randrange(500))]
        else:
            text = _with_absurd_numbers("\n".join(lines), chance)
            continue
        text = "\n".join(lines)
    return text.encode()


def _broken_line(line: str, chance: random.Random) -> str:
    pieces: Sequence[str] = ['"', "\\", "=", "[", "]", ",", "(", "\\u0000", "\\ud800", "'", "*", T]
    at = chance.randrange(len(line) + 1)
    return line[:at] + chance.choice(pieces) * chance.choice([1, 2, 900]) + line[at:]
