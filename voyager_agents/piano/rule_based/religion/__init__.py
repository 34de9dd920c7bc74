"""Believers: rule-based agents that adopt topics and a faith from words they hear, and travel between towns.

Believers are the dwellers of `voyager_agents.piano` with their own rules (`rules`) and table (`religion.yaml`),
selected by the option `tables=believers`. Beliefs change only by exposure to the words of others.
"""

from voyager_agents.piano.rule_based.religion.rules import BOTTLENECK, FILE, NUMBERS, adapt

__all__ = ["BOTTLENECK", "FILE", "NUMBERS", "adapt"]
