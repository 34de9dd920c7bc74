"""Pages as the place where people play: games on arrays need no world and no client."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from dilemmas.people.human_session import HumanPlayers
from voyager_agents.human.connection import ChatLine


class PageVenue:
    """Place of people who play on their pages alone (`dilemmas.people.seat_page.Venue`)."""

    watching: Sequence[asyncio.Task[None]] = ()
    on_pages = True

    def __init__(self, people: HumanPlayers) -> None:
        self._people = people
        people.venue = self

    async def connect(self, names: Sequence[str]) -> None:
        """Open the game on all pages, and wait for people; bots need no connection.

        Raises:
            PrerequisiteError: A person does not come.
        """
        del names
        people = self._people
        people.open_forms()
        for session in people.sessions.values():
            session.page.open_game(None)
        people.report_awaited(lambda _name: "open the page and press Play here")
        await people.wait_for_people()

    async def commands(self, texts: Sequence[str]) -> None:
        """Do nothing: pages show texts and books themselves."""

    def hear_whisper(self, name: str, text: str) -> None:
        """Record words that a person wrote on its page."""
        self._people.sessions[name].record_words(ChatLine(text, self._people.ear))

    def set_presence(self, name: str, *, here: bool) -> None:
        """Record that a person has entered the game on its page, or left it; strangers and repetitions do nothing."""
        session = self._people.sessions.get(name)
        if session is None or here == session.here or (here and not session.admitted):
            return
        self._people.set_presence(session, here=here)
        self._people.update_everybody()
