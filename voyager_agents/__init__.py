"""Who plays: families of agents, their prompts and models, and reference players without a model."""

from __future__ import annotations

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
from voyager_agents.voyager.agent import VoyagerAgent, VoyagerParts, standard_parts
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
    "permitted",
    "standard_parts",
]
