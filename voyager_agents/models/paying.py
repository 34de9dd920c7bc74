"""Model calls outside of a run, charged to a budget and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from voyager_agents.budget import Budget
from voyager_agents.models.base import ChatMessage, Model, Reply, Settings


@dataclass
class PayingModel:
    """Model whose calls are charged to an account of a budget."""

    model: Model
    budget: Budget
    account: str
    calls: int = 0
    tokens: int = 0
    usd: float | None = 0.0
    """Cost in US dollars; None if a price is unknown."""
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.model.name

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return the model's answer and charge it.

        Args:
            messages: The conversation.
            settings: Sampling settings.

        Raises:
            BudgetExhausted: A cap of the budget is reached.
            ModelError: The model failed.
        """
        ticket = await self.budget.ask(self.account, self.name, sum(each.size for each in messages))
        try:
            reply = await self.model.complete(messages, settings)
        except BaseException:
            self.budget.done(ticket, None)
            raise
        usd = self.budget.done(ticket, reply.usage)
        self.calls += 1
        self.tokens += reply.usage.total
        self.usd = None if usd is None or self.usd is None else self.usd + usd
        return reply

    async def close(self) -> None:
        """Close the model's connections."""
        await self.model.close()
