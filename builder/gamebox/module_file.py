"""What may stand in ``module.toml``: the game's own windows, dice, cups and buttons in VASSAL."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

__all__ = [
    "ButtonTable",
    "DeckTable",
    "DiceTable",
    "GlobalTable",
    "HandBoxes",
    "HandTable",
    "MenuTable",
    "ModuleFile",
    "SeatTable",
    "SetupTable",
    "TrackerKey",
    "TrackerLevel",
    "TrackerTable",
]

_STRICT = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceTable:
    """A dice button: ``sides`` for numbered dice, or ``faces`` for dice with symbols."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    label: str = ""
    tooltip: str = ""
    count: int = 1
    sides: int = 6
    faces: tuple[str, ...] = ()
    report: str = ""
    total: bool = False
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerLevel:
    """A level of the turn tracker: a counter (``start``, ``step``) or a list of words."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    property: str
    list: tuple[str, ...] = ()
    start: int = 1
    step: int = 1
    last: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerKey:
    """A global hotkey that the tracker presses when ``match`` comes true."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    key: str
    match: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerTable:
    """The turn tracker: its levels from the outermost in, and the line that it reports.

    ``hotkey`` lists keys that are pressed when the tracker comes to a state.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str = "Turn"
    display: str
    report: str
    next_key: str = "alt shift N"
    previous_key: str = "alt shift P"
    hotkey: tuple[TrackerKey, ...] = ()
    level: tuple[TrackerLevel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GlobalTable:
    """A global property of the module."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    value: str = ""
    description: str = ""
    numeric: bool = False
    min: int = 0
    max: int = 100
    wrap: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTable:
    """A side of VASSAL's roster; without ``side`` it may touch the counters of every side."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    side: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckTable:
    """A cup: a deck that lies in a box of the same name and holds the counters that start there.

    ``open``: what is drawn lies face up; ``side``: whose cup it is, empty for everybody's.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    open: bool = False
    side: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandBoxes:
    """Boxes in a private window, in rows from the top left corner ``x``, ``y``; sizes in pixels.

    ``names`` are the locations' names in VASSAL, ``labels`` what is printed if not the names;
    ``per_row`` 0 puts all into one row. Counters may start in a box by its name.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    names: tuple[str, ...]
    labels: tuple[str, ...] = ()
    x: int = 8
    y: int = 8
    width: int = 120
    height: int = 100
    gap: int = 6
    per_row: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HandTable:
    """A private window that only the seats of one side see; sizes in pixels.

    ``enter_key`` is sent to every counter that is put into it. ``quiet``: the chat does not tell
    what is moved into it or within it.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    side: str
    label: str = ""
    tooltip: str = ""
    hotkey: str = ""
    width: int = 700
    height: int = 120
    color: str = "#f4f0e4"
    enter_key: str = ""
    quiet: bool = False
    boxes: tuple[HandBoxes, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonTable:
    """A button that sends ``sends`` to counters: to all, or to cards of a deck.

    ``filter`` chooses among them; ``cards`` is how many of each deck are reached (0 none, -1 all);
    ``report`` is said once. Without ``sends`` it only reports.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    label: str = ""
    tooltip: str = ""
    hotkey: str = ""
    sends: str = ""
    filter: str = ""
    cards: int = 0
    report: str = ""
    menu: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuTable:
    """A drop-down menu in the toolbar that takes the buttons which name it."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    tooltip: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupTable:
    """An entry of the list that VASSAL offers when a game begins.

    ``scenario`` is a file of ``scenarios/``; ``properties`` are global properties that differ from
    the module's own values, ``note`` the scenario note. With neither, and no other starts than the
    counters' own, VASSAL simply deals the module's set-up.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    scenario: str = ""
    note: str = ""
    properties: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleFile:
    """``module.toml``: the game's own windows, dice, tracker and properties in VASSAL."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    vassal: str = "3.6.0"
    side_button: str = "Change side"
    move_report: str = "$pieceName$ moves $previousLocation$ -> $location$"
    create_report: str = "$pieceName$ created in $location$"
    zoom_levels: tuple[float, ...] = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4)
    zoom_start: float = 0.5
    move_key: str = ""
    unmove_key: str = ""
    unmove_report: str = ""
    seat: tuple[SeatTable, ...] = ()
    deck: tuple[DeckTable, ...] = ()
    hand: tuple[HandTable, ...] = ()
    menu: tuple[MenuTable, ...] = ()
    button: tuple[ButtonTable, ...] = ()
    setup: tuple[SetupTable, ...] = ()
    dice: tuple[DiceTable, ...] = ()
    tracker: TrackerTable | None = None
    properties: tuple[GlobalTable, ...] = ()
