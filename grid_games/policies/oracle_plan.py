"""Policy that follows the oracle's plan: all agents unite, work by role, and drop surplus for others.

It knows the whole map and all inventories, so it is an upper reference for trade, not a fair player.
"""

from __future__ import annotations

import numpy as np

from grid_games.arrays import Flags, Ints
from grid_games.batch import Batch
from grid_games.policies import social
from grid_games.policies.duties import PlanDuties
from grid_games.policies.greedy import able
from grid_games.policies.seek import Worth, everywhere, seek
from grid_games.spec import GridGame

BATCH = 5
"""Runs of an event that an agent gathers inputs for at a time."""
LATE = 12
"""Steps before the end from which nothing is dropped, because nobody could collect it."""
TOOL, MAKE, DROP, INPUT, KEEP = 20.0, 10.0, 8.0, 3.0, 1.0


class OraclePlan:
    """Policy that executes the whole plan with full information."""

    def __init__(self, seed: int = 0) -> None:
        self._dice = np.random.default_rng(seed)
        self._duties: tuple[GridGame, PlanDuties] | None = None

    def act(self, game: Batch) -> Ints:
        """Return a legal action for each agent, shape (B, N)."""
        if self._duties is None or self._duties[0] is not game.game:
            self._duties = game.game, PlanDuties(game.game)
        worth = _worth(game, self._duties[1])
        acts = seek(game, worth, everywhere(game), self._dice, crowd=0.3)
        return social.choose(game, acts.reshape(game.size, game.agents), social.Uniter(), self._dice)


def _worth(game: Batch, duties: PlanDuties) -> Worth:
    """Return the current value of each act to the plan."""
    world, local, environment = game.world, game.world.local, game.world.environment
    held = world.inventory
    can = (held < world.capacity) & ((world.lacks()[:, None] & world.tables.pile_gate) == 0)
    still = np.maximum(duties.runs - game.executions.sum(axis=1), 0)
    share = np.ceil(still / np.maximum(duties.can.sum(axis=0), 1)).astype(np.intp)
    runs = duties.can[local] * np.minimum(share, BATCH)[environment]
    wanted, tools = runs @ duties.inputs, duties.tools[local]
    keeps = duties.keeps[local] & _spare(game, duties, still)[environment] & (held >= tools)
    value = duties.tables.value[local]
    pick = np.maximum(TOOL * (held < tools), INPUT * (held < wanted))
    pick = np.maximum(pick, keeps * (KEEP / 5 + value / value.max() * KEEP))
    make = MAKE * able(game) * (still > 0)[environment]
    excess = (held > np.maximum(wanted, tools)) & ~duties.keeps[local] & duties.keeps.any(axis=0)
    late = (game.game.steps - game.time <= LATE)[environment, None]
    return Worth(pick * can, make, DROP * (excess & ~late))


def _spare(game: Batch, duties: PlanDuties, still: Ints) -> Flags:
    """Return True for resources that nobody needs as an input or as a tool, shape (B, R)."""
    used = (still > 0).astype(np.intp) @ duties.inputs > 0
    lacking = np.logical_or.reduce(game.inventory < duties.tools, axis=1)
    return np.asarray(~used & ~lacking)
