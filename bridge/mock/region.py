"""One region of a mock world: its process, and what is known of the players who are in it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bridge.mock.exchange import TIME, Exchange
from bridge.mock.process import MockProcess
from bridge.mock.senses import Views
from bridge.types import Sensed, Senses
from bridge.wire import Json

Look = tuple[Sequence[str], Senses]
"""Whose senses, and which."""


@dataclass(frozen=True)
class Foreseen:
    """What came with the end of an advance, for whoever asks next; it holds until anything else is asked."""

    number: int
    """The advance's among the region's requests."""
    held: Mapping[str, Json]
    """State of the players whose runs were over."""
    look: Look | None
    found: Mapping[str, Sensed] | None
    """What they sense who were to look."""


NOTHING = Foreseen(-1, {}, None, None)


class Region:
    """A part of the world with a process of its own; `number` counts from 0."""

    def __init__(self, number: int, process: MockProcess, exchange: Exchange) -> None:
        self.number = number
        self.process = process
        self.views = Views()
        self._exchange = exchange
        self._asked = 0
        """How many requests were made of it."""
        self._foreseen = NOTHING

    def ask(self, verb: str, **fields: Json) -> asyncio.Future[Json]:
        """One request, whose answer is a future: HostError where the process is lost, BridgeError where it refuses.

        Raises HostError when that is known already.
        """
        self.process.check()
        self._asked += 1
        return self._exchange.ask(verb, fields, self.number)

    def advance(self, until: int | None, look: Look | None) -> asyncio.Future[Json]:
        """Let time pass there; `took` takes the answer."""
        fields = {} if look is None else {"look": self.views.of(look[1]).fields(look[0])}
        return self.ask(TIME, until=until, **fields)

    def took(self, look: Look | None, value: Json) -> None:
        """What the advance has answered, whose look this was."""
        if isinstance(value, int):
            return
        news = value["look"]
        found = None if look is None or news is None else self.views.of(look[1]).take(look[0], news)
        self._foreseen = Foreseen(self._asked, value["held"], look, found)

    def held(self, name: str) -> Json | None:
        """That player's state, where it came with the time that passed and nothing was asked since."""
        return self._foreseen.held.get(name) if self._foreseen.number == self._asked else None

    def found(self, look: Look) -> Mapping[str, Sensed] | None:
        """What those players sense, where it came with the time that passed and nothing was asked since."""
        return self._foreseen.found if self._foreseen.look == look and self._foreseen.number == self._asked else None

    def renew(self) -> None:
        """Its world is as new: nothing is known."""
        self.views = Views()
        self._foreseen = NOTHING
