"""Cleanup: a public good, the clean river, and a common harvest."""
