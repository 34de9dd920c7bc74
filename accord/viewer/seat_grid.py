"""Play of a grid game on the page: the player's view of each step, and the action that the person chooses."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

from accord.viewer.seat_inputs import InputLimiter, InputRefused, parse_choice
from accord.viewer.seat_play import ALONE_S, NOT_IN_GAME, EntryRefused, SeatPlay
from common.text import well_formed_data
from voyager_agents.human.connection import ON_GRID


class GridLink(Protocol):
    """Way of a seat to the study that plays its game."""

    def choose(self, player: str, step: int, action: str, words: tuple[int, ...]) -> str:
        """Pass a player's action to the study, and return the reason if it is not taken.

        Args:
            player: Name of the player.
            step: Step that the player's page showed.
            action: Name of the action.
            words: Words of a message; empty without any.
        """

    def show_presence(self, player: str, *, here: bool) -> None:
        """Tell the study that a player has entered the game, or left it."""


class GridSeatPlay(SeatPlay):
    """Play of one seat without a client; thread-safe. The study alone decides which actions are legal."""

    kind: ClassVar[str] = ON_GRID
    standing: ClassVar[tuple[str, ...]] = ("grid",)

    def __init__(
        self, player: str, link: GridLink, limiter: InputLimiter | None = None, alone_s: float = ALONE_S
    ) -> None:
        """Prepare the play; the arguments `player`, `limiter` and `alone_s` are those of `SeatPlay`.

        Args:
            player: Name of the player.
            link: Way to the study.
            limiter: Limit of inputs per second.
            alone_s: Time after which a player without an open page leaves, in seconds of wall time.
        """
        super().__init__(player, limiter, alone_s)
        self._link = link
        self._inside = False
        self._picture: bytes | None = None

    @property
    def state(self) -> str:
        """`out` of the game, or `in` it."""
        return "in" if self._inside else "out"

    @property
    def picture(self) -> bytes | None:
        """Picture of the last view as a PNG file; None before there is one."""
        return self._picture

    def take_news(self, news: Mapping[str, Any]) -> None:
        """Store the study's game, and the player's `grid` (`voyager_agents.human.grid_view.GridView` as plain data)."""
        super().take_news(news)
        if "grid" in news:
            view = dict(news["grid"])
            with self._lock:
                self._picture = base64.b64decode(view.pop("picture"))
                self._put({"kind": "grid", "waits": False, **well_formed_data(view)})

    def take_inputs(self, given: object) -> None:
        """Pass the chosen action to the study. Raises InputRefused."""
        with self._lock:
            self._limiter.spend(1)
        chosen = parse_choice(given)
        if not self._inside:
            raise InputRefused(NOT_IN_GAME)
        refusal = self._link.choose(self._player, chosen.step, chosen.action, tuple(chosen.words))
        if refusal:
            raise InputRefused(refusal)
        with self._lock:
            view = self._last.get("grid")
            if view is not None and view["step"] == chosen.step and not view["over"]:
                self._put({**view, "waits": True})

    def close(self) -> None:
        """Leave the game."""
        super().close()
        with self._lock:
            self._part()

    def _set_game(self, game: Mapping[str, Any] | None) -> None:
        with self._lock:
            self.game = game
            if game is None:
                self._part()
            elif self._wanted and not self._inside:
                self._join()

    def _check_entry(self, *, here: bool) -> None:
        if self.game is None:
            raise EntryRefused("the game is not ready yet: wait a moment")

    def _join(self) -> None:
        self._move(inside=True)

    def _part(self) -> None:
        if self._inside:
            self._move(inside=False)

    def _let_go(self) -> None:
        """Do nothing: no key of a grid game is held."""

    def _move(self, *, inside: bool) -> None:
        self._inside = inside
        self._put({"kind": "state", "state": self.state})
        self._link.show_presence(self._player, here=inside)
