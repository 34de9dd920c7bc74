"""Where people of a study sit: what they said, whether they are there, and what they are told.

One `HumanPlayers` serves a study, whatever becomes of its worlds; each world is wrapped (`PeopledWorld`) when it is
made. A person that is away is waited for, and the world stands still meanwhile; after `wait_s` of wall time the study
ends in one line, and nothing is scored.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal

from common.errors import PrerequisiteError
from dilemmas.minecraft.people.telling import books_for, lines_for
from dilemmas.records.events import PersonSeen
from voyager_agents.person import DONE, READY, ChatLine

MOST_SAID = 200
"""Lines that are kept of one person until somebody asks for them; the oldest go first."""
READING = ("weapon.mainhand", "hotbar.8", "hotbar.7", "hotbar.6")
PLAYING = ("weapon.offhand", "hotbar.8", "hotbar.7", "hotbar.6")
"""Slots of the books: in the hand while there is time to read, in the other one when both hands are needed."""

State = Literal["awaited", "joined", "left", "back", "ready", "done"]


class HumanSession:
    """One person's place (`voyager_agents.person.PersonLine`)."""

    def __init__(self, name: str, people: HumanPlayers) -> None:
        self.name = name
        self.here = False
        """Whether the person is in the world, as far as is known."""
        self.known = False
        """Whether the person has ever been."""
        self.left = 0
        """How often the server has counted that the person left."""
        self.playing = False
        """Whether an episode goes on that the person can end for itself."""
        self.done = asyncio.Event()
        self._people = people
        self._said: deque[ChatLine] = deque(maxlen=MOST_SAID)
        self._more = asyncio.Event()

    def said(self, said: ChatLine) -> None:
        """The person has said that."""
        if self.playing and word_of(said.text) == DONE:
            self.done.set()
        self._said.append(said)
        self._more.set()

    def heard(self) -> list[ChatLine]:
        """What was said since it was asked last."""
        found = list(self._said)
        self.forget()
        return found

    def forget(self) -> None:
        """What was said before counts no more."""
        self._said.clear()
        self._more.clear()

    async def hear(self) -> ChatLine:
        """The next words. Raises PrerequisiteError."""
        while not self._said:
            self._more.clear()
            await self._people.within(self._more.wait(), f"{self.name} has said nothing")
        return self._said.popleft()

    async def tell(self, text: str) -> None:
        """Show it to the person; who is away is told when it is back."""
        await self._people.give(lines_for(self.name, text))

    async def ready(self) -> None:
        """Wait for the word that begins an episode."""
        while word_of((await self.hear()).text) != READY:
            pass


def word_of(text: str) -> str:
    """A line of one word, without what clients and people put around it."""
    return text.strip().strip(".!").lower()


class HumanPlayers:
    """All people of a study."""

    def __init__(
        self,
        names: Sequence[str],
        ear: str,
        wait_s: float = 600.0,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`ear` is the bot that hears them and can be whispered to (the scenario's observer); `pause` waits between
        looks at who is there."""
        self.desks = {name: HumanSession(name, self) for name in names}
        self.ear = ear
        self.wait_s = wait_s
        self.pause = pause
        self.note: Callable[[PersonSeen], object] = lambda _event: None
        """Takes down what becomes of them."""
        self.welcome: Callable[[str], str] = lambda _name: ""
        """Player -> what it is told when it joins."""
        self.world: Any = None
        """The world that they are in now (`PeopledWorld`)."""
        self._texts: dict[str, dict[str, str]] = {}

    def __bool__(self) -> bool:
        return bool(self.desks)

    def tell_of(self, name: str, state: State, text: str = "") -> None:
        """That has become of one of them."""
        self.note(PersonSeen(player=name, state=state, text=text))

    async def within(self, wait: Awaitable[Any], what: str) -> None:
        """Wait for that, so long as people are waited for. Raises PrerequisiteError."""
        try:
            async with asyncio.timeout(self.wait_s):
                await wait
        except TimeoutError:
            raise PrerequisiteError(
                f"{what} for {self.wait_s:g} s: run it anew, or give more time with --human-wait SECONDS"
            ) from None

    async def gather(self) -> None:
        """Wait until all are in the world. Raises PrerequisiteError when one does not come."""
        await self.world.connect([self.ear])

    async def give(self, texts: Sequence[str]) -> None:
        """Commands for their screens and hands. What one has no room for, or left before, is no failure."""
        await self.world.commands(texts)

    def bind(self, name: str, books: Mapping[str, str]) -> None:
        """That person's books from now on, title -> text; the first is in the hand."""
        self._texts[name] = dict(books)

    def books_of(self, name: str, slots: Sequence[str] = READING) -> list[str]:
        """Commands that give one its books."""
        left, made = list(slots), []
        for title, text in self._texts.get(name, {}).items():
            books = books_for(name, title, text, left)
            made += books
            left = left[len(books) :]
        return made

    async def made_ready(self, again: Callable[[], Awaitable[object]], how: Callable[[str], str], go: str) -> None:
        """The scenario stands: people read, and say when they are ready; then it is set up as new, and they have their
        books in the other hand. `how` tells a player what it is about to play, `go` all that it begins."""
        for name, desk in self.desks.items():
            desk.forget()
            await self.give([f"gamemode adventure {name}", *self.books_of(name)])
            await desk.tell(
                f"{how(name)}\nRead the book in your hand. Say ready in the chat (or /msg {self.ear} ready) to begin; "
                "nobody moves before. All is set up as new then."
            )
        for name, desk in self.desks.items():
            await desk.ready()
            self.tell_of(name, "ready")
        await again()
        for name, desk in self.desks.items():
            await self.give(self.books_of(name, PLAYING))
            await desk.tell(go)
