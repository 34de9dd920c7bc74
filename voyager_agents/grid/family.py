"""Agent families of grid games.

`random`, `greedy`, `oracle-plan`, `idle` and `policy` (from a file) act by policies, `text` asks a model for each
action, `planner` for plans; the plans of `scripted-planner` are a script's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from voyager_agents.context import AgentContext
from voyager_agents.cost import ImaginedRun, Range
from voyager_agents.family import AgentFactory, Family
from voyager_agents.grid.options import (
    FILE,
    PLANNER,
    PREFIX,
    ROLE,
    check_planner_options,
    check_policy_file,
    check_script_options,
    check_text_options,
    files_of_options,
    history_of,
    review_of,
)
from voyager_agents.grid.players import ArrayPlayer, ScriptedPlayer
from voyager_agents.models import Settings
from voyager_agents.roles import NEGOTIATION, NEGOTIATOR

if TYPE_CHECKING:
    from voyager_agents.grid.planner import PlannerPlayer
    from voyager_agents.grid.words import WordsPlayer


def _policy_factory(policy: str) -> AgentFactory:
    """Return a factory of players with a named policy of `grid_games.policies`."""
    return lambda contexts: [ArrayPlayer(context.player, policy) for context in contexts]


def make_file_players(contexts: Sequence[AgentContext]) -> list[ArrayPlayer]:
    """Return players with the policy in the file given by the option `file`."""
    return [ArrayPlayer(context.player, f"policy:{context.options[FILE]}") for context in contexts]


def make_word_players(contexts: Sequence[AgentContext]) -> list[WordsPlayer]:
    """Return text players, which ask a model in each step."""
    from voyager_agents.grid.words import WordsPlayer
    from voyager_agents.voyager.agent import negotiator_part

    settings = Settings(temperature=0.0)
    return [
        WordsPlayer(
            context,
            context.asker(ROLE, settings),
            history=history_of(context.options),
            negotiator=negotiator_part(context, usual=ROLE, prefix=PREFIX),
        )
        for context in contexts
    ]


def make_planners(contexts: Sequence[AgentContext]) -> list[PlannerPlayer]:
    """Return planners, which ask a model for each plan."""
    from voyager_agents.grid.planner import PlannerPlayer
    from voyager_agents.voyager.agent import negotiator_part

    settings = Settings(temperature=0.0)
    return [
        PlannerPlayer(
            context,
            context.asker(PLANNER, settings),
            history=history_of(context.options),
            review=review_of(context.options),
            negotiator=negotiator_part(context, usual=PLANNER, prefix=PREFIX),
        )
        for context in contexts
    ]


def make_scripted_planners(contexts: Sequence[AgentContext]) -> list[ScriptedPlayer]:
    """Return players whose plans are a script's."""
    return [ScriptedPlayer(context.player, review_of(context.options)) for context in contexts]


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of one text player."""
    from voyager_agents.grid.cost import estimate_cost

    return await estimate_cost(run)


async def estimate_planner_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of one planner."""
    from voyager_agents.grid.cost import estimate_planner_cost

    return await estimate_planner_cost(run)


RANDOM = Family("grid", _policy_factory("random"), negotiates=False)
"""Players that choose uniformly among the legal actions."""
GREEDY = Family("grid", _policy_factory("greedy"), negotiates=False)
"""Players that each maximize their own reward."""
ORACLE_PLAN = Family("grid", _policy_factory("oracle-plan"), negotiates=False)
"""Players that know the whole state and maximize the sum of rewards."""
IDLE = Family("grid", _policy_factory("idle"), negotiates=False)
"""Players that stay where they are."""
POLICY = Family(
    "grid", make_file_players, check=check_policy_file, files=files_of_options, negotiates=False, by_file=True
)
"""Players that follow a policy saved in a file."""
TEXT = Family(
    "grid",
    make_word_players,
    roles=(ROLE, NEGOTIATOR),
    check=check_text_options,
    cost=estimate_cost,
    prompts=("grid", *(PREFIX + name for name in NEGOTIATION)),
    sees=(ROLE, NEGOTIATOR),
    negotiation_prefix=PREFIX,
    reads_about=False,
)
"""Players that ask a language model in each step, and negotiate before a game."""
PLANNERS = Family(
    "grid",
    make_planners,
    roles=(PLANNER, NEGOTIATOR),
    check=check_planner_options,
    cost=estimate_planner_cost,
    prompts=(
        "grid_plan",
        *("grid_plan_examples" + kind for kind in ("", "_contract", "_exploration", "_negotiation")),
        *(PREFIX + name for name in NEGOTIATION),
    ),
    negotiation_prefix=PREFIX,
    reads_about=False,
    sees=(PLANNER, NEGOTIATOR),
)
"""Players whose language model makes plans, which a controller carries out; they negotiate before a game."""
SCRIPTED_PLANNERS = Family("grid", make_scripted_planners, check=check_script_options, negotiates=False)
"""Players whose plans a script makes from what a planner is told, a reference without a model."""
