"""People of tests who play on their pages alone, without a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from dilemmas.people import HumanPlayers, PageVenue
from dilemmas.people.seat_page import NoPage
from voyager_agents.human.seat_question import SeatQuestion


class PagePerson(NoPage):
    """Page of a person who enters at once, and gives the first answer to each question."""

    def __init__(self, people: HumanPlayers, name: str) -> None:
        self.people = people
        self.name = name
        self.texts: list[str] = []
        self.asked: list[SeatQuestion] = []

    @property
    def venue(self) -> PageVenue:
        assert isinstance(self.people.venue, PageVenue)
        return self.people.venue

    def open_game(self, address: object) -> None:
        assert address is None
        soon(lambda: self.venue.set_presence(self.name, here=True))

    def show_text(self, text: str, *, own: bool = False) -> None:
        self.texts.append(text)

    def show_question(self, question: SeatQuestion | None) -> None:
        if question is not None:
            self.asked.append(question)
            for line in self.answers(question):
                soon(lambda line=line: self.people.hear_page(self.name, line))

    def answers(self, question: SeatQuestion) -> list[str]:
        """Return the lines that the person writes, one after the other."""
        return [question.answers[0]]


class Chooser(PagePerson):
    """Person who takes the options in turn, after a line that is not legal."""

    def __init__(self, people: HumanPlayers, name: str) -> None:
        super().__init__(people, name)
        self.chosen: list[str] = []

    def answers(self, question: SeatQuestion) -> list[str]:
        if question.kind != "turn":
            return super().answers(question)
        self.chosen.append(question.answers[len(self.chosen) % len(question.answers)])
        return ["fly", self.chosen[-1]]


Seated = TypeVar("Seated", bound=PagePerson)


def seats(make: Callable[[HumanPlayers, str], Seated], found: list[Seated]) -> Callable[[HumanPlayers], None]:
    """Return a function that seats people, and adds them to a list."""

    def seat(people: HumanPlayers) -> None:
        for name, session in people.sessions.items():
            found.append(make(people, name))
            session.page = found[-1]

    return seat


def soon(act: Callable[[], object]) -> None:
    """Act after the study has gone on to wait."""
    asyncio.get_running_loop().call_soon(act)
