"""The village: agents that live, and the work that they find for themselves."""
