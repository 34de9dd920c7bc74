"""Tracks of a run: where players and mobs were, and which blocks changed, by the moments of the page's time axis."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import atan2, degrees, hypot
from pathlib import Path
from typing import NamedTuple

from accord.viewer.moments import STEPS, Moments
from accord.viewer.scene_builder import KIND, WEATHERS, BlockChange, DropSpot, changes_of, drops_of
from dilemmas.records import events as log
from dilemmas.records.record import read_events

LOG = "events.jsonl"
MAX_GAP_S = 6.0
"""Longest time for the way between two positions. A body that has stood still is reported once it moves on; societies
report every five seconds."""
MAX_STRIDE = 40.0
"""Longest way between two positions, in blocks; a body that moved farther was teleported."""
NAME = re.compile(r"[A-Za-z0-9_]{1,16}")
"""Names that Minecraft allows. Other names of a record never become part of a command."""
EYES = 1.62
"""Height of a player's eyes, in blocks."""
WORK_S = 1.5
"""Time before a change of a block during which its player looks at it. The log has changes once a second."""
_KINDS = (
    "episode_started", "policies_started", "episode_ended", "infrastructure", "world_built", "places", "mobs",
    "ground_changed", "weather", "drops", *sorted(STEPS),
)  # fmt: skip


class BodyPose(NamedTuple):
    """Place of a body, in blocks, and the direction in which it looks."""

    x: float
    y: float
    z: float
    yaw: float = 0.0
    """Degrees: 0 looks south, 90 west."""
    pitch: float = 0.0
    """Degrees below the horizon."""

    def looking_at(self, x: float, y: float, z: float) -> BodyPose:
        """Return the place with the eyes on a point."""
        dx, dy, dz = x - self.x, y - (self.y + EYES), z - self.z
        return self._replace(yaw=degrees(atan2(-dx, dz)), pitch=degrees(atan2(-dy, hypot(dx, dz))))


@dataclass
class BodyTrack:
    """Places of one body in order of time. None marks the moment from which it is gone."""

    times: list[float] = field(default_factory=list)
    places: list[BodyPose | None] = field(default_factory=list)

    def add(self, at: float, spot: tuple[float, float, float] | None) -> None:
        """Add a place, or the body's end. The body looks in the direction in which it has moved."""
        last = self.places[-1] if self.places else None
        place = None if spot is None else BodyPose(*spot, _yaw(last, spot))
        self.times.append(at)
        self.places.append(place)

    def at(self, moment: float) -> BodyPose | None:
        """Return the place at a moment, on the way between two reports; None before the first and after the end."""
        index = bisect_right(self.times, moment)
        if index == 0:
            return None
        here, then = self.places[index - 1], self.times[index - 1]
        if here is None or index == len(self.times):
            return here
        there, until = self.places[index], self.times[index]
        if there is None or hypot(there.x - here.x, there.y - here.y, there.z - here.z) > MAX_STRIDE:
            return here
        # A body that has stood still for a while is reported only once it moves on.
        begin = max(then, until - MAX_GAP_S)
        if moment <= begin:
            return here
        part = (moment - begin) / (until - begin)
        x, y, z = (a + (b - a) * part for a, b in zip(here[:3], there[:3], strict=True))
        return BodyPose(x, y, z, there.yaw)


@dataclass
class RunTracks:
    """Tracks of a whole run."""

    players: dict[str, BodyTrack] = field(default_factory=lambda: defaultdict(BodyTrack))
    mobs: dict[tuple[str, str], BodyTrack] = field(default_factory=lambda: defaultdict(BodyTrack))
    """(number, kind) -> track."""
    blocks: list[BlockChange] = field(default_factory=list)
    rebuilt: list[float] = field(default_factory=list)
    """Moments at which the world was built anew."""
    work: dict[str, list[BlockChange]] = field(default_factory=lambda: defaultdict(list))
    """Player -> blocks that it changed."""
    weather: list[tuple[float, str]] = field(default_factory=list)
    """Changes of the weather."""
    drops: list[tuple[float, Mapping[str, DropSpot | None] | None]] = field(default_factory=list)
    """Changes of the items on the ground: number -> item, None if it is gone; None if all are gone."""
    began: list[float] = field(default_factory=list)
    """Moments at which episodes began."""
    end: float = 0.0
    """Last moment of the record, in seconds."""

    def alive(self, moment: float) -> Iterator[tuple[str, BodyPose]]:
        """Yield the players in the world at a moment."""
        for name, track in self.players.items():
            if (place := track.at(moment)) is None:
                continue
            changed = self.work.get(name, [])
            index = bisect_left(changed, moment, key=lambda change: change.at)
            if index < len(changed) and changed[index].at <= moment + WORK_S:
                place = place.looking_at(changed[index].x + 0.5, changed[index].y + 0.5, changed[index].z + 0.5)
            yield name, place

    def first_place(self) -> BodyPose:
        """Return the first place of any player."""
        return next(place for track in self.players.values() for place in track.places if place is not None)


def read_tracks(run: Path) -> RunTracks:
    """Return the tracks of a run's log. Raises RecordError."""
    found, moments = RunTracks(), Moments()
    for line in read_events(run / LOG, _KINDS):
        event = line.event
        now = moments.advance(line.kind, event.model_dump(include={"t_s", "game_s", "state"}))
        match event:
            case log.EpisodeStarted():
                found.began.append(now)
                for track in (*found.players.values(), *found.mobs.values()):
                    track.add(now, None)
                found.drops.append((now, None))
            case log.WorldBuilt():
                found.rebuilt.append(now)
            case log.PlacesSeen():
                _add_places(found, now, event)
            case log.MobsSeen():
                _add_mobs(found, now, event)
            case log.GroundChanged():
                _add_blocks(found, now, event)
            case log.DropsSeen():
                found.drops.append((now, drops_of(event.model_dump())))
            case log.WeatherChanged(weather=weather) if weather in WEATHERS:
                found.weather.append((now, weather))
    found.end = moments.now
    return found


def _add_blocks(found: RunTracks, now: float, event: log.GroundChanged) -> None:
    for name, changes in changes_of(now, event.model_dump()).items():
        found.blocks += changes
        found.work[name] += changes


def _add_places(found: RunTracks, now: float, event: log.PlacesSeen) -> None:
    for name in filter(NAME.fullmatch, event.gone):
        found.players[name].add(now, None)
    for name in filter(NAME.fullmatch, event.at):
        found.players[name].add(now, event.at[name])


def _add_mobs(found: RunTracks, now: float, event: log.MobsSeen) -> None:
    for key, track in found.mobs.items():
        if key[0] in event.gone:
            track.add(now, None)
    for number, (kind, spot) in event.at.items():
        if number.isdecimal() and KIND.fullmatch(kind):
            found.mobs[number, kind].add(now, spot)


def _yaw(last: BodyPose | None, spot: tuple[float, float, float]) -> float:
    if last is None:
        return 0.0
    dx, dz = spot[0] - last.x, spot[2] - last.z
    return round(degrees(atan2(-dx, dz)), 1) if hypot(dx, dz) > 0.05 else last.yaw
