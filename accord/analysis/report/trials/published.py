"""Results of Voyager's paper (arXiv 2305.16291): its tables 1 and 2, and its figures of items and of the map.

Each value is the number of prompting iterations: mean and standard deviation of the trials that reached the goal, and
their number out of three. All are of GPT-4 or GPT-3.5 in another Minecraft; Accord's are other models in other worlds.
"""

from __future__ import annotations

from collections.abc import Mapping

SOURCE = "Voyager, arXiv 2305.16291, section 3, tables 1 and 2"
TRIALS = 3
LEVELS: Mapping[str, Mapping[str, str]] = {
    "Voyager": {"wooden": "6 ± 2 (3/3)", "stone": "11 ± 2 (3/3)", "iron": "21 ± 7 (3/3)", "diamond": "102 (1/3)"},
    "Voyager without skill library": {
        "wooden": "7 ± 2 (3/3)",
        "stone": "9 ± 4 (3/3)",
        "iron": "29 ± 11 (3/3)",
        "diamond": "none (0/3)",
    },
    "AutoGPT": {
        "wooden": "92 ± 72 (3/3)",
        "stone": "94 ± 72 (3/3)",
        "iron": "135 ± 103 (3/3)",
        "diamond": "none (0/3)",
    },
    "ReAct, Reflexion": dict.fromkeys(("wooden", "stone", "iron", "diamond"), "none (0/3)"),
}
"""Agents -> level -> iterations to its first tool, of at most 160."""
TASKS: Mapping[str, Mapping[str, str]] = {
    "Voyager": {
        "diamond-pickaxe": "19 ± 3 (3/3)",
        "golden-sword": "18 ± 7 (3/3)",
        "lava-bucket": "21 ± 5 (3/3)",
        "compass": "18 ± 2 (3/3)",
    },
    "Voyager without skill library": {
        "diamond-pickaxe": "36 (2/3)",
        "golden-sword": "30 ± 9 (3/3)",
        "lava-bucket": "27 ± 9 (3/3)",
        "compass": "26 ± 3 (3/3)",
    },
    "AutoGPT with Voyager's skill library": {
        "diamond-pickaxe": "39 (1/3)",
        "golden-sword": "30 (1/3)",
        "lava-bucket": "none (0/3)",
        "compass": "30 (2/3)",
    },
    "AutoGPT, ReAct, Reflexion": dict.fromkeys(
        ("diamond-pickaxe", "golden-sword", "lava-bucket", "compass"), "none (0/3)"
    ),
}
"""Agents -> zero-shot task -> iterations to it, of at most 50."""
ITEMS, ITEMS_AT = 63, 160
"""Number of different items that Voyager held, and the iteration of that count."""
TOLD = (
    "Voyager held 63 different items within 160 iterations, 3.3 times as many as the agents that it was compared with, "
    "and travelled 2.3 times as far"
)
OTHERS = (
    "The published values are of GPT-4 in the paper's own setup. Those of this report are of other models, or of none, "
    "in other worlds: they stand beside each other and are no replication"
)
