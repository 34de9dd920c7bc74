"""Play on the page alone, without a client: the person enters and leaves the game, and answers what it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from accord.viewer.seat_inputs import InputLimiter, InputRefused
from accord.viewer.seat_play import ALONE_S, EntryRefused, SeatPlay
from voyager_agents.human.connection import IN_WORDS


class PresenceLink(Protocol):
    """Way of a seat to the study that plays its game."""

    def show_presence(self, player: str, *, here: bool) -> None:
        """Tell the study that a player has entered the game, or left it."""


Link = TypeVar("Link", bound=PresenceLink)


class PageSeatPlay(SeatPlay, Generic[Link]):
    """Play of one seat without a client; thread-safe."""

    kind: ClassVar[str] = IN_WORDS

    def __init__(self, player: str, link: Link, limiter: InputLimiter | None = None, alone_s: float = ALONE_S) -> None:
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

    @property
    def state(self) -> str:
        """`out` of the game, or `in` it."""
        return "in" if self._inside else "out"

    def take_inputs(self, given: object) -> None:
        """Raise InputRefused: all that a person does in the game is to answer questions."""
        raise InputRefused("this game is played by answers: press a button, or write one")

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
        """Do nothing: no key is held."""

    def _move(self, *, inside: bool) -> None:
        self._inside = inside
        self._put({"kind": "state", "state": self.state})
        self._link.show_presence(self._player, here=inside)
