"""Human players who decide turn by turn on their pages: options, orders, clues, votes and guesses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from voyager_agents.agent import Observation
from voyager_agents.conquest.marshal import state_lines
from voyager_agents.conquest.turns import ACTS, ConquestOrder, ConquestTurn, order_fault
from voyager_agents.hidden_roles.speaker import ended_lines, known, request
from voyager_agents.hidden_roles.turns import INSIDER, WordDecision, WordTurn, clean_clue, clue_fault
from voyager_agents.human.agents import HumanAgent
from voyager_agents.human.connection import ChatLine, HumanContext
from voyager_agents.human.seat_question import SeatQuestion
from voyager_agents.stage_games.choosing import line, round_facts
from voyager_agents.stage_games.turns import StageDecision, StageTurn

CLUE_HELP = ("Write your clue; every player reads it.",)
CHOICE_HELP = ("Press a button, or write one of these words.",)
ORDER_HELP = (
    "attack TARGET from ORIGIN with TROOPS - attack a neighbouring territory of another player",
    "support TARGET from ORIGIN with TROOPS - give troops to a neighbouring territory of another player",
    "move TARGET from ORIGIN with TROOPS - send troops to a neighbouring territory of your own",
    "hold - do nothing",
)
_ORDER = re.compile(r"(attack|support|move)\s+(\S+)\s+from\s+(\S+)\s+with\s+(\d{1,6})", re.IGNORECASE)
Decision = TypeVar("Decision")
Reader = Callable[[ChatLine], tuple[Decision | None, str]]
"""Parser of a line: the decision, or None and the reply to show."""


class TurnPlayer(HumanAgent):
    """Agent of a human who is asked in each turn; an answer that is not legal is asked for again."""

    async def tell(self, lines: Sequence[str]) -> None:
        """Show lines on the page."""
        if lines:
            await self._context.line.send_text("\n".join(lines))

    async def choose(self, title: str, context: Sequence[str], legal: Sequence[str]) -> str:
        """Return the human's choice of one of the legal words."""
        return await self.decide(title, context, legal, CHOICE_HELP, _choice_reader(legal))

    async def decide(
        self,
        title: str,
        context: Sequence[str],
        answers: Sequence[str],
        instructions: Sequence[str],
        read: Reader[Decision],
    ) -> Decision:
        """Return the human's first legal answer.

        Args:
            title: The question.
            context: Lines that the question is about.
            answers: Answers that the page has buttons for.
            instructions: Instructions for answering.
            read: Parser of an answer.
        """
        question = SeatQuestion("turn", title, tuple(instructions), tuple(context), answers=tuple(answers))
        return await self._ask(question, [title], read)


class HumanChooser(TurnPlayer):
    """Agent of a human who plays repeated games (`voyager_agents.turn_agent.TurnTaker`; also negotiates, ratifies)."""

    def __init__(self, name: str, context: HumanContext) -> None:
        super().__init__(name, context)
        self._rounds = 0
        """Number of rounds that the human was told."""

    def observe(self, observation: Observation) -> None:
        """Store an observation; in a new game the human was told no round."""
        super().observe(observation)
        if not observation.played:
            self._rounds = 0

    async def take_turn(self, turn: StageTurn) -> StageDecision:
        """Tell the human what is new, and return its choice; an empty one if it has no options."""
        await self.tell(self._news(turn))
        if not turn.options:
            return StageDecision()
        stage = turn.law.stages[turn.stage]
        return StageDecision(await self.choose(f"Round {turn.round}: your {stage}?", [round_facts(turn)], turn.options))

    async def see_end(self, turn: StageTurn) -> None:
        """Tell the human the last round, and what it has got."""
        await self.tell([*self._news(turn), f"The game is over. You have got {float(turn.earned):g} in all."])

    def _news(self, turn: StageTurn) -> list[str]:
        """Return the rounds since the last turn."""
        told, self._rounds = self._rounds, len(turn.history)
        return [line(each, self.name) for each in turn.history[told:]]


class HumanCommander(TurnPlayer):
    """Agent of a human who plays Conquest (`voyager_agents.turn_agent.TurnTaker`; also negotiates and ratifies)."""

    async def take_turn(self, turn: ConquestTurn) -> ConquestOrder:
        """Tell the human what it sees, and return its order; an empty one if it has no territory."""
        state = state_lines(turn)
        await self.tell(state)
        own = turn.own()
        if not own:
            return ConquestOrder()
        title = f"Round {turn.round}: your order?"
        order = await self.decide(title, state, ["hold", *_attacks(turn)], ORDER_HELP, _order_reader(turn))
        if not turn.recruits or len(own) == 1:
            return order
        title = f"Round {turn.round}: where do your recruits go ({turn.recruits})?"
        return replace(order, place=await self.choose(title, state, list(own)))

    async def see_end(self, turn: ConquestTurn) -> None:
        """Tell the human how the game stands at its end."""
        await self.tell([*state_lines(turn)[1:], f"The game is over. You have {turn.emeralds} emeralds."])


class HumanWordPlayer(TurnPlayer):
    """Agent of a human who plays games of hidden roles (`voyager_agents.turn_agent.TurnTaker`).

    Like a model, the human says with its vote which role it thinks it has, if it is not told, and for whom most players
    will vote.
    """

    def __init__(self, name: str, context: HumanContext) -> None:
        super().__init__(name, context)
        self._game = 0
        """Number of the game that the human was told of last."""
        self._clues = 0
        """Number of that game's clues that the human was told."""
        self._ended = 0
        """Number of games whose outcomes the human was told."""

    def observe(self, observation: Observation) -> None:
        """Store the observation before the games, of which the human was told nothing yet."""
        super().observe(observation)
        self._game = self._clues = self._ended = 0

    async def take_turn(self, turn: WordTurn) -> WordDecision:
        """Tell the human what is new, and return its decision; an empty one if it is not its turn."""
        await self.tell(self._news(turn))
        if not turn.acts:
            return WordDecision()
        asked, context = request(turn), [known(turn), *_clue_lines(turn)]
        match turn.stage:
            case "clue":
                return WordDecision(clue=await self.decide(asked, context, (), CLUE_HELP, _clue_reader(turn)))
            case "guess":
                return WordDecision(guess=await self.choose(asked, context, turn.words))
        roles = (INSIDER, turn.rules.odd)
        role = turn.role or await self.choose("Which role do you think you have?", context, roles)
        expects = await self.choose("For whom will most players vote?", context, turn.players)
        return WordDecision(vote=await self.choose(asked, context, turn.others()), role=role, expects=expects)

    async def see_end(self, turn: WordTurn) -> None:
        """Tell the human how the last game ended."""
        await self.tell([*self._news(turn), "The game is over."])

    def _news(self, turn: WordTurn) -> list[str]:
        """Return the outcome of a game that has ended, the card of a new one, and the clues that were given since."""
        lines = ended_lines(turn)[-1:] if len(turn.ended) > self._ended else []
        self._ended = len(turn.ended)
        if turn.game != self._game:
            lines.append(known(turn))
            self._game, self._clues = turn.game, 0
        lines += _clue_lines(turn)[self._clues :]
        self._clues = len(turn.clues)
        return lines


def _attacks(turn: ConquestTurn) -> list[str]:
    """Return an order for each attack that the player can make with all troops of a territory."""
    seen = turn.named()
    return [
        ConquestOrder("attack", name, target, each.troops).text
        for name, each in turn.own().items()
        for target in each.borders
        if each.troops and seen[target].owner != turn.player
    ]


def _order_of(turn: ConquestTurn, text: str) -> ConquestOrder | None:
    """Return the order in a line, its territories in capital or small letters; None for no order."""
    if text.strip().casefold() == "hold":
        return ConquestOrder()
    found = _ORDER.fullmatch(text.strip())
    if found is None:
        return None
    names = {name.casefold(): name for name in turn.named()}
    target, origin = (names.get(part.casefold(), part) for part in (found[2], found[3]))
    act = next(each for each in ACTS if each == found[1].lower())
    return ConquestOrder(act, origin, target, int(found[4]))


def _order_reader(turn: ConquestTurn) -> Reader[ConquestOrder]:
    """Return a parser of an order: the order, or None and the reason why it is not legal."""

    def read(said: ChatLine) -> tuple[ConquestOrder | None, str]:
        order = _order_of(turn, said.text)
        if order is None:
            return None, "That does not count: write hold, or attack TARGET from ORIGIN with TROOPS."
        fault = order_fault(turn.territories, turn.player, order)
        return (None, f"That does not count: {fault}.") if fault else (order, "")

    return read


def _clue_lines(turn: WordTurn) -> list[str]:
    return [f"{each.player}: {each.text}" for each in turn.clues]


def _clue_reader(turn: WordTurn) -> Reader[str]:
    """Return a parser of a clue: the clue, or None and the reason why it is not legal."""

    def read(said: ChatLine) -> tuple[str | None, str]:
        clue = clean_clue(said.text)
        fault = clue_fault(turn, clue)
        return (None, f"That does not count: {fault}.") if fault else (clue, "")

    return read


def _choice_reader(legal: Sequence[str]) -> Reader[str]:
    """Return a parser of a choice, in capital or small letters."""
    named = {each.casefold(): each for each in legal}

    def read(said: ChatLine) -> tuple[str | None, str]:
        found = named.get(said.text.strip().casefold())
        return (None, f"That does not count: choose one of {', '.join(legal)}.") if found is None else (found, "")

    return read
