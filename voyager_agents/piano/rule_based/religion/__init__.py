"""Believers: agents without a model that take up topics and a faith from what they hear, and travel between towns.

They are the dwellers of `voyager_agents.piano` with other rules (`rules`) and another table (`religion.yaml`), chosen
by the option `tables=believers`. Whoever hears nothing takes up nothing: all that changes a belief is an exposure.
"""

from voyager_agents.piano.rule_based.religion.rules import BOTTLENECK, FILE, NUMBERS, adapt

__all__ = ["BOTTLENECK", "FILE", "NUMBERS", "adapt"]
