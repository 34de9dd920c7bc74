"""Explorers: agents without a model that climb the tree of items, from what they hold, see and can reach.

They are the dwellers of `voyager_agents.piano` with other rules (`rules`) and another table (`explorers.yaml`), chosen
by the option `tables=explorers`. What is made of what they know from `items.json`, which is made from the world
engine's own tables; where things are they must find out.
"""

from voyager_agents.piano.explorers.rules import BOTTLENECK, FILE, NUMBERS, adapt

__all__ = ["BOTTLENECK", "FILE", "NUMBERS", "adapt"]
