"""Metering of model calls: each call of a run is recorded, counted and charged to the budget."""

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
from dilemmas.records.call_retries import CallInProgress
from dilemmas.records.costs import Asker, CachedTotals, CallTotals, CascadeTotals
from dilemmas.records.events import ModelCalled
from dilemmas.records.progress_events import CallKey, ProgressListener, ignore_progress
from dilemmas.records.record import RunRecord
from voyager_agents import Budget, Model, Settings
from voyager_agents.models import ChatMessage, Reply, ToolCall
from voyager_agents.models.answer_cache import CachedRole
from voyager_agents.models.base import CascadeStep
from voyager_agents.models.recorded import RecordedCall, RecordedCalls, ReplayModel, prompt_hash
from voyager_agents.models.sampling import applied

Answered = tuple[Reply, float | None]
"""A reply and its price in dollars, None if unknown."""
Note = Callable[[Reply, float | None], None]
"""Callback that records an answer."""
Spend = Callable[[str, Awaitable[Answered]], Awaitable[Answered]]


async def spend_nothing(role: str, work: Awaitable[Answered]) -> Answered:
    """Await a call without charging game time."""
    return await work


@dataclass
class Meter:
    """Usage of models in a run so far."""

    calls: int = 0
    """Number of answers that models were asked for."""
    tokens: int = 0
    usd: float = 0.0
    """Cost in dollars of the calls with a known price."""
    cached: CachedTotals = field(default_factory=CachedTotals)
    """Answers from the cache; they are not in `calls`, `tokens` and `usd`."""
    cascade: CascadeTotals = field(default_factory=CascadeTotals)
    """Questions that cascades answered."""
    made: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(player, role) -> number of answered calls."""
    begun: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(player, role) -> number of started calls; each gets its number when it starts, answered or not."""
    differs: int = 0
    """Number of replayed calls whose prompt differs from the recorded one."""
    unpriced: set[str] = field(default_factory=set)
    """Names of called models without a known price."""
    tallies: dict[Asker, CallTotals] = field(default_factory=dict)
    """(player, role, model) -> usage."""

    def count(self, called: ModelCalled) -> None:
        """Count one answered call."""
        who = called.player, called.purpose
        self.tallies.setdefault((*who, called.model), CallTotals()).count(called)
        self.made[who] += 1
        self.begun[who] = max(self.begun[who], self.made[who] if called.number is None else called.number + 1)
        self.differs += called.differs
        self.cascade.count(called)
        if called.cached:
            self.cached.count(called)
            return
        self.calls += 1
        self.tokens += called.tokens
        self.usd += called.usd or 0.0
        if called.usd is None:
            self.unpriced.add(called.model)

    def copy(self) -> Meter:
        """Return an independent copy."""
        made, begun, unpriced = Counter(self.made), Counter(self.begun), set(self.unpriced)
        tallies = {who: replace(tally) for who, tally in self.tallies.items()}
        cached, cascade = replace(self.cached), replace(self.cascade)
        return replace(self, made=made, begun=begun, unpriced=unpriced, tallies=tallies, cached=cached, cascade=cascade)

    def add(self, earlier: Meter) -> None:
        """Add the usage counted by an earlier process of the same run."""
        for who, tally in earlier.tallies.items():
            self.tallies.setdefault(who, CallTotals()).add(tally)
        self.made.update(earlier.made)
        self.begun.update(earlier.begun)
        self.calls += earlier.calls
        self.tokens += earlier.tokens
        self.differs += earlier.differs
        self.usd += earlier.usd
        self.cached.add(earlier.cached)
        self.cascade.add(earlier.cascade)
        self.unpriced |= earlier.unpriced

    def reserve(self, player: str, role: str) -> int:
        """Return the number of a new call."""
        number = self.begun[player, role]
        self.begun[player, role] += 1
        return number

    def to_dict(self) -> dict[str, Any]:
        """Return the usage for result.json; `usd` is None if a price is unknown, and `unpriced` names the models."""
        known: dict[str, Any] = {"calls": self.calls, "tokens": self.tokens}
        if self.differs:
            known["differs"] = self.differs
        if self.cached.calls:
            known["cached"] = self.cached.to_dict()
        if self.cascade != CascadeTotals():
            known["cascade"] = self.cascade.to_dict()
        if self.unpriced:
            return {**known, "usd": None, "unpriced": sorted(self.unpriced)}
        return {**known, "usd": round(self.usd, 6)}


class OrphanedCalls:
    """Calls whose asker has ended or failed; they still complete, are paid for and count."""

    def __init__(self) -> None:
        self._calls: list[tuple[tuple[str, str, int], asyncio.Future[Answered], Note]] = []

    def adopt(self, who: tuple[str, str, int], work: asyncio.Future[Answered], note: Note) -> None:
        """Adopt the call (player, role, number) that nobody waits for any more."""
        self._calls.append((who, work, note))

    async def settle(self) -> None:
        """Wait for all calls, and record the answers by player, role and number."""
        calls, self._calls = sorted(self._calls, key=lambda each: each[0]), []
        if calls:
            await asyncio.wait([work for _, work, _ in calls])
        for _, work, note in calls:
            if not work.cancelled() and work.exception() is None:
                note(*work.result())

    async def cancel(self) -> None:
        """Cancel pending calls and record finished ones, because the run ended early."""
        for _, work, _ in self._calls:
            work.cancel()
        await self.settle()


@dataclass(frozen=True)
class CallAccounts:
    """Shared state of all metered calls of a run: record, usage, budget and replayed answers."""

    record: RunRecord
    meter: Meter
    budget: Budget
    memory: RecordedCalls = field(default_factory=RecordedCalls)
    """Answers recorded and paid for before the process was interrupted."""
    renumbered: set[tuple[str, str]] = field(default_factory=set)
    """(player, role) pairs whose calls now come in another order than recorded, so that they are recorded again."""
    spend: Spend = spend_nothing
    """Charges a role's call its game time (`dilemmas.modes.thinking.Thinking.spend`)."""
    watch: ProgressListener = ignore_progress
    """Listener for progress events of model calls."""
    orphaned: OrphanedCalls = field(default_factory=OrphanedCalls)
    """Calls whose asker has ended."""


class MeteredModel:
    """Wrapper that records each call of one role of one player in calls.jsonl and leaves the answers unchanged."""

    def __init__(
        self,
        model: Model,
        player: str,
        role: str,
        accounts: CallAccounts,
        sampling: Mapping[str, Any] | None = None,
        cache: CachedRole | None = None,
    ) -> None:
        """Wrap `model` for one role of one player.

        Args:
            model: Model that answers.
            player: Player that asks.
            role: Role of the player, such as `action`.
            accounts: Shared state of the run's calls.
            sampling: Sampling settings that override those of the asking module (`voyager_agents.models.sampling`).
            cache: Cache of answers; None without one.
        """
        self.name = model.name
        self._model = model
        self._sampling = sampling or {}
        self._player = player
        self._role = role
        self._accounts = accounts
        self._cache = cache

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return the model's reply.

        A call whose asker is cancelled continues and counts, because it will be paid for (`CallAccounts.orphaned`).
        Prompt and reply are made well-formed, since neither endpoints nor record files accept other text.

        Raises BudgetExhausted, and what the model raises. A failed call costs nothing.
        """
        return (await self._metered(messages, settings, None))[0]

    async def complete_stage(
        self, messages: Sequence[ChatMessage], settings: Settings, step: CascadeStep
    ) -> tuple[Reply, int]:
        """Return the reply as `complete` does, and the number of the call, which records its place in a cascade."""
        return await self._metered(messages, settings, step)

    async def _metered(
        self, messages: Sequence[ChatMessage], settings: Settings, step: CascadeStep | None
    ) -> tuple[Reply, int]:
        messages = [_well_formed_message(each) for each in messages]
        settings = applied(settings, self._sampling)
        if step is not None and step.why == "sample" and settings.seed is not None:
            # With one seed both samples would be the same draw.
            settings = replace(settings, seed=settings.seed + 1)
        # Number and recorded answer are taken before the first await, which fixes them to the order of calls.
        number = self._accounts.meter.reserve(self._player, self._role)
        known = self._remembered(number, messages, step)
        work = asyncio.ensure_future(self._reply(number, messages, settings, known, step))
        try:
            reply, usd = await self._accounts.spend(self._role, asyncio.shield(work))
        except BaseException:
            if not work.done() or (not work.cancelled() and work.exception() is None):
                note = partial(self._note, number, step)
                self._accounts.orphaned.adopt((self._player, self._role, number), work, note)
            raise
        self._note(number, step, reply, usd)
        return reply, number

    def _remembered(
        self, number: int, messages: Sequence[ChatMessage], step: CascadeStep | None
    ) -> RecordedCall | None:
        """Return the call that the interrupted run made with this prompt, or None."""
        memory = self._accounts.memory
        recorded = memory.at(self._player, self._role, number)
        known = memory.take(self._player, self._role, number, messages, step)
        if known is not recorded:
            # From here on the calls differ from the recorded ones, or have other numbers.
            self._accounts.renumbered.add((self._player, self._role))
        return known

    async def _reply(
        self,
        number: int,
        messages: Sequence[ChatMessage],
        settings: Settings,
        known: RecordedCall | None,
        step: CascadeStep | None,
    ) -> Answered:
        """Return the reply and its price, recorded or new, and write it to calls.jsonl."""
        if known is not None:
            if (self._player, self._role) in self._accounts.renumbered:
                self._write(number, messages, settings, known.wall_s, self._answer(known.reply, known.usd), step)
            return known.reply, known.usd
        began = time.monotonic()
        chars = sum(each.size for each in messages) + sum(each.size for each in settings.tools)
        ticket = await self._accounts.budget.ask(self._player, self.name, chars)
        call = CallInProgress(self._who(number), self.name, self._accounts.watch)
        try:
            with call.report_states():
                reply = await self._complete(number, messages, settings, step)
        except BaseException as error:
            self._accounts.budget.done(ticket, None)
            call.report_end(0, None, failed=True)
            if isinstance(error, Exception):
                # The model's error matters more than a failure to record it.
                with contextlib.suppress(RecordError):
                    failure = _failure(error) | call.retries_to_dict()
                    self._write(number, messages, settings, time.monotonic() - began, failure, step)
            raise
        reply = replace(reply, text=well_formed(reply.text), calls=_well_formed_calls(reply.calls))
        if reply.cached:
            self._accounts.budget.done(ticket, None)
            usd: float | None = 0.0
        else:
            usd = self._accounts.budget.done(ticket, reply.usage)
        call.report_end(0 if reply.cached else reply.usage.total, usd, failed=False)
        answer = self._answer(reply, usd) | call.retries_to_dict()
        self._write(number, messages, settings, time.monotonic() - began, answer, step)
        return reply, usd

    async def _complete(
        self, number: int, messages: Sequence[ChatMessage], settings: Settings, step: CascadeStep | None
    ) -> Reply:
        """Return the answer from the cache, or else the model's, which the cache keeps."""
        if step is not None and isinstance(self._model, ReplayModel):
            return self._model.answer(messages, step)
        if self._cache is None:
            return await self._model.complete(messages, settings)
        address = self._cache.address(number, messages, settings)
        found = self._cache.cache.find(address)
        if found is not None:
            return found
        return self._cache.cache.keep(address, await self._model.complete(messages, settings))

    def _who(self, number: int) -> CallKey:
        return CallKey(str(self._accounts.record.directory), self._player, self._role, number)

    async def close(self) -> None:
        """Do nothing: the study owns and closes the shared model."""

    def _write(
        self,
        number: int,
        messages: Sequence[ChatMessage],
        settings: Settings,
        wall_s: float,
        outcome: Mapping[str, Any],
        step: CascadeStep | None,
    ) -> None:
        for image in (each for message in messages for each in message.images):
            self._accounts.record.save_image(image)
        entry = {
            "player": self._player,
            "role": self._role,
            "number": number,
            "model": self.name,
            "episode": self._accounts.record.episode,
            "settings": settings.to_dict(),
            **({} if settings.form is None else {"form": settings.form.name}),
            **({"tools": [each.name for each in settings.tools]} if settings.tools else {}),
            **({} if step is None else {"cascade": step.to_dict()}),
            "prompt": prompt_hash(messages),
            "messages": [message.to_dict() for message in messages],
            **outcome,
            "wall_ms": round(wall_s * 1000, 1),
        }
        attempt = self._accounts.memory.attempts
        self._accounts.record.log_call(entry | ({"attempt": attempt} if attempt else {}))

    def _saved_usd(self, reply: Reply) -> float | None:
        """Return the price of an answer from the cache; None for other answers, and if the price is unknown."""
        price = self._accounts.budget.prices.of(self.name) if reply.cached else None
        return None if price is None else price.of(reply.usage)

    def _answer(self, reply: Reply, usd: float | None) -> dict[str, Any]:
        told = {"reply": reply.text, "usage": asdict(reply.usage), "usd": usd}
        more: dict[str, Any] = {"calls": [asdict(call) for call in reply.calls]}
        more |= {"ended": reply.ended, "differs": reply.differs, "form_support": reply.form_support}
        more |= {"cached": reply.cached, "saved_usd": self._saved_usd(reply), "logprob": reply.logprob}
        return told | {key: value for key, value in more.items() if value}

    def _note(self, number: int, step: CascadeStep | None, reply: Reply, usd: float | None) -> None:
        called = ModelCalled(
            player=self._player,
            purpose=self._role,
            model=self.name,
            number=number,
            tokens=reply.usage.total,
            usd=usd,
            differs=bool(reply.differs),
            cached=reply.cached,
            saved_usd=self._saved_usd(reply),
            stage=None if step is None else step.stage,
            why="" if step is None else step.why,
        )
        self._accounts.meter.count(called)
        self._accounts.record.log(called)


def _well_formed_message(message: ChatMessage) -> ChatMessage:
    return replace(message, content=well_formed(message.content), tool_calls=_well_formed_calls(message.tool_calls))


def _well_formed_calls(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(*map(well_formed, (call.id, call.name, call.arguments))) for call in calls)


def _failure(error: Exception) -> dict[str, Any]:
    return {"error": {"name": type(error).__name__, "message": str(error)}}
