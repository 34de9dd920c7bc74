"""Areas of influence: the union of the discs within which people can be heard (shapely does the geometry).

Shapely is imported when an area is computed, so that commands that only list scenarios do not wait for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from dilemmas.records.events.life import Spot

if TYPE_CHECKING:
    import shapely

QUARTER = 16
"""Segments of a quarter of a disc's edge, which make its area 0.16 % too small."""


def influence(groups: Mapping[str, Iterable[Spot]], radius: float) -> dict[str, float]:
    """Return group -> area of the union of discs around its places, in square blocks; `both` is of all groups."""
    import shapely

    shapes = {name: _union(places, radius) for name, places in groups.items()}
    whole = shapely.union_all(list(shapes.values()))
    return {name: float(shape.area) for name, shape in {**shapes, "both": whole}.items()}


def area(places: Iterable[Spot], radius: float) -> float:
    """Return the area of the union of discs around the places of one group, in square blocks."""
    return float(_union(places, radius).area)


def _union(places: Iterable[Spot], radius: float) -> shapely.Geometry:
    import shapely

    points = np.array([(x, z) for x, _, z in places], dtype=float)
    if not len(points) or radius <= 0:
        return shapely.Polygon()
    return shapely.union_all(shapely.buffer(shapely.points(points), radius, quad_segs=QUARTER))
