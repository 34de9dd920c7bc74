"""Names of the roles under which agents and judges call models."""

from __future__ import annotations

JUDGE = "judge"
"""The judge; the same in every family."""
RATER = "rater"
"""The rater, which scores agents' lives afterwards."""
ANSWERER = "answerer"
"""A model that is asked questions about moments of a finished record."""
EMBEDDING = "embedding"
"""Calls that embed texts. The embedding model is an option of the agents, not a study's model."""
NEGOTIATOR = "negotiator"
"""Negotiation before a game."""
NOT_DECIDING = frozenset({JUDGE, RATER, EMBEDDING, "critic"})
"""Roles that decide nothing for a player: they judge, rate or review."""
NEGOTIATION = ("negotiator", "ratify", "talk", "pay")
"""Prompts of a negotiator: for messages at the table, signatures, talks, and payments. A family's own have a prefix."""
CIVIC = ("act_institution",)
"""Prompts of players whom institutions ask."""
MARKET_PROMPTS = ("trader",)
"""Prompts of players whom a market of a society asks."""
JUDGING = ("judge", "typist")
"""Prompts of the judge; the same in every family."""
RATING = ("rate_coherence", "rate_roles", "rate_sentiments")
"""Prompts of the rater."""
TOPIC_RATING = ("name_topics", "summarize_goals")
"""Prompts of the rater for topics, which is asked about finished records only."""
MOMENT = "moment"
"""Prompt of questions about moments."""
LAW_RATING = ("rate_compliance",)
"""Prompts of the rater for compliance with a law in words, which is asked about finished records only."""
WORD_RATING = ("read_words",)
"""Prompts of the rater for statements in players' words, which is asked about finished records only."""
