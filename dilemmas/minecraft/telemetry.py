"""From the bots' side into the record: every event of the world, as it comes, while a run lasts."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable

from bridge.errors import InfrastructureError
from bridge.types import Event as BridgeEvent
from bridge.worlds import World
from dilemmas.records.events import telemetry
from dilemmas.records.record import RunRecord

TICKS_A_SECOND = 20
SETTLE_S = 1.0
"""How long the last reports of ended policies are waited for; nothing that is scored depends on them."""


class TelemetryWriter:
    """Writes `World.events()` to the record in a task of its own; an async context manager.

    It also keeps what a judge and the next prompts need: chat and prints since `begin`.
    """

    def __init__(self, world: World, record: RunRecord) -> None:
        self._world = world
        self._record = record
        self._running: set[str] = set()
        self._waiting: set[str] = set()
        """Bots of the episode's own programs, none of which has started yet. In rounds there are none: the programs
        that carry out a round begin nothing, and time counts from the start of the episode."""
        self._quiet = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        """Ends only by an error: whoever waits for something else should wait for this as well."""
        self.started_tick: int | None = None
        """World age when the episode's policies started, once it was told."""
        self.chat: list[tuple[str, str]] = []
        """(speaker, text) since `begin`."""
        self.logs: dict[str, list[str]] = {}
        """Bot -> what its policy printed since `begin`."""

    async def __aenter__(self) -> TelemetryWriter:
        stream = self._world.events()
        self.task = asyncio.create_task(self._pump(stream))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.task is None:
            return
        self.task.cancel()
        # The bridge's own loss reaches the episode through the call that it was waiting for.
        with contextlib.suppress(asyncio.CancelledError, InfrastructureError):
            await self.task

    @contextlib.asynccontextmanager
    async def resting(self) -> AsyncIterator[None]:
        """Others listen inside, each to a region of the world."""
        await self.__aexit__()
        try:
            yield
        finally:
            await self.__aenter__()

    def begin(self, bots: Iterable[str], start: int) -> None:
        """An episode begins: forget the last one's chat. `start` is the world's age until the policies report."""
        self._running = set(bots)
        self._waiting = set(self._running)
        self._quiet.clear()
        self.started_tick = start
        self.chat = []
        self.logs = {}

    def expect(self, bots: Iterable[str]) -> None:
        """Programs of these bots begin while time, chat and prints go on: `settle` waits for the ends of these."""
        self._running = set(bots)
        self._quiet.clear()

    async def settle(self) -> None:
        """Wait until every policy's end was reported (at most SETTLE_S), so that the chat is complete."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                await self._quiet.wait()

    def seconds(self, tick: int) -> float:
        """Game time since the policies started."""
        start = self.started_tick if self.started_tick is not None else tick
        return max(0, tick - start) / TICKS_A_SECOND

    async def _pump(self, stream: AsyncIterator[BridgeEvent]) -> None:
        async for event in stream:
            self._note(event)
            # Before the policies start there is no game time to speak of.
            t_s = None if self.started_tick is None or event.tick is None else self.seconds(event.tick)
            self._record.log(telemetry(event.kind, event.data, t_s), event.tick)

    def _note(self, event: BridgeEvent) -> None:
        # What the game itself says has no sender; it is recorded, but nobody's word. A whisper is one player's alone.
        if event.kind == "chat" and event.data.get("from") is not None and event.data.get("to") is None:
            self.chat.append((str(event.data["from"]), str(event.data.get("text"))))
        if event.kind == "log":
            self.logs.setdefault(str(event.data.get("bot")), []).append(str(event.data.get("text")))
        if event.kind == "policy" and event.data.get("state") == "started" and event.data.get("bot") in self._waiting:
            self._waiting.clear()
            self.started_tick = self.started_tick if event.tick is None else event.tick
        if event.kind == "policy" and event.data.get("state") == "ended":
            self._running.discard(str(event.data.get("bot")))
            if not self._running:
                self._quiet.set()
