"""Generative agents: they perceive, remember, reflect, plan and act once a round, and may meet at a council.

The architecture of Mosquera et al. (2024) after Park et al. (2023), and the four modules that the former propose:
understanding, communication, constitution, reputation. `make_family` makes the agents of a run.
"""

from __future__ import annotations

from contracts.institutions import ReputationStanding, entries_of, scores, standings
from voyager_agents.generative.agent import GenerativeAgent
from voyager_agents.generative.council import SocialCouncil
from voyager_agents.generative.court import audit
from voyager_agents.generative.family import GenerativeFamily, make, make_family
from voyager_agents.generative.settings import MODULES, GenerativeSettings, GenerativeSettingsError

__all__ = [
    "MODULES",
    "GenerativeAgent",
    "GenerativeFamily",
    "GenerativeSettings",
    "GenerativeSettingsError",
    "ReputationStanding",
    "SocialCouncil",
    "audit",
    "entries_of",
    "make",
    "make_family",
    "scores",
    "standings",
]
