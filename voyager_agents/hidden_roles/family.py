"""Agent families of games of hidden roles: `word-players` without a model, and `speaker`, which asks a model."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from voyager_agents.context import AgentContext
from voyager_agents.cost import ImaginedRun, Range
from voyager_agents.family import Family
from voyager_agents.hidden_roles.turns import ROLE, TAKES
from voyager_agents.models import Settings

if TYPE_CHECKING:
    from voyager_agents.hidden_roles.players import CluePlayer
    from voyager_agents.hidden_roles.speaker import Speaker


def make_word_players(contexts: Sequence[AgentContext]) -> list[CluePlayer]:
    """Return one player for each context, of the context's kind."""
    from voyager_agents.hidden_roles.players import CluePlayer

    return [CluePlayer(context.player, context.kind, seed=context.seed) for context in contexts]


def word_player_kinds() -> Collection[str]:
    """Return the kinds of reference players, the default first."""
    from voyager_agents.hidden_roles.players import CLUES

    return CLUES


def make_speakers(contexts: Sequence[AgentContext]) -> list[Speaker]:
    """Return one model player for each context."""
    from voyager_agents.hidden_roles.speaker import Speaker

    settings = Settings(temperature=0.0)
    return [Speaker(context, context.asker(ROLE, settings)) for context in contexts]


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of one speaker."""
    from voyager_agents.hidden_roles.cost import estimate_cost

    return await estimate_cost(run)


WORD_PLAYERS = Family("rounds", make_word_players, takes=TAKES, kinds=word_player_kinds, negotiates=False)
"""Players of games of hidden roles with a fixed strategy."""
SPEAKER = Family(
    "rounds",
    make_speakers,
    takes=TAKES,
    roles=(ROLE,),
    cost=estimate_cost,
    prompts=("secret_word",),
    negotiates=False,
)
"""Players of games of hidden roles that ask a language model."""
