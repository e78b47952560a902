"""Every module that puts rules into the book; importing this one imports them all."""

from __future__ import annotations

from typing import Final

from builder.rulesets.airdrop import drift, fire, ground_play, landing, wings

__all__ = ["ALL"]

ALL: Final = (drift, fire, ground_play, landing, wings)
"""The modules of the chapters."""
