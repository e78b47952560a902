"""Key strokes: the words that authors write, and the numbers that VASSAL writes.

An author writes ``"ctrl D"``, ``"alt shift F2"``, ``"<Drop>"`` for a named command, or ``""`` for
none. VASSAL writes ``68,130``, ``113,585``, ``57348,0,Drop`` and an empty text. Modifiers are
written in both of Java's numberings at once, as VASSAL does (Ctrl = 128 + 2). Sources: VASSAL
classes ``configure.HotKeyConfigurer``, ``configure.NamedHotKeyConfigurer``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from builder.problems import did_you_mean

__all__ = ["NAMED_CODE", "keystroke", "notation"]

NAMED_CODE = 57348
"""Key code written for named strokes: any code of VASSAL's private range does, it goes by name."""

_MODIFIERS = {"ctrl": (128, 2), "alt": (512, 8), "shift": (64, 1), "meta": (256, 4)}
_KNOWN_BITS = sum(new | old for new, old in _MODIFIERS.values())

_KEYS: dict[str, int] = {chr(code): code for code in (*range(48, 58), *range(65, 91))}
_KEYS |= {f"F{n}": 111 + n for n in range(1, 13)}
_KEYS |= {f"F{n}": 61440 + n - 13 for n in range(13, 25)}
_KEYS |= {f"NumPad{n}": 96 + n for n in range(10)}
_KEYS |= {
    "Backspace": 8, "Tab": 9, "Enter": 10, "Escape": 27, "Space": 32, "PageUp": 33,
    "PageDown": 34, "End": 35, "Home": 36, "Left": 37, "Up": 38, "Right": 39, "Down": 40,
    "Comma": 44, "Minus": 45, "Period": 46, "Slash": 47, "Semicolon": 59, "Equals": 61,
    "OpenBracket": 91, "Backslash": 92, "CloseBracket": 93, "Multiply": 106, "Add": 107,
    "Subtract": 109, "Decimal": 110, "Divide": 111, "Delete": 127, "Insert": 155,
    "Backquote": 192, "Quote": 222,
}  # fmt: skip
_NAMES = {code: name for name, code in _KEYS.items()}
_BY_FOLDED_NAME = {name.casefold(): code for name, code in _KEYS.items()}
_WIRE = re.compile(r"[0-9]+,[0-9]+(,[^,]+)?", re.DOTALL)


@lru_cache(maxsize=4096)
def keystroke(text: str) -> str:
    """Return VASSAL's form of a written key stroke; that form itself is passed through.

    Raises :class:`ValueError` that says what is wrong.

    >>> keystroke("ctrl D"), keystroke("alt shift F2"), keystroke("<Drop>"), keystroke("")
    ('68,130', '113,585', '57348,0,Drop', '')
    """
    if _WIRE.fullmatch(text):
        return text
    if not text.strip():
        return ""
    if text.startswith("<") and text.endswith(">"):
        return f"{NAMED_CODE},0,{_checked_name(text[1:-1])}"
    *modifiers, key = text.replace("+", " ").split() or [""]
    mask = 0
    code: int | None = None
    if modifiers and modifiers[-1].casefold() == "key" and key.isdecimal():
        code = int(key)
        modifiers.pop()
    for word in modifiers:
        bits = _MODIFIERS.get(word.casefold())
        if bits is None:
            raise ValueError(f"no modifier {word!r} in {text!r}" + did_you_mean(word, _MODIFIERS))
        mask |= bits[0] | bits[1]
    if code is None:
        code = _BY_FOLDED_NAME.get(key.casefold())
    if code is None:
        raise ValueError(
            f"no key {key!r} in {text!r}" + did_you_mean(key, _KEYS) + "; named keys are '<Name>'"
        )
    return f"{code},{mask}"


def _checked_name(name: str) -> str:
    fault = _fault(name)
    if fault is not None:
        raise ValueError(f"{fault}: {name!r}")
    return name


def _fault(name: str) -> str | None:
    """Return why a name can't stand between angle brackets, or None."""
    if not name.strip() or name != name.strip():
        return "the name of a named key is empty or has outer blanks"
    if "," in name or any(ord(char) < 32 for char in name):
        return "a named key cannot hold a comma or a control character"
    return None


@lru_cache(maxsize=4096)
def notation(wire: str) -> str:
    """Return the written form of VASSAL's form: of a bare letter Ctrl + letter, as VASSAL reads it.

    What has no name in :func:`keystroke` is returned as it is; unreadable text means no key.

    >>> notation("68,130"), notation("70,128"), notation("57345,0,Drop"), notation("M")
    ('ctrl D', 'ctrl F', '<Drop>', 'ctrl M')
    """
    if not wire:
        return ""
    if "," not in wire:
        return _plain(ord(wire[0]), 128)
    code, modifiers, *rest = wire.split(",")
    if not (_is_number(code) and _is_number(modifiers)):
        return ""
    if rest and rest[0]:
        name = rest[0]
        return f"<{name}>" if _fault(name) is None else f"{code},{modifiers},{name}"
    return _plain(int(code), int(modifiers))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _plain(code: int, mask: int) -> str:
    if mask & ~_KNOWN_BITS:
        return f"{code},{mask}"
    words = [word for word, (new, old) in _MODIFIERS.items() if mask & (new | old)]
    words.append(_NAMES.get(code, f"key {code}"))
    return " ".join(words)
