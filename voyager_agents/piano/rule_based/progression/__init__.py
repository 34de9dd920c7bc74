"""Explorers: rule-based agents that progress through the item tree, with the items they hold, see and can reach.

The option `tables=explorers` selects these rules (`rules.py`) and their table (`progression.yaml`). Explorers know
every recipe (`items.json`, generated from the world engine's tables), but must find the resources.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.lazy_imports import lazy_names

if TYPE_CHECKING:
    from voyager_agents.piano.rule_based.progression.rules import BOTTLENECK, FILE, NUMBERS, adapt

__all__ = ["BOTTLENECK", "FILE", "NUMBERS", "adapt"]

# Reports read the numbers of this package without its rules, which import the whole of PIANO.
__getattr__ = lazy_names(__name__, {"voyager_agents.piano.rule_based.progression.rules": tuple(__all__)})
