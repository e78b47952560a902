"""The plain part of VASSAL's expressions: numbers, texts, names, operators and ``a ? b : c``.

Layers follow properties by such expressions. Whatever is cleverer (methods, functions, assignments)
has no value here, and a reader says so instead of guessing. Sources: VASSAL classes
``script.expression.BeanShellExpression``, ``script.ExpressionInterpreter``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias

__all__ = ["evaluate"]

Value: TypeAlias = int | bool | str

_MAX_LENGTH: Final = 2000
_MAX_DEPTH: Final = 40
_LARGEST: Final = 2**31
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>\d{1,9}\b)|(?P<text>\"(?:[^\"\\]|\\.)*\")|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>\?|:|\|\||&&|==|!=|<=|>=|<|>|\+|-|\*|/|%|!|\(|\)))"
)
_POWERS: Final = {
    "||": 2, "&&": 3, "==": 4, "!=": 4, "<": 5, ">": 5, "<=": 5, ">=": 5,
    "+": 6, "-": 6, "*": 7, "/": 7, "%": 7,
}  # fmt: skip
_TERNARY: Final = 1
_WHOLE: Final = re.compile(r"-?\d{1,9}")
_TRUTHS: Final = ("true", "false")


class _NoValueError(Exception):
    """The expression is not of the plain kind."""


def evaluate(expression: str, property_of: Callable[[str], str | None]) -> str | None:
    """Return the value as text; None if the expression is not of the plain kind.

    ``property_of`` gives the text of a property; one that does not exist is the empty text.

    >>> evaluate('(Side=="A" ? 0 : 1) + Steps * 2', {"Side": "B", "Steps": "3"}.get)
    '7'
    >>> evaluate("Random(6)", {}.get) is None
    True
    """
    if len(expression) > _MAX_LENGTH:
        return None
    tokens = _tokens(expression)
    if tokens is None:
        return None
    try:
        parser = _Parser(tokens, property_of)
        value = parser.read(0, 0)
        parser.expect("")
    except _NoValueError:
        return None
    return _text(value)


@lru_cache(maxsize=2048)
def _tokens(expression: str) -> tuple[tuple[str, str], ...] | None:
    """Return the words of an expression; None if it is not of the plain kind, whatever it finds."""
    found: list[tuple[str, str]] = []
    at = 0
    end = len(expression.rstrip())
    while at < end:
        match = _TOKEN.match(expression, at)
        if match is None or match.lastgroup is None:
            return None
        token = (match.lastgroup, match[match.lastgroup])
        if token[1] == "(" and found and found[-1][0] == "name" and found[-1][1] not in _TRUTHS:
            return None  # a call: every branch is computed, so it would come to it
        found.append(token)
        at = match.end()
    found.append(("end", ""))
    return tuple(found)


class _Parser:
    """Reads and computes in one pass, by the power of operators; every branch is computed."""

    def __init__(
        self,
        tokens: tuple[tuple[str, str], ...],
        property_of: Callable[[str], str | None],
    ) -> None:
        self._tokens = tokens
        self._at = 0
        self._property_of = property_of

    def expect(self, sign: str) -> None:
        """Step over a sign."""
        if self._tokens[self._at][1] != sign:
            raise _NoValueError
        self._at += 1

    def read(self, power: int, depth: int) -> Value:
        """Return the value of what follows, up to an operator of no more than this power."""
        if depth > _MAX_DEPTH:
            raise _NoValueError
        left = self._operand(depth)
        while True:
            kind, sign = self._tokens[self._at]
            if kind == "sign" and sign == "?" and power < _TERNARY:
                self._at += 1
                first = self.read(0, depth + 1)
                self.expect(":")
                second = self.read(0, depth + 1)
                left = first if _truth(left) else second
            elif kind == "sign" and power < _POWERS.get(sign, 0):
                self._at += 1
                left = _applied(sign, left, self.read(_POWERS[sign], depth + 1))
            else:
                return left

    def _operand(self, depth: int) -> Value:
        kind, text = self._tokens[self._at]
        self._at += 1
        if kind == "number":
            return int(text)
        if kind == "text":
            return re.sub(r"\\(.)", r"\1", text[1:-1])
        if kind == "name":
            if text in _TRUTHS:
                return text == "true"
            if self._tokens[self._at][1] == "(":
                raise _NoValueError
            return _typed(self._property_of(text) or "")
        if text == "(":
            value = self.read(0, depth + 1)
            self.expect(")")
            return value
        if text in ("-", "!"):
            value = self.read(max(_POWERS.values()), depth + 1)
            return -_number(value) if text == "-" else not _truth(value)
        raise _NoValueError


def _typed(text: str) -> Value:
    """Return a property as VASSAL hands it to an expression: a number or a truth if it looks so."""
    if _WHOLE.fullmatch(text):
        return int(text)
    return text == "true" if text in ("true", "false") else text


def _applied(sign: str, left: Value, right: Value) -> Value:
    if sign == "==":
        return type(left) is type(right) and left == right
    if sign == "!=":
        return not (type(left) is type(right) and left == right)
    if sign == "&&":
        return _truth(left) and _truth(right)
    if sign == "||":
        return _truth(left) or _truth(right)
    if sign == "+" and (isinstance(left, str) or isinstance(right, str)):
        return _text(left) + _text(right)
    return _computed(sign, _number(left), _number(right))


def _computed(sign: str, left: int, right: int) -> Value:
    if sign in ("<", ">", "<=", ">="):
        return {"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right}[
            sign
        ]
    if sign in ("/", "%"):
        if right == 0:
            raise _NoValueError
        # Java cuts toward zero, and the remainder has the sign of the dividend.
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        value = quotient if sign == "/" else left - quotient * right
    else:
        value = {"+": left + right, "-": left - right, "*": left * right}[sign]
    if not -_LARGEST <= value < _LARGEST:
        raise _NoValueError
    return value


def _number(value: Value) -> int:
    if isinstance(value, str | bool):
        raise _NoValueError
    return value


def _truth(value: Value) -> bool:
    if not isinstance(value, bool):
        raise _NoValueError
    return value


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
