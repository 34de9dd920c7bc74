"""Ways to play a scenario: one protocol (`protocol`), one table (`registry`), one file for each mode."""
