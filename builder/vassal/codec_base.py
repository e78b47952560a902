"""What every wire type has in common, and the error for authored data that does not fit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Generic, TypeVar

from builder.problems import BuilderError

__all__ = ["Codec", "Path", "Version", "WrongDataError", "version_of"]

T = TypeVar("T")
Path = tuple[str | int, ...]
Version = tuple[int, ...]


@cache
def version_of(text: str) -> Version:
    """Return a version as numbers that compare.

    >>> version_of("3.6") < version_of("3.7.0") < version_of("3.10")
    True
    """
    return tuple(int(part) for part in re.findall(r"\d+", text))


class WrongDataError(BuilderError, ValueError):
    """Authored data does not fit; carries every mistake with its path inside the data."""

    def __init__(self, errors: Sequence[tuple[Path, str]]) -> None:
        """Keep the errors, in the order they were found."""
        self.errors = tuple(errors)
        super().__init__("; ".join(f"{_dotted(path)}: {text}" for path, text in errors))


def _dotted(path: Path) -> str:
    return ".".join(map(str, path)) or "."


class Codec(Generic[T]):
    """How one kind of value is read from and written to a token."""

    expected = "text"

    def read(self, token: str) -> T:
        """Return the value of a token; :class:`ValueError` means "take the default"."""
        raise NotImplementedError

    def write(self, value: T, version: Version) -> str:
        """Return the token of a value, as a VASSAL of this version reads it."""
        raise NotImplementedError

    def convert(self, value: object) -> T:
        """Return the value of authored data; raise :class:`WrongDataError` with all mistakes."""
        raise NotImplementedError

    def schema(self) -> dict[str, object]:
        """Return the JSON schema of authored data."""
        return {"type": "string"}

    def wrong(self, value: object) -> WrongDataError:
        """Return the error for a value of the wrong kind."""
        return WrongDataError([((), f"expected {self.expected}, got {value!r}")])
