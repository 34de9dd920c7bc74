"""Families of Voyager agents: `paper`, as in the contracts paper, and `voyager`, which learns skills."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voyager_agents.context import AgentContext
from voyager_agents.cost import ImaginedRun, Range
from voyager_agents.family import Family, check_names
from voyager_agents.roles import NEGOTIATOR

if TYPE_CHECKING:
    from voyager_agents.voyager.agent import VoyagerAgent
    from voyager_agents.voyager.learner import LearningAgent


PAPER_OPTIONS = ("stop", "population")
LEARNER_OPTIONS = ("library", "learned", "embedding", "warm-up", "primitives")


def make_paper_agents(contexts: Sequence[AgentContext]) -> list[VoyagerAgent]:
    """Create agents without a curriculum and a skill library."""
    from voyager_agents.evolving import inherited_programs
    from voyager_agents.voyager.agent import VoyagerAgent, paper_parts

    return [
        VoyagerAgent(context.player, paper_parts(context), context.tell, inherited_programs(context.options))
        for context in contexts
    ]


def check_paper_options(options: Mapping[str, Any]) -> None:
    """Raise AgentError for illegal options."""
    from voyager_agents.evolving import inherited_programs
    from voyager_agents.voyager.agent import stop_of

    check_names(options, PAPER_OPTIONS)
    stop_of(options)
    inherited_programs(options)


async def estimate_paper_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of one agent of the contracts paper."""
    from voyager_agents.voyager.cost import estimate_paper_cost

    return await estimate_paper_cost(run)


def make_learning_agents(contexts: Sequence[AgentContext]) -> list[LearningAgent]:
    """Create learning agents, each with a skill library."""
    from voyager_agents.voyager.learner import make_learning_agent

    return [make_learning_agent(context) for context in contexts]


def check_learner_options(options: Mapping[str, Any]) -> None:
    """Raise AgentError for illegal options."""
    from voyager_agents.voyager.learner import check_options

    check_names(options, LEARNER_OPTIONS)
    check_options(options)


def learner_files(options: Mapping[str, Any]) -> Sequence[Path]:
    """Return the files of the skills that an agent starts with."""
    from voyager_agents.voyager.learner import files_of_options

    return files_of_options(options)


async def estimate_learner_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of one learning agent."""
    from voyager_agents.voyager.cost import estimate_learner_cost

    return await estimate_learner_cost(run)


PAPER = Family(
    "episodes",
    make_paper_agents,
    roles=("action", "critic", NEGOTIATOR),
    options=PAPER_OPTIONS,
    check=check_paper_options,
    cost=estimate_paper_cost,
    prompts=("action", "action_tools", "critic", "negotiator", "pay", "ratify", "talk"),
    by_calls="action",
    sees=("action", "critic", NEGOTIATOR),
    keeps_programs=True,
)
VOYAGER = Family(
    "episodes",
    make_learning_agents,
    roles=("action", "critic", "curriculum", NEGOTIATOR),
    options=LEARNER_OPTIONS,
    check=check_learner_options,
    files=learner_files,
    cost=estimate_learner_cost,
    prompts=(
        "action",
        "action_tools",
        "critic_task",
        "curriculum",
        "describe",
        "negotiator",
        "pay",
        "questions",
        "ratify",
        "talk",
    ),
    also=("iterations",),
    by_calls="action",
    sees=("action", "critic", NEGOTIATOR),
)
