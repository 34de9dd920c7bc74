"""Every model call of a run is written down, counted and kept within the budget, whoever makes it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from common.text import well_formed
from dilemmas.errors import RecordError
from dilemmas.records.call_retries import UnderWay
from dilemmas.records.costs import Asker, CallTotals
from dilemmas.records.events import ModelCalled
from dilemmas.records.progress_events import Watch, Who, unwatched
from dilemmas.records.record import RunRecord
from voyager_agents import Budget, Model, Settings
from voyager_agents.models import ChatMessage, Reply
from voyager_agents.models.recorded import RecordedCall, RecordedCalls, prompt_hash
from voyager_agents.models.sampling import applied

Answered = tuple[Reply, float | None]
"""A reply and its price in dollars, if that is known."""
Note = Callable[[Reply, float | None], None]
"""Writes an answer down."""
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
    """(player, role) -> calls that were answered."""
    begun: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(player, role) -> numbers given out: each call has its own from the moment it is made, answered or not."""
    differs: int = 0
    """Replayed calls whose prompt was not the recorded one."""
    unpriced: set[str] = field(default_factory=set)
    """Models that were called and have no known price."""
    tallies: dict[Asker, CallTotals] = field(default_factory=dict)
    """(player, role, model) -> what it has used."""

    def count(self, called: ModelCalled) -> None:
        """Counts one call that was answered."""
        who = called.player, called.purpose
        self.tallies.setdefault((*who, called.model), CallTotals()).count(called)
        self.made[who] += 1
        self.begun[who] = max(self.begun[who], self.made[who] if called.number is None else called.number + 1)
        self.calls += 1
        self.tokens += called.tokens
        self.differs += called.differs
        self.usd += called.usd or 0.0
        if called.usd is None:
            self.unpriced.add(called.model)

    def copy(self) -> Meter:
        """The same counts, to be gone on with apart."""
        made, begun, unpriced = Counter(self.made), Counter(self.begun), set(self.unpriced)
        tallies = {who: replace(tally) for who, tally in self.tallies.items()}
        return replace(self, made=made, begun=begun, unpriced=unpriced, tallies=tallies)

    def add(self, earlier: Meter) -> None:
        """Counts what a process of the same run had counted before this one began."""
        for who, tally in earlier.tallies.items():
            self.tallies.setdefault(who, CallTotals()).add(tally)
        self.made.update(earlier.made)
        self.begun.update(earlier.begun)
        self.calls += earlier.calls
        self.tokens += earlier.tokens
        self.differs += earlier.differs
        self.usd += earlier.usd
        self.unpriced |= earlier.unpriced

    def reserve(self, player: str, role: str) -> int:
        """The number of a call that is made now."""
        number = self.begun[player, role]
        self.begun[player, role] += 1
        return number

    def plain(self) -> dict[str, Any]:
        """For result.json; `usd` is null when a call has no known price, and `unpriced` names the models."""
        known: dict[str, Any] = {"calls": self.calls, "tokens": self.tokens}
        if self.differs:
            known["differs"] = self.differs
        if self.unpriced:
            return {**known, "usd": None, "unpriced": sorted(self.unpriced)}
        return {**known, "usd": round(self.usd, 6)}


class OrphanedCalls:
    """Calls whose asker is gone, since its life is over or its code failed: they are made and paid, and count."""

    def __init__(self) -> None:
        self._calls: list[tuple[tuple[str, str, int], asyncio.Future[Answered], Note]] = []

    def take(self, who: tuple[str, str, int], work: asyncio.Future[Answered], note: Note) -> None:
        """Nobody waits for that call of (player, role, number) any more."""
        self._calls.append((who, work, note))

    async def settle(self) -> None:
        """Wait until all are answered, and note those that were, by player, role and number."""
        calls, self._calls = sorted(self._calls, key=lambda each: each[0]), []
        if calls:
            await asyncio.wait([work for _, work, _ in calls])
        for _, work, note in calls:
            if not work.cancelled() and work.exception() is None:
                note(*work.result())

    async def drop(self) -> None:
        """Break off what is still under way, and note what was answered: the run has ended before its time."""
        for _, work, _ in self._calls:
            work.cancel()
        await self.settle()


@dataclass(frozen=True)
class Books:
    """Where the calls of a run are written down and paid from."""

    record: RunRecord
    meter: Meter
    purse: Budget
    memory: RecordedCalls = field(default_factory=RecordedCalls)
    """Calls of this run that were paid and written down before the process was interrupted."""
    renumbered: set[tuple[str, str]] = field(default_factory=set)
    """(player, role) whose calls are asked in another order than they were, so that they are written down again."""
    spend: Spend = at_once
    """Lets a call of that role take the game time that it costs (`dilemmas.modes.thinking.Thinking.spend`)."""
    watch: Watch = unwatched
    """Is told of every call that a model is asked."""
    late: OrphanedCalls = field(default_factory=OrphanedCalls)
    """Calls whose asker is gone."""


class MeteredModel:
    """A model as one role of one player uses it: the same answers, and a line in calls.jsonl for each."""

    def __init__(
        self, model: Model, player: str, role: str, books: Books, sampling: Mapping[str, Any] | None = None
    ) -> None:
        """`sampling`: setting -> value, over what the part that asks has chosen (`voyager_agents.models.sampling`)."""
        self.name = model.name
        self._model = model
        self._sampling = sampling or {}
        self._player = player
        self._role = role
        self._books = books

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """The model's reply. Raises BudgetExhausted, or what the model raises; a call that failed costs nothing.

        A call whose asker is cancelled is on its way and will be paid: it goes on, and counts (`Books.late`).

        Prompt and reply are made well-formed: no endpoint takes other text, and no file of the record holds it.
        """
        messages = [replace(each, content=well_formed(each.content)) for each in messages]
        settings = applied(settings, self._sampling)
        # Number and memory are settled at once, in the order in which calls are made.
        number = self._books.meter.reserve(self._player, self._role)
        known = self._remembered(number, messages)
        work = asyncio.ensure_future(self._reply(number, messages, settings, known))
        try:
            reply, usd = await self._books.spend(self._role, asyncio.shield(work))
        except BaseException:
            if not work.done() or (not work.cancelled() and work.exception() is None):
                self._books.late.take((self._player, self._role, number), work, partial(self._note, number))
            raise
        self._note(number, reply, usd)
        return reply

    def _remembered(self, number: int, messages: Sequence[ChatMessage]) -> RecordedCall | None:
        """The call that the interrupted run made with that prompt, if it did."""
        memory = self._books.memory
        recorded = memory.at(self._player, self._role, number)
        known = memory.take(self._player, self._role, number, messages)
        if known is not recorded:
            # From here on the calls have other numbers than they had, or are others.
            self._books.renumbered.add((self._player, self._role))
        return known

    async def _reply(
        self, number: int, messages: Sequence[ChatMessage], settings: Settings, known: RecordedCall | None
    ) -> Answered:
        """The reply and its price, remembered or the model's; written down."""
        if known is not None:
            if (self._player, self._role) in self._books.renumbered:
                self._write(number, messages, settings, known.wall_s, self._answer(known.reply, known.usd))
            return known.reply, known.usd
        began = time.monotonic()
        ticket = await self._books.purse.ask(self._player, self.name, sum(len(each.content) for each in messages))
        under_way = UnderWay(self._who(number), self.name, self._books.watch)
        try:
            with under_way.watched():
                reply = await self._model.complete(messages, settings)
        except BaseException as error:
            self._books.purse.done(ticket, None)
            under_way.ended(0, None, failed=True)
            if isinstance(error, Exception):
                # What went wrong is told, also where it cannot be written down.
                with contextlib.suppress(RecordError):
                    failure = _failure(error) | under_way.plain()
                    self._write(number, messages, settings, time.monotonic() - began, failure)
            raise
        reply = replace(reply, text=well_formed(reply.text))
        usd = self._books.purse.done(ticket, reply.usage)
        under_way.ended(reply.usage.total, usd, failed=False)
        answer = self._answer(reply, usd) | under_way.plain()
        self._write(number, messages, settings, time.monotonic() - began, answer)
        return reply, usd

    def _who(self, number: int) -> Who:
        return Who(str(self._books.record.directory), self._player, self._role, number)

    async def close(self) -> None:
        """Nothing: the model is shared, and the study closes it."""

    def _write(
        self,
        number: int,
        messages: Sequence[ChatMessage],
        settings: Settings,
        wall_s: float,
        outcome: Mapping[str, Any],
    ) -> None:
        entry = {
            "player": self._player,
            "role": self._role,
            "number": number,
            "model": self.name,
            "episode": self._books.record.episode,
            "settings": settings.plain,
            "prompt": prompt_hash(messages),
            "messages": [asdict(message) for message in messages],
            **outcome,
            "wall_ms": round(wall_s * 1000, 1),
        }
        attempt = self._books.memory.attempts
        self._books.record.call(entry | ({"attempt": attempt} if attempt else {}))

    @staticmethod
    def _answer(reply: Reply, usd: float | None) -> dict[str, Any]:
        told = {"reply": reply.text, "usage": asdict(reply.usage), "usd": usd}
        return told | {key: value for key, value in (("ended", reply.ended), ("differs", reply.differs)) if value}

    def _note(self, number: int, reply: Reply, usd: float | None) -> None:
        called = ModelCalled(
            player=self._player,
            purpose=self._role,
            model=self.name,
            number=number,
            tokens=reply.usage.total,
            usd=usd,
            differs=bool(reply.differs),
        )
        self._books.meter.count(called)
        self._books.record.log(called)


def _failure(error: Exception) -> dict[str, Any]:
    return {"error": {"name": type(error).__name__, "message": str(error)}}
