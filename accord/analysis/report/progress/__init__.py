"""The report's chapter on individual progression: items over time, the tree of items, what was not reached."""
