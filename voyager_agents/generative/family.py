"""Agent family `generative`: generative agents for Commons Harvest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voyager_agents.commons_harvest import TAKES
from voyager_agents.context import AgentContext
from voyager_agents.cost import ImaginedRun, Range
from voyager_agents.family import Family

if TYPE_CHECKING:
    from voyager_agents.generative.agent import GenerativeAgent

ROLE = "mind"
"""Name of the only model role: all parts of an agent use the same model."""


def make_agents(contexts: Sequence[AgentContext]) -> list[GenerativeAgent]:
    """Return the agents, which share a council if the settings need one."""
    from voyager_agents.generative.assembly import make_agents

    return make_agents(contexts, ROLE)


def check_options(options: Mapping[str, Any]) -> None:
    """Check the agents' options. Raises GenerativeSettingsError with a one-line message."""
    from voyager_agents.generative.assembly import read_options

    read_options(options)


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the model calls of one agent."""
    from voyager_agents.generative.cost import estimate_cost

    return {ROLE: await estimate_cost(run)}


GENERATIVE = Family(
    "rounds",
    make_agents,
    takes=TAKES,
    roles=(ROLE,),
    check=check_options,
    cost=estimate_cost,
    negotiates=False,
    conditioned=True,
    prompts=(
        "act",
        "council",
        "perceive",
        "plan",
        "preamble",
        "reflect_insights",
        "reflect_questions",
        "understand",
    ),
)
"""Generative agents for Commons Harvest."""
