"""Every module that puts rules into the book; importing this one imports them all."""

from __future__ import annotations

from typing import Final

from builder.rulesets.dropzone import (
    advance,
    apply_moves,
    attack,
    combat_assets,
    combat_dice,
    data_objectives,
    draws,
    entry,
    fire,
    hidden,
    hits,
    initiative,
    interdiction,
    landing,
    liberation,
    losses,
    movement,
    objectives,
    paths,
    phases,
    players,
    regroup,
    reinforcement,
    replacement,
    setup,
    stacking,
    state,
    steps,
    surround,
    victory,
)

__all__ = ["ALL"]

ALL: Final = (
    advance,
    apply_moves,
    attack,
    combat_assets,
    combat_dice,
    data_objectives,
    draws,
    entry,
    fire,
    hidden,
    hits,
    initiative,
    interdiction,
    landing,
    liberation,
    losses,
    movement,
    objectives,
    paths,
    phases,
    players,
    regroup,
    reinforcement,
    replacement,
    setup,
    stacking,
    state,
    steps,
    surround,
    victory,
)
"""The modules of the chapters."""
