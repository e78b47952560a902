"""How the two sides play when the program plays them: what they go for, hold, and risk.

The Allies have more and better units and little time: they go for objectives, attack where much
is promised, and leave a unit in what they have won. The Germans have few units, which never come
back: they hold strong points, keep out of reach elsewhere, and hit single companies with several of
their own. The numbers were found by letting the sides play many games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from builder.rulesets.dropzone.facts import ALLIED, GERMAN, Side

__all__ = ["STYLES", "Style"]


@dataclass(frozen=True, slots=True)
class Style:
    """What counts for a side, in victory points.

    ``star`` is the worth of Le Muy, ``red`` and ``yellow`` of a point of these colors (red until
    it is recorded after turn 3), ``sudden`` of the last red objective, shared by the last three;
    ``win`` the worth of emptying any hex, ``kill`` of a step of the enemy's. ``least`` is what an
    attack must promise for units to go there, ``crowd`` what each further attacker costs.
    ``hold`` weighs the defense of objectives, ``stay`` is for a unit that is in one already, and
    ``caution`` the price of a step exposed to the enemy.
    """

    star: float
    red: float
    yellow: float
    sudden: float
    win: float
    kill: float
    least: float
    crowd: float
    hold: float
    stay: float
    caution: float


STYLES: Final[Mapping[Side, Style]] = {
    ALLIED: Style(
        star=5.0,
        red=1.6,
        yellow=1.0,
        sudden=3.8,
        win=0.6,
        kill=0.55,
        least=1.7,
        crowd=0.12,
        hold=0.5,
        stay=3.0,
        caution=0.0,
    ),
    GERMAN: Style(
        star=6.4,
        red=2.3,
        yellow=2.1,
        sudden=3.8,
        win=0.4,
        kill=1.7,
        least=0.1,
        crowd=0.17,
        hold=2.0,
        stay=0.05,
        caution=0.8,
    ),
}
