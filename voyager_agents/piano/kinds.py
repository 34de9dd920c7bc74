"""Kinds of real-time agents without a model."""

from __future__ import annotations

ACTOR = "actor"
KINDS = ("dweller", "baseline", ACTOR)
"""Kinds of rule-based agents: `dweller` (all modules), `baseline` (the paper's baseline) and `actor` (a scripted part,
independent of the condition and the models of the other agents)."""
