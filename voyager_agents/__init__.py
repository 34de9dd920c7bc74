"""Families of agents, their prompts and models, and reference players without a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.lazy_imports import lazy_names

if TYPE_CHECKING:
    from voyager_agents.agent import PERMITTED_OBSERVATIONS, Action, Agent, LastRun, Observation, permitted
    from voyager_agents.budget import Budget
    from voyager_agents.errors import (
        AgentError,
        BudgetError,
        BudgetExhausted,
        ModelBlocked,
        ModelError,
        ObservationError,
        PlayerError,
        PromptError,
        QuotaExhausted,
        ReplyError,
        ScriptExhausted,
    )
    from voyager_agents.facts import Commons, Facts, Ore, PublicGood, ScenarioFacts, Tool
    from voyager_agents.models import Model, Settings, open_model
    from voyager_agents.models.prices import Prices, load_prices
    from voyager_agents.reference import PLAYERS, ReferenceAgent
    from voyager_agents.voyager.agent import VoyagerAgent, VoyagerParts, paper_parts
    from voyager_agents.voyager.judge import language_judge

__all__ = [
    "PERMITTED_OBSERVATIONS",
    "PLAYERS",
    "Action",
    "Agent",
    "AgentError",
    "Budget",
    "BudgetError",
    "BudgetExhausted",
    "Commons",
    "Facts",
    "LastRun",
    "Model",
    "ModelBlocked",
    "ModelError",
    "Observation",
    "ObservationError",
    "Ore",
    "PlayerError",
    "Prices",
    "PromptError",
    "PublicGood",
    "QuotaExhausted",
    "ReferenceAgent",
    "ReplyError",
    "ScenarioFacts",
    "ScriptExhausted",
    "Settings",
    "Tool",
    "VoyagerAgent",
    "VoyagerParts",
    "language_judge",
    "load_prices",
    "open_model",
    "paper_parts",
    "permitted",
]

__getattr__ = lazy_names(
    __name__,
    {
        "voyager_agents.agent": ("PERMITTED_OBSERVATIONS", "Action", "Agent", "LastRun", "Observation", "permitted"),
        "voyager_agents.budget": ("Budget",),
        "voyager_agents.errors": (
            "AgentError",
            "BudgetError",
            "BudgetExhausted",
            "ModelBlocked",
            "ModelError",
            "ObservationError",
            "PlayerError",
            "PromptError",
            "QuotaExhausted",
            "ReplyError",
            "ScriptExhausted",
        ),
        "voyager_agents.facts": ("Commons", "Facts", "Ore", "PublicGood", "ScenarioFacts", "Tool"),
        "voyager_agents.models": ("Model", "Settings", "open_model"),
        "voyager_agents.models.prices": ("Prices", "load_prices"),
        "voyager_agents.reference": ("PLAYERS", "ReferenceAgent"),
        "voyager_agents.voyager.agent": ("VoyagerAgent", "VoyagerParts", "paper_parts"),
        "voyager_agents.voyager.judge": ("language_judge",),
    },
)
