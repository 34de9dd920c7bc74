"""Contract: first agents choose groups in turn, then they work; groups share equally.

Whoever is in a group shares all it earns: a group pays for those who trade, and for those who idle (paper, section 4).
"""

from __future__ import annotations

import numpy as np

from grid_games.actions import GridAction
from grid_games.arrays import Flags, Ints
from grid_games.core.graph import SocialGraph
from grid_games.core.tables import STAY
from grid_games.rules.base import SocialRules
from grid_games.spec import GridGame


class ContractRules(SocialRules):
    """Settings: `rounds`, how often each agent chooses. The order is drawn once an episode."""

    settings = frozenset({"rounds"})

    def __init__(self, game: GridGame, batch: int) -> None:
        super().__init__(game, batch)
        self.graph = SocialGraph(batch, (game.agents, game.groups))
        self.stage = int(game.settings["rounds"]) * game.agents
        self.order: Ints = np.zeros((batch, game.agents), np.intp)
        """(B, N) who chooses when, again and again."""

    @staticmethod
    def actions(game: GridGame) -> tuple[GridAction, ...]:
        """Join one of the groups."""
        return tuple(GridAction("join", group) for group in range(game.groups))

    def begin(self, environment: int, dice: np.random.Generator) -> None:
        """Nobody is in a group; the order is drawn."""
        super().begin(environment, dice)
        self.order[environment] = dice.permutation(self.game.agents)

    def act(self, actions: Ints, time: Ints, words: Ints | None) -> None:
        """Record the choices; a choice replaces an earlier one."""
        environments, agents = np.nonzero(actions >= 0)
        if environments.size:
            self.graph.join(environments, agents, actions[environments, agents])

    def restrict(self, mask: Flags, first: int, time: Ints) -> None:
        """In the first stage one agent must choose and the others wait; then all work."""
        mask[..., first:] = False
        choosing = np.flatnonzero(time < self.stage)
        if not choosing.size:
            return
        mask[choosing] = False
        mask[choosing, :, STAY] = True
        chooser = self.order[choosing, time[choosing] % self.game.agents]
        mask[choosing, chooser, STAY] = False
        mask[choosing, chooser, first:] = True
