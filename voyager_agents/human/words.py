"""Human players of games of hidden roles, who give clues, votes and guesses on their pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from voyager_agents.agent import Observation
from voyager_agents.hidden_roles.speaker import ended_lines, known, request
from voyager_agents.hidden_roles.turns import INSIDER, WordDecision, WordTurn, clean_clue, clue_fault
from voyager_agents.human.agents import HumanAgent
from voyager_agents.human.connection import ChatLine, HumanContext
from voyager_agents.human.seat_question import SeatQuestion

CLUE_HELP = ("Write your clue; every player reads it.",)
CHOICE_HELP = ("Press a button, or write one of these words.",)


class HumanWordPlayer(HumanAgent):
    """Agent of a human who plays games of hidden roles (`voyager_agents.turn_agent.TurnTaker`).

    Like a model, the human says with its vote which role it thinks it has, if it is not told, and for whom most players
    will vote. An answer that is not legal is asked for again.
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
        await self._tell(self._news(turn))
        if not turn.acts:
            return WordDecision()
        match turn.stage:
            case "clue":
                return WordDecision(clue=await self._answer(turn, request(turn), (), CLUE_HELP, _clue_reader(turn)))
            case "guess":
                return WordDecision(guess=await self._choose(turn, request(turn), turn.words))
        role = turn.role or await self._choose(turn, "Which role do you think you have?", (INSIDER, turn.rules.odd))
        expects = await self._choose(turn, "For whom will most players vote?", turn.players)
        vote = await self._choose(turn, request(turn), turn.others())
        return WordDecision(vote=vote, role=role, expects=expects)

    async def see_end(self, turn: WordTurn) -> None:
        """Tell the human how the last game ended."""
        await self._tell([*self._news(turn), "The game is over."])

    async def _tell(self, lines: Sequence[str]) -> None:
        if lines:
            await self._context.line.send_text("\n".join(lines))

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

    async def _choose(self, turn: WordTurn, title: str, legal: Sequence[str]) -> str:
        """Return the human's choice of one of the legal words."""
        return await self._answer(turn, title, legal, CHOICE_HELP, _choice_reader(legal))

    async def _answer(
        self,
        turn: WordTurn,
        title: str,
        answers: Sequence[str],
        help_lines: Sequence[str],
        read: Callable[[ChatLine], tuple[str | None, str]],
    ) -> str:
        context = (known(turn), *_clue_lines(turn))
        question = SeatQuestion("turn", title, tuple(help_lines), context, answers=tuple(answers))
        return await self._ask(question, [title], read)


def _clue_lines(turn: WordTurn) -> list[str]:
    return [f"{each.player}: {each.text}" for each in turn.clues]


def _clue_reader(turn: WordTurn) -> Callable[[ChatLine], tuple[str | None, str]]:
    """Return a parser of a clue: the clue, or None and the reason why it is not legal."""

    def read(said: ChatLine) -> tuple[str | None, str]:
        clue = clean_clue(said.text)
        fault = clue_fault(turn, clue)
        return (None, f"That does not count: {fault}.") if fault else (clue, "")

    return read


def _choice_reader(legal: Sequence[str]) -> Callable[[ChatLine], tuple[str | None, str]]:
    """Return a parser of a choice, in capital or small letters."""
    named = {each.casefold(): each for each in legal}

    def read(said: ChatLine) -> tuple[str | None, str]:
        found = named.get(said.text.strip().casefold())
        return (None, f"That does not count: choose one of {', '.join(legal)}.") if found is None else (found, "")

    return read
