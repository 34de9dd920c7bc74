"""Families of human players, one for each kind of play and of turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from common.lazy_imports import import_object
from voyager_agents.commons_harvest import TAKES as HARVEST
from voyager_agents.conquest.turns import TAKES as ORDERS
from voyager_agents.context import AgentContext
from voyager_agents.errors import AgentError
from voyager_agents.family import AgentFactory, Family
from voyager_agents.hidden_roles.turns import TAKES as WORDS
from voyager_agents.human.connection import KINDS
from voyager_agents.stage_games.turns import TAKES as CHOICES


def _maker(place: str) -> AgentFactory:
    """Return the factory of agents of the class `MODULE:NAME` in this package, which is imported when they are made."""

    def make(contexts: Sequence[AgentContext]) -> list[Any]:
        agent = import_object(f"voyager_agents.human.{place}")
        for context in contexts:
            if context.person is None:
                raise AgentError(f"{context.player}: there is no line to a person: people play in 'accord run' alone")
        return [agent(context.player, context.person) for context in contexts]

    return make


HUMAN = Family("episodes", _maker("agents:HumanAgent"), kinds=lambda: KINDS)
HUMAN_LIFE = Family("life", _maker("agents:RealtimeHuman"), kinds=lambda: KINDS, negotiates=False)
HUMAN_GRID = Family("grid", _maker("agents:HumanGridPlayer"), kinds=lambda: KINDS)
HUMAN_WORDS = Family("rounds", _maker("turns:HumanWordPlayer"), takes=WORDS, kinds=lambda: KINDS, negotiates=False)
HUMAN_CHOICES = Family("rounds", _maker("turns:HumanChooser"), takes=CHOICES, kinds=lambda: KINDS)
HUMAN_ORDERS = Family("rounds", _maker("turns:HumanCommander"), takes=ORDERS, kinds=lambda: KINDS)
HUMAN_HARVEST = Family("rounds", _maker("forager:HumanForager"), takes=HARVEST, kinds=lambda: KINDS)
