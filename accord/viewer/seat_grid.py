"""Play of a grid game on the page: the player's view of each step, and the action that the person chooses."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

from accord.viewer.seat_inputs import InputRefused, parse_choice
from accord.viewer.seat_on_page import PageSeatPlay, PresenceLink
from accord.viewer.seat_play import NOT_IN_GAME
from common.text import well_formed_data
from voyager_agents.human.connection import ON_GRID


class GridLink(PresenceLink, Protocol):
    """Way of a seat to the study that plays its game."""

    def choose(self, player: str, step: int, action: str, words: tuple[int, ...]) -> str:
        """Pass a player's action to the study, and return the reason if it is not taken.

        Args:
            player: Name of the player.
            step: Step that the player's page showed.
            action: Name of the action.
            words: Words of a message; empty without any.
        """


class GridSeatPlay(PageSeatPlay[GridLink]):
    """Play of one seat in a grid game; thread-safe. The study alone decides which actions are legal."""

    kind: ClassVar[str] = ON_GRID
    standing: ClassVar[tuple[str, ...]] = ("grid",)

    _picture: bytes | None = None

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
