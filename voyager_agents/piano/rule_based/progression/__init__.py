"""Explorers: agents without a model that climb the tree of items, from what they hold, see and can reach.

The option `tables=explorers` chooses these rules (`rules.py`) and their table (`progression.yaml`). Explorers know
every recipe (`items.json`, made from the world engine's own tables), and must find out where things are.
"""

from voyager_agents.piano.rule_based.progression.rules import BOTTLENECK, FILE, NUMBERS, adapt

__all__ = ["BOTTLENECK", "FILE", "NUMBERS", "adapt"]
