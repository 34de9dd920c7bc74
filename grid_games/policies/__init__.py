"""Policies over arrays: reference policies by name, and learned policies from files. Each gets a seed."""

from __future__ import annotations

from collections.abc import Callable

from grid_games.errors import GridPolicyError
from grid_games.policies.base import GridPolicy
from grid_games.policies.greedy import Greedy
from grid_games.policies.idle import Idle
from grid_games.policies.learned import Learned
from grid_games.policies.oracle_plan import OraclePlan
from grid_games.policies.random import RandomPolicy

POLICIES: dict[str, Callable[[int], GridPolicy]] = {
    "random": RandomPolicy,
    "greedy": Greedy,
    "oracle-plan": OraclePlan,
    "idle": Idle,
}
FILE = "policy:"
"""Prefix of the path of a learned policy's file."""


def open_policy(name: str, seed: int) -> GridPolicy:
    """Return a policy by its name in `POLICIES`, or a learned policy from a file by `policy:FILE`.

    Raises GridPolicyError for an unknown policy. A learned policy's fit to a game is checked by its `check`, or when it
    first acts.
    """
    if name.startswith(FILE):
        return Learned(name.removeprefix(FILE), seed)
    if name not in POLICIES:
        raise GridPolicyError(f"there is no policy {name!r}; policies are {', '.join(POLICIES)} and {FILE}FILE")
    return POLICIES[name](seed)


__all__ = ["FILE", "POLICIES", "Greedy", "GridPolicy", "Learned", "OraclePlan", "RandomPolicy", "open_policy"]
