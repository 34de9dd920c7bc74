"""Report section on individual progression: items over time, the tree of items, unreached items."""
