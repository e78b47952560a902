"""Examples of rules that are checked when a game's files are read: a change, and what is said.

They stand beside the other examples, in ``mapdata/GAME/examples/*.toml``:

    [[data]]
    name = "a unit of both classes"
    rows = ["DZ-1.2a"]
    file = "counters.csv"
    find = "1,armor,armor,148"          # stands once in the file
    put = "1,both,armor,148"
    says = ["counters.csv:41", "class"] # words of one problem; none: nothing is wrong with it
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from builder.problems import Problem, ProblemLog, Source
from builder.rules.examples_file import example_files

__all__ = ["DataExample", "data_failures_of", "open_data_examples"]


@dataclass(frozen=True, slots=True)
class DataExample:
    """A change of one file of a game with its place; ``id`` is *file/name*."""

    id: str
    rows: tuple[str, ...]
    file: str
    find: str
    put: str
    says: tuple[str, ...]
    note: str
    source: Source = field(compare=False)

    @property
    def is_legal(self) -> bool:
        """Whether the change leaves the game in order."""
        return not self.says


def open_data_examples(folder: Path, log: ProblemLog) -> tuple[DataExample, ...]:
    """Return the data examples of a game by file, in the order of the files."""
    found: dict[str, DataExample] = {}
    for stem, toml, file in example_files(folder, log):
        for number, table in enumerate(file.data):
            key = f"{stem}/{table.name}"
            if key in found:
                log.add(toml.source("data", number, "name"), f"{key!r} stands twice")
            found[key] = DataExample(
                key,
                table.rows,
                table.file,
                table.find,
                table.put,
                table.says,
                table.note,
                toml.source("data", number),
            )
    return tuple(found.values())


def data_failures_of(
    example: DataExample, folder: Path, check: Callable[[Path], Iterable[Problem]]
) -> list[str]:
    """Try an example on a copy of the game; return what came out otherwise than it says.

    ``check`` returns the problems of a game's folder.
    """
    text = (folder / example.file).read_text(encoding="utf-8")
    if text.count(example.find) != 1:
        return [f"{example.file} holds {example.find!r} {text.count(example.find)} times, not once"]
    with tempfile.TemporaryDirectory() as made:
        copy = Path(made) / folder.name
        shutil.copytree(folder, copy)
        (copy / example.file).write_text(
            text.replace(example.find, example.put), encoding="utf-8", newline="\n"
        )
        errors = [p for p in check(copy) if p.severity == "error"]
    told = [str(p) for p in errors]
    if example.is_legal:
        return [f"expected nothing, found {'; '.join(told)}"] if told else []
    if any(all(word in line for word in example.says) for line in told):
        return []
    return [f"expected {', '.join(map(repr, example.says))}, found {'; '.join(told) or 'nothing'}"]
