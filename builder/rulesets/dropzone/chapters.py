"""Every module that puts rules into the book; importing this one imports them all."""

from __future__ import annotations

from typing import Final

from builder.rulesets.dropzone import movement, objectives, paths, state, victory

__all__ = ["ALL"]

ALL: Final = (movement, objectives, paths, state, victory)
"""The modules of the chapters."""
