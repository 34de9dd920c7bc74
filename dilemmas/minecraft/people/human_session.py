"""Sessions of human players: their words, their presence, and instructions shown to them.

One `HumanPlayers` serves a whole study; each of its worlds is wrapped (`PeopledWorld`). The study waits for an absent
person while the world stands still. After `wait_s` of wall time the study ends with a message of one line, and nothing
is scored.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

from common.errors import PrerequisiteError
from dilemmas.minecraft.people.screen_text import books_for, lines_for
from dilemmas.records.events import PersonSeen
from voyager_agents.human.connection import DONE, READY, ChatLine
from voyager_agents.human.questions import PLAY_QUESTION, READY_QUESTION
from voyager_agents.human.seat_question import SeatQuestion

MAX_UNREAD_LINES = 200
"""Maximum number of unread lines kept per person; the oldest are dropped first."""
READING = ("weapon.mainhand", "hotbar.8", "hotbar.7", "hotbar.6")
PLAYING = ("weapon.offhand", "hotbar.8", "hotbar.7", "hotbar.6")
"""Slots of the books: main hand while there is time to read, off-hand when both hands are needed."""

NOBODY_ASKS = "nobody waits for your words now: you can write when you are asked"
State = Literal["awaited", "joined", "left", "back", "ready", "done"]


class SeatPage(Protocol):
    """Page of a human player, which shows what the chat and the books show to this player alone."""

    def show_text(self, text: str, *, own: bool = False) -> None:
        """Show a text that the player was sent, or its own words."""

    def show_books(self, books: Mapping[str, str]) -> None:
        """Show the player's books (title -> text)."""

    def show_question(self, question: SeatQuestion | None) -> None:
        """Show the question that is asked now; None for none."""


class NoPage:
    """Page of a player without a page."""

    def show_text(self, text: str, *, own: bool = False) -> None:
        """Do nothing."""

    def show_books(self, books: Mapping[str, str]) -> None:
        """Do nothing."""

    def show_question(self, question: SeatQuestion | None) -> None:
        """Do nothing."""


NO_PAGE = NoPage()


class HumanSession:
    """Session of one human player (`voyager_agents.human.connection.HumanConnection`)."""

    def __init__(self, name: str, people: HumanPlayers) -> None:
        self.name = name
        self.here = False
        """True if the person is in the world, as far as known."""
        self.known = False
        """True if the person has ever joined."""
        self.left = 0
        """Number of times that the server has seen the person leave."""
        self.question: SeatQuestion | None = None
        """Question that the person is asked now."""
        self.page: SeatPage = NO_PAGE
        """The person's page."""
        self.done = asyncio.Event()
        self._people = people
        self._said: deque[ChatLine] = deque(maxlen=MAX_UNREAD_LINES)
        self._more = asyncio.Event()

    @property
    def playing(self) -> bool:
        """True during an episode that the person may end."""
        return self.question is PLAY_QUESTION

    def begin_play(self) -> None:
        """Start an episode that the person may end."""
        self.done.clear()
        self.present(PLAY_QUESTION)

    def end_play(self) -> None:
        """End the person's part in an episode."""
        if self.playing:
            self.present(None)

    def present(self, question: SeatQuestion | None) -> None:
        """Show a question on the person's page; None if nothing is asked any more."""
        self.question = question
        self.page.show_question(question)

    def record_words(self, said: ChatLine) -> None:
        """Record words of the person."""
        self.page.show_text(said.text, own=True)
        if self.playing and word_of(said.text) == DONE:
            self.done.set()
        self._said.append(said)
        self._more.set()

    def heard(self) -> list[ChatLine]:
        """Return the words since the previous call."""
        found = list(self._said)
        self.forget()
        return found

    def forget(self) -> None:
        """Discard earlier words."""
        self._said.clear()
        self._more.clear()

    async def hear(self) -> ChatLine:
        """Return the next words. Raises PrerequisiteError if the person says nothing in time."""
        while not self._said:
            self._more.clear()
            await self._people.within(self._more.wait(), f"{self.name} has said nothing")
        return self._said.popleft()

    async def send_text(self, text: str) -> None:
        """Show the text to the person; an absent person sees it on return."""
        self.page.show_text(text)
        await self._people.give(lines_for(self.name, text))

    async def ready(self) -> None:
        """Wait for the word that starts an episode."""
        self.present(READY_QUESTION)
        try:
            while word_of((await self.hear()).text) != READY:
                pass
        finally:
            self.present(None)


def word_of(text: str) -> str:
    """Return a line of one word in lower case, without surrounding spaces, dots and exclamation marks."""
    return text.strip().strip(".!").lower()


class HumanPlayers:
    """All human players of a study."""

    def __init__(
        self,
        names: Sequence[str],
        ear: str,
        wait_s: float = 600.0,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Create the sessions.

        Args:
            names: Names of the players.
            ear: Bot that hears people and receives their whispers (the scenario's observer).
            wait_s: Maximum wait for a person, in seconds of wall time.
            pause: Sleep between two checks of who is online.
        """
        self.sessions = {name: HumanSession(name, self) for name in names}
        self.ear = ear
        self.wait_s = wait_s
        self.pause = pause
        self.note: Callable[[PersonSeen], object] = lambda _event: None
        """Callback that records changes of a person's state."""
        self.welcome: Callable[[str], str] = lambda _name: ""
        """Player -> message shown when the player joins."""
        self.world: Any = None
        """The world that the people are in now (`PeopledWorld`)."""
        self._texts: dict[str, dict[str, str]] = {}

    def __bool__(self) -> bool:
        return bool(self.sessions)

    def report_state(self, name: str, state: State, text: str = "") -> None:
        """Record a change of a person's state."""
        self.note(PersonSeen(player=name, state=state, text=text))

    async def within(self, wait: Awaitable[Any], what: str) -> None:
        """Await `wait` for at most `wait_s` seconds.

        Raises:
            PrerequisiteError: The time is over; `what` begins the message.
        """
        try:
            async with asyncio.timeout(self.wait_s):
                await wait
        except TimeoutError:
            raise PrerequisiteError(
                f"{what} for {self.wait_s:g} s: run it anew, or give more time with --human-wait SECONDS"
            ) from None

    async def gather(self, players: Sequence[str]) -> None:
        """Wait until all people are in the world, and connect the others, so that people can whisper to them.

        Args:
            players: Names of all players.

        Raises:
            PrerequisiteError: A person does not come.
        """
        await self.world.connect([*players, self.ear])

    async def give(self, texts: Sequence[str]) -> None:
        """Run commands for people's screens and inventories; refusals, such as for lack of space, are ignored."""
        await self.world.commands(texts)

    def bind(self, name: str, books: Mapping[str, str]) -> None:
        """Set a person's books (title -> text); the first one goes into the hand."""
        self._texts[name] = dict(books)
        self.sessions[name].page.show_books(books)

    def hear_page(self, name: str, text: str) -> str:
        """Record words that a person wrote on its page, as a whisper to the ear.

        Args:
            name: Name of the player.
            text: One line.

        Returns:
            The reason if nobody reads the words; empty otherwise.
        """
        session = self.sessions.get(name)
        if session is None or self.world is None or session.question is None:
            return NOBODY_ASKS
        self.world.hear_whisper(name, text)
        return ""

    def books_of(self, name: str, slots: Sequence[str] = READING) -> list[str]:
        """Return commands that give a person its books."""
        left, made = list(slots), []
        for title, text in self._texts.get(name, {}).items():
            books = books_for(name, title, text, left)
            made += books
            left = left[len(books) :]
        return made

    async def wait_until_ready(
        self, again: Callable[[], Awaitable[object]], how: Callable[[str], str], go: str
    ) -> None:
        """Let people read and report ready, then set the scenario up anew with their books in the off-hand.

        Args:
            again: Sets the scenario up anew.
            how: Player -> description of the game.
            go: Message to all when play starts.
        """
        for name, session in self.sessions.items():
            session.forget()
            await self.give([f"gamemode adventure {name}", *self.books_of(name)])
            await session.send_text(
                f"{how(name)}\nRead the book in your hand. Say ready in the chat (or /msg {self.ear} ready) to begin; "
                "nobody moves before. All is set up as new then."
            )
        for name, session in self.sessions.items():
            await session.ready()
            self.report_state(name, "ready")
        await again()
        for name, session in self.sessions.items():
            await self.give(self.books_of(name, PLAYING))
            await session.send_text(go)
