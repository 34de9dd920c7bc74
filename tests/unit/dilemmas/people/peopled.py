"""World with a human player's seat, and the inner world under it, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from bridge.errors import CommandError, HostError
from bridge.fleet import EventStream
from bridge.types import Address, Event, Limits, PolicyResult, ProgramOutcome, Sensed, Senses
from dilemmas.people import HumanPlayers, PeopledWorld
from dilemmas.records.events import PersonSeen


class Inner:
    """Inner world with one bot; `online` lists the connected players."""

    capabilities = frozenset({"chests"})
    address = Address("127.0.0.1", 25599)

    def __init__(self) -> None:
        self.online = ["Gizmo", "Judy"]
        self.texts: list[str] = []
        self.said: list[tuple[str, str, str | None]] = []
        self.left = 0
        self.lost = False
        self.age = 100
        self.stream = EventStream()
        self.over = asyncio.Event()
        self.still: list[str] = []
        self.connected: list[str] = []

    async def __aenter__(self) -> Inner:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stream.end()

    def events(self) -> AsyncIterator[Event]:
        return self.stream

    def chat(self, text: str, to: str | None = None, sender: str = "Glitch") -> None:
        data = {"from": sender, "text": text} | ({} if to is None else {"to": to})
        self.stream.push(Event(1, "chat", self.age, data))

    async def connect(self, names: Sequence[str]) -> None:
        assert "Glitch" not in names
        self.connected += names

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        if self.lost:
            raise HostError("the server ended")
        return [self._answer(text) for text in texts]

    def _answer(self, text: str) -> str | CommandError:
        if text == "list":
            return f"There are {len(self.online)} of a max of 500 players online: {', '.join(self.online)}"
        if text.startswith("scoreboard players get"):
            return f"Glitch has {self.left} [accord_left]"
        self.texts.append(text)
        if " Glitch" in text and "Glitch" not in self.online:
            return CommandError(text, "No player was found")
        return "done"

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        self.stream.push(Event(2, "policy", self.age, {"bot": "Gizmo", "state": "started"}))
        await self.over.wait()
        return {
            name: PolicyResult(name, ProgramOutcome.RETURNED, started_tick=100, ended_tick=110) for name in policies
        }

    async def cancel(self, names: Sequence[str] | None = None) -> None:
        self.over.set()

    async def now(self) -> int:
        return self.age

    async def sleep(self, seconds: float) -> None:
        await asyncio.Event().wait()

    async def sense(self, names: Sequence[str], senses: Senses) -> dict[str, Sensed]:
        return {}

    async def hearing(self, reach: Mapping[str, float] | None) -> None:
        pass

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        self.said += lines

    def standing_still(self) -> Any:  # noqa: ANN401 - a context manager
        inner = self

        class Still:
            async def __aenter__(self) -> None:
                inner.still.append("stands")

            async def __aexit__(self, *_: object) -> None:
                inner.still.append("goes on")

        return Still()


class Table:
    """World with a human player's seat, whose presence checks are triggered by the test."""

    def __init__(self, wait_s: float = 60) -> None:
        self.inner = Inner()
        self.seen: list[str] = []
        self._looks: asyncio.Queue[None] = asyncio.Queue()
        self.people = HumanPlayers(["Glitch"], "Judy", wait_s, pause=lambda _s: self._looks.get())
        self.people.note = self._note
        self.world = PeopledWorld(self.inner, self.people)  # type: ignore[arg-type] # what is used of a world

    def _note(self, event: PersonSeen) -> None:
        self.seen.append(event.state)

    async def look(self, *online: str, left: int = 0) -> None:
        """Let the next check find these players."""
        self.inner.online = ["Gizmo", "Judy", *online]
        self.inner.left = left
        self._looks.put_nowait(None)
        await settled()


async def settled() -> None:
    """Let all ready tasks run."""
    for _ in range(30):
        await asyncio.sleep(0)
