"""Table of the modes of play. A new mode is one file and one line here (docs/adding-a-mode.md)."""

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
"""Name of a mode, as in `Family.plays` and `ScenarioSpec.plays` -> mode."""
