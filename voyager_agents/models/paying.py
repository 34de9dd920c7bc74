"""Model calls outside of a run, charged to a budget and counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from voyager_agents.budget import Budget
from voyager_agents.models.base import CascadeStep, ChatMessage, Model, Reply, Settings
from voyager_agents.models.cascade import CascadeModel, CascadeSpec, is_cascade, stages_of


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

    async def complete_stage(
        self, messages: Sequence[ChatMessage], settings: Settings, step: CascadeStep
    ) -> tuple[Reply, int]:
        """Return the answer of this stage of a cascade as `complete` does, and the number of the call."""
        if step.why == "sample" and settings.seed is not None:
            # With one seed both samples would be the same draw.
            settings = replace(settings, seed=settings.seed + 1)
        reply = await self.complete(messages, settings)
        return reply, self.calls - 1

    async def close(self) -> None:
        """Close the model's connections."""
        await self.model.close()


class PaidModels:
    """The models of one spec, one or the stages of a cascade, charged to an account of a budget."""

    def __init__(self, spec: str, opened: Mapping[str, Model], budget: Budget, account: str) -> None:
        """Prepare the models.

        Args:
            spec: Spec of a model or of a cascade.
            opened: Spec of each model -> model.
            budget: Budget of all calls.
            account: Account that is charged.

        Raises:
            ModelError: The cascade is not legal.
            KeyError: A model is not opened.
        """
        self._paying = [PayingModel(opened[stage], budget, account) for stage in stages_of(spec)]
        self._cascade = CascadeModel(self._paying, CascadeSpec.parse(spec)) if is_cascade(spec) else None

    @property
    def asked(self) -> Model:
        """The model that answers questions."""
        return self._paying[0] if self._cascade is None else self._cascade

    @property
    def calls(self) -> int:
        """Number of calls of all models."""
        return sum(each.calls for each in self._paying)

    @property
    def tokens(self) -> int:
        """Tokens of all models."""
        return sum(each.tokens for each in self._paying)

    @property
    def usd(self) -> float | None:
        """Cost of all models in US dollars; None if a price is unknown."""
        known = [each.usd for each in self._paying if each.usd is not None]
        return sum(known) if len(known) == len(self._paying) else None

    @property
    def answered(self) -> dict[str, int]:
        """Model of a cascade -> number of questions whose answer is its own; empty without a cascade."""
        return {} if self._cascade is None else dict(self._cascade.answered)
