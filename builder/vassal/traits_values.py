"""Values inside traits that are formats of their own: constraints, property commands, targets.

Sources: VASSAL classes ``counters.DynamicProperty``, ``configure.DynamicKeyCommandConfigurer``,
``configure.PropertyChangerConfigurer``, ``counters.GlobalCommandTarget``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from builder.problems import did_you_mean
from builder.vassal.codecs import (
    Choice,
    Codec,
    Expression,
    Key,
    Path,
    Seq,
    Str,
    Version,
    WrongDataError,
)
from builder.vassal.fields import Record, Since
from builder.vassal.sequence import join, split

__all__ = [
    "ANY_PIECE",
    "LIMITS",
    "NO_LIMITS",
    "TARGET",
    "Change",
    "Constraints",
    "PropertyCommand",
    "PropertyCommands",
    "Target",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """What values a property may take; the limits hold only if it is numeric."""

    numeric: bool = False
    min: int = 0
    max: int = 100
    wrap: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """What a command does to a property: set it, add to it, ask for it, or let choose.

    ``text`` is the value, the amount (either may be an expression), or the prompt.
    """

    code: str = "P"
    text: str = ""
    choices: tuple[str, ...] = ()

    @staticmethod
    def read(token: str) -> Change:
        """Return the change; an unknown code means "set", as for VASSAL.

        >>> Change.read("I,-1")
        Change(code='I', text='-1', choices=())
        """
        code, *rest = split(token, ",")
        code = code[:1] if code[:1] in _WORD_OF else "P"
        text = rest[0] if rest else {"P": "new value", "I": "1"}.get(code, "")
        return Change(code, text, Seq[str](",").read(rest[1]) if code == "E" and rest[1:] else ())

    def write(self) -> str:
        r"""Return the token.

        >>> Change("E", "Which?", ("a", "b")).write()
        'E,Which?,a\\,b'
        """
        tokens = [self.code, self.text]
        if self.code == "E":
            tokens.append(join(self.choices, ",") if self.choices else "")
        return join(tokens, ",")


_WORD_OF = {"P": "set", "I": "add", "R": "prompt", "E": "prompt"}


@dataclass(frozen=True, slots=True)
class PropertyCommand:
    """One command of a property trait: a menu entry (empty for none), a key, and the change."""

    menu: str = ""
    key: str = ""
    change: Change = field(default_factory=Change)


class PropertyCommands(Codec[tuple[PropertyCommand, ...]]):
    r"""The commands of a property trait, a list of tables in TOML::

        commands = [
          { menu = "Set five", key = "ctrl S", set = 5 },
          { key = "<Hit>", add = -1 },
          { menu = "Ask", key = "<Ask>", prompt = "How many?" },
          { menu = "Pick", key = "<Pick>", prompt = "Which?", choices = ["red", "blue"] },
        ]

    >>> codec = PropertyCommands()
    >>> codec.write(codec.convert([{"menu": "Set", "key": "ctrl S", "set": 5}]), ())
    'Set:83\\,130:P\\,5'
    """

    expected = "a list of tables such as { key = '<Hit>', add = -1 }"

    def read(self, token: str) -> tuple[PropertyCommand, ...]:
        """Return the commands."""
        return tuple([_read_command(part) for part in split(token, ",")]) if token else ()

    def write(self, value: tuple[PropertyCommand, ...], version: Version) -> str:
        """Return the commands as one sequence."""
        if not value:
            return ""
        key = Key()
        parts = [
            join([item.menu, key.write(item.key, version), item.change.write()], ":")
            for item in value
        ]
        return join(parts, ",")

    def convert(self, value: object) -> tuple[PropertyCommand, ...]:
        """Take a list of tables."""
        if isinstance(value, str | Mapping) or not isinstance(value, list | tuple):
            raise self.wrong(value)
        commands = []
        errors: list[tuple[Path, str]] = []
        for index, item in enumerate(value):
            try:
                commands.append(_convert_command(item))
            except WrongDataError as error:
                errors += [((index, *path), text) for path, text in error.errors]
        if errors:
            raise WrongDataError(errors)
        return tuple(commands)

    def schema(self) -> dict[str, object]:
        """A list of tables."""
        text: dict[str, object] = {"type": "string"}
        either = {"type": ["string", "number"]}
        return {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "menu": text, "key": text, "set": either, "add": either, "prompt": text,
                    "choices": {"type": "array", "items": either},
                },
                "oneOf": [{"required": ["set"]}, {"required": ["add"]}, {"required": ["prompt"]}],
                "additionalProperties": False,
            },
        }  # fmt: skip


def _read_command(token: str) -> PropertyCommand:
    tokens = [*split(token, ":"), "", ""]
    return PropertyCommand(tokens[0], Key().read(tokens[1]), Change.read(tokens[2]))


_COMMAND_FIELDS: dict[str, Codec[str]] = {
    "menu": Str(), "key": Key(), "set": Expression(), "add": Expression(), "prompt": Str(),
}  # fmt: skip


def _convert_command(item: object) -> PropertyCommand:
    if not isinstance(item, Mapping):
        raise WrongDataError([((), f"expected a table, got {item!r}")])
    known = [*_COMMAND_FIELDS, "choices"]
    values: dict[str, str] = {}
    choices: tuple[str, ...] | None = None
    errors: list[tuple[Path, str]] = []
    for name, value in item.items():
        try:
            if name in _COMMAND_FIELDS:
                values[name] = _COMMAND_FIELDS[name].convert(value)
            elif name == "choices":
                choices = Seq(",", Expression()).convert(value)
            else:
                errors.append(((name,), f"no field {name!r} here" + did_you_mean(name, known)))
        except WrongDataError as error:
            errors += [((name, *path), text) for path, text in error.errors]
    said = [word for word in ("set", "add", "prompt") if word in item]
    if len(said) != 1:
        errors.append(((), f"expected one of 'set', 'add' and 'prompt', got {len(said)}"))
    elif choices is not None and said != ["prompt"]:
        errors.append((("choices",), "goes with 'prompt' only"))
    if errors:
        raise WrongDataError(errors)
    code = {"set": "P", "add": "I", "prompt": "R" if choices is None else "E"}[said[0]]
    change = Change(code, values[said[0]], choices or ())
    return PropertyCommand(values.get("menu", ""), values.get("key", ""), change)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Which pieces a global key command looks at before its filter ("fast match").

    ``scope`` says who owns the command; a piece's trait says COUNTER, a toolbar button MAP or
    MODULE, a deck DECK.
    """

    scope: Annotated[str, Choice("COUNTER", "MAP", "MODULE", "DECK")] = "MAP"
    by_location: bool = False
    where: Annotated[
        str,
        Choice(
            "CURSTACK", "CURMAP", "CURZONE", "CURLOC", "MAP", "ZONE", "LOCATION", "XY", "DECK",
            "CURMAT", "CURATTACH",
        ),
    ] = "MAP"  # fmt: skip
    map: str = ""
    board: str = ""
    zone: str = ""
    location: str = ""
    x: Annotated[str, Expression()] = "0"
    y: Annotated[str, Expression()] = "0"
    deck: str = ""
    by_property: bool = False
    property: str = ""
    value: Annotated[str, Expression()] = ""
    compare: str = "EQUALS"
    attachment: Annotated[str, Since("3.7.0")] = ""
    attachment_id: Annotated[str, Since("3.7.0")] = ""


LIMITS = Record(Constraints, ",")
"""The codec of constraints."""
NO_LIMITS = Constraints()
"""The constraints that VASSAL takes when none are given."""
TARGET = Record(Target, "|", scope="COUNTER")
"""The codec of a trait's target; an author need not say that a piece owns it."""
ANY_PIECE = Target(scope="COUNTER")
"""The target of a trait that looks at all pieces."""
