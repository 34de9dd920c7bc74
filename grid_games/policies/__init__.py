"""Policies over arrays: reference ones by name, learned ones from their files; each is made with a seed."""

from __future__ import annotations

from collections.abc import Callable

from grid_games.errors import GridPolicyError
from grid_games.policies.base import GridPolicy
from grid_games.policies.greedy import Greedy
from grid_games.policies.learned import Learned
from grid_games.policies.oracle_plan import OraclePlan
from grid_games.policies.random import RandomPolicy

POLICIES: dict[str, Callable[[int], GridPolicy]] = {"random": RandomPolicy, "greedy": Greedy, "oracle-plan": OraclePlan}
FILE = "policy:"
"""Before the name of a learned policy's file."""


def open_policy(name: str, seed: int) -> GridPolicy:
    """Return a policy by its name in `POLICIES`, or `policy:FILE` for one that was learned and saved.

    Raises PolicyError where there is none. Whether a learned one fits a game is found out when it first acts, or by its
    `check`.
    """
    if name.startswith(FILE):
        return Learned(name.removeprefix(FILE), seed)
    if name not in POLICIES:
        raise GridPolicyError(f"there is no policy {name!r}; policies are {', '.join(POLICIES)} and {FILE}FILE")
    return POLICIES[name](seed)


__all__ = ["FILE", "POLICIES", "Greedy", "GridPolicy", "Learned", "OraclePlan", "RandomPolicy", "open_policy"]
