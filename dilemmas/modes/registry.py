"""The modes of play: a literal table. A new mode is one file and one line here (docs/adding-a-mode.md)."""

from __future__ import annotations

from dilemmas.modes.episodes import Episodes
from dilemmas.modes.grid import Grid
from dilemmas.modes.iterations import Iterations
from dilemmas.modes.life import LifeMode
from dilemmas.modes.protocol import Mode
from dilemmas.modes.rounds import Rounds

MODES: dict[str, Mode] = {
    "episodes": Episodes(),
    "grid": Grid(),
    "iterations": Iterations(),
    "life": LifeMode(),
    "rounds": Rounds(),
}
"""Name, as families (`Family.plays`) and scenarios (`ScenarioSpec.plays`) give it -> mode."""
