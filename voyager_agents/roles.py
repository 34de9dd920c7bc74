"""Names of the roles for which agents and judges ask models."""

from __future__ import annotations

JUDGE = "judge"
"""The judge, in every family."""
RATER = "rater"
"""The rater of lives after they were lived."""
EMBEDDING = "embedding"
"""Calls that turn texts into vectors. Its model is an option of the agents, not a study's model."""
NEGOTIATOR = "negotiator"
"""Negotiation before a game."""
JUDGING = ("judge", "typist")
"""Prompts of the judge, in every family."""
RATING = ("rate_coherence", "rate_roles", "rate_sentiments")
"""Prompts of the rater."""
