"""Agent family `generative`: generative agents for Commons Harvest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voyager_agents.commons_harvest import TAKES
from voyager_agents.context import AgentContext
from voyager_agents.cost import ImaginedRun, Range
from voyager_agents.family import Family
from voyager_agents.generative.settings import OPTIONS, ROLES

if TYPE_CHECKING:
    from voyager_agents.generative.agent import GenerativeAgent


def make_agents(contexts: Sequence[AgentContext]) -> list[GenerativeAgent]:
    """Return the agents, which share a council if the settings need one."""
    from voyager_agents.generative.assembly import make_agents

    return make_agents(contexts)


def check_options(options: Mapping[str, Any]) -> None:
    """Check the agents' options. Raises GenerativeSettingsError with a one-line message."""
    from voyager_agents.generative.assembly import read_options

    read_options(options)


def required_roles(options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the roles of the parts that ask a model. Raises GenerativeSettingsError for an illegal option."""
    from voyager_agents.generative.assembly import read_options

    return read_options(options)[0].roles


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the model calls of one agent."""
    from voyager_agents.generative.cost import estimate_cost

    return await estimate_cost(run)


GENERATIVE = Family(
    "rounds",
    make_agents,
    takes=TAKES,
    roles=ROLES,
    options=OPTIONS,
    required=required_roles,
    check=check_options,
    cost=estimate_cost,
    negotiates=False,
    sees=("act", "perceive", "plan"),
    conditioned=True,
    prompts=(
        "act",
        "act_weighed",
        "council",
        "perceive",
        "perceive_equal",
        "plan",
        "preamble",
        "reflect_insights",
        "reflect_questions",
        "reputation",
        "understand",
    ),
)
"""Generative agents for Commons Harvest."""
