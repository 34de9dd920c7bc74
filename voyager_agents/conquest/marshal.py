"""Player of Conquest that asks a language model for each order, and negotiates with a negotiator part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from common.answers.fitting import keep_ends
from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents.conquest.turns import ACTS, ConquestOrder, ConquestTurn, OrderAct, SeenTerritory
from voyager_agents.model_player import ModelPlayer
from voyager_agents.prompts.fitting import fill_with

PROMPT = "order"
"""Name of the prompt template."""
HISTORY = 6
"""Number of own past orders in the prompt."""
MAX_WHY = 400
"""Maximum length of a recorded reason, in characters."""
RULES = keep_ends("lately")
"""Rules that shorten a prompt: the oldest orders."""


class OrderAnswer(Strict):
    """Answer with one order."""

    why: str = Field(max_length=MAX_WHY)
    act: OrderAct
    origin: str = Field(max_length=60)
    target: str = Field(max_length=60)
    troops: int = Field(ge=0, le=100_000)
    place: str = Field(max_length=60)


def order_form(turn: ConquestTurn) -> AnswerForm[OrderAnswer]:
    """Return the form of an order, narrowed to the player's territories and those beside them."""
    own = turn.own()
    beside = dict.fromkeys(name for each in own.values() for name in each.borders)
    most = max((each.troops or 0 for each in own.values()), default=0)
    example = {
        "why": "<one short sentence>",
        "act": "<attack, move, support or hold>",
        "origin": "<your territory, or empty>",
        "target": "<a neighbouring territory, or empty>",
        "troops": "<how many go>",
        "place": "<your territory that gets the recruits>",
    }
    narrowed: dict[str, Any] = {
        "origin": {"type": "string", "enum": ["", *own]},
        "target": {"type": "string", "enum": ["", *beside]},
        "troops": {"type": "integer", "minimum": 0, "maximum": most},
        "place": {"type": "string", "enum": list(own)},
    }
    choices = {"act": list(ACTS)}
    return AnswerForm("order", OrderAnswer, example, reasoning="why", choices=choices, narrowed=narrowed)


class Marshal(ModelPlayer):
    """A `voyager_agents.turn_agent.TurnTaker` that asks a model for each order."""

    async def take_turn(self, turn: ConquestTurn) -> ConquestOrder:
        """Return the model's order, or one with a fault; make no call if the player has no territory."""
        if not turn.own():
            return ConquestOrder()
        form = order_form(turn)
        answer = await self._asker.ask(*self.question(turn, form), form, part=PROMPT)
        if answer.value is None:
            self._done.append(f"round {turn.round}: none, since your answer could not be used")
            return ConquestOrder(fault=answer.faults[-1].text)
        given = answer.value
        order = ConquestOrder(given.act, given.origin, given.target, given.troops, given.place, given.why)
        recruits = f", recruits to {order.place}" if order.place else ""
        self._done.append(f"round {turn.round}: {order.text}{recruits}")
        return order

    def question(self, turn: ConquestTurn, form: AnswerForm[OrderAnswer]) -> tuple[str, str]:
        """Return system and user message of a turn; text that is constant for the whole game comes first."""
        values = {
            **self._known(),
            "map": "\n".join(map_lines(turn.territories)),
            "now": "\n".join(state_lines(turn)),
        }
        return self._asker.fit(values, RULES, fill_with(self._context.prompts.load(PROMPT)), form)


def map_lines(territories: Sequence[SeenTerritory]) -> list[str]:
    """Return the map in words: regions, territories and borders."""
    return [f"{each.name} (region {each.region}) borders on {', '.join(each.borders)}." for each in territories]


def state_lines(turn: ConquestTurn) -> list[str]:
    """Return what the player sees before a round, in words."""
    found = [f"Round {turn.round} of at most {turn.rounds}. You have {turn.emeralds} emeralds.", *turn.notices]
    for battle in turn.battles:
        found.append(f"Last round: {battle.text}.")
    for giver, at, troops in turn.supports:
        found.append(f"Last round {giver} gave {troops} troops to {at}.")
    found.append("Your territories:")
    found += [f"- {_state_text(each)}" for each in turn.own().values()]
    seen = [each for each in turn.territories if each.owner not in (None, turn.player)]
    found.append("Territories of others that you see; all else is hidden:")
    found += [f"- {each.owner}'s {_state_text(each)}" for each in seen] or ["- none"]
    found.append(f"You place {turn.recruits} recruits. Your secret objective: {', '.join(turn.objective)}.")
    return found


def _state_text(territory: SeenTerritory) -> str:
    burnt = f", yields nothing for {territory.burnt} rounds" if territory.burnt else ""
    return f"{territory.name}: {territory.troops} troops{burnt}"
