"""Contract: agents first choose groups in turn, then work; groups share their rewards equally.

All members of a group share all their earnings, so a group also pays members who only trade or idle (paper, section 4).
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
    """Setting `rounds`: how often each agent chooses. The order of agents is drawn once per episode."""

    settings = frozenset({"rounds"})
    talk_setting = "rounds"

    def __init__(self, game: GridGame, batch: int) -> None:
        super().__init__(game, batch)
        self.graph = SocialGraph(batch, (game.agents, game.groups))
        self.stage = self.talk_steps(game)
        self.order: Ints = np.zeros((batch, game.agents), np.intp)
        """Order in which agents choose, repeated in every round; shape (B, N)."""

    @classmethod
    def talk_steps(cls, game: GridGame) -> int:
        """Return the steps of all rounds, in each of which every agent chooses once."""
        return int(game.settings["rounds"]) * game.agents

    @staticmethod
    def actions(game: GridGame) -> tuple[GridAction, ...]:
        """Return one `join` action per group."""
        return tuple(GridAction("join", group) for group in range(game.groups))

    def begin(self, environment: int, dice: np.random.Generator) -> None:
        """Start an episode without memberships, and draw the order of agents."""
        super().begin(environment, dice)
        self.order[environment] = dice.permutation(self.game.agents)

    def act(self, actions: Ints, time: Ints, words: Ints | None) -> None:
        """Apply the choices; a new choice replaces an earlier one."""
        environments, agents = np.nonzero(actions >= 0)
        if environments.size:
            self.graph.join(environments, agents, actions[environments, agents])

    def restrict(self, mask: Flags, first: int, time: Ints) -> None:
        """Let one agent choose per step of the first stage while the others wait; afterwards all work."""
        mask[..., first:] = False
        choosing = np.flatnonzero(time < self.stage)
        if not choosing.size:
            return
        mask[choosing] = False
        mask[choosing, :, STAY] = True
        chooser = self.order[choosing, time[choosing] % self.game.agents]
        mask[choosing, chooser, STAY] = False
        mask[choosing, chooser, first:] = True
