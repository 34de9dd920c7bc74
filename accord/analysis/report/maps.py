"""Maps for the page, as parts of an SVG picture: the ground from above and the players' paths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from accord.analysis.report.blocks import colour_of
from accord.analysis.report.model import ReportedEpisode, Way
from dilemmas.records.events import GroundLaid

MARGIN = 2.0
"""Margin of a map in blocks."""
LEAST = 12.0
"""Minimum extent of a map in each direction, in blocks."""
MAX_POINTS = 600
"""Maximum number of places of a player's path on the page; evenly thinned beyond it. All are in ways.csv."""
Box = tuple[float, float, float, float]
"""West, north, east, south."""


@dataclass(frozen=True)
class Patch:
    """All columns of one block."""

    block: str
    colour: str
    path: str
    """SVG path data."""
    common: bool
    """True if the block is the common ground rather than a landmark."""


@dataclass(frozen=True)
class Track:
    """Path of a player on a map."""

    player: str
    index: int
    """Index of the player in the scenario; decides colour and dashes."""
    lines: tuple[str, ...]
    """SVG points, a text for each part."""
    start: tuple[float, float]
    end: tuple[float, float]


@dataclass(frozen=True)
class Map:
    """One episode seen from above, with north at the top."""

    box: Box
    patches: tuple[Patch, ...]
    tracks: tuple[Track, ...]

    @property
    def view(self) -> str:
        """SVG view box."""
        west, north, east, south = self.box
        return f"{_text(west)} {_text(north)} {_text(east - west)} {_text(south - north)}"

    @property
    def size(self) -> str:
        """Extent in words."""
        west, north, east, south = self.box
        return f"{round(east - west)} by {round(south - north)} blocks"

    @property
    def bar(self) -> tuple[float, float, float]:
        """West end, height and length of the scale bar: 5 blocks, 10 of a wide map."""
        west, _, east, south = self.box
        return (west + 0.8, south - 0.8, 10.0 if east - west > 30 else 5.0)

    @property
    def landmarks(self) -> tuple[Patch, ...]:
        """Blocks named in the legend."""
        return tuple(patch for patch in self.patches if not patch.common)


def map_of(episode: ReportedEpisode, players: Sequence[str]) -> Map | None:
    """Return the map of an episode, or None if no places are known."""
    if not episode.ways:
        return None
    cells = runs_of(episode.ground)
    common = commonest(cells)
    index = {name: place for place, name in enumerate(players)}
    tracks = tuple(
        _track(name, index[name], way)
        for name, way in sorted(episode.ways.items(), key=lambda each: index.get(each[0], 99))
        if name in index
    )
    return Map(extent(cells, common, episode.ways), _patches(cells, common), tracks)


Cells = Mapping[tuple[int, int], tuple[int, str]]
"""(x, z) of a run's western end -> number of columns, and their block."""


def _runs(ground: GroundLaid) -> Iterator[tuple[tuple[int, int], tuple[int, str]]]:
    x0, z0 = ground.corner
    for z, row in enumerate(ground.rows, z0):
        x = x0
        for count, name in zip(row[::2], row[1::2], strict=False):
            if ground.blocks[name]:
                yield (x, z), (count, ground.blocks[name])
            x += count


def runs_of(ground: GroundLaid | None) -> Cells:
    """Return the ground as runs of columns."""
    return dict(_runs(ground)) if ground else {}


def commonest(cells: Cells) -> str:
    """Return the block of most columns."""
    counts: Counter[str] = Counter()
    for count, block in cells.values():
        counts[block] += count
    return counts.most_common(1)[0][0] if counts else ""


def extent(cells: Cells, common: str, ways: Mapping[str, Way]) -> Box:
    """Return the extent of a map: all paths and everything that stands on the common ground, with a margin."""
    spots = [(x, z, x, z) for way in ways.values() for part in way for _, x, z in part]
    marks = [(x, z, x + count, z + 1) for (x, z), (count, block) in cells.items() if block != common]
    found = [*spots, *marks] or [(0, 0, 0, 0)]
    west, north = (min(each[axis] for each in found) - MARGIN for axis in (0, 1))
    east, south = (max(each[axis] for each in found) + MARGIN for axis in (2, 3))
    wide, high = max(0.0, LEAST - (east - west)) / 2, max(0.0, LEAST - (south - north)) / 2
    return (west - wide, north - high, east + wide, south + high)


def _patches(cells: Cells, common: str) -> tuple[Patch, ...]:
    """Return a patch for each block, with all its rectangles in one path."""
    paths: dict[str, list[str]] = {}
    for block, x, top, count, height in rectangles(cells):
        paths.setdefault(block, []).append(f"M{x} {top}h{count}v{height}h{-count}z")
    ordered = sorted(paths, key=lambda block: (block != common, block))
    return tuple(Patch(block, colour_of(block), "".join(paths[block]), block == common) for block in ordered)


def rectangles(cells: Cells) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield the ground in rectangles: block, west, north, columns, rows. Equal runs below each other become one."""
    open_runs: dict[tuple[int, int, str], tuple[int, int]] = {}
    for (x, z), (count, block) in sorted(cells.items(), key=lambda each: (each[0][1], each[0][0])):
        key = (x, count, block)
        top, last = open_runs.get(key, (z, z - 1))
        if last != z - 1:
            yield block, x, top, count, last - top + 1
            top = z
        open_runs[key] = (top, z)
    for (x, count, block), (top, last) in open_runs.items():
        yield block, x, top, count, last - top + 1


def _track(player: str, index: int, way: Way) -> Track:
    count = sum(len(part) for part in way)
    step = max(1, -(-count // MAX_POINTS))
    lines = tuple(
        " ".join(f"{_text(x)},{_text(z)}" for _, x, z in [*part[:-1:step], part[-1]]) for part in way if len(part) > 1
    )
    (_, x0, z0), (_, x1, z1) = way[0][0], way[-1][-1]
    return Track(player, index, lines, (x0, z0), (x1, z1))


def _text(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
