"""Companions: agents without a model that feel for each other, show it in words, and read it in the words of others.

They are the dwellers of `voyager_agents.piano` with other rules (`rules`) and another table (`perception.yaml`), chosen
by the option `tables=companions`. What one thinks of another begins as a first impression, which knows nothing of the
other; social awareness alone moves it.
"""

from voyager_agents.piano.rule_based.perception.rules import BOTTLENECK, FILE, NUMBERS, adapt

__all__ = ["BOTTLENECK", "FILE", "NUMBERS", "adapt"]
