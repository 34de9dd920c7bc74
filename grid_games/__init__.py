"""AdaSociety's games (arXiv 2411.03865): agents on a torus gather, craft, trade, and form groups that share rewards.

`load` returns a game by name. `Batch` plays many environments at once over arrays, `parallel_env` is the PettingZoo
interface, and `grid_games.text` the text interface. `grid_games.policies` holds reference policies; `grid_games.oracle`
and `grid_games.measures` hold the measures. This package is independent of Minecraft.
"""

from __future__ import annotations

from grid_games.actions import GridAction
from grid_games.batch import Batch, BatchStep, FinishedEpisode
from grid_games.errors import AnswerError, GameError, GridError, GridPolicyError, StepError
from grid_games.faces import parallel_env
from grid_games.loader import current_name, load, names, recorded_name, variants
from grid_games.observe import observe
from grid_games.spec import GridGame

__all__ = [
    "AnswerError",
    "Batch",
    "BatchStep",
    "FinishedEpisode",
    "GameError",
    "GridAction",
    "GridError",
    "GridGame",
    "GridPolicyError",
    "StepError",
    "current_name",
    "load",
    "names",
    "observe",
    "parallel_env",
    "recorded_name",
    "variants",
]
