"""VASSAL's sequence encoding: a list of texts in one text, nested at every level of every format.

A delimiter inside a token gets one backslash before it; backslashes themselves are not doubled. A
token that begins with a backslash, or begins and ends with an apostrophe, is wrapped in
apostrophes. Source: VASSAL class ``tools.SequenceEncoder``.

The encoding is not total: a token that ends in a backslash would swallow the delimiter behind it.
VASSAL writes such tokens and loses data; :func:`join` refuses them.
"""

from __future__ import annotations

from collections.abc import Sequence

from builder.problems import BuilderError

__all__ = ["UnencodableError", "join", "split", "split_first"]


class UnencodableError(BuilderError):
    """A text that VASSAL's formats cannot carry; the message repeats the text."""


def join(tokens: Sequence[str], delimiter: str) -> str:
    r"""Return the tokens as one text, such that :func:`split` gives them back.

    Raises :class:`UnencodableError` for no tokens at all, and for a token that would swallow the
    delimiter behind it.

    >>> join(["a", "b;c", ""], ";")
    'a;b\\;c;'
    >>> join([r"\x", "y"], ";")
    "'\\x';y"
    >>> join(["a" + chr(92), "b"], ";")
    Traceback (most recent call last):
        ...
    builder.vassal.sequence.UnencodableError: 'a\\' ends in a backslash and would swallow a ';'
    """
    text = delimiter.join(tokens)
    # Nothing to escape and nothing to wrap: by far the most frequent case.
    if "\\" not in text and "'" not in text and tokens and text.count(delimiter) == len(tokens) - 1:
        return text
    if not tokens:
        raise UnencodableError("an empty list has no sequence encoding")
    return delimiter.join(_encode_all(tokens, delimiter))


def _encode_all(tokens: Sequence[str], delimiter: str) -> list[str]:
    escaped_delimiter = "\\" + delimiter
    encoded = []
    last = len(tokens) - 1
    for index, token in enumerate(tokens):
        piece = token.replace(delimiter, escaped_delimiter)
        if token and (token[0] == "\\" or (token[0] == "'" and token[-1] == "'")):
            piece = f"'{piece}'"
        elif token.endswith("\\") and index != last:
            raise UnencodableError(
                f"{token!r} ends in a backslash and would swallow a {delimiter!r}"
            )
        encoded.append(piece)
    return encoded


def split(text: str, delimiter: str) -> list[str]:
    r"""Return the tokens of an encoded text: at least one, for an empty text one empty token.

    >>> split(r"a;b\;c;", ";")
    ['a', 'b;c', '']
    >>> split("''q'';'", ";")
    ["'q'", "'"]
    """
    parts = text.split(delimiter)
    if "\\" + delimiter in text:
        parts = _merge(parts, delimiter)
    if "'" in text:
        return [
            part[1:-1] if len(part) > 1 and part[0] == "'" == part[-1] else part for part in parts
        ]
    return parts


def _merge(parts: list[str], delimiter: str) -> list[str]:
    """Undo the cuts at escaped delimiters; only the raw character before a cut counts."""
    merged = []
    head = ""
    for part in parts[:-1]:
        if part.endswith("\\"):
            head += part[:-1] + delimiter
        else:
            merged.append(head + part)
            head = ""
    merged.append(head + parts[-1])
    return merged


def split_first(text: str, delimiter: str) -> tuple[str, str | None]:
    """Return the first token and the undecoded rest behind its delimiter, None if there is none.

    >>> split_first("1.0;d M 0 0 L 1 1;N x", ";")
    ('1.0', 'd M 0 0 L 1 1;N x')
    """
    start = 0
    while True:
        cut = text.find(delimiter, start)
        if cut < 0:
            return split(text, delimiter)[0], None
        if cut == 0 or text[cut - 1] != "\\":
            return split(text[:cut], delimiter)[0], text[cut + 1 :]
        start = cut + 1
