"""Every module that puts rules into the book; importing this one imports them all."""

from __future__ import annotations

from typing import Final

from builder.rulesets.airdrop import (
    arming,
    contents,
    deploying,
    drift,
    effects,
    fire,
    ground_play,
    landing,
    offboard,
    wings,
)

__all__ = ["ALL"]

ALL: Final = (
    arming,
    contents,
    deploying,
    drift,
    effects,
    fire,
    ground_play,
    landing,
    offboard,
    wings,
)
"""The modules of the chapters."""
