"""Institutions in an attempt at a game: they act before the first round and after each round, or at intervals while
programs run, and their orders are carried out in the world.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from common.answers.reading import Strict
from contracts.institutions.frame import CivicQuestion
from contracts.institutions.slots import ORDERS
from contracts.ledger import CENTS
from dilemmas.modes.arena import Arena
from dilemmas.modes.gathering import gather_all
from dilemmas.records.events import InstitutionActed
from dilemmas.scenarios.institutions import institutions, institutions_of
from dilemmas.scenarios.protocol import CivicGame
from voyager_agents.civic import Citizen


class CivicSession:
    """Institutions of one attempt, their people and their world."""

    def __init__(self, arena: Arena, agents: Mapping[str, Any], game: CivicGame, step_s: float = 1.0) -> None:
        """Start the session of an attempt with institutions (`has_institutions`).

        Args:
            arena: The arena.
            agents: Player -> its agent.
            game: World side of the institutions.
            step_s: Seconds of a step, for times in the log; 1 if these are numbers of rounds.
        """
        self._step_s = step_s
        parts = institutions_of(arena.scenario, arena.condition, arena.factors)
        self._institutions, self._ledger = institutions(arena.scenario, parts, arena.seed)
        self._arena = arena
        self._agents = agents
        self._game = game

    async def step(self, number: int) -> None:
        """Let the institutions act after round or interval `number` (0: at the start), and carry out their orders."""
        self._ledger.set_earned(self._game.earned())
        self._tell(number, await self._institutions.step(number, self._game.civic_slots(number), self._ask))
        for order in self._institutions.take(ORDERS):
            await self._game.carry_out(self._arena.world, order)

    async def close(self, number: int) -> dict[str, float]:
        """Settle what is open after the last round, and return received less paid by player."""
        self._ledger.set_earned(self._game.earned())
        self._tell(number, await self._institutions.close(number, self._ask))
        return self._ledger.transfers()

    def _tell(self, number: int, entries: Sequence[Mapping[str, Any]]) -> None:
        """Log entries, and tell them to the people who may know."""
        for entry in entries:
            self._arena.record.log(InstitutionActed(t_s=number * self._step_s, **entry))
        for name, agent in self._agents.items():
            known = [each for each in entries if name in each.get("known_to", (name,))]
            if known and isinstance(agent, Citizen):
                agent.hear_institutions(known)

    async def _ask(self, questions: Sequence[CivicQuestion[Any]]) -> Sequence[Strict | None]:
        """Put questions to people at the same time; whoever cannot answer abstains."""
        return list(await gather_all(self._answer(each) for each in questions))

    async def _answer(self, question: CivicQuestion[Any]) -> Strict | None:
        agent = self._agents.get(question.to)
        return await agent.answer_institution(question) if isinstance(agent, Citizen) else None


def has_institutions(arena: Arena) -> bool:
    """Return True if the attempt's condition has institutions."""
    return bool(institutions_of(arena.scenario, arena.condition, arena.factors))


def bookings_for(transfers: Mapping[str, float]) -> tuple[tuple[str, str, float], ...]:
    """Return (payer, payee, amount) bookings that realize the net transfers in whole cents."""
    exact = {name: Fraction(round(Fraction(amount) * CENTS), CENTS) for name, amount in transfers.items()}
    owed = {name: -amount for name, amount in exact.items() if amount < 0}
    due = {name: amount for name, amount in exact.items() if amount > 0}
    found = []
    for payer in owed:
        for payee in due:
            amount = min(owed[payer], due[payee])
            if amount > 0:
                found.append((payer, payee, float(amount)))
                owed[payer] -= amount
                due[payee] -= amount
    return tuple(found)
