"""Every model call of a run is written down, counted and kept within the budget, whoever makes it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from dilemmas.events import ModelCalled
from dilemmas.record import RunRecord
from voyager_agents import Model, Purse, Settings
from voyager_agents.models import ChatMessage, Reply, Usage


@dataclass
class Meter:
    """What the models of a run have used so far."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    """Of the calls with a known price."""
    unpriced: set[str] = field(default_factory=set)
    """Models that were called and have no known price."""

    def count(self, model: str, usage: Usage, usd: float | None) -> None:
        """Counts one call; `usd` is None where no price is known."""
        self.calls += 1
        self.tokens += usage.total
        self.usd += usd or 0.0
        if usd is None:
            self.unpriced.add(model)

    def plain(self) -> dict[str, Any]:
        """For result.json; `usd` is null when a call has no known price, and `unpriced` names the models."""
        known: dict[str, Any] = {"calls": self.calls, "tokens": self.tokens}
        if self.unpriced:
            return {**known, "usd": None, "unpriced": sorted(self.unpriced)}
        return {**known, "usd": round(self.usd, 6)}


@dataclass(frozen=True)
class Counter:
    """Where the calls of a run are written down and paid from."""

    record: RunRecord
    meter: Meter
    purse: Purse


class MeteredModel:
    """A model as one role of one player uses it: the same answers, and a line in calls.jsonl for each."""

    def __init__(self, model: Model, player: str, role: str, counter: Counter) -> None:
        self.name = model.name
        self._model = model
        self._player = player
        self._role = role
        self._counter = counter

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """The model's reply. Raises BudgetExhausted, or what the model raises; a call that failed costs nothing."""
        purse = self._counter.purse
        ticket = purse.let(self._player, self.name, sum(len(each.content) for each in messages))
        began = time.monotonic()
        try:
            reply = await self._model.complete(messages, settings)
        except BaseException:
            purse.done(ticket, None)
            raise
        usd = purse.done(ticket, reply.usage)
        self._write(messages, settings, reply, usd, time.monotonic() - began)
        self._count(reply, usd)
        return reply

    async def close(self) -> None:
        """Nothing: the model is shared, and the study closes it."""

    def _write(
        self, messages: Sequence[ChatMessage], settings: Settings, reply: Reply, usd: float | None, wall_s: float
    ) -> None:
        record = self._counter.record
        entry = {
            "player": self._player,
            "role": self._role,
            "model": self.name,
            "episode": record.episode,
            "settings": asdict(settings),
            "messages": [asdict(message) for message in messages],
            "reply": reply.text,
            "usage": asdict(reply.usage),
            "usd": usd,
            "wall_ms": round(wall_s * 1000, 1),
        }
        record.call(entry)

    def _count(self, reply: Reply, usd: float | None) -> None:
        self._counter.meter.count(self.name, reply.usage, usd)
        called = ModelCalled(
            player=self._player, purpose=self._role, model=self.name, tokens=reply.usage.total, usd=usd
        )
        self._counter.record.log(called)
