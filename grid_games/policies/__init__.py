"""Reference policies over arrays, by name; each is made with a seed."""

from __future__ import annotations

from collections.abc import Callable

from grid_games.policies.base import Policy
from grid_games.policies.greedy import Greedy
from grid_games.policies.oracle_plan import OraclePlan
from grid_games.policies.random import Random

POLICIES: dict[str, Callable[[int], Policy]] = {"random": Random, "greedy": Greedy, "oracle-plan": OraclePlan}

__all__ = ["POLICIES", "Greedy", "OraclePlan", "Policy", "Random"]
