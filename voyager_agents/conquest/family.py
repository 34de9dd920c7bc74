"""Agent families of Conquest: `commanders` without a model, and `marshal`, which asks a language model."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from voyager_agents.conquest.turns import ROLE, TAKES
from voyager_agents.context import AgentContext
from voyager_agents.cost import ImaginedRun, Range
from voyager_agents.family import Family
from voyager_agents.models import Settings
from voyager_agents.roles import NEGOTIATOR

if TYPE_CHECKING:
    from voyager_agents.conquest.commanders import Commander
    from voyager_agents.conquest.marshal import Marshal


def make_commanders(contexts: Sequence[AgentContext]) -> list[Commander]:
    """Return one player for each context, with the strategy named by the context's kind."""
    from voyager_agents.conquest.commanders import Commander

    return [Commander(context.player, context.kind, seed=context.seed) for context in contexts]


def commander_kinds() -> Collection[str]:
    """Return the kinds of commanders, the default first."""
    from voyager_agents.conquest.commanders import STRATEGIES

    return STRATEGIES


def make_marshals(contexts: Sequence[AgentContext]) -> list[Marshal]:
    """Return one model player for each context."""
    from voyager_agents.conquest.marshal import HISTORY, Marshal
    from voyager_agents.voyager.agent import negotiator_part

    settings = Settings(temperature=0.0)
    return [
        Marshal(
            context, context.asker(ROLE, settings), history=HISTORY, negotiator=negotiator_part(context, usual=ROLE)
        )
        for context in contexts
    ]


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of one marshal."""
    from voyager_agents.conquest.cost import estimate_cost

    return await estimate_cost(run)


COMMANDERS = Family("rounds", make_commanders, takes=TAKES, kinds=commander_kinds)
"""Players of Conquest with a fixed strategy."""
MARSHAL = Family("rounds", make_marshals, takes=TAKES, roles=(ROLE, NEGOTIATOR), cost=estimate_cost, prompts=("order",))
"""Players of Conquest that ask a language model for each order, and negotiate."""
