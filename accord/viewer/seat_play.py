"""Play of one human player through its page: entry, inputs, and reports of how the game stands.

There are three kinds of play: in a Minecraft world (`accord.viewer.seat_world`), and on the page alone by answers
(`accord.viewer.seat_on_page`) or in a grid game (`accord.viewer.seat_grid`). All enter and leave a game that the study
opens, take inputs of an untrusted page, and stream reports to it.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping
from typing import Any, ClassVar

from accord.viewer.seat_inputs import InputLimiter
from bridge.errors import ServerError
from bridge.land import SurveyPart
from bridge.seat_client import Report

MAX_REPORTS = 2000
"""Maximum number of reports kept for a page that reads slowly."""
ALONE_S = 10.0
"""Time after which a player without an open page leaves the game, in seconds of wall time."""
NOT_IN_GAME = "you are not in the game"


class EntryRefused(Exception):
    """The game cannot be entered now; the text is one line."""


class SeatPlay(ABC):
    """Play of one seat; thread-safe."""

    kind: ClassVar[str]
    """Name of the kind of play, for the page."""
    standing: ClassVar[tuple[str, ...]] = ()
    """Kinds of reports whose last one says how things are."""

    def __init__(self, player: str, limiter: InputLimiter | None = None, alone_s: float = ALONE_S) -> None:
        """Prepare the play; nothing starts before the person enters.

        Args:
            player: Name of the player.
            limiter: Limit of inputs per second.
            alone_s: Time after which a player without an open page leaves, in seconds of wall time.
        """
        self._player = player
        self._alone_s = alone_s
        self._limiter = limiter or InputLimiter()
        self._lock = threading.RLock()
        self._wanted = False
        """True from the person's entry until it leaves."""
        self._pages = 0
        self._alone: threading.Timer | None = None
        self._number = 0
        self._reports: deque[tuple[int, Report]] = deque(maxlen=MAX_REPORTS)
        self._last: dict[str, Report] = {}
        self.game: Mapping[str, Any] | None = None
        """Game that the study has opened, with its `address` in a network if it has one; None without a game."""

    @property
    @abstractmethod
    def state(self) -> str:
        """`out`, `joining` or `in` the game."""

    def take_news(self, news: Mapping[str, Any]) -> None:
        """Store what the study says of the game: `game`, None if there is none to enter."""
        if "game" in news:
            self._set_game(news["game"])

    def enter(self, *, here: bool = False) -> None:
        """Enter the game; `here` is true if the study sees the player in it already. Raises EntryRefused."""
        with self._lock:
            self._check_entry(here=here)
            self._wanted = True
            if self.state == "out":
                self._join()

    def leave(self) -> None:
        """Leave the game."""
        with self._lock:
            self._wanted = False
            self._part()

    @abstractmethod
    def take_inputs(self, given: object) -> None:
        """Act on inputs of the page. Raises InputRefused."""

    def survey(self, part: SurveyPart, **fields: Any) -> Any:  # noqa: ANN401 - any JSON
        """Return a part of the land around the player. Raises ServerError if there is none."""
        raise ServerError(NOT_IN_GAME)

    @property
    def picture(self) -> bytes | None:
        """Picture of the game as a PNG file; None if the page draws the game itself."""
        return None

    def open_page(self) -> tuple[int, list[Report]]:
        """Count an open page; return the number of the last report, and how things are."""
        with self._lock:
            self._pages += 1
            if self._alone is not None:
                self._alone.cancel()
                self._alone = None
            if self._wanted and self.game is not None and self.state == "out":
                self._join()
            return self._number, [{"kind": "state", "state": self.state}, *self._last.values()]

    def close_page(self) -> None:
        """Discount an open page; without any, keys are let go, and the player soon leaves the game."""
        with self._lock:
            self._pages -= 1
            if self._pages > 0 or self.state == "out":
                return
            self._let_go()
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
        """End the play."""
        with self._lock:
            self._wanted = False
            if self._alone is not None:
                self._alone.cancel()

    def _leave_alone(self) -> None:
        with self._lock:
            if self._pages == 0:
                self._part()

    def _put(self, report: Report) -> None:
        self._number += 1
        self._reports.append((self._number, report))
        if report["kind"] in self.standing:
            self._last[report["kind"]] = report

    @abstractmethod
    def _set_game(self, game: Mapping[str, Any] | None) -> None:
        """Set the study's game; a person that is playing goes on in the new one."""

    @abstractmethod
    def _check_entry(self, *, here: bool) -> None:
        """Check that the game can be entered. Raises EntryRefused."""

    @abstractmethod
    def _join(self) -> None:
        """Go into the game."""

    @abstractmethod
    def _part(self) -> None:
        """Go out of the game, if the player is in it."""

    @abstractmethod
    def _let_go(self) -> None:
        """Let go of all keys and buttons."""
