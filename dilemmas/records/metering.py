"""Every model call of a run is written down, counted and kept within the budget, whoever makes it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from bridge.text import well_formed
from dilemmas.records.events import ModelCalled
from dilemmas.records.record import RunRecord
from voyager_agents import Model, Purse, Settings
from voyager_agents.models import ChatMessage, Reply
from voyager_agents.models.recorded import RecordedCalls

Answered = tuple[Reply, float | None]
"""A reply and its price in dollars, if that is known."""
Spend = Callable[[str, Awaitable[Answered]], Awaitable[Answered]]


async def at_once(role: str, work: Awaitable[Answered]) -> Answered:
    """A call that costs no game time."""
    return await work


@dataclass
class Meter:
    """What the models of a run have used so far."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    """Of the calls with a known price."""
    made: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(player, role) -> calls."""
    differs: int = 0
    """Replayed calls whose prompt was not the recorded one."""
    unpriced: set[str] = field(default_factory=set)
    """Models that were called and have no known price."""

    def count(self, called: ModelCalled) -> None:
        """Counts one call."""
        self.made[called.player, called.purpose] += 1
        self.calls += 1
        self.tokens += called.tokens
        self.differs += called.differs
        self.usd += called.usd or 0.0
        if called.usd is None:
            self.unpriced.add(called.model)

    def plain(self) -> dict[str, Any]:
        """For result.json; `usd` is null when a call has no known price, and `unpriced` names the models."""
        known: dict[str, Any] = {"calls": self.calls, "tokens": self.tokens}
        if self.differs:
            known["differs"] = self.differs
        if self.unpriced:
            return {**known, "usd": None, "unpriced": sorted(self.unpriced)}
        return {**known, "usd": round(self.usd, 6)}


@dataclass(frozen=True)
class Books:
    """Where the calls of a run are written down and paid from."""

    record: RunRecord
    meter: Meter
    purse: Purse
    memory: RecordedCalls = field(default_factory=RecordedCalls)
    """Calls of this run that were paid and written down before the process was interrupted."""
    spend: Spend = at_once
    """Lets a call of that role take the game time that it costs (`dilemmas.modes.thinking.Thinking.spend`)."""


class MeteredModel:
    """A model as one role of one player uses it: the same answers, and a line in calls.jsonl for each."""

    def __init__(self, model: Model, player: str, role: str, books: Books) -> None:
        self.name = model.name
        self._model = model
        self._player = player
        self._role = role
        self._books = books

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """The model's reply. Raises BudgetExhausted, or what the model raises; a call that failed costs nothing.

        Prompt and reply are made well-formed: no endpoint takes other text, and no file of the record holds it.
        """
        messages = [replace(each, content=well_formed(each.content)) for each in messages]
        number = self._books.meter.made[self._player, self._role]
        reply, usd = await self._books.spend(self._role, self._answer(number, messages, settings))
        self._note(reply, usd)
        return reply

    async def _answer(self, number: int, messages: Sequence[ChatMessage], settings: Settings) -> Answered:
        """The reply and its price: from the interrupted run where it asked the same, else the model's, written down."""
        known = self._books.memory.at(self._player, self._role, number)
        if known is not None and known.messages == tuple(messages):
            return known.reply, known.usd
        self._books.memory.forget(self._player, self._role, number)
        began = time.monotonic()
        reply, usd = await self._ask(messages, settings)
        reply = replace(reply, text=well_formed(reply.text))
        self._write(number, messages, settings, reply, usd, time.monotonic() - began)
        return reply, usd

    async def close(self) -> None:
        """Nothing: the model is shared, and the study closes it."""

    async def _ask(self, messages: Sequence[ChatMessage], settings: Settings) -> tuple[Reply, float | None]:
        purse = self._books.purse
        ticket = await purse.ask(self._player, self.name, sum(len(each.content) for each in messages))
        try:
            reply = await self._model.complete(messages, settings)
        except BaseException:
            purse.done(ticket, None)
            raise
        return reply, purse.done(ticket, reply.usage)

    def _write(
        self,
        number: int,
        messages: Sequence[ChatMessage],
        settings: Settings,
        reply: Reply,
        usd: float | None,
        wall_s: float,
    ) -> None:
        entry = {
            "player": self._player,
            "role": self._role,
            "number": number,
            "model": self.name,
            "episode": self._books.record.episode,
            "settings": asdict(settings),
            "messages": [asdict(message) for message in messages],
            "reply": reply.text,
            "usage": asdict(reply.usage),
            "usd": usd,
            "wall_ms": round(wall_s * 1000, 1),
        }
        self._books.record.call(entry | ({"differs": reply.differs} if reply.differs else {}))

    def _note(self, reply: Reply, usd: float | None) -> None:
        called = ModelCalled(
            player=self._player,
            purpose=self._role,
            model=self.name,
            tokens=reply.usage.total,
            usd=usd,
            differs=bool(reply.differs),
        )
        self._books.meter.count(called)
        self._books.record.log(called)
