"""From a text twin back to the VASSAL file: all mistakes of the author at once, nothing hostile."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from builder.problems import BuilderError, DataError, Problem, Source, UnreadableError, did_you_mean
from builder.vassal.archive import archive_bytes, name_problem
from builder.vassal.command_tree import encode_tree
from builder.vassal.savefile import Coding, Kind, SaveFile, write_save
from builder.vassal.twin import FIRST_WORD, GAME, TEXT_NAME
from builder.vassal.twin_commands import read_commands
from builder.vassal.twin_components import Layout, read_component, restored, xml_bytes
from builder.vassal.twin_lines import Block, Mistakes, read_blocks
from builder.vassal.twin_values import Entry, TwinSyntaxError, read_entries, read_word, skip_blanks

__all__ = ["Packed", "pack_twin"]

_MAX_TEXT = 512 * 2**20
_VERBS = ("file", "save", "xml", "game")
_FOLDERS = {"file": "files", "save": "saves", "xml": "kept"}


@dataclass(frozen=True, slots=True)
class Packed:
    """The file that a twin says."""

    data: bytes = field(repr=False)
    warnings: tuple[Problem, ...] = ()
    """What was taken as it is, though the text says something else."""


def pack_twin(files: Mapping[str, bytes], label: str) -> Packed:
    """Return the file that a twin's files say; ``label`` is how messages name its folder.

    Raises :class:`DataError` with every mistake, and :class:`UnreadableError` for no twin at all.
    """
    packing = _Packing(files, label)
    data = packing.run()
    if packing.mistakes.problems:
        raise DataError([*packing.mistakes.problems, *packing.warnings])
    return Packed(data, tuple(sorted(packing.warnings)))


class _Packing:
    """One run over one twin."""

    def __init__(self, files: Mapping[str, bytes], label: str) -> None:
        self.files = files
        self.path = f"{label}/{TEXT_NAME}" if label else TEXT_NAME
        self.label = label
        self.mistakes = Mistakes(self.path)
        self.warnings: list[Problem] = []
        self.members: dict[str, bytes] = {}
        self.used: set[str] = {TEXT_NAME}
        self.game: SaveFile | None = None
        self.is_bare = False

    def run(self) -> bytes:
        first, *blocks = self._blocks()
        try:
            self._read_head(first)
        except TwinSyntaxError as error:
            self.mistakes.add(first, error)
            return b""
        for block in blocks:
            try:
                self._read(block)
            except TwinSyntaxError as error:
                self.mistakes.add(block, error)
            except DataError as error:
                self.mistakes.problems += error.problems
            except BuilderError as error:
                self.mistakes.say(block.number, 1, str(error))
        self._check_unused()
        if self.mistakes.problems:
            return b""
        try:
            return self._result()
        except BuilderError as error:
            self.mistakes.say(0, 0, str(error))
            return b""

    def _blocks(self) -> list[Block]:
        if TEXT_NAME not in self.files:
            raise UnreadableError(f"{self.label}: no twin: it holds no {TEXT_NAME}")
        data = self.files[TEXT_NAME]
        if len(data) > _MAX_TEXT:
            raise UnreadableError(f"{self.path}: {len(data)} bytes are more than {_MAX_TEXT}")
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise DataError([Problem(Source(self.path, line, 1), "no UTF-8 text")]) from None
        blocks = read_blocks(text, self.mistakes)
        if not blocks or not blocks[0].body.startswith(FIRST_WORD):
            raise UnreadableError(f"{self.path}: no twin: it does not begin with {FIRST_WORD!r}")
        return blocks

    def _read_head(self, block: Block) -> None:
        at = block.start + len(FIRST_WORD)
        version, at = read_word(block.line, skip_blanks(block.line, at))
        if version != "1":
            raise TwinSyntaxError(at, f"a twin of form {version!r}; this program knows form 1")
        entries, _ = _rest(block.line, at)
        archive = entries.get("archive")
        self.is_bare = archive is not None and archive.value is False

    def _read(self, block: Block) -> None:
        line = block.line
        verb, at = read_word(line, block.start)
        if verb not in _VERBS:
            hint = did_you_mean(verb, _VERBS)
            raise TwinSyntaxError(block.start + 1, f"no line {verb!r} here{hint}")
        name_at = skip_blanks(line, at)
        name, at = read_word(line, name_at)
        problem = name_problem(name)
        if problem:
            raise TwinSyntaxError(name_at + 1, f"member {name!r} {problem}")
        if name in self.members or (name == GAME and self.game):
            raise TwinSyntaxError(name_at + 1, f"member {name!r} stands there twice")
        entries, _ = _rest(line, at)
        if verb == "game":
            if name != GAME:
                raise TwinSyntaxError(name_at + 1, f"the commands of a save are {GAME!r}")
            self._read_game(block, entries)
        elif verb == "xml":
            self.members[name] = self._xml(block, name, entries)
        else:
            for extra in block.inner:
                self.mistakes.say(extra.number, 1, f"nothing can stand below a {verb}")
            self.members[name] = b""
            found = self._save(name) if verb == "save" else self._file(block, name, entries)
            self.members[name] = found

    def _file(self, block: Block, name: str, entries: Mapping[str, Entry]) -> bytes:
        path = f"files/{name}"
        if path not in self.files:
            message = f"no file {path!r} in the twin"
            raise TwinSyntaxError(block.start + 1, message)
        self.used.add(path)
        data = self.files[path]
        said = entries.get("sha256")
        if said is not None and said.value != hashlib.sha256(data).hexdigest():
            message = f"{path} is not the file that this line describes; it was taken as it is"
            self.warnings.append(Problem(Source(self.path, block.number, 1), message, "warning"))
        return data

    def _save(self, name: str) -> bytes:
        prefix = f"saves/{name}/"
        inner = {
            path.removeprefix(prefix): data
            for path, data in ((p, self.files[p]) for p in self.files if p.startswith(prefix))
        }
        self.used |= {prefix + path for path in inner}
        label = f"{self.label}/{prefix}".rstrip("/") if self.label else prefix.rstrip("/")
        packed = pack_twin(inner, label)
        self.warnings += packed.warnings
        return packed.data

    def _xml(self, block: Block, name: str, entries: Mapping[str, Entry]) -> bytes:
        kept = entries.get("kept")
        layout = None if kept else Layout.read(entries)
        before = len(self.mistakes.problems)
        if len(block.inner) != 1:
            raise TwinSyntaxError(block.start + 1, "below an xml line stands one element [name]")
        root = read_component(block.inner[0], self.mistakes)
        if len(self.mistakes.problems) > before:
            return b""
        if layout is not None:
            return xml_bytes(root, layout)
        path = f"kept/{name}"
        self.used.add(path)
        return restored(root, self.files.get(path))

    def _read_game(self, block: Block, entries: Mapping[str, Entry]) -> None:
        values = {key: entry.value for key, entry in entries.items()}
        columns = {key: entry.column for key, entry in entries.items()}
        codings = {coding.value: coding for coding in Coding}
        coding = codings.get(str(values.get("coding", Coding.VCSK.value)))
        if coding is None:
            known = did_you_mean("", codings)
            raise TwinSyntaxError(columns["coding"], f"no such coding{known}")
        key, ending = values.get("key", 0x5A), values.get("ending", "")
        if not isinstance(key, int) or not 0 <= key <= 255:
            raise TwinSyntaxError(columns["key"], "a key is a number of 0 to 255")
        if ending not in ("", "\n", "\r\n"):
            raise TwinSyntaxError(columns["ending"], "an ending is a line break")
        root = read_commands(block.inner, self.mistakes)
        text = "" if root is None else encode_tree(root)
        self.game = SaveFile(
            Kind.BARE if self.is_bare else Kind.ZIP,
            None if coding is Coding.PLAIN else key, text, {}, coding, (), str(ending),
        )  # fmt: skip

    def _check_unused(self) -> None:
        for path in sorted(set(self.files) - self.used):
            folder, _, name = path.partition("/")
            if folder == "kept":
                continue
            message = f"{path!r} is in the twin, but no line names it"
            if folder == "files":
                message += f'; add a line: file "{name}"'
            self.mistakes.say(0, 0, message)

    def _result(self) -> bytes:
        if self.game is None:
            if self.is_bare:
                raise UnreadableError("a file without an archive is a save, and needs a game line")
            return archive_bytes(self.members)
        if self.is_bare and self.members:
            raise UnreadableError("a save without an archive has no other members")
        game = self.game
        return write_save(
            SaveFile(
                game.kind, game.key, game.text, self.members, game.coding, (), game.ending
            )
        )  # fmt: skip


def _rest(line: str, at: int) -> tuple[dict[str, Entry], int]:
    entries, at = read_entries(line, at)
    if at < len(line):
        raise TwinSyntaxError(at + 1, f"unexpected {line[at:]!r}")
    return entries, at
