"""What may stand in ``lines.toml``: the lines by which a module says in chat what happens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

__all__ = ["KeyKind", "KeyTable", "LinesFile", "Trust", "VerbTable"]

KeyKind = Literal["word", "integer", "hex", "place", "choice", "rest"]
"""``word``: no blanks; ``hex``: as printed on the map; ``place``: a hex or the name of a box;
``choice``: one of a list; ``rest``: all that follows, blanks included."""

Trust = Literal["own_or_typed", "needs_dice", "needs_change", "typed_by_both"]
"""When a line counts.

``own_or_typed``: the module's own, or typed by the acting side; ``needs_dice``: only with the dice
in the same step; ``needs_change``: only with the change it tells of in the same step, which counts
even without the line; ``typed_by_both``: a ruling that both sides type.
"""

_STRICT = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyTable:
    """One key of a verb. ``list``: values joined by commas; ``min`` and ``max`` of an integer."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    type: KeyKind = "word"
    choices: tuple[str, ...] = ()
    list: bool = False
    optional: bool = False
    min: int | None = None
    max: int | None = None
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbTable:
    """One verb: its keys in the order in which they are written, and when a line of it counts.

    ``writers`` says what in the module writes it: ``prototype NAME``, ``piece LAYOUT``,
    ``button NAME``, ``tracker`` or ``unmove``; empty if only players type it. ``evidence`` says in
    words what in the same step bears it out.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    help: str
    trust: Trust
    writers: tuple[str, ...] = ()
    evidence: str = ""
    key: dict[str, KeyTable] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesFile:
    """``lines.toml``: the prefix of all lines, the shape of a printed hex number, the verbs."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    prefix: str
    hex: str = "[0-9]{4}"
    verb: dict[str, VerbTable]
