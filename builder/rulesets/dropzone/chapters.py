"""Every module that puts rules into the book; importing this one imports them all."""

from __future__ import annotations

from typing import Final

from builder.rulesets.dropzone import (
    advance,
    attack,
    combat_assets,
    combat_dice,
    data_objectives,
    fire,
    hidden,
    hits,
    initiative,
    interdiction,
    liberation,
    losses,
    movement,
    objectives,
    paths,
    phases,
    regroup,
    replacement,
    state,
    steps,
    surround,
    victory,
)

__all__ = ["ALL"]

ALL: Final = (
    advance,
    attack,
    combat_assets,
    combat_dice,
    data_objectives,
    fire,
    hidden,
    hits,
    initiative,
    interdiction,
    liberation,
    losses,
    movement,
    objectives,
    paths,
    phases,
    regroup,
    replacement,
    state,
    steps,
    surround,
    victory,
)
"""The modules of the chapters."""
