"""Budget of a sweep: each process writes its spending to a file (its book), and reads all books before a call.

The expected cost of a call is booked before the call starts, so that each of several concurrent processes exceeds a cap
by less than one call, also across machines. If a process dies, the expected cost of its calls in flight stays booked.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path

from common.plain_files import read_text
from common.processes import this_place
from dilemmas.errors import RecordError
from dilemmas.records.record import write_atomically
from voyager_agents import Budget, BudgetExhausted, Prices
from voyager_agents.budget import ALL, OPTIONS, Caps, Spent, Ticket
from voyager_agents.models import Usage

MEASURES = ("usd", "tokens", "calls")


class SharedBudget(Budget):
    """Budget of one run; its `book` is shared by all runs of the process."""

    def __init__(self, caps: Caps, prices: Prices, book: Book) -> None:
        super().__init__(caps, prices)
        self._shared = book

    async def ask(self, agent: str, model: str, chars: int) -> Ticket:
        """Return a ticket for a call as `Budget.let` does, within the sweep's caps too. Raises BudgetExhausted."""
        ticket = self.let(agent, model, chars)
        try:
            self._shared.reserve(ticket.expected)
        except BudgetExhausted:
            super().done(ticket, None)
            raise
        return ticket

    def done(self, ticket: Ticket, usage: Usage | None) -> float | None:
        """Settle a call in the book, and return its price as `Budget.done` does."""
        self._shared.settle(ticket.expected, None if usage is None else self._costs(ticket.model, usage))
        return super().done(ticket, usage)


class Book:
    """Spending of one process from the sweep's budget."""

    def __init__(self, folder: Path, caps: Mapping[str, float]) -> None:
        """Create a book in `folder`, which holds the books of all processes; `caps` maps measures to caps."""
        self._caps = dict(caps)
        self._path = folder / f"{this_place().split(' ')[0]}-{secrets.token_hex(6)}.json"
        self._spent, self._flying = Spent(), Spent()
        if caps:
            folder.mkdir(parents=True, exist_ok=True)

    def reserve(self, expected: Spent) -> None:
        """Book the expected cost of a call before it starts.

        Raises BudgetExhausted if the spending of all processes, without this call, has reached a cap.
        """
        if not self._caps:
            return
        self._flying.add(expected)
        self._write()
        for measure, cap in self._caps.items():
            if sum(used[measure] for used in self._books()) - getattr(expected, measure) >= cap:
                self._flying.add(expected, -1)
                self._write()
                raise BudgetExhausted(
                    f"the sweep's budget {measure} {cap:g} is reached: give more with {OPTIONS[measure]}"
                )

    def settle(self, expected: Spent, cost: Spent | None) -> None:
        """Replace the expected cost of an ended call by its cost; None for a call without an answer."""
        if not self._caps:
            return
        self._flying.add(expected, -1)
        if cost is not None:
            self._spent.add(cost)
        self._write()

    def _write(self) -> None:
        used = {name: getattr(self._spent, name) + getattr(self._flying, name) for name in MEASURES}
        write_atomically(self._path, json.dumps(used))

    def _books(self) -> Iterator[dict[str, float]]:
        for path in sorted(self._path.parent.glob("*.json")):
            try:
                told = json.loads(read_text(path))
                yield {name: float(told[name]) for name in MEASURES}
            except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
                raise RecordError(f"{path}: is no book of a sweep; remove it if nobody plays") from None


def caps_of(budget: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Return a sweep's budget in the form of a study's budget."""
    return {measure: {ALL: cap} for measure, cap in budget.items()}
