"""Generative agents: they perceive, remember, reflect, plan and act once a round, and may meet in a council.

They implement the architecture of Mosquera et al. (2024) after Park et al. (2023), and the four modules that Mosquera
et al. propose: understanding, communication, constitution, reputation. `assembly.make_family` makes the agents of a
run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.lazy_imports import lazy_names

if TYPE_CHECKING:
    from contracts.institutions import ReputationStanding, entries_of, scores, standings
    from voyager_agents.generative.court import audit
    from voyager_agents.generative.settings import MODULES, GenerativeSettings, GenerativeSettingsError

__all__ = [
    "MODULES",
    "GenerativeSettings",
    "GenerativeSettingsError",
    "ReputationStanding",
    "audit",
    "entries_of",
    "scores",
    "standings",
]

__getattr__ = lazy_names(
    __name__,
    {
        "contracts.institutions": ("ReputationStanding", "entries_of", "scores", "standings"),
        "voyager_agents.generative.court": ("audit",),
        "voyager_agents.generative.settings": ("MODULES", "GenerativeSettings", "GenerativeSettingsError"),
    },
)
