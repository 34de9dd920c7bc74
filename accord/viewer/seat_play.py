"""Play of one human player through its page: the player's client, its reports, and its inputs."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from accord.viewer.seat_inputs import InputLimiter, InputRefused, parse_inputs
from bridge.errors import ServerError
from bridge.land import SurveyPart
from bridge.seat_client import Report, SeatClient
from bridge.types import Address
from common.errors import PrerequisiteError
from common.text import well_formed_data

MAX_REPORTS = 2000
"""Maximum number of reports kept for a page that reads slowly."""
STANDING = ("self", "others", "items", "window", "signs")
"""Kinds of reports whose last one says how things are."""
ALONE_S = 10.0
"""Time after which a player without an open page leaves the game, in seconds of wall time."""
RELEASE: tuple[Mapping[str, Any], ...] = (
    {"do": "keys", "keys": []},
    {"do": "dig", "on": False},
    {"do": "use", "on": False},
)
"""Orders that let go of all keys and buttons."""


class EntryRefused(Exception):
    """The game cannot be entered now; the text is one line."""


class Client(Protocol):
    """A player's client (`bridge.seat_client.SeatClient`)."""

    def join(self, address: Address, name: str) -> None:
        """Connect to a server."""

    def leave(self) -> None:
        """Disconnect."""

    def send(self, order: Mapping[str, Any]) -> None:
        """Send an input."""

    def survey(self, part: SurveyPart, **fields: Any) -> Any:  # noqa: ANN401 - any JSON
        """Return a part of the land."""

    def close(self) -> None:
        """End the client."""


class SeatPlay:
    """Play of one seat; thread-safe."""

    def __init__(
        self,
        player: str,
        start: Callable[[Callable[[Report], object]], Client] = SeatClient,
        limiter: InputLimiter | None = None,
        alone_s: float = ALONE_S,
    ) -> None:
        """Prepare the play; nothing starts before the person enters.

        Args:
            player: Name of the player.
            start: Starts the player's client; its argument is called with the client's reports.
            limiter: Limit of inputs per second.
            alone_s: Time after which a player without an open page leaves, in seconds of wall time.
        """
        self._player = player
        self._start = start
        self._alone_s = alone_s
        self._limiter = limiter or InputLimiter()
        self._lock = threading.RLock()
        self._client: Client | None = None
        self._world: Address | None = None
        self._joined_to: Address | None = None
        self._wanted = False
        """True from the person's entry until it leaves."""
        self._joined = False
        self._joining = False
        self._pages = 0
        self._alone: threading.Timer | None = None
        self._number = 0
        self._reports: deque[tuple[int, Report]] = deque(maxlen=MAX_REPORTS)
        self._last: dict[str, Report] = {}

    @property
    def state(self) -> str:
        """`out`, `joining` or `in` the game."""
        return "in" if self._joined else "joining" if self._joining else "out"

    @property
    def world(self) -> Address | None:
        """Address of the study's world; None if there is none."""
        return self._world

    def set_world(self, address: Address | None) -> None:
        """Set the server of the study's world; a person that is playing joins it."""
        with self._lock:
            if address == self._world:
                return
            self._world = address
            if self._client is not None and (self._joined or self._joining):
                self._client.leave()
            elif self._wanted and address is not None:
                self._join()

    def enter(self) -> None:
        """Enter the game. Raises EntryRefused."""
        with self._lock:
            if self._world is None:
                raise EntryRefused("the world is not ready yet: wait a moment")
            self._wanted = True
            if not self._joined and not self._joining:
                self._join()

    def leave(self) -> None:
        """Leave the game."""
        with self._lock:
            self._wanted = False
            if self._client is not None:
                self._client.leave()

    def take_inputs(self, given: object) -> None:
        """Act on inputs of the page. Raises InputRefused."""
        with self._lock:
            self._limiter.spend(len(given) if isinstance(given, list) else 1)
        inputs = parse_inputs(given)
        client = self._client
        if client is None or not self._joined:
            raise InputRefused("you are not in the game")
        for each in inputs:
            client.send(each)

    def survey(self, part: SurveyPart, **fields: Any) -> Any:  # noqa: ANN401 - any JSON
        """Return a part of the land around the player. Raises ServerError."""
        client = self._client
        if client is None or not self._joined:
            raise ServerError("you are not in the game")
        return client.survey(part, **fields)

    def open_page(self) -> tuple[int, list[Report]]:
        """Count an open page; return the number of the last report, and how things are."""
        with self._lock:
            self._pages += 1
            if self._alone is not None:
                self._alone.cancel()
                self._alone = None
            if self._wanted and self._world is not None and not self._joined and not self._joining:
                self._join()
            return self._number, [{"kind": "state", "state": self.state}, *self._last.values()]

    def close_page(self) -> None:
        """Discount an open page; without any, keys are let go, and the player soon leaves the game."""
        with self._lock:
            self._pages -= 1
            if self._pages > 0 or self._client is None:
                return
            for order in RELEASE:
                self._client.send(order)
            self._alone = threading.Timer(self._alone_s, self._leave_alone)
            self._alone.daemon = True
            self._alone.start()

    def reports(self, after: int) -> tuple[int, list[Report]] | None:
        """Return the reports after a number; None if some of them are lost."""
        with self._lock:
            if self._reports and self._reports[0][0] > after + 1:
                return None
            return self._number, [report for number, report in self._reports if number > after]

    def close(self) -> None:
        """End the player's client."""
        with self._lock:
            client, self._client = self._client, None
            self._wanted = False
            if self._alone is not None:
                self._alone.cancel()
        if client is not None:
            client.close()

    def _leave_alone(self) -> None:
        with self._lock:
            if self._pages == 0 and self._client is not None:
                self._client.leave()

    def _join(self) -> None:
        assert self._world is not None
        if self._client is None:
            try:
                self._client = self._start(self._hear)
            except PrerequisiteError as error:
                raise EntryRefused(str(error)) from None
        self._joining = True
        self._joined_to = self._world
        self._client.join(self._world, self._player)
        self._put({"kind": "state", "state": "joining"})

    def _hear(self, report: Report) -> None:
        with self._lock:
            kind = report["kind"]
            if kind == "joined":
                self._joined, self._joining = True, False
                self._put({"kind": "state", "state": "in"})
            elif kind == "gone":
                self._joined = self._joining = False
                self._last.clear()
                self._put({"kind": "state", "state": "out", "reason": report["reason"]})
                # A new world has opened while the client was leaving the last one.
                if self._wanted and self._client is not None and self._world not in (None, self._joined_to):
                    self._join()
            else:
                self._put(well_formed_data(report))

    def _put(self, report: Report) -> None:
        self._number += 1
        self._reports.append((self._number, report))
        if report["kind"] in STANDING:
            self._last[report["kind"]] = report
