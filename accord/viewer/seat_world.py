"""Play in a Minecraft world: the player's client, its reports, and its inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

from accord.viewer.seat_inputs import InputLimiter, InputRefused, parse_inputs
from accord.viewer.seat_play import ALONE_S, NOT_IN_GAME, EntryRefused, SeatPlay
from bridge.errors import ServerError
from bridge.land import SurveyPart
from bridge.seat_client import Report, SeatClient
from bridge.types import Address
from common.errors import PrerequisiteError
from common.text import well_formed_data
from voyager_agents.human.connection import IN_WORLD

RELEASE: tuple[Mapping[str, Any], ...] = (
    {"do": "keys", "keys": []},
    {"do": "dig", "on": False},
    {"do": "use", "on": False},
)
"""Orders that let go of all keys and buttons."""
OTHER_CLIENT = "you are in the game with a Minecraft client: leave it there to play here"


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


class WorldSeatPlay(SeatPlay):
    """Play of one seat through a client of its own; thread-safe."""

    kind: ClassVar[str] = IN_WORLD
    standing: ClassVar[tuple[str, ...]] = ("self", "others", "items", "window", "signs")

    def __init__(
        self,
        player: str,
        start: Callable[[Callable[[Report], object]], Client] = SeatClient,
        limiter: InputLimiter | None = None,
        alone_s: float = ALONE_S,
    ) -> None:
        """Prepare the play; the arguments `player`, `limiter` and `alone_s` are those of `SeatPlay`.

        Args:
            player: Name of the player.
            start: Starts the player's client; its argument is called with the client's reports.
            limiter: Limit of inputs per second.
            alone_s: Time after which a player without an open page leaves, in seconds of wall time.
        """
        super().__init__(player, limiter, alone_s)
        self._start = start
        self._client: Client | None = None
        self._world: Address | None = None
        self._joined_to: Address | None = None
        self._joined = False
        self._joining = False

    @property
    def state(self) -> str:
        """`out`, `joining` or `in` the game."""
        return "in" if self._joined else "joining" if self._joining else "out"

    def take_inputs(self, given: object) -> None:
        """Act on inputs of the page. Raises InputRefused."""
        with self._lock:
            self._limiter.spend(len(given) if isinstance(given, list) else 1)
        inputs = parse_inputs(given)
        client = self._client
        if client is None or not self._joined:
            raise InputRefused(NOT_IN_GAME)
        for each in inputs:
            client.send(each)

    def survey(self, part: SurveyPart, **fields: Any) -> Any:  # noqa: ANN401 - any JSON
        """Return a part of the land around the player. Raises ServerError."""
        client = self._client
        if client is None or not self._joined:
            raise ServerError(NOT_IN_GAME)
        return client.survey(part, **fields)

    def close(self) -> None:
        """End the player's client."""
        super().close()
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _set_game(self, game: Mapping[str, Any] | None) -> None:
        told = None if game is None else game["address"]
        address = None if told is None else Address(told["host"], told["port"], told["version"])
        with self._lock:
            self.game = None if address is None else game
            if address == self._world:
                return
            self._world = address
            if self._client is not None and (self._joined or self._joining):
                self._client.leave()
            elif self._wanted and address is not None:
                self._join()

    def _check_entry(self, *, here: bool) -> None:
        if here and self.state == "out":
            raise EntryRefused(OTHER_CLIENT)
        if self._world is None:
            raise EntryRefused("the world is not ready yet: wait a moment")

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

    def _part(self) -> None:
        if self._client is not None:
            self._client.leave()

    def _let_go(self) -> None:
        if self._client is not None:
            for order in RELEASE:
                self._client.send(order)

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
