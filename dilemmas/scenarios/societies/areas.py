"""Areas of influence: the union of the discs within which people can be heard (shapely does the geometry).

Shapely is imported when an area is computed, so that commands that only list scenarios do not wait for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from dilemmas.records.events.life import Spot

if TYPE_CHECKING:
    import shapely

QUARTER = 16
"""Segments of a quarter of a disc's edge, which make its area 0.16 % too small."""


def influence(groups: Mapping[str, Iterable[Spot]], radius: float) -> dict[str, float]:
    """Return group -> area of the union of discs around its places, in square blocks; `both` is of all groups."""
    discs = {name: _discs(places, radius) for name, places in groups.items()}
    return {name: _covered(each) for name, each in {**discs, "both": list(chain(*discs.values()))}.items()}


def area(places: Iterable[Spot], radius: float) -> float:
    """Return the area of the union of discs around the places of one group, in square blocks."""
    return _covered(_discs(places, radius))


def _discs(places: Iterable[Spot], radius: float) -> list[shapely.Geometry]:
    import shapely

    points = np.array([(x, z) for x, _, z in places], dtype=float)
    return list(shapely.buffer(shapely.points(points), radius, quad_segs=QUARTER)) if len(points) and radius > 0 else []


def _covered(discs: Sequence[shapely.Geometry]) -> float:
    import shapely

    # Few of a land's discs meet: each cluster of them is united for itself, which is faster.
    return float(shapely.disjoint_subset_union_all(discs).area)
