"""Actions as text, one a line: ``MOVE unit=1-I-933 to=1409``; both ways by the class's fields.

Playthroughs, examples of rules and reports share this form. An action is a frozen dataclass whose
fields are text, whole numbers, flags, hexes, places (a hex or the name of a box), or tuples of
them. A value holds no blanks; a list is joined by commas; a field at its default is left out.
"""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from builder.gamebox.model import MapSheet
from builder.hexes.grid import Hex
from builder.problems import BuilderError, did_you_mean

__all__ = ["Notation", "NotationError"]


class NotationError(BuilderError):
    """A line that is no action; the message quotes it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Notation:
    """How the actions of a rule set are written, given the map that numbers the hexes.

    ``kinds`` maps the verb in capitals to the class.
    """

    kinds: Mapping[str, type]
    sheet: MapSheet

    @staticmethod
    def verbs(classes: Iterable[type]) -> dict[str, type]:
        """Return the verb of each class: its name in capitals, words joined by an underscore."""
        return {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", c.__name__).upper(): c for c in classes}

    def write(self, action: Any) -> str:
        """Return an action as one line."""
        kind = type(action)
        verb = next(v for v, k in self.kinds.items() if k is kind)
        words = [verb]
        for field in dataclasses.fields(action):
            value = getattr(action, field.name)
            if field.default is not dataclasses.MISSING and value == field.default:
                continue
            words.append(f"{field.name}={self._text(value)}")
        return " ".join(words)

    def _text(self, value: Any) -> str:
        if isinstance(value, Hex):
            return self.sheet.label(value)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, tuple):
            return ",".join(self._text(v) for v in value)
        return "" if value is None else str(value)

    def read(self, line: str) -> Any:
        """Return the action of a line; :class:`NotationError` if there is none."""
        verb, _, rest = line.strip().partition(" ")
        kind = self.kinds.get(verb)
        if kind is None:
            raise NotationError(f"no action {verb!r} in {line!r}{did_you_mean(verb, self.kinds)}")
        hints = _hints(kind)
        values: dict[str, Any] = {}
        for word in rest.split():
            name, sign, text = word.partition("=")
            if not sign or name not in hints or name in values:
                hint = did_you_mean(name, hints)
                raise NotationError(f"{line!r}: cannot read {word!r}{hint}")
            values[name] = self._value(hints[name], text, line)
        try:
            return kind(**values)
        except TypeError:
            needed = [
                f.name
                for f in dataclasses.fields(kind)
                if f.default is dataclasses.MISSING and f.name not in values
            ]
            raise NotationError(f"{line!r}: {', '.join(needed)} missing") from None

    def _value(self, hint: Any, text: str, line: str) -> Any:
        origin = get_origin(hint)
        if origin is tuple:
            inner = get_args(hint)[0]
            return tuple(self._value(inner, t, line) for t in text.split(",") if t)
        if origin in (Union, types.UnionType):
            kinds = get_args(hint)
            if type(None) in kinds and not text:
                return None
            if Hex in kinds and (found := self.sheet.find(text)) is not None:
                return found
            if str in kinds:
                return text
            return self._value(next(k for k in kinds if k is not type(None)), text, line)
        if hint is Hex:
            found = self.sheet.find(text)
            if found is None:
                raise NotationError(f"{line!r}: no hex {text!r} on the map")
            return found
        if hint is bool:
            if text not in ("yes", "no"):
                raise NotationError(f"{line!r}: expected yes or no, got {text!r}")
            return text == "yes"
        if hint is int:
            if not re.fullmatch(r"-?[0-9]{1,6}", text):
                raise NotationError(f"{line!r}: expected a whole number, got {text!r}")
            return int(text)
        return text


@lru_cache(maxsize=256)
def _hints(kind: type) -> dict[str, Any]:
    names = {f.name for f in dataclasses.fields(kind)}
    return {name: hint for name, hint in get_type_hints(kind).items() if name in names}
