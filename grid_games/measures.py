"""Measures of the paper (appendix A.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grid_games.arrays import Counts, Floats, Ints
from grid_games.core.graph import SocialGraph
from grid_games.spec import GridGame


def fairness(rewards: Floats) -> float | None:
    """Return 1 - Gini coefficient of the rewards, shape (N,): 1 for equal rewards, 1/N if one agent has all.

    The result is 1 if all rewards are zero, and None if their sum is not positive. Negative rewards can lower it below
    1/N.
    """
    rewards = rewards.round(9)  # pooled shares leave floating-point residues
    total = round(float(rewards.sum()), 6)
    if not rewards.any():
        return 1.0
    if total <= 0:
        return None
    apart = float(np.abs(rewards[:, None] - rewards).sum())
    return 1.0 - apart / (2 * len(rewards) * total)


def completion(game: GridGame, executions: Counts, plan: Mapping[str, int]) -> dict[str, float | None]:
    """Return event -> executions, (E,) or (N, E), divided by those in the oracle's plan; None if unplanned."""
    done = np.asarray(executions).reshape(-1, len(game.recipes)).sum(axis=0)
    wanted = [plan.get(recipe.name, 0) for recipe in game.recipes]
    return {
        recipe.name: float(count) / want if want else None
        for recipe, count, want in zip(game.recipes, done, wanted, strict=True)
    }


def score(rewards: Floats, total: float) -> float:
    """Return the mean reward divided by the mean of the oracle's total; this is the score in the paper's tables."""
    return float(rewards.mean()) / (total / len(rewards))


def split_ratio(game: GridGame, weights: Floats) -> float | None:
    """Return the first role's total weight divided by the second role's; None without a second role."""
    roles = np.array(game.players)
    other = float(weights[roles == 1].sum())
    return float(weights[roles == 0].sum()) / other if other else None


@dataclass(frozen=True)
class Degrees:
    """Degrees of one kind of node; edges within its layer and to adjacent layers count alike."""

    mean_in: float
    mean_out: float
    max_in: int
    max_out: int
    nodes: int
    """Number of nodes; groups without members do not count."""


def degrees(graph: SocialGraph, environment: int) -> dict[str, Degrees]:
    """Return the degrees of the agents (`agent`), the groups (`group`), and higher layers (`group 2` and so on)."""
    result = {}
    for layer in range(len(graph.sizes)):
        edges = graph.shares[layer][environment]
        links, there = _links(graph, layer, environment)
        name = "agent" if layer == 0 else "group" if layer == 1 else f"group {layer}"
        result[name] = _degrees((edges.sum(axis=0) + links)[there], (edges.sum(axis=1) + links)[there])
    return result


def _links(graph: SocialGraph, layer: int, environment: int) -> tuple[Ints, Ints]:
    """Return each node's number of memberships and members, which count in both directions, and the existing nodes."""
    links = np.zeros(graph.sizes[layer], np.intp)
    there = np.arange(graph.sizes[layer])
    if layer:
        below = graph.belongs(layer - 1)[environment].sum(axis=0)
        there = np.flatnonzero(below)
        links += below
    if layer + 1 < len(graph.sizes):
        links += graph.belongs(layer)[environment].sum(axis=1)
    return links, there


def _degrees(into: Ints, out: Ints) -> Degrees:
    if not into.size:
        return Degrees(0.0, 0.0, 0, 0, 0)
    return Degrees(float(into.mean()), float(out.mean()), int(into.max()), int(out.max()), len(into))
