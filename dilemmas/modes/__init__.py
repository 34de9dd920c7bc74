"""Modes of play: the protocol (`protocol`), the table of modes (`registry`), and one file per mode."""
