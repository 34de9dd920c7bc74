"""Results that AdaSociety's paper printed (arXiv 2411.03865): tables 2, 3, 8, 9, 10, 11 and 12.

Tables 6 and 7 are parameters of the games themselves (`grid_games/data`). Means with the spread as printed.
"""

from __future__ import annotations

from collections.abc import Mapping

Printed = tuple[float, float]
"""Mean and spread."""
SOURCE = "AdaSociety, arXiv 2411.03865"

SCORES: Mapping[str, Mapping[str, Printed]] = {
    "ada-contract": {
        "CL": (0.9136, 0.0023), "PPO": (0.2286, 0.0003), "RecPPO": (0.2276, 0.0015), "MAPPO": (0.2271, 0.0003),
        "Rainbow": (0.1987, 0.0127), "random": (0.0046, 0.0002), "LLM-C": (0.8433, 0.1312),
    },
    "ada-contract-hard": {
        "CL": (0.2773, 0.0466), "PPO": (0.1151, 0.0002), "RecPPO": (0.1149, 0.0), "MAPPO": (0.1137, 0.0005),
        "Rainbow": (0.0868, 0.0033), "random": (0.0021, 0.0), "LLM-C": (0.6499, 0.1716),
    },
    "ada-negotiation": {
        "CL": (0.3543, 0.0229), "PPO": (0.2276, 0.0006), "RecPPO": (0.2278, 0.0004), "MAPPO": (0.2147, 0.0001),
        "Rainbow": (0.1969, 0.0105), "random": (0.0040, 0.0001), "LLM-C": (0.8733, 0.1116),
    },
    "ada-negotiation-hard": {
        "CL": (0.1945, 0.0109), "PPO": (0.1093, 0.0027), "RecPPO": (0.1107, 0.0019), "MAPPO": (0.0946, 0.0032),
        "Rainbow": (0.0905, 0.0024), "random": (0.0020, 0.0001), "LLM-C": (0.6862, 0.1027),
    },
    "ada-exploration": {
        "PPO": (0.1744, 0.0138), "RecPPO": (0.1697, 0.0041), "MAPPO": (0.0420, 0.0123), "Rainbow": (0.0051, 0.0004),
        "random": (0.0001, 0.0),
    },
    "ada-social-structure": {"LLM-C": (0.7894, 0.0444)},
}  # fmt: skip
"""Game -> player -> mean individual reward over the oracle's share (tables 2, 3 and 8)."""

LLM: Mapping[str, Mapping[str, Printed]] = {
    "ada-social-structure": {
        "fairness": (0.8356, 0.0496), "completion_hammer_craft": (0.6583, 0.0624),
        "completion_torch_craft": (0.6833, 0.1546), "group_max_in": (4.0, 0.0), "group_mean_in": (4.0, 0.0),
    },
    "ada-contract": {
        "fairness": (0.0, 0.0), "completion_hammer_craft": (0.9333, 0.0236), "group_max_in": (4.0, 0.0),
        "group_mean_in": (4.0, 0.0),
    },
    "ada-contract-hard": {
        "fairness": (0.0, 0.0), "completion_hammer_craft": (1.0, 0.0), "completion_torch_craft": (0.9167, 0.1179),
        "group_max_in": (8.0, 0.0), "group_mean_in": (8.0, 0.0),
    },
    "ada-negotiation": {
        "fairness": (0.7046, 0.1401), "completion_hammer_craft": (0.8833, 0.1041), "group_max_in": (1.3333, 0.5773),
        "group_mean_in": (1.1667, 0.2886),
    },
    "ada-negotiation-hard": {
        "fairness": (0.8143, 0.0350), "completion_hammer_craft": (1.0, 0.0),
        "completion_torch_craft": (0.9167, 0.1443), "group_max_in": (3.3333, 0.5773), "group_mean_in": (1.625, 0.6959),
    },
}  # fmt: skip
"""Game -> measure -> result of LLM-C (table 9). Its two fairnesses of 0 in Contract are the Gini coefficient itself:
with all players in one group and equal shares fairness as the paper defines it is 1."""

LLM_C = "LLM-C"
"""Player whose language model plans above a controller."""


def llm_results(game: str) -> Mapping[str, Printed]:
    """Return measure -> result of LLM-C in a game: its score (table 3) and its other measures (table 9)."""
    scored = SCORES.get(game, {}).get(LLM_C)
    return {**({} if scored is None else {"score": scored}), **LLM.get(game, {})}


CONVERGENCE: Mapping[str, Mapping[str, tuple[float, float]]] = {
    "ada-negotiation": {
        "CL": (5.66, 14), "PPO": (0.12, 0.47), "RecPPO": (1.05, 2.4), "MAPPO": (21.21, 1.8), "Rainbow": (14.97, 42),
    },
    "ada-negotiation-hard": {
        "CL": (12.96, 15), "PPO": (1.66, 2.3), "RecPPO": (0.30, 0.49), "MAPPO": (74.85, 4.4), "Rainbow": (40.54, 53),
    },
    "ada-contract": {
        "CL": (32.03, 112), "PPO": (0.19, 0.80), "RecPPO": (1.94, 6.0), "MAPPO": (9.65, 1.2), "Rainbow": (9.65, 25),
    },
    "ada-contract-hard": {
        "CL": (48.58, 78), "PPO": (0.21, 0.56), "RecPPO": (0.74, 1.0), "MAPPO": (14.94, 0.94), "Rainbow": (19.07, 37),
    },
    "ada-social-structure": {
        "CL": (6.98, 4.8), "PPO": (6.90, 6.0), "RecPPO": (10.16, 6.0), "MAPPO": (46.23, 4.8), "Rainbow": (2.34, 2.0),
    },
}  # fmt: skip
"""Game -> learner -> hours and millions of steps until convergence (table 10)."""

SPEED: Mapping[int, Printed] = {
    4: (2495.58, 26.33), 8: (1245.38, 3.65), 20: (395.33, 2.52), 100: (42.58, 0.26), 1000: (2.60, 0.09),
}  # fmt: skip
"""Number of players -> steps of an environment a second (table 11)."""

CURRICULUM: Mapping[str, tuple[Printed, Printed, Printed]] = {
    "ada-contract": ((0.9747, 0.0059), (0.3435, 0.0262), (0.9136, 0.0023)),
    "ada-contract-hard": ((0.6470, 0.0313), (0.2566, 0.0284), (0.2773, 0.0466)),
}
"""Game -> rewards of a group after each of three stages of curriculum learning (table 12)."""
