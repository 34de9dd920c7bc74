"""Kinds of real-time agents without a model."""

from __future__ import annotations

ACTOR = "actor"
KINDS = ("dweller", "baseline", ACTOR)
"""Kinds of agents without a model: all modules, the paper's baseline, and actors of a scripted part, which ignore the
condition and the models of the other agents."""
