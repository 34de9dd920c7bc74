"""Social state: a directed graph in layers. Layer 0 holds the agents, layer 1 groups, layer 2 groups of groups.

An edge within a layer means that the first node shares its view with the second. Between groups, all agents below the
first share with all agents below the second. A membership joins a node to a node of the next layer. A node pays its
reward, in equal parts, into the pools of the nodes it belongs to, and receives from each pool by its weight. If a
pool's node belongs to a higher node, the pool is first passed on, and the amount returned is paid out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from grid_games.arrays import Flags, Floats, Ints
from grid_games.errors import GameError


@dataclass
class _Flow:
    """One layer's memberships as flat indices, recomputed after a change."""

    above: Ints
    """Pool of each membership, as an index through the batch, shape (B*n, K); the last, spare pool stands for none."""
    part: Floats
    """Fraction of the node's reward paid into it, shape (B*n, K)."""
    share: Floats
    """Fraction of the pool paid to the node, shape (B*n, K)."""
    alone: Flags
    """True for nodes without memberships, which keep their rewards, shape (B*n,)."""


@dataclass
class SocialGraph:
    """Graphs of B environments as arrays. Nodes of a layer are numbered within each environment."""

    batch: int
    sizes: tuple[int, ...]
    """Number of nodes of each layer."""
    slots: int = 1
    """Maximum memberships of a node."""
    shares: list[Flags] = field(init=False)
    """Per layer, shape (B, n, n): True if the first node shares its view with the second; False on the diagonal."""
    member: list[Ints] = field(init=False)
    """Per layer but the last, shape (B, n, K): nodes of the next layer that a node belongs to, -1 for none."""
    weight: list[Floats] = field(init=False)
    """Weight of each membership, shape (B, n, K)."""
    _flows: list[_Flow] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.shares = [np.zeros((self.batch, size, size), np.bool_) for size in self.sizes]
        self.member = [np.full((self.batch, size, self.slots), -1, np.intp) for size in self.sizes[:-1]]
        self.weight = [np.zeros((self.batch, size, self.slots)) for size in self.sizes[:-1]]

    def clear(self, environments: Ints) -> None:
        """Remove all edges and memberships of these environments."""
        for edges in self.shares:
            edges[environments] = False
        for groups, weights in zip(self.member, self.weight, strict=True):
            groups[environments] = -1
            weights[environments] = 0
        self._flows = None

    def copy_from(self, template: SocialGraph, environments: Ints) -> None:
        """Replace the whole graph of these environments by a template, which is a batch of one.

        Raises:
            GameError: The layers of the graphs differ in size.
        """
        if (template.sizes, template.slots) != (self.sizes, self.slots):
            raise GameError(f"a template of layers {template.sizes} does not fit a graph of layers {self.sizes}")
        for mine, its in zip(self._arrays(), template._arrays(), strict=True):
            mine[environments] = its[0]
        self._flows = None

    def toggle(self, environments: Ints, first: Ints, second: Ints, layer: int = 0) -> None:
        """Add edges that do not exist and remove those that do. Each edge may occur once; loops are not allowed.

        Args:
            environments: (n,) environments.
            first: (n,) source nodes of the edges.
            second: (n,) target nodes of the edges.
            layer: Layer of the graph.
        """
        self.shares[layer][environments, first, second] ^= True

    def join(
        self, environments: Ints, nodes: Ints, groups: Ints, weights: Floats | float = 1.0, layer: int = 0
    ) -> None:
        """Make nodes members of one group only, leaving all others.

        Args:
            environments: (n,) environments.
            nodes: (n,) nodes.
            groups: (n,) groups; -1 joins none.
            weights: (n,) weights above 0.
            layer: Layer of the groups.
        """
        self.member[layer][environments, nodes, 0] = groups
        if self.slots > 1:
            self.member[layer][environments, nodes, 1:] = -1
        self.weight[layer][environments, nodes, 0] = weights
        self._flows = None

    def assign(self, environments: Ints, groups: Ints, weights: Floats) -> None:
        """Set the group and weight of all agents of these environments; (n, N) each, group -1 for none."""
        self.member[0][environments, :, 0] = groups
        self.weight[0][environments, :, 0] = weights
        self._flows = None

    def pool(self, rewards: Floats) -> Floats:
        """Return the rewards after pooling, shape (B, N); each environment's total is unchanged."""
        flows = self._current()
        amounts: Floats = rewards.reshape(-1)
        kept: list[Floats] = []
        for flow, size in zip(flows, self.sizes[1:], strict=True):
            kept.append(amounts * flow.alone)
            put = amounts[:, None] * flow.part
            amounts = _sums(flow.above, put, self.batch * size + 1)[:-1]
        for flow, own in zip(reversed(flows), reversed(kept), strict=True):
            pools = np.append(amounts, 0.0)
            amounts = own + (pools.take(flow.above) * flow.share).sum(axis=1)
        return amounts.reshape(self.batch, -1)

    def fractions(self, layer: int = 0) -> Floats:
        """Return the fraction of each group's pool that each node receives, shape (B, n, K)."""
        return self._current()[layer].share.reshape(self.batch, -1, self.slots)

    def views(self) -> Flags:
        """Return True where an agent shares its view with another, directly or through groups; shape (B, N, N)."""
        result, beneath = self.shares[0], np.broadcast_to(np.eye(self.sizes[0], dtype=np.bool_), self.shares[0].shape)
        for layer in range(1, len(self.sizes)):
            beneath = (beneath.astype(np.int32) @ self.belongs(layer - 1)) > 0
            if (edges := self.shares[layer]).any():
                sent = beneath.astype(np.int32) @ edges @ beneath.transpose(0, 2, 1)
                result = result | (sent > 0)
        return result & ~np.eye(self.sizes[0], dtype=np.bool_)

    def belongs(self, layer: int = 0) -> Flags:
        """Return True where a node belongs to a node of the next layer, shape (B, n, m)."""
        spare = np.zeros((self.batch, self.sizes[layer], self.sizes[layer + 1] + 1), np.bool_)
        np.put_along_axis(spare, self.member[layer], True, axis=2)  # -1 is the spare column
        return spare[..., :-1]

    def adjacency(self, layers: int | None = None) -> Floats:
        """Return the graph of the first layers as a matrix, shape (B, M, M); rows receive, columns give.

        Between nodes of one layer: 1 where a view is shared. From member to group: the fraction of its reward that the
        member pays in. From group to member: the fraction of the pool that the member receives.
        """
        sizes = self.sizes[:layers]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        matrix = np.zeros((self.batch, starts[-1], starts[-1] + 1))
        for layer, size in enumerate(sizes):
            mine = slice(starts[layer], starts[layer] + size)
            matrix[:, mine, mine] = self.shares[layer].transpose(0, 2, 1)
            if layer + 1 < len(sizes):
                self._between(matrix, layer, mine, int(starts[layer + 1]))
        return matrix[..., :-1]

    def _between(self, matrix: Floats, layer: int, mine: slice, first: int) -> None:
        """Write the memberships between a layer and the next into an adjacency matrix."""
        flow, shape = self._current()[layer], (self.batch, -1, self.slots)
        groups = self.member[layer]
        columns = np.where(groups < 0, matrix.shape[2] - 1, groups + first)
        np.put_along_axis(matrix[:, mine], columns, flow.share.reshape(shape), axis=2)
        environment, node, slot = np.nonzero(groups >= 0)
        rows = groups[environment, node, slot] + first
        matrix[environment, rows, node + mine.start] = flow.part.reshape(shape)[environment, node, slot]

    def _peopled(self, layer: int) -> Flags:
        """Return True for nodes with an agent below them, shape (B, n); other groups neither pay nor receive."""
        peopled: Flags = np.ones((self.batch, self.sizes[0]), np.bool_)
        for below in range(layer):
            peopled = np.logical_or.reduce(self.belongs(below) & peopled[..., None], axis=1)
        return peopled

    def _arrays(self) -> Sequence[Flags | Ints | Floats]:
        return [*self.shares, *self.member, *self.weight]

    def _current(self) -> list[_Flow]:
        if self._flows is None:
            self._flows = [self._flow(layer) for layer in range(len(self.sizes) - 1)]
        return self._flows

    def _flow(self, layer: int) -> _Flow:
        groups, above = self.member[layer], self.sizes[layer + 1]
        member = groups >= 0
        if layer:
            member &= self._peopled(layer)[..., None]
        first = (np.arange(self.batch) * above)[:, None, None]
        pools = np.where(member, groups + first, self.batch * above).reshape(-1, self.slots)
        weights = (self.weight[layer] * member).reshape(-1, self.slots)
        total = _sums(pools, weights, self.batch * above + 1)
        total[total == 0] = 1
        member = member.reshape(-1, self.slots)
        count = member.sum(axis=1)
        return _Flow(pools, member / np.maximum(count, 1)[:, None], weights / total.take(pools), count == 0)


def _sums(bins: Ints, amounts: Floats, count: int) -> Floats:
    """Return the sum of the amounts in each bin, shape (count,), added in order so that batch size does not matter."""
    return np.asarray(np.bincount(bins.reshape(-1), weights=amounts.reshape(-1), minlength=count), np.float64)
