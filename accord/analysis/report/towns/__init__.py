"""The report of a society of towns: what spread by words, where, and from whom."""
