"""Agent families `piano` and `dwellers`: real-time agents with models for some, all or none of their modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voyager_agents.context import AgentContext
from voyager_agents.cost import ImaginedRun, Range
from voyager_agents.family import Family
from voyager_agents.piano.kinds import KINDS

if TYPE_CHECKING:
    from voyager_agents.piano.agent import PianoAgent


def make_agents(contexts: Sequence[AgentContext]) -> list[PianoAgent]:
    """Create one agent for each context."""
    from voyager_agents.piano.assembly import make_agent

    return [make_agent(context) for context in contexts]


def check_options(options: Mapping[str, Any]) -> None:
    """Check the options of an agent. Raises WiringError, SkillError, IndexUnusable or ModelError."""
    from voyager_agents.piano.assembly import check_options

    check_options(options)


def files_of_options(options: Mapping[str, Any]) -> Sequence[Path]:
    """Return the user's module files that the options name."""
    from voyager_agents.piano.assembly import files_of_options

    return files_of_options(options)


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the model calls of one agent, by module."""
    from voyager_agents.piano.cost import estimate_cost

    return await estimate_cost(run)


DWELLERS = Family(
    "life",
    make_agents,
    check=check_options,
    files=files_of_options,
    negotiates=False,
    conditioned=True,
    kinds=lambda: KINDS,
)
PIANO = Family(
    "life",
    make_agents,
    roles=(
        "controller",
        "talking",
        "goal_generation",
        "planning",
        "social_awareness",
        "action_awareness",
        "memory",
        "skill_execution",
        "citizen",
    ),
    check=check_options,
    files=files_of_options,
    cost=estimate_cost,
    prompts=(
        "action_awareness",
        "citizen",
        "controller",
        "goal_generation",
        "memory",
        "mind",
        "planning",
        "polity",
        "skill_execution",
        "skill_execution_tools",
        "skill_library",
        "social_awareness",
        "talking",
    ),
    negotiates=False,
    reads_about=False,
    conditioned=True,
    by_calls="skill_execution",
    sees=("controller", "talking", "planning", "social_awareness", "action_awareness", "skill_execution"),
)
