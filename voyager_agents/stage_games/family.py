"""Agent families of repeated games: `strategies` without a model, and `chooser`, which asks a language model."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from voyager_agents.context import AgentContext
from voyager_agents.cost import ImaginedRun, Range
from voyager_agents.family import Family
from voyager_agents.models import Settings
from voyager_agents.stage_games.options import ROLE, check_options, history_of, partner_of, way_of, written_strategies
from voyager_agents.stage_games.turns import TAKES

if TYPE_CHECKING:
    from voyager_agents.stage_games.choosing import Chooser
    from voyager_agents.stage_games.strategy_player import StrategyPlayer


def make_strategy_players(contexts: Sequence[AgentContext]) -> list[StrategyPlayer]:
    """Return one player for each context, with the strategy named by the context's kind."""
    from voyager_agents.stage_games.strategy_player import StrategyPlayer

    return [StrategyPlayer(context.player, context.kind, seed=context.seed) for context in contexts]


def make_choosers(contexts: Sequence[AgentContext]) -> list[Chooser]:
    """Return one model player for each context."""
    from voyager_agents.stage_games.choosing import Chooser

    settings = Settings(temperature=0.0)
    return [
        Chooser(
            context,
            context.asker(ROLE, settings),
            history=history_of(context.options),
            way=way_of(context.options),
            partner=partner_of(context.options),
            strategies=written_strategies(context.options),
        )
        for context in contexts
    ]


def strategy_names() -> Collection[str]:
    """Return the names of the strategies, the default first."""
    from voyager_agents.stage_games.strategies import STRATEGIES as FUNCTIONS

    return FUNCTIONS


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of one chooser."""
    from voyager_agents.stage_games.cost import estimate_cost

    return await estimate_cost(run)


STRATEGIES = Family("rounds", make_strategy_players, takes=TAKES, kinds=strategy_names)
"""Players with a fixed strategy."""
CHOOSER = Family(
    "rounds",
    make_choosers,
    takes=TAKES,
    roles=(ROLE,),
    check=check_options,
    conditioned=True,
    cost=estimate_cost,
    prompts=("choice", "choice_way", "strategy"),
    negotiates=False,
)
"""Players that ask a language model for each choice."""
