"""Families of human players: `human`, `human-life`, `human-grid`, `human-words`, `human-choices`, `human-orders`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from voyager_agents.conquest.turns import TAKES as ORDERS
from voyager_agents.context import AgentContext
from voyager_agents.errors import AgentError
from voyager_agents.family import Family
from voyager_agents.hidden_roles.turns import TAKES as WORDS
from voyager_agents.human.connection import KINDS, HumanContext
from voyager_agents.stage_games.turns import TAKES as CHOICES

if TYPE_CHECKING:
    from voyager_agents.human.agents import HumanAgent, HumanGridPlayer, RealtimeHuman
    from voyager_agents.human.turns import HumanChooser, HumanCommander, HumanWordPlayer


def make_agents(contexts: Sequence[AgentContext]) -> list[HumanAgent]:
    """Create the agents of humans who play in episodes."""
    from voyager_agents.human.agents import HumanAgent

    return [HumanAgent(context.player, _human_context(context)) for context in contexts]


def make_realtime_agents(contexts: Sequence[AgentContext]) -> list[RealtimeHuman]:
    """Create the agents of humans who live among others."""
    from voyager_agents.human.agents import RealtimeHuman

    return [RealtimeHuman(context.player, _human_context(context)) for context in contexts]


def make_grid_agents(contexts: Sequence[AgentContext]) -> list[HumanGridPlayer]:
    """Create the agents of humans who play grid games on their pages."""
    from voyager_agents.human.agents import HumanGridPlayer

    return [HumanGridPlayer(context.player, _human_context(context)) for context in contexts]


def make_word_players(contexts: Sequence[AgentContext]) -> list[HumanWordPlayer]:
    """Create the agents of humans who play games of hidden roles on their pages."""
    from voyager_agents.human.turns import HumanWordPlayer

    return [HumanWordPlayer(context.player, _human_context(context)) for context in contexts]


def make_choosers(contexts: Sequence[AgentContext]) -> list[HumanChooser]:
    """Create the agents of humans who play repeated games on their pages."""
    from voyager_agents.human.turns import HumanChooser

    return [HumanChooser(context.player, _human_context(context)) for context in contexts]


def make_commanders(contexts: Sequence[AgentContext]) -> list[HumanCommander]:
    """Create the agents of humans who play Conquest on their pages."""
    from voyager_agents.human.turns import HumanCommander

    return [HumanCommander(context.player, _human_context(context)) for context in contexts]


def _human_context(context: AgentContext) -> HumanContext:
    if context.person is None:
        raise AgentError(f"{context.player}: there is no line to a person: people play in 'accord run' alone")
    return context.person


HUMAN = Family("episodes", make_agents, kinds=lambda: KINDS)
HUMAN_LIFE = Family("life", make_realtime_agents, kinds=lambda: KINDS, negotiates=False)
HUMAN_GRID = Family("grid", make_grid_agents, kinds=lambda: KINDS)
HUMAN_WORDS = Family("rounds", make_word_players, takes=WORDS, kinds=lambda: KINDS, negotiates=False)
HUMAN_CHOICES = Family("rounds", make_choosers, takes=CHOICES, kinds=lambda: KINDS)
HUMAN_ORDERS = Family("rounds", make_commanders, takes=ORDERS, kinds=lambda: KINDS)
