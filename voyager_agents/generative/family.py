"""The family `generative`: generative agents of Commons Harvest."""

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
"""The only role: every part of an agent asks the same model."""


def make_agents(contexts: Sequence[AgentContext]) -> list[GenerativeAgent]:
    """Make the agents and the council that they share."""
    from voyager_agents.generative.assembly import make_agents

    return make_agents(contexts, ROLE)


def check_options(options: Mapping[str, Any]) -> None:
    """Raise GenerativeSettingsError, one line, for options that are not legal."""
    from voyager_agents.generative.assembly import read_options

    read_options(options)


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of one agent."""
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
