"""The village: agents that live there and find work for themselves."""
