"""Negotiation: pairs bargain over shares, coalitions grow, then all work and are paid by weight.

Two that ask each other in one step bargain by turns: claim a share, accept the other's claim, or end it. Whoever is in
a coalition speaks for it. An agreement scales the weights of both sides and unites them (paper, section 4).
"""

from __future__ import annotations

import numpy as np

from grid_games.actions import GridAction
from grid_games.arrays import Flags, Floats, Ints, Parts
from grid_games.core.graph import SocialGraph
from grid_games.core.tables import STAY
from grid_games.rules.base import SocialRules
from grid_games.spec import GridGame

FREE = -1


class Negotiation(SocialRules):
    """Settings: `stage`, the steps for talk; `claims` n, for claims of 1/(n+1) to n/(n+1)."""

    settings = frozenset({"stage", "claims"})

    def __init__(self, game: GridGame, batch: int) -> None:
        super().__init__(game, batch)
        shape = (batch, game.agents)
        self.graph = SocialGraph(batch, (game.agents, game.groups))
        self.stage, self.claims = int(game.settings["stage"]), int(game.settings["claims"])
        self.partner: Ints = np.full(shape, FREE, np.intp)
        """(B, N) with whom each bargains."""
        self.parity: Ints = np.zeros(shape, np.intp)
        """(B, N) whose step is the agent's turn: that of the step's last bit."""
        self.claim: Ints = np.zeros(shape, np.intp)
        """(B, N) the claim of each that stands, in parts of claims + 1; 0 none. A new one replaces the other side's."""
        self.asked: Ints = np.full(shape, FREE, np.intp)
        """(B, N) whom each asked in the last step."""
        self._accepts: Flags = np.zeros(shape, np.bool_)

    @staticmethod
    def actions(game: GridGame) -> tuple[GridAction, ...]:
        """Ask one to bargain; accept, end; claim a share for the own side."""
        parts = int(game.settings["claims"]) + 1
        asks = tuple(GridAction("request", agent) for agent in range(game.agents))
        return (
            *asks,
            GridAction("accept"),
            GridAction("end"),
            *(GridAction("claim", each / parts) for each in range(1, parts)),
        )

    def begin(self, environment: int, dice: np.random.Generator) -> None:
        """Make all agents free and alone, with weight 1."""
        super().begin(environment, dice)
        self.graph.weight[0][environment] = 1
        self._release(np.array([environment]))

    def act(self, actions: Ints, time: Ints, words: Ints | None) -> None:
        """Note requests and acceptances for `settle`; claims and ends take effect at once."""
        count = self.game.agents
        self.asked = np.where((actions >= 0) & (actions < count), actions, FREE)
        self._accepts = actions == count
        environments, agents = np.nonzero(actions > count + 1)
        self.claim[environments, self.partner[environments, agents]] = 0
        self.claim[environments, agents] = actions[environments, agents] - count - 1
        self._part(*np.nonzero(actions == count + 1))

    def settle(self, time: Ints) -> None:
        """Pair who asked each other, unite who agreed, and void what can no longer be."""
        self._pair()
        environments, agents = np.nonzero(self._accepts)
        while environments.size:
            # The first acceptor of each environment; the others find the weights it left.
            first = np.append(True, environments[1:] != environments[:-1])
            self._agree(environments[first], agents[first])
            environments, agents = environments[~first], agents[~first]
        group = self.coalition
        partners = np.take_along_axis(group, np.maximum(self.partner, 0), axis=1)
        self._part(*np.nonzero((self.partner != FREE) & (group >= 0) & (group == partners)))
        over = np.flatnonzero(time == self.stage)
        if over.size:
            self._release(over)

    def restrict(self, mask: Flags, first: int, time: Ints) -> None:
        """While they talk, free agents ask whom they may, and bargainers act in turn; else they wait. Then all work.

        What is open when the stage ends is void: at its last step only an acceptance has an effect.
        """
        count = self.game.agents
        mask[..., first:] = False
        talking = time < self.stage
        if not talking.any():
            return
        mask[talking] = False
        on = (time < self.stage - 1)[:, None]
        mask[..., first : first + count] = self.askable() & on[..., None]
        bargains = (self.partner != FREE) & talking[:, None]
        turn = bargains & (self.parity == (time % 2)[:, None])
        offered = turn & (np.take_along_axis(self.claim, np.maximum(self.partner, 0), axis=1) > 0)
        mask[..., first + count] = offered
        mask[..., first + count + 1] = offered & on
        shares = np.arange(1, self.claims + 1)
        mask[..., first + count + 2 :] = (turn & on)[..., None] & (self.claim[..., None] != shares)
        mask[..., STAY] |= talking[:, None] & (~mask[..., first:].any(axis=2) | ~on)

    def askable(self) -> Flags:
        """(B, N, N) whom each may ask: another free agent that is not in its coalition."""
        free, group = self.partner == FREE, self.coalition
        together = (group[:, :, None] == group[:, None]) & (group >= 0)[:, None]
        return np.asarray(free[:, :, None] & free[:, None] & ~together & ~np.eye(self.game.agents, dtype=np.bool_))

    def social_state(self) -> Floats:
        """(B, N, N) 1 between agents of one coalition."""
        group = self.coalition
        together = (group[:, :, None] == group[:, None]) & (group >= 0)[:, None]
        return np.asarray(together & ~np.eye(self.game.agents, dtype=np.bool_), np.float64)

    def observe(self) -> Parts:
        """Return the negotiators' observations, (B, N, N) each.

        communication: 1 from whom a request came in the last step. proposal: the claim received, from the partner.
        final_split: the agreed weight of each agent, 1 for those alone. available_player: who may be asked.
        """
        others, shape = np.arange(self.game.agents), (self.batch, self.game.agents, self.game.agents)
        claims = (self.claim / (self.claims + 1))[:, None]
        return {
            "communication": (self.asked[:, None] == others[:, None]).astype(np.int32),
            "proposal": np.where(self.partner[..., None] == others, claims, 0.0),
            "final_split": np.broadcast_to(self.graph.weight[0][..., 0][:, None], shape).copy(),
            "available_player": self.askable().astype(np.int8),
        }

    @property
    def coalition(self) -> Ints:
        """(B, N) the group of each agent; -1 alone."""
        return self.graph.member[0][..., 0]

    def _release(self, environments: Ints) -> None:
        """Make all agents of these environments free, and void their claims."""
        self.partner[environments] = FREE
        self.asked[environments] = FREE
        self.claim[environments] = 0

    def _part(self, environments: Ints, agents: Ints) -> None:
        """These agents and their partners are free."""
        partners = self.partner[environments, agents]
        for side in (agents, partners):
            self.partner[environments, side] = FREE
            self.claim[environments, side] = 0

    def _pair(self) -> None:
        """Start bargaining between agents that asked each other; the lower index acts at even steps."""
        answer = np.take_along_axis(self.asked, np.maximum(self.asked, 0), axis=1)
        mutual = (self.asked != FREE) & (answer == np.arange(self.game.agents))
        environments, agents = np.nonzero(mutual)
        others = self.asked[environments, agents]
        self.partner[environments, agents] = others
        self.parity[environments, agents] = agents > others

    def _agree(self, environments: Ints, acceptors: Ints) -> None:
        """Unite the sides of bargains, one in each environment: the claimant's gets its claim."""
        claimants = self.partner[environments, acceptors]
        share = self.claim[environments, claimants] / (self.claims + 1)
        self._part(environments, acceptors)
        group = self.coalition[environments]
        mine, its = self._side(group, acceptors), self._side(group, claimants)
        differ = ~(mine & its).any(axis=1)
        weights = self.graph.weight[0][environments, :, 0]
        weights = np.where(mine, weights * (1 - share[:, None]), np.where(its, weights * share[:, None], weights))
        union = mine | its
        total = np.where(union, weights, 0.0).sum(axis=1)[:, None]
        weights = np.where(union, weights / total, weights)
        group = np.where(union, self._number(group, acceptors, claimants)[:, None], group)
        self.graph.assign(environments[differ], group[differ], weights[differ])

    def _side(self, group: Ints, agents: Ints) -> Flags:
        """(n, N) for whom an agent speaks: itself and its coalition."""
        own = np.take_along_axis(group, agents[:, None], axis=1)
        return np.asarray(((own >= 0) & (group == own)) | (agents[:, None] == np.arange(self.game.agents)))

    def _number(self, group: Ints, one: Ints, other: Ints) -> Ints:
        """(n,) the group that two sides unite in: the lower bargainer's, else the other's, else the first unused."""
        rows = np.arange(len(group))
        low, high = group[rows, np.minimum(one, other)], group[rows, np.maximum(one, other)]
        used = (group[:, :, None] == np.arange(self.game.groups)).any(axis=1)
        return np.where(low >= 0, low, np.where(high >= 0, high, used.argmin(axis=1)))
