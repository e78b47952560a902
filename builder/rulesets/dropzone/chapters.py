"""Every module that puts rules into the book; importing this one imports them all."""

from __future__ import annotations

from typing import Final

from builder.rulesets.dropzone import (
    liberation,
    movement,
    objectives,
    paths,
    regroup,
    replacement,
    state,
    surround,
    victory,
)

__all__ = ["ALL"]

ALL: Final = (
    liberation,
    movement,
    objectives,
    paths,
    regroup,
    replacement,
    state,
    surround,
    victory,
)
"""The modules of the chapters."""
