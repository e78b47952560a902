"""What every wire type has in common, and the error for authored data that does not fit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Generic, TypeVar

from builder.problems import BuilderError

__all__ = ["Codec", "Path", "Version", "WrongDataError", "unfrozen", "version_of"]

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


def unfrozen(cls: type[Any]) -> type[Any]:
    """Return a class whose instances are filled by plain assignments, then become ``cls``.

    A frozen dataclass sets each of its fields by a call; where hundreds of thousands are made, that
    is most of the time. All slots have to be set before ``draft.__class__ = cls``, which Python
    allows as both have the same slots and base.

    >>> from dataclasses import make_dataclass
    >>> Place = make_dataclass("Place", ["x"], frozen=True, slots=True)
    >>> draft = object.__new__(unfrozen(Place))
    >>> draft.x = 5
    >>> draft.__class__ = Place
    >>> draft
    Place(x=5)
    """
    return type(
        f"_{cls.__name__}Draft",
        cls.__bases__,
        {
            "__slots__": cls.__slots__,
            "__module__": cls.__module__,
            # Both of them, or a frozen base would still slow down each assignment.
            "__setattr__": object.__setattr__,
            "__delattr__": object.__delattr__,
        },
    )


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
