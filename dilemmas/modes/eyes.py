"""Pictures of a run for the players whose models see (`--see`, `voyager_agents.eyes`).

Pictures are taken at fixed moments of a mode, never when a model is asked, so that a run on the mock world stays
reproducible. Every picture that a model gets is stored once in the record, named by its hash.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import cast

from bridge.errors import BridgeError, InfrastructureError
from bridge.pictures import PICTURES, PictureRequest, TakesPictures
from bridge.worlds import World
from dilemmas.records.events import LogLine, Moment, PictureTaken
from dilemmas.records.record import RunRecord
from voyager_agents.eyes import See, View
from voyager_agents.models.images import Detail, ModelImage, image_tokens
from voyager_agents.thought_events import CRITIC

LOOKING_BACK = frozenset({CRITIC})
"""Roles that are asked about the last episode, and see its end."""
CAPTIONS: Mapping[Moment, str] = {
    "start": "The picture shows what {player} sees at the start of an episode.",
    "now": "The picture shows what {player} sees now.",
    "end": "The picture shows what {player} saw at the end of the episode.",
}
GRID_CAPTIONS: Mapping[Moment, str] = {
    "start": "The picture shows the cells that {player} sees before the first step, with {player} in the middle.",
    "now": "The picture shows the cells that {player} sees now, with {player} in the middle.",
}


@dataclass(frozen=True)
class SightOptions:
    """Form of what the models of a study's players see."""

    see: See = "words"
    width: int = 512
    """Pixels."""
    height: int = 288
    detail: Detail = "auto"


NO_SIGHT = SightOptions()


@dataclass
class Eyes:
    """Pictures of one run, by player; without players it does nothing."""

    options: SightOptions = NO_SIGHT
    models: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Player -> role that sees -> spec of its model."""
    record: RunRecord | None = None
    _live: int = 0
    """Number of societies that live now, one for each region of the world."""
    _waiting: dict[str, list[asyncio.Future[None]]] = field(default_factory=dict)
    """Player -> its looks that wait for the next beat."""
    _views: dict[Moment, dict[str, View]] = field(default_factory=lambda: {"start": {}, "now": {}, "end": {}})

    _plans: dict[str, View] = field(default_factory=dict)
    """Pictures that go with every view of a player."""

    @property
    def players(self) -> list[str]:
        """Players whose models see."""
        return list(self.models) if self.options.see != "words" else []

    def see_of(self, player: str) -> See:
        """Return what the player's models are shown."""
        return self.options.see if player in self.players else "words"

    async def look(self, player: str, role: str) -> Sequence[View]:
        """Return the picture for the next question of a player's role; none for a role that does not see.

        While players live, a look takes until the next beat of their society.
        """
        if player not in self.players or role not in self.models[player]:
            return ()
        if self._live:
            taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(player, []).append(taken)
            await taken
        moments: tuple[Moment, ...] = ("now", "end" if role in LOOKING_BACK else "start")
        view = next((self._views[moment][player] for moment in moments if player in self._views[moment]), None)
        shown = [each for each in (view, self._plans.get(player)) if each is not None]
        return tuple(self._billed(each, self.models[player][role]) for each in shown)

    def tokens(self, player: str, role: str) -> int:
        """Return the estimated tokens of the picture of a question."""
        if player not in self.players or role not in self.models[player]:
            return 0
        options = self.options
        one = image_tokens(self.models[player][role], options.width, options.height, options.detail)
        return one * (2 if player in self._plans else 1)

    def show_plans(self, draw: Callable[[str, tuple[int, int]], tuple[bytes, str] | None]) -> None:
        """Show players their parts of a plan with every view.

        Args:
            draw: Player and size in pixels -> its picture and caption; None if it has no part.
        """
        for player in self.players:
            drawn = draw(player, (self.options.width, self.options.height))
            if drawn is not None:
                self._plans[player] = View(ModelImage.of(drawn[0], self.options.detail), drawn[1])

    @contextmanager
    def live(self) -> Iterator[None]:
        """Answer looks by `serve` inside the block, because players live and are asked at any time."""
        self._live += 1
        try:
            yield
        finally:
            self._live -= 1

    @property
    def awaited(self) -> bool:
        """True if a player waits for its picture."""
        return bool(self._waiting)

    async def serve(self, world: World, players: Iterable[str]) -> None:
        """Take the pictures that these players wait for. Raises InfrastructureError if a component is lost."""
        waiting = [name for name in players if name in self._waiting]
        if not waiting:
            return
        await self.take(world, "now", waiting)
        for taken in [each for name in waiting for each in self._waiting.pop(name)]:
            if not taken.done():
                taken.set_result(None)

    @property
    def needs_start(self) -> bool:
        """True if the pictures of the players' starts are missing."""
        return any(player not in self._views["start"] for player in self.players)

    async def take(self, world: World, moment: Moment, players: Iterable[str]) -> None:
        """Take a picture for each of the players that see; those who are not in the world get none.

        Pictures of now last until `close`; the others are logged, and the end is forgotten at the next start.

        Raises:
            InfrastructureError: A component is lost.
        """
        views = self._views[moment]
        for player in [name for name in players if name in self.players]:
            views.pop(player, None)
            try:
                data = await cast(TakesPictures, world).picture(
                    PictureRequest(player, self.options.width, self.options.height)
                )
            except InfrastructureError:
                raise
            except BridgeError:
                continue
            image = ModelImage.of(data, self.options.detail)
            self._keep(player, moment, image)
            if moment != "now":
                self._log(player, moment, image)

    def show(self, player: str, data: bytes, told: str = "") -> None:
        """Keep a picture of a game on arrays, as the player sees it now.

        Args:
            player: Player that sees.
            data: The PNG file.
            told: Sentences on what the picture's signs mean.
        """
        self._views["now"][player] = self._drawn("now", player, data, told)

    def show_start(self, player: str, data: bytes, told: str = "") -> None:
        """Keep a picture of a game on arrays, as the player sees it before the first step; log it if it is new.

        The arguments `player`, `data` and `told` are those of `show`.
        """
        before, view = self._views["start"].get(player), self._drawn("start", player, data, told)
        self._views["start"][player] = view
        if before is None or before.image.sha256 != view.image.sha256:
            self._log(player, "start", view.image)

    def _drawn(self, moment: Moment, player: str, data: bytes, told: str) -> View:
        caption = " ".join(part for part in (GRID_CAPTIONS[moment].format(player=player), told) if part)
        return View(ModelImage.of(data, self.options.detail), caption)

    def _log(self, player: str, moment: Moment, image: ModelImage) -> None:
        """Store a picture in the record and log it."""
        if self.record is None:
            return
        self.record.save_image(image)
        self.record.log(
            PictureTaken(player=player, moment=moment, sha256=image.sha256, width=image.width, height=image.height)
        )

    def close(self) -> None:
        """Forget the pictures of now: the game is over, or breaks off."""
        self._views["now"].clear()
        self._waiting.clear()

    def restore(self, lines: Iterable[LogLine]) -> None:
        """Take the pictures that an interrupted run has logged. Raises RecordError if a stored one is missing."""
        for line in lines:
            event = line.event
            if isinstance(event, PictureTaken) and self.record is not None and event.player in self.players:
                image = ModelImage.of(self.record.read_image(event.sha256), self.options.detail)
                self._keep(event.player, event.moment, image)

    def _keep(self, player: str, moment: Moment, image: ModelImage) -> None:
        self._views[moment][player] = View(image, CAPTIONS[moment].format(player=player))

    @staticmethod
    def _billed(view: View, model: str) -> View:
        """Return the picture with its estimated tokens for a model."""
        image = view.image
        tokens = image_tokens(model, image.width, image.height, image.detail)
        return replace(view, image=replace(image, tokens=tokens))


def imagined_view(options: SightOptions, player: str, model: str, size: tuple[int, int] | None = None) -> View:
    """Return a picture without content, which an estimate counts.

    Args:
        options: Size and detail of the pictures.
        player: Player that sees.
        model: Spec of the model that gets it.
        size: Width and height of another size; None for that of the options.
    """
    width, height = size or (options.width, options.height)
    tokens = image_tokens(model, width, height, options.detail)
    return View(ModelImage("", width, height, options.detail, tokens=tokens), CAPTIONS["start"].format(player=player))


def can_be_seen(capabilities: Iterable[str]) -> bool:
    """Return True if a world with these capabilities takes pictures."""
    return PICTURES in capabilities
