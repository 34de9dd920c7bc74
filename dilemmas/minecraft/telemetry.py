"""Telemetry: all events of the world, written to the record while a run lasts."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterable

from bridge.errors import InfrastructureError
from bridge.types import Event as BridgeEvent
from bridge.worlds import World
from dilemmas.records.events import telemetry
from dilemmas.records.record import RunRecord

TICKS_A_SECOND = 20
SETTLE_S = 1.0
"""Maximum wait for the last reports of ended policies, in seconds; no score depends on them."""


class TelemetryWriter:
    """Task that writes `World.events()` to the record; an async context manager.

    It also keeps the chat and prints since `start_episode`, which the judge and the next prompts need.
    """

    def __init__(self, world: World, record: RunRecord) -> None:
        self._world = world
        self._record = record
        self._running: set[str] = set()
        self._waiting: set[str] = set()
        """Bots whose programs of the episode have not started.

        Rounds have none: their programs start nothing, and time counts from the start of the episode.
        """
        self._quiet = asyncio.Event()
        self._end = asyncio.Event()
        """Set at each end of a program."""
        self.ends: Counter[str] = Counter()
        """Bot -> number of its programs whose end was reported."""
        self.task: asyncio.Task[None] | None = None
        """Writing task, which ends only by an error; a wait for anything else should include it."""
        self.started_tick: int | None = None
        """Age of the world in ticks when the episode's policies started, once reported."""
        self.chat: list[tuple[str, str]] = []
        """(speaker, text) of chat lines since `start_episode`."""
        self.logs: dict[str, list[str]] = {}
        """Bot -> lines printed by its policy since `start_episode`."""

    async def __aenter__(self) -> TelemetryWriter:
        stream = self._world.events()
        self.task = asyncio.create_task(self._pump(stream))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.task is None:
            return
        self.task.cancel()
        # A loss of the bridge reaches the episode through its pending call.
        with contextlib.suppress(asyncio.CancelledError, InfrastructureError):
            await self.task

    @contextlib.asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Stop writing inside the block, while each region of the world has a writer of its own."""
        await self.__aexit__()
        try:
            yield
        finally:
            await self.__aenter__()

    def start_episode(self, bots: Iterable[str], start: int) -> None:
        """Start an episode at the world age `start` (ticks) until policies report theirs; discard earlier chat."""
        self._running = set(bots)
        self._waiting = set(self._running)
        self._quiet.clear()
        self.started_tick = start
        self.chat = []
        self.logs = {}

    def expect(self, bots: Iterable[str]) -> None:
        """Expect further programs of these bots while time, chat and prints continue; `settle` waits for their ends."""
        self._running = set(bots)
        self._quiet.clear()

    async def program_ended(self, bot: str, number: int) -> None:
        """Wait at most SETTLE_S until so many ends of the bot's programs were reported, which completes its prints."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                while self.ends[bot] < number:
                    self._end.clear()
                    await self._end.wait()

    async def settle(self) -> None:
        """Wait at most SETTLE_S until the end of every policy was reported, which completes the chat."""
        if not self._running:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                await self._quiet.wait()

    def seconds(self, tick: int) -> float:
        """Return the game seconds since the policies started."""
        start = self.started_tick if self.started_tick is not None else tick
        return max(0, tick - start) / TICKS_A_SECOND

    async def _pump(self, stream: AsyncIterator[BridgeEvent]) -> None:
        async for event in stream:
            self._note(event)
            # There is no game time before the policies start.
            t_s = None if self.started_tick is None or event.tick is None else self.seconds(event.tick)
            self._record.log(telemetry(event.kind, event.data, t_s), event.tick)

    def _note(self, event: BridgeEvent) -> None:
        # Messages of the game itself have no sender and are nobody's words. Whispers are private.
        if event.kind == "chat" and event.data.get("from") is not None and event.data.get("to") is None:
            self.chat.append((str(event.data["from"]), str(event.data.get("text"))))
        if event.kind == "log":
            self.logs.setdefault(str(event.data.get("bot")), []).append(str(event.data.get("text")))
        if event.kind == "policy" and event.data.get("state") == "started" and event.data.get("bot") in self._waiting:
            self._waiting.clear()
            self.started_tick = self.started_tick if event.tick is None else event.tick
        if event.kind == "policy" and event.data.get("state") == "ended":
            self._running.discard(str(event.data.get("bot")))
            self.ends[str(event.data.get("bot"))] += 1
            self._end.set()
            if not self._running:
                self._quiet.set()
