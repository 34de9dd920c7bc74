"""The social state: a directed graph in layers.

Layer 0 are the agents, layer 1 groups, layer 2 groups of groups, and so on.

An edge within a layer says that the first node's view goes to the second; between groups, everybody beneath the first
shows everybody beneath the second. A membership joins a node to a node of the next layer: it puts its reward, in equal
parts, into the pools of the nodes it belongs to, and is paid of each pool by its weight. A pool whose node belongs to a
higher one is passed on and what comes back is paid out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from grid_games.arrays import Flags, Floats, Ints
from grid_games.errors import GameError


@dataclass
class _Flow:
    """One layer's memberships as flat indices, made anew when they change."""

    above: Ints
    """(B*n, K) the pool of each membership, through the batch; the last, spare pool for none."""
    part: Floats
    """(B*n, K) what goes into it of the node's reward."""
    share: Floats
    """(B*n, K) what the node is paid of it."""
    alone: Flags
    """(B*n,) nodes that keep what they have."""


@dataclass
class SocialGraph:
    """The graphs of B environments, as arrays. Nodes of a layer are numbered in each environment."""

    batch: int
    sizes: tuple[int, ...]
    """Nodes of each layer."""
    slots: int = 1
    """Most memberships of a node."""
    shares: list[Flags] = field(init=False)
    """(B, n, n) for each layer: the first's view goes to the second. Never to itself."""
    member: list[Ints] = field(init=False)
    """(B, n, K) for each layer but the last: the nodes of the next layer that a node belongs to, -1 for none."""
    weight: list[Floats] = field(init=False)
    """(B, n, K) the weight of each membership."""
    _flows: list[_Flow] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.shares = [np.zeros((self.batch, size, size), np.bool_) for size in self.sizes]
        self.member = [np.full((self.batch, size, self.slots), -1, np.intp) for size in self.sizes[:-1]]
        self.weight = [np.zeros((self.batch, size, self.slots)) for size in self.sizes[:-1]]

    def clear(self, environments: Ints) -> None:
        """Take away all edges and memberships of these environments."""
        for edges in self.shares:
            edges[environments] = False
        for groups, weights in zip(self.member, self.weight, strict=True):
            groups[environments] = -1
            weights[environments] = 0
        self._flows = None

    def copy_from(self, template: SocialGraph, environments: Ints) -> None:
        """Replace the whole graph of these environments by a template's, which is a batch of one.

        Raises:
            GameError: The layers of the graphs differ in size.
        """
        if (template.sizes, template.slots) != (self.sizes, self.slots):
            raise GameError(f"a template of layers {template.sizes} does not fit a graph of layers {self.sizes}")
        for mine, its in zip(self._arrays(), template._arrays(), strict=True):
            mine[environments] = its[0]
        self._flows = None

    def toggle(self, environments: Ints, first: Ints, second: Ints, layer: int = 0) -> None:
        """Make edges that do not exist, and remove those that do. No edge may occur twice, no node with itself.

        Args:
            environments: (n,) environments.
            first: (n,) nodes at the start of the edges.
            second: (n,) nodes at their end.
            layer: Layer of the graph.
        """
        self.shares[layer][environments, first, second] ^= True

    def join(
        self, environments: Ints, nodes: Ints, groups: Ints, weights: Floats | float = 1.0, layer: int = 0
    ) -> None:
        """Let nodes belong to one group alone, leaving all others.

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
        """Return the rewards after pooling, (B, N) of (B, N). The total of an environment stays."""
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
        """(B, n, K) what each node is paid of the pools of its groups."""
        return self._current()[layer].share.reshape(self.batch, -1, self.slots)

    def views(self) -> Flags:
        """(B, N, N) whether the first agent's view goes to the second, edges between groups counted in."""
        result, beneath = self.shares[0], np.broadcast_to(np.eye(self.sizes[0], dtype=np.bool_), self.shares[0].shape)
        for layer in range(1, len(self.sizes)):
            beneath = (beneath.astype(np.int32) @ self.belongs(layer - 1)) > 0
            if (edges := self.shares[layer]).any():
                sent = beneath.astype(np.int32) @ edges @ beneath.transpose(0, 2, 1)
                result = result | (sent > 0)
        return result & ~np.eye(self.sizes[0], dtype=np.bool_)

    def belongs(self, layer: int = 0) -> Flags:
        """(B, n, m) whether a node belongs to a node of the next layer."""
        spare = np.zeros((self.batch, self.sizes[layer], self.sizes[layer + 1] + 1), np.bool_)
        np.put_along_axis(spare, self.member[layer], True, axis=2)  # -1 is the spare column
        return spare[..., :-1]

    def adjacency(self, layers: int | None = None) -> Floats:
        """(B, M, M) the graph of the first layers; a row receives, a column gives.

        Agents to agents and groups to groups: 1 where the view goes. A group from its member: the part of the reward
        that the member puts in. A member from its group: the fraction of the pool that it is paid.
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
        """(B, n) nodes with an agent beneath: a group without any puts in nothing, and is paid nothing."""
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
    """(count,) the sum of the amounts in each bin, added in their order: a batch adds as one environment does."""
    return np.asarray(np.bincount(bins.reshape(-1), weights=amounts.reshape(-1), minlength=count), np.float64)
