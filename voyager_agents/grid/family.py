"""Agent families of grid games: `random`, `greedy`, `oracle-plan`, `policy` (from a file), and `text`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from voyager_agents.context import AgentContext
from voyager_agents.cost import ImaginedRun, Range
from voyager_agents.family import AgentFactory, Family
from voyager_agents.grid.options import (
    FILE,
    PREFIX,
    ROLE,
    check_policy_file,
    check_text_options,
    files_of_options,
    history_of,
)
from voyager_agents.grid.players import ArrayPlayer
from voyager_agents.models import Settings
from voyager_agents.roles import NEGOTIATION, NEGOTIATOR

if TYPE_CHECKING:
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
            context.player,
            context.asker(ROLE, settings),
            history=history_of(context.options),
            prompts=context.prompts,
            negotiator=negotiator_part(context, usual=ROLE, prefix=PREFIX),
        )
        for context in contexts
    ]


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of one text player."""
    from voyager_agents.grid.cost import estimate_cost

    return await estimate_cost(run)


RANDOM = Family("grid", _policy_factory("random"), negotiates=False)
"""Players that choose uniformly among the legal actions."""
GREEDY = Family("grid", _policy_factory("greedy"), negotiates=False)
"""Players that each maximize their own reward."""
ORACLE_PLAN = Family("grid", _policy_factory("oracle-plan"), negotiates=False)
"""Players that know the whole state and maximize the sum of rewards."""
POLICY = Family("grid", make_file_players, check=check_policy_file, files=files_of_options, negotiates=False)
"""Players that follow a policy saved in a file."""
TEXT = Family(
    "grid",
    make_word_players,
    roles=(ROLE, NEGOTIATOR),
    check=check_text_options,
    cost=estimate_cost,
    prompts=("grid", *(PREFIX + name for name in NEGOTIATION)),
    negotiation_prefix=PREFIX,
    reads_about=False,
)
"""Players that ask a language model in each step, and negotiate before a game."""
