"""Filming of a run: its land is built again, bodies and blocks follow the record, and a picture is taken a frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from accord.viewer.land import RunLand, furnish_land, open_land, read_land
from accord.viewer.scene_builder import BlockChange, DropSpot
from accord.viewer.video import cameras
from accord.viewer.video.cameras import Shot
from accord.viewer.video.encoders import open_encoder
from accord.viewer.video.subtitles import DRAWN, FORMATS, OMITTED, Caption, read_captions, shown_at, write_subtitles
from accord.viewer.video.tracks import BodyPose, RunTracks, read_tracks
from bridge.mock_world import MockWorld
from bridge.pictures import CameraPlace, PictureRequest
from dilemmas.errors import UsageError

MAX_FRAMES = 36_000
DAY_TICKS = 24_000
TICKS = 20
"""Ticks per second."""
SIZES = (64, 1920)
"""Least and largest side of a picture, in pixels."""
AWAY = "tp {name} 0 -2000 0"


@dataclass(frozen=True)
class FilmSettings:
    """Settings of a video."""

    begin_s: float = 0.0
    """First moment of the record."""
    end_s: float | None = None
    """Last moment; None for the record's end."""
    camera: str = cameras.MAP
    """Player, `map` or `orbit`."""
    width: int = 640
    height: int = 360
    fps: float = 20.0
    """Frames per second of the video."""
    speed: float = 1.0
    """Seconds of the record per second of the video."""
    subtitles: str = DRAWN
    """Place of what is said: `picture`, `none`, or a file beside the video in a format of `subtitles.FORMATS`."""


@dataclass(frozen=True)
class Film:
    """A written video."""

    frames: int
    seconds: float
    """Length of the video."""
    subtitles: Path | None = None
    """File with the subtitles."""
    captions: int = 0
    """Number of utterances that are shown."""


async def film_run(
    run: Path, to: Path, settings: FilmSettings, progress: Callable[[int, int], None] = lambda done, of: None
) -> Film:
    """Write a video of a run.

    Args:
        run: Directory of the run.
        to: The video: .mp4, .webm or .gif.
        settings: Interval, camera and size.
        progress: Called with the number of frames that are done and their total.

    Raises:
        UsageError: A setting is not legal.
        RecordError: The record cannot be read or has no land, or the video cannot be written.
        PrerequisiteError: There is no ffmpeg.
    """
    tracks = read_tracks(run)
    moments = _moments(settings, tracks)
    if settings.camera not in (cameras.MAP, cameras.ORBIT) and settings.camera not in tracks.players:
        legal = ", ".join([cameras.MAP, cameras.ORBIT, *list(tracks.players)[:20]])
        raise UsageError(f"camera: {settings.camera!r} is nobody in this run; choose {legal}")
    land = read_land(run)
    captions: Sequence[Caption] = ()
    if settings.subtitles != OMITTED:
        captions = read_captions(run, begin_s=moments[0], end_s=moments[-1], speed=settings.speed)
    drawn = captions if settings.subtitles == DRAWN else ()
    encoder = open_encoder(to, settings.fps)
    try:
        async with open_land(land) as world:
            stage = _Stage(land, world, tracks, settings)
            for number, moment in enumerate(moments):
                seconds = number / settings.fps
                encoder.add(await stage.picture(moment, seconds, shown_at(drawn, seconds)))
                progress(number + 1, len(moments))
        encoder.finish()
    except BaseException:
        encoder.abort()
        raise
    written = write_subtitles(to, settings.subtitles, captions) if settings.subtitles in FORMATS else None
    return Film(len(moments), len(moments) / settings.fps, written, len(captions))


def _moments(settings: FilmSettings, tracks: RunTracks) -> list[float]:
    """Return the moment of each frame. Raises UsageError."""
    end = tracks.end if settings.end_s is None else settings.end_s
    if not 0 <= settings.begin_s < end <= tracks.end:
        raise UsageError(
            f"video: from {settings.begin_s:g} to {end:g} s is not within the record, which lasts {tracks.end:g} s"
        )
    if not tracks.players:
        raise UsageError("video: the record has no places of players, so there is nothing to show")
    legal = (DRAWN, *FORMATS, OMITTED)
    if settings.subtitles not in legal:
        raise UsageError(f"subtitles: {settings.subtitles!r} is not legal; choose one of {', '.join(legal)}")
    for name, value, least, most in (
        ("fps", settings.fps, 1, 60), ("speed", settings.speed, 0.1, 1000),
    ):  # fmt: skip
        if not least <= value <= most:
            raise UsageError(f"video: {name} {value:g} is not legal: use {least:g} to {most:g}")
    for name, pixels in (("width", settings.width), ("height", settings.height)):
        if not SIZES[0] <= pixels <= SIZES[1] or pixels % 2:
            raise UsageError(
                f"video: {name} {pixels} is not legal: use an even number of pixels from {SIZES[0]} to {SIZES[1]}"
            )
    step = settings.speed / settings.fps
    frames = math.floor((end - settings.begin_s) / step) + 1
    if frames > MAX_FRAMES:
        raise UsageError(
            f"video: {frames:,} pictures are too many, at most {MAX_FRAMES:,}: use --from and --to, or raise --speed"
        )
    return [settings.begin_s + number * step for number in range(frames)]


class _Stage:
    """The land of a run at a moment that only advances."""

    def __init__(self, land: RunLand, world: MockWorld, tracks: RunTracks, settings: FilmSettings) -> None:
        self._land, self._world, self._tracks, self._settings = land, world, tracks, settings
        self._observer = land.scenario.spec.observer.name
        self._known = {*land.scenario.spec.players, self._observer}
        self._block = 0
        self._rebuilt: int | None = None
        """Number of times that the run had built its world, at the last frame."""
        self._summoned: set[str] = set()
        self._hidden: set[str] = set()
        self._drop = 0
        self._lying: dict[str, DropSpot] = {}
        """Items on the ground by the record."""
        self._laid: dict[str, DropSpot] = {}
        """Items on the ground in the world."""
        self._shot: Shot | None = None
        self._weather = str(land.facts.get("weather", "clear"))

    async def picture(self, moment: float, seconds: float, captions: Sequence[str]) -> bytes:
        """Return the picture of a moment, as a PNG file.

        Args:
            moment: Moment of the record.
            seconds: Time of the video.
            captions: What is said, the oldest first.
        """
        await self._rebuild(moment)
        places = dict(self._tracks.alive(moment))
        shot = self._shot = self._next_shot(places, seconds)
        bodies = [*self._bodies(places), *self._mobs(moment), *self._drops(moment)]
        texts = [*self._changes(moment), *bodies, *self._sky(moment)]
        # Refusals are no failure: a record may name blocks and mobs that this version does not know.
        await self._world.commands(texts)
        who = self._observer
        if self._settings.camera in places and self._settings.camera in self._known:
            who = self._settings.camera
        await self._world.commands([f"tp {who} {_at(shot.feet)}"])
        place: CameraPlace = "eyes" if shot.above is None else "above"
        return await self._world.picture(
            PictureRequest(who, self._settings.width, self._settings.height, place, shot.above, captions)
        )

    def _next_shot(self, places: dict[str, BodyPose], seconds: float) -> Shot:
        """Return the camera of this frame. While there is nobody to look at, it stays where it was."""
        camera, settings = self._settings.camera, self._settings
        if camera in places:
            return Shot(places[camera])
        if places and camera == cameras.ORBIT:
            return cameras.orbit(places, seconds)
        if places and camera == cameras.MAP:
            return cameras.overview(places, self._shot, settings.width / settings.height)
        return self._shot or Shot(self._tracks.first_place(), cameras.NEAREST)

    async def _rebuild(self, moment: float) -> None:
        """Build the land anew if the run has done so since the last frame; at the first frame it is built already."""
        due = [at for at in self._tracks.rebuilt if at <= moment]
        anew = self._rebuilt is not None and len(due) > self._rebuilt
        if anew:
            await self._world.commands(["tick unfreeze"])
            await furnish_land(self._world, self._land)
        if anew or self._rebuilt is None:
            self._summoned.clear()
            self._laid.clear()
            # Mobs and items follow the record from here on, not their own will. Older records know of no items.
            kinds = sorted({kind for _, kind in self._tracks.mobs})
            kinds += ["item"] if any(change for _, change in self._tracks.drops) else []
            await self._world.commands(
                [*(f"kill @e[type={kind}]" for kind in kinds), f"gamemode spectator {self._observer}", "tick freeze"]
            )
        if due:
            # Changes before the world was built anew are gone.
            while self._block < len(self._tracks.blocks) and self._tracks.blocks[self._block].at < due[-1]:
                self._block += 1
        self._rebuilt = len(due)

    def _changes(self, moment: float) -> list[str]:
        blocks = self._tracks.blocks
        first = self._block
        while self._block < len(blocks) and blocks[self._block].at <= moment:
            self._block += 1
        return [_setblock(change) for change in blocks[first : self._block]]

    def _bodies(self, places: dict[str, BodyPose]) -> list[str]:
        found = []
        for name in self._known - {self._observer}:
            place = places.get(name)
            if place is not None:
                found.append(f"tp {name} {_at(place)}")
                self._hidden.discard(name)
            elif name not in self._hidden:
                found.append(AWAY.format(name=name))
                self._hidden.add(name)
        return sorted(found)

    def _mobs(self, moment: float) -> list[str]:
        found = []
        for (number, kind), track in self._tracks.mobs.items():
            tag, place = f"film_{number}_{kind}", track.at(moment)
            if place is None:
                if tag in self._summoned:
                    found.append(f"kill @e[tag={tag}]")
                    self._summoned.discard(tag)
            elif tag in self._summoned:
                found.append(f"tp @e[tag={tag}] {_at(place)}")
            else:
                self._summoned.add(tag)
                data = f'{{NoAI:1b,Tags:["{tag}"],Rotation:[{place.yaw:.1f}f,0f]}}'
                found.append(f"summon {kind} {place.x:.3f} {place.y:.3f} {place.z:.3f} {data}")
        return found

    def _drops(self, moment: float) -> list[str]:
        changes = self._tracks.drops
        while self._drop < len(changes) and changes[self._drop][0] <= moment:
            change = changes[self._drop][1]
            there = {} if change is None else {**self._lying, **change}
            self._lying = {number: drop for number, drop in there.items() if drop is not None}
            self._drop += 1
        gone = [number for number, drop in self._laid.items() if self._lying.get(number) != drop]
        come = {number: drop for number, drop in self._lying.items() if self._laid.get(number) != drop}
        self._laid = dict(self._lying)
        return [
            *(f"kill @e[tag=film_drop_{number}]" for number in gone),
            *(_summon_item(number, drop) for number, drop in come.items()),
        ]

    def _sky(self, moment: float) -> list[str]:
        facts = self._land.facts
        found = []
        weather = [each for at, each in self._tracks.weather if at <= moment][-1:]
        if weather and weather[0] != self._weather:
            self._weather = weather[0]
            found.append(f"weather {self._weather}")
        if not facts.get("turns"):
            return found
        began = max((at for at in self._tracks.began if at <= moment), default=0.0)
        time = int(facts.get("time", 0)) + round((moment - began) * TICKS)
        return [*found, f"time set {time % DAY_TICKS}"]


def _at(place: BodyPose) -> str:
    return f"{place.x:.3f} {place.y:.3f} {place.z:.3f} {place.yaw:.1f} {place.pitch:.1f}"


def _summon_item(number: str, drop: DropSpot) -> str:
    item = f'{{id:"minecraft:{drop.kind}",Count:{drop.amount}b}}'
    return f'summon item {drop.x} {drop.y} {drop.z} {{Item:{item},PickupDelay:32767s,Tags:["film_drop_{number}"]}}'


def _setblock(change: BlockChange) -> str:
    return f"setblock {change.x} {change.y} {change.z} {change.block or 'air'}"
