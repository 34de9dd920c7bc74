"""Companions: rule-based agents that have feelings for others, express them, and infer the feelings of others.

Companions are the dwellers of `voyager_agents.piano` with their own rules (`rules`) and table (`perception.yaml`),
selected by the option `tables=companions`. An opinion of a player starts as a random first impression. Only social
awareness changes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.lazy_imports import lazy_names

if TYPE_CHECKING:
    from voyager_agents.piano.rule_based.perception.rules import BOTTLENECK, FILE, NUMBERS, adapt

__all__ = ["BOTTLENECK", "FILE", "NUMBERS", "adapt"]

# Reports read the numbers of this package without its rules, which import the whole of PIANO.
__getattr__ = lazy_names(__name__, {"voyager_agents.piano.rule_based.perception.rules": tuple(__all__)})
