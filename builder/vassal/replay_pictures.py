"""The size of a picture from its first bytes: boards are as large as their pictures.

Nothing is decoded, so that a hostile picture costs nothing. Formats: those that VASSAL shows.
"""

from __future__ import annotations

import re
import struct

__all__ = ["picture_size"]

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG_START = b"\xff\xd8"
_JPEG_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers of frame headers; the three others of that range are tables."""
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD9)})
_SVG_ROOT = re.compile(rb"<(?:\w+:)?svg\b[^>]*>", re.DOTALL)
_SVG_LENGTH = re.compile(rb"""\s(width|height)\s*=\s*["']\s*([0-9.]+)(px|pt|mm|cm|in)?\s*["']""")
_SVG_BOX = re.compile(
    rb"""\sviewBox\s*=\s*["']\s*[-0-9.]+[\s,]+[-0-9.]+[\s,]+([0-9.]+)[\s,]+([0-9.]+)\s*["']"""
)
_PX_PER = {b"": 1.0, b"px": 1.0, b"pt": 96 / 72, b"mm": 96 / 25.4, b"cm": 96 / 2.54, b"in": 96.0}
_MAX = 10**6


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height in pixels of a PNG, GIF, JPEG or SVG picture; None if unknown.

    >>> picture_size(b"GIF89a" + bytes([44, 1, 200, 0]))
    (300, 200)
    """
    size = _read(data)
    return size if size is not None and min(size) > 0 and max(size) < _MAX else None


def _read(data: bytes) -> tuple[int, int] | None:
    if data.startswith(_PNG) and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    if data.startswith(_JPEG_START):
        return _jpeg(data)
    return _svg(data)


def _jpeg(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF or marker in _JPEG_BARE:
            at += 1 if marker == 0xFF else 2
            continue
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return None


def _svg(data: bytes) -> tuple[int, int] | None:
    root = _SVG_ROOT.search(data[:65536])
    if root is None:
        return None
    lengths = {
        name: float(value) * _PX_PER[unit]
        for name, value, unit in _SVG_LENGTH.findall(root[0])
        if value.count(b".") < 2 and value != b"."
    }
    if len(lengths) == 2:
        return int(lengths[b"width"]), int(lengths[b"height"])
    box = _SVG_BOX.search(root[0])
    if box is None or max(box[1].count(b"."), box[2].count(b".")) > 1 or b"." in (box[1], box[2]):
        return None
    return int(float(box[1])), int(float(box[2]))
