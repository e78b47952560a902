"""The rule book of Airdrop: every module of a chapter puts its rules in here."""

from __future__ import annotations

from typing import Any, Final

from builder.rules.core import RuleBook

__all__ = ["book"]

# State and Action import this module to tag their own functions, so they are not named here
book: Final[RuleBook[Any, Any]] = RuleBook("airdrop")
"""Rules by the kind of action that they judge (see :class:`builder.rules.core.RuleBook`)."""
