"""Sessions of human players: their words, their presence, and instructions shown to them.

One `HumanPlayers` serves a whole study. Its people are at a `Venue`: in a world, which is wrapped (`PeopledWorld`), or
on their pages alone (`PageVenue`). The study waits for an absent person while the game stands still. After `wait_s` of
wall time the study ends with a message of one line, and nothing is scored.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from bridge.errors import InfrastructureError
from common.errors import PrerequisiteError
from dilemmas.people.forms import Stage, StudyForms
from dilemmas.people.screen_text import books_for, lines_for
from dilemmas.people.seat_page import NO_PAGE, SeatPage, Venue
from dilemmas.records.events import FormAnswer, PersonSeen, QuestionnaireAnswered
from voyager_agents.human.connection import DONE, READY, ChatLine
from voyager_agents.human.grid_view import GridChoice, GridView
from voyager_agents.human.questions import PLAY_QUESTION, READY_QUESTION
from voyager_agents.human.seat_question import SeatQuestion

MAX_UNREAD_LINES = 200
"""Maximum number of unread lines kept per person; the oldest are dropped first."""
READING = ("weapon.mainhand", "hotbar.8", "hotbar.7", "hotbar.6")
PLAYING = ("weapon.offhand", "hotbar.8", "hotbar.7", "hotbar.6")
"""Slots of the books: main hand while there is time to read, off-hand when both hands are needed."""

NOBODY_ASKS = "nobody waits for your words now: you can write when you are asked"
OTHER_QUESTION = "that question is over: look at the page as it is now"
NO_CHOICE = "you have no choice in this step any more: look at the game as it is now"
OTHER_FORM = "this page was answered already: reload it"
State = Literal["awaited", "joined", "left", "back", "ready", "done", "consented", "declined", "withdrawn"]


class PersonWithdrewError(InfrastructureError):
    """A person has left the study for good; the run is not scored."""


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
        self.asked = 0
        """Number of questions so far."""
        self.page: SeatPage = NO_PAGE
        """The person's page."""
        self.stage: Stage | None = None
        """Form that the person has to answer now."""
        self.admitted = not people.forms.first
        """True once the person has answered the forms before the game."""
        self.recorded: set[Stage] = set()
        """Forms that the record of a resumed study shows to be answered."""
        self.answered_after = asyncio.Event()
        """Set once the person has answered the questions after the game."""
        self.done = asyncio.Event()
        self._people = people
        self._said: deque[ChatLine] = deque(maxlen=MAX_UNREAD_LINES)
        self._more = asyncio.Event()
        self._view: GridView | None = None
        """Grid game in whose step the person may choose an action now."""
        self._choice: asyncio.Future[GridChoice] | None = None

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
        if question is not None:
            self.asked += 1
            question = replace(question, number=self.asked)
        self.page.show_question(question)

    def show_grid(self, view: GridView) -> None:
        """Show a grid game on the person's page."""
        self.page.show_grid(view)

    async def choose(self, view: GridView) -> GridChoice:
        """Show a step of a grid game and return the person's action. Raises PrerequisiteError if it stays away.

        Without a choice, the one legal action is returned once all people are in the game.
        """
        choice: asyncio.Future[GridChoice] = asyncio.get_running_loop().create_future()
        self._choice = choice
        self._view = view if view.is_open else None
        try:
            self.show_grid(view)
            await self._people.wait_for_people()
            if not view.is_open:
                return GridChoice(view.actions[0].name)
            await self._people.within(choice, f"{self.name} has chosen no action")
            return choice.result()
        finally:
            self._view = self._choice = None

    def take_choice(self, step: int, choice: GridChoice) -> str:
        """Take the person's action in a step, and return the reason if it is not taken."""
        view, waiting = self._view, self._choice
        if view is None or waiting is None or waiting.done() or step != view.step:
            return NO_CHOICE
        if refusal := view.refusal(choice):
            return refusal
        waiting.set_result(choice)
        return ""

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
        forms: StudyForms | None = None,
    ) -> None:
        """Create the sessions.

        Args:
            names: Names of the players.
            ear: Bot that hears people and receives their whispers (the scenario's observer).
            wait_s: Maximum wait for a person, in seconds of wall time.
            pause: Sleep between two checks of who is online.
            forms: Consent, instructions and questionnaires; None without any.
        """
        self.forms = forms or StudyForms()
        self.sessions = {name: HumanSession(name, self) for name in names}
        self.ear = ear
        self.wait_s = wait_s
        self.pause = pause
        self.note: Callable[[PersonSeen | QuestionnaireAnswered], object] = lambda _event: None
        """Callback that records changes of a person's state."""
        self.welcome: Callable[[str], str] = lambda _name: ""
        """Player -> message shown when the player joins."""
        self.venue: Venue | None = None
        """The place where the people are now; None before there is one."""
        self.everybody_here = asyncio.Event()
        """Set while all people are in the game."""
        self._texts: dict[str, dict[str, str]] = {}
        self._withdrawn: asyncio.Future[str] | None = None

    def __bool__(self) -> bool:
        return bool(self.sessions)

    @property
    def on_pages(self) -> bool:
        """True if people play on their pages alone, without a world."""
        return self.venue is not None and self.venue.on_pages

    def report_state(self, name: str, state: State, text: str = "") -> None:
        """Record a change of a person's state."""
        self.note(PersonSeen(player=name, state=state, text=text))

    async def within(self, wait: Awaitable[Any], what: str) -> None:
        """Await `wait` for at most `wait_s` seconds.

        Raises:
            PrerequisiteError: The time is over; `what` begins the message.
            BridgeError: The server was lost meanwhile.
        """
        work = asyncio.ensure_future(wait)
        watching = () if self.venue is None else self.venue.watching
        try:
            async with asyncio.timeout(self.wait_s):
                ended, _ = await asyncio.wait({work, *watching}, return_when=asyncio.FIRST_COMPLETED)
        except TimeoutError:
            raise PrerequisiteError(
                f"{what} for {self.wait_s:g} s: run it anew, or give more time with --human-wait SECONDS"
            ) from None
        finally:
            work.cancel()
        (work if work in ended else ended.pop()).result()

    async def gather(self, players: Sequence[str]) -> None:
        """Wait until all people are in the game, and connect the others, so that people can whisper to them.

        Args:
            players: Names of all players.

        Raises:
            PrerequisiteError: A person does not come.
        """
        assert self.venue is not None
        await self.venue.connect([*players, self.ear])

    async def wait_for_people(self) -> None:
        """Wait until all people are in the game. Raises PrerequisiteError if one stays away, and BridgeError."""
        if self.everybody_here.is_set():
            return
        away = ", ".join(name for name, session in self.sessions.items() if not session.here)
        await self.within(self.everybody_here.wait(), f"{away} has not been in the game")

    def report_awaited(self, way: Callable[[str], str]) -> None:
        """Record that absent people are awaited; `way` says how a player joins."""
        for name, session in self.sessions.items():
            if not session.here:
                self.report_state(name, "awaited", f"{way(name)} within {self.wait_s:g} s")

    def set_presence(self, session: HumanSession, *, here: bool) -> State:
        """Record that a person came or left, welcome it on its page, and return its new state."""
        session.here = here
        state: State = ("back" if session.known else "joined") if here else "left"
        self.report_state(session.name, state)
        session.known = True
        session.page.show_presence(here=here, admitted=session.admitted)
        if here:
            session.page.show_text(self.welcome(session.name))
        return state

    def update_everybody(self) -> None:
        """Set or clear `everybody_here`."""
        if all(session.here for session in self.sessions.values()):
            self.everybody_here.set()
        else:
            self.everybody_here.clear()

    async def give(self, texts: Sequence[str]) -> None:
        """Run commands for people's screens and inventories; refusals, such as for lack of space, are ignored."""
        assert self.venue is not None
        await self.venue.commands(texts)

    def bind(self, name: str, books: Mapping[str, str]) -> None:
        """Set a person's books (title -> text); the first one goes into the hand."""
        self._texts[name] = dict(books)
        self.sessions[name].page.show_books(books)

    def hear_page(self, name: str, text: str, question: int | None = None) -> str:
        """Record words that a person wrote on its page, as a whisper to the ear.

        Args:
            name: Name of the player.
            text: One line.
            question: Number of the question that they answer; None for the one that is asked now.

        Returns:
            The reason if nobody reads the words; empty otherwise.
        """
        session = self.sessions.get(name)
        if session is None or self.venue is None or session.question is None:
            return NOBODY_ASKS
        if question is not None and question != session.asked:
            return OTHER_QUESTION
        self.venue.hear_whisper(name, text)
        return ""

    def choose_on_page(self, name: str, step: int, action: str, words: tuple[int, ...]) -> str:
        """Take an action in a grid game that a person chose on its page.

        Args:
            name: Name of the player.
            step: Step that the page showed.
            action: Name of the action.
            words: Words of a message; empty without any.

        Returns:
            The reason if the action is not taken; empty otherwise.
        """
        session = self.sessions.get(name)
        return NO_CHOICE if session is None else session.take_choice(step, GridChoice(action, words))

    def remember(self, events: Iterable[object]) -> None:
        """Admit those who have answered the forms before the game in the record of a resumed study."""
        for event in events:
            if not isinstance(event, PersonSeen | QuestionnaireAnswered) or event.player not in self.sessions:
                continue
            session = self.sessions[event.player]
            if isinstance(event, QuestionnaireAnswered):
                session.recorded.add(event.stage)
            elif event.state in ("declined", "withdrawn"):
                session.recorded.clear()
            elif event.state == "joined":
                # Nobody enters before it has read the instructions.
                session.recorded.add("instructions")
            elif event.state == "consented" and event.text == self._consent_mark:
                session.recorded.add("consent")
        for session in self.sessions.values():
            session.admitted = session.recorded.issuperset(self.forms.first)

    @property
    def _consent_mark(self) -> str:
        """Text of the record that names what people agree to."""
        return f"sha256 {self.forms.consent_digest}"

    def open_forms(self) -> None:
        """Show the forms before the game to all who have not answered them. Raises PrerequisiteError without a page."""
        for name, session in self.sessions.items():
            if not session.admitted and session.stage is None:
                if session.page is NO_PAGE:
                    raise PrerequisiteError(f"{name} has no page for the study's forms: add --watch or --invite")
                self._show_form(session, self.forms.first[0])
            session.page.show_presence(here=session.here, admitted=session.admitted)

    def answer_form(self, name: str, stage: str, answers: Mapping[str, Any]) -> str:
        """Take a person's answers to a form of its page.

        Args:
            name: Name of the player.
            stage: The form, or `withdraw` to leave the study for good.
            answers: Question -> answer; for consent `agree`.

        Returns:
            The reason if the answers are not taken; empty otherwise.
        """
        session = self.sessions.get(name)
        if session is not None and stage == "withdraw" and session.admitted:
            return self._withdraw(session)
        if session is None or session.stage is None or stage != session.stage:
            return OTHER_FORM
        if refusal := self.forms.check(session.stage, answers):
            return refusal
        if session.stage == "consent":
            if not answers["agree"]:
                self.report_state(name, "declined")
                self._free(session)
                return ""
            self.report_state(name, "consented", self._consent_mark)
        elif session.stage != "instructions":
            given = [
                FormAnswer(id=each.id, question=each.ask, type=each.kind, answer=answers.get(each.id))
                for each in self.forms.questions(session.stage)
            ]
            self.note(QuestionnaireAnswered(player=name, stage=session.stage, answers=given))
        self._next_form(session)
        return ""

    async def ask_afterwards(self) -> None:
        """Show the questions after the game, and wait for the answers; a person may leave them unanswered."""
        asked = [each for each in self.sessions.values() if each.page is not NO_PAGE]
        if not self.forms.questionnaire.after or not asked:
            return
        for session in asked:
            session.answered_after.clear()
            self._show_form(session, "after")
        try:
            async with asyncio.timeout(self.wait_s):
                await asyncio.gather(*(session.answered_after.wait() for session in asked))
        except TimeoutError:
            pass
        for session in asked:
            self._show_form(session, None)

    async def unless_withdrawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Await `work`, and cancel it if a person withdraws. Raises PersonWithdrewError."""
        self._withdrawn = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(work)
        try:
            waited: list[asyncio.Future[Any]] = [task, self._withdrawn]
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise PersonWithdrewError(f"{self._withdrawn.result()} has withdrawn from the study")
            task.result()
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            self._withdrawn = None

    def _withdraw(self, session: HumanSession) -> str:
        self.report_state(session.name, "withdrawn")
        self._free(session)
        if self._withdrawn is not None and not self._withdrawn.done():
            self._withdrawn.set_result(session.name)
        return ""

    def _free(self, session: HumanSession) -> None:
        """Give the seat to nobody, and show its page's first form to the next person."""
        session.admitted = not self.forms.first
        session.stage = None
        session.page.free()
        if self.forms.first:
            self._show_form(session, self.forms.first[0])
        session.page.show_presence(here=session.here, admitted=session.admitted)

    def _next_form(self, session: HumanSession) -> None:
        if session.stage == "after":
            session.answered_after.set()
            self._show_form(session, None)
            return
        first = self.forms.first
        place = first.index(session.stage) + 1 if session.stage in first else len(first)
        session.admitted = place == len(first)
        self._show_form(session, None if session.admitted else first[place])
        session.page.show_presence(here=session.here, admitted=session.admitted)

    def _show_form(self, session: HumanSession, stage: Stage | None) -> None:
        session.stage = stage
        session.page.show_form(None if stage is None else self.forms.page(stage))

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
            how: Player -> description of the game, and how to report ready.
            go: Message to all when play starts.
        """
        for name, session in self.sessions.items():
            session.forget()
            await self.give([f"gamemode adventure {name}", *self.books_of(name)])
            await session.send_text(how(name))
        for name, session in self.sessions.items():
            await session.ready()
            self.report_state(name, "ready")
        await again()
        for name, session in self.sessions.items():
            await self.give(self.books_of(name, PLAYING))
            await session.send_text(go)
