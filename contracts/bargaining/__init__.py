"""Bargaining over several deals at once, on public, pairwise and group channels."""
