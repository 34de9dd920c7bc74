"""Exploration: all physical and social actions in every step.

Nothing is shared at first. An agent may send a message to another agent, start or stop sharing its view with it, and
join a group (paper, appendix C.2). A message carries the words given with the action; without words it is 1 followed by
zeros.
"""

from __future__ import annotations

import numpy as np

from grid_games.actions import GridAction
from grid_games.arrays import Flags, Ints, Parts
from grid_games.core.graph import SocialGraph
from grid_games.errors import StepError
from grid_games.rules.base import SocialRules
from grid_games.spec import GridGame


class Exploration(SocialRules):
    """Setting `words`: the number of integers in a message."""

    settings = frozenset({"words"})

    def __init__(self, game: GridGame, batch: int) -> None:
        super().__init__(game, batch)
        self.graph = SocialGraph(batch, (game.agents, game.groups))
        self.length = int(game.settings["words"])
        self.sent_to: Ints = np.full((batch, game.agents), -1, np.intp)
        """Recipient of each agent's message in the last step, -1 for none; shape (B, N)."""
        self.said: Ints = np.zeros((batch, game.agents, self.length), np.intp)
        self._plain = np.zeros_like(self.said)
        self._plain[..., 0] = 1
        self._changed = True
        """True if memberships changed after the mask was written."""

    @staticmethod
    def actions(game: GridGame) -> tuple[GridAction, ...]:
        """Return the actions: message each agent, toggle sharing with each agent, join each group."""
        agents, groups = range(game.agents), range(game.groups)
        said = tuple(GridAction(kind, agent) for kind in ("message", "share") for agent in agents)
        return said + tuple(GridAction("join", group) for group in groups)

    def begin(self, environment: int, dice: np.random.Generator) -> None:
        """Start an episode without edges, groups and words."""
        super().begin(environment, dice)
        self.sent_to[environment] = -1
        self._changed = True

    def lay(self, mask: Flags, first: int) -> None:
        """Allow messages and sharing to all other agents."""
        count, others = self.game.agents, ~np.eye(self.game.agents, dtype=np.bool_)
        mask[:, first : first + 2 * count] = np.hstack([others, others])

    def act(self, actions: Ints, time: Ints, words: Ints | None) -> None:
        """Replace the last step's words, and apply messages, edges and memberships of this step.

        Raises:
            StepError: The words are not integers of the right shape.
        """
        count = self.game.agents
        if words is not None and (words.shape != self.said.shape or words.dtype.kind not in "iu"):
            raise StepError(f"words are {words.dtype} {words.shape}; give whole numbers {self.said.shape}")
        self.said = self._plain if words is None else words.copy()
        self.sent_to = np.where(actions < count, actions, -1)
        environments, agents = ((actions >= count) & (actions < 2 * count)).nonzero()
        if environments.size:
            self.graph.toggle(environments, agents, actions[environments, agents] - count)
        environments, agents = (actions >= 2 * count).nonzero()
        if environments.size:
            self.graph.join(environments, agents, actions[environments, agents] - 2 * count)
            self._changed = True

    def restrict(self, mask: Flags, first: int, time: Ints) -> None:
        """Forbid joining the current group."""
        if not self._changed:
            return
        self._changed = False
        first += 2 * self.game.agents
        mask[..., first:] = True
        group = self.graph.member[0][..., 0]
        environments, agents = (group >= 0).nonzero()
        mask[environments, agents, first + group[environments, agents]] = False

    def observe(self) -> Parts:
        """Return `communication`, shape (B, N, N, L): the words that each agent received from each other."""
        count = self.game.agents
        heard = np.zeros((self.batch, count, count, self.length), np.int32)
        environments, agents = np.nonzero(self.sent_to >= 0)
        heard[environments, self.sent_to[environments, agents], agents] = self.said[environments, agents]
        return {"communication": heard}
