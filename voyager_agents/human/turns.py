"""Human players who decide turn by turn on their pages: clues, votes and guesses, or options of repeated games."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from voyager_agents.agent import Observation
from voyager_agents.hidden_roles.speaker import ended_lines, known, request
from voyager_agents.hidden_roles.turns import INSIDER, WordDecision, WordTurn, clean_clue, clue_fault
from voyager_agents.human.agents import HumanAgent
from voyager_agents.human.connection import ChatLine, HumanContext
from voyager_agents.human.seat_question import SeatQuestion
from voyager_agents.stage_games.choosing import line, round_facts
from voyager_agents.stage_games.turns import StageDecision, StageTurn

CLUE_HELP = ("Write your clue; every player reads it.",)
CHOICE_HELP = ("Press a button, or write one of these words.",)
Reader = Callable[[ChatLine], tuple[str | None, str]]
"""Parser of a line: the decision, or None and the reply to show."""


class _TurnPlayer(HumanAgent):
    """Agent of a human who is asked in each turn; an answer that is not legal is asked for again."""

    async def tell(self, lines: Sequence[str]) -> None:
        """Show lines on the page."""
        if lines:
            await self._context.line.send_text("\n".join(lines))

    async def choose(self, title: str, context: Sequence[str], legal: Sequence[str]) -> str:
        """Return the human's choice of one of the legal words."""
        return await self.decide(title, context, legal, CHOICE_HELP, _choice_reader(legal))

    async def decide(
        self, title: str, context: Sequence[str], answers: Sequence[str], instructions: Sequence[str], read: Reader
    ) -> str:
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


class HumanChooser(_TurnPlayer):
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


class HumanWordPlayer(_TurnPlayer):
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


def _clue_lines(turn: WordTurn) -> list[str]:
    return [f"{each.player}: {each.text}" for each in turn.clues]


def _clue_reader(turn: WordTurn) -> Reader:
    """Return a parser of a clue: the clue, or None and the reason why it is not legal."""

    def read(said: ChatLine) -> tuple[str | None, str]:
        clue = clean_clue(said.text)
        fault = clue_fault(turn, clue)
        return (None, f"That does not count: {fault}.") if fault else (clue, "")

    return read


def _choice_reader(legal: Sequence[str]) -> Reader:
    """Return a parser of a choice, in capital or small letters."""
    named = {each.casefold(): each for each in legal}

    def read(said: ChatLine) -> tuple[str | None, str]:
        found = named.get(said.text.strip().casefold())
        return (None, f"That does not count: choose one of {', '.join(legal)}.") if found is None else (found, "")

    return read
