"""Negotiation: pairs bargain over shares, coalitions grow, then all work and are paid by weight.

Two agents that request each other in the same step bargain in turns: claim a share, accept the other's claim, or end.
An agent negotiates for its whole coalition. An agreement rescales the weights of both sides and merges them (paper,
section 4).
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
    """Settings: `stage`, the number of steps for bargaining; `claims` n, for claims of 1/(n+1) to n/(n+1)."""

    settings = frozenset({"stage", "claims"})
    talk_setting = "stage"

    def __init__(self, game: GridGame, batch: int) -> None:
        super().__init__(game, batch)
        shape = (batch, game.agents)
        self.graph = SocialGraph(batch, (game.agents, game.groups))
        self.stage, self.claims = int(game.settings["stage"]), int(game.settings["claims"])
        self.partner: Ints = np.full(shape, FREE, np.intp)
        """Bargaining partner of each agent, shape (B, N)."""
        self.parity: Ints = np.zeros(shape, np.intp)
        """Parity of the steps at which each agent acts, shape (B, N)."""
        self.claim: Ints = np.zeros(shape, np.intp)
        """Standing claim of each agent in units of 1/(claims + 1), 0 for none, shape (B, N). A new claim replaces the
        partner's."""
        self.asked: Ints = np.full(shape, FREE, np.intp)
        """Agent that each agent requested in the last step, shape (B, N)."""
        self._accepts: Flags = np.zeros(shape, np.bool_)

    @staticmethod
    def actions(game: GridGame) -> tuple[GridAction, ...]:
        """Return the actions: request each agent; accept; end; claim each share for the own side."""
        parts = int(game.settings["claims"]) + 1
        asks = tuple(GridAction("request", agent) for agent in range(game.agents))
        return (
            *asks,
            GridAction("accept"),
            GridAction("end"),
            *(GridAction("claim", each / parts) for each in range(1, parts)),
        )

    def begin(self, environment: int, dice: np.random.Generator) -> None:
        """Start an episode with all agents free, alone and of weight 1."""
        super().begin(environment, dice)
        self.graph.weight[0][environment] = 1
        self._release(np.array([environment]))

    def enrol(self, environment: int, groups: Ints) -> None:
        """Put all agents of an environment into coalitions, shape (N,), with equal weights; one alone stays alone."""
        sizes = (groups[:, None] == groups).sum(axis=1)
        alone = sizes == 1
        self.graph.assign(
            np.array([environment]), np.where(alone, -1, groups)[None], np.where(alone, 1.0, 1 / sizes)[None]
        )

    def act(self, actions: Ints, time: Ints, words: Ints | None) -> None:
        """Store requests and acceptances for `settle`; claims and ends take effect at once."""
        count = self.game.agents
        self.asked = np.where((actions >= 0) & (actions < count), actions, FREE)
        self._accepts = actions == count
        environments, agents = np.nonzero(actions > count + 1)
        self.claim[environments, self.partner[environments, agents]] = 0
        self.claim[environments, agents] = actions[environments, agents] - count - 1
        self._part(*np.nonzero(actions == count + 1))

    def settle(self, time: Ints) -> None:
        """Pair agents that requested each other, merge sides that agreed, and cancel impossible bargains."""
        self._pair()
        environments, agents = np.nonzero(self._accepts)
        while environments.size:
            # The first acceptor of each environment; later ones use the weights that it leaves.
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
        """During the bargaining stage, let free agents send requests and partners act in turn; afterwards all work.

        Open bargains are void when the stage ends, so only acceptances are legal in its last step.
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
        """Return True where an agent may request another, free and outside its coalition; shape (B, N, N)."""
        free, group = self.partner == FREE, self.coalition
        together = (group[:, :, None] == group[:, None]) & (group >= 0)[:, None]
        return np.asarray(free[:, :, None] & free[:, None] & ~together & ~np.eye(self.game.agents, dtype=np.bool_))

    def social_state(self) -> Floats:
        """Return 1 between agents of one coalition, shape (B, N, N)."""
        group = self.coalition
        together = (group[:, :, None] == group[:, None]) & (group >= 0)[:, None]
        return np.asarray(together & ~np.eye(self.game.agents, dtype=np.bool_), np.float64)

    def observe(self) -> Parts:
        """Return the observation's parts of negotiators, each of shape (B, N, N).

        `communication`: 1 for senders of a request in the last step. `proposal`: the claim received from the partner.
        `final_split`: the agreed weight of each agent, 1 for agents alone. `available_player`: agents that may be
        requested.
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
        """Group of each agent, -1 if it is alone; shape (B, N)."""
        return self.graph.member[0][..., 0]

    def _release(self, environments: Ints) -> None:
        """Free all agents of these environments, and cancel their claims."""
        self.partner[environments] = FREE
        self.asked[environments] = FREE
        self.claim[environments] = 0

    def _part(self, environments: Ints, agents: Ints) -> None:
        """Free these agents and their partners."""
        partners = self.partner[environments, agents]
        for side in (agents, partners):
            self.partner[environments, side] = FREE
            self.claim[environments, side] = 0

    def _pair(self) -> None:
        """Start bargains between agents that requested each other; the lower index acts at even steps."""
        answer = np.take_along_axis(self.asked, np.maximum(self.asked, 0), axis=1)
        mutual = (self.asked != FREE) & (answer == np.arange(self.game.agents))
        environments, agents = np.nonzero(mutual)
        others = self.asked[environments, agents]
        self.partner[environments, agents] = others
        self.parity[environments, agents] = agents > others

    def _agree(self, environments: Ints, acceptors: Ints) -> None:
        """Merge the sides of bargains, one per environment; the claimant's side gets its claim."""
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
        """Return the agents that an agent speaks for, itself and its coalition; shape (n, N)."""
        own = np.take_along_axis(group, agents[:, None], axis=1)
        return np.asarray(((own >= 0) & (group == own)) | (agents[:, None] == np.arange(self.game.agents)))

    def _number(self, group: Ints, one: Ints, other: Ints) -> Ints:
        """Return the group of two merged sides, shape (n,).

        It is the group of the lower-numbered bargainer, else that of the other, else the first unused group.
        """
        rows = np.arange(len(group))
        low, high = group[rows, np.minimum(one, other)], group[rows, np.maximum(one, other)]
        used = (group[:, :, None] == np.arange(self.game.groups)).any(axis=1)
        return np.where(low >= 0, low, np.where(high >= 0, high, used.argmin(axis=1)))
