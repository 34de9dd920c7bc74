"""Areas of influence: the union of the discs within which people can be heard (shapely does the geometry)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import shapely

from dilemmas.records.events.life import Spot

QUARTER = 32
"""Segments of a quarter of a disc's edge: its area is 0.04 % too small."""


def area(places: Iterable[Spot], radius: float) -> float:
    """Square blocks of the union of discs of that radius around these places, seen from above."""
    points = np.array([(x, z) for x, _, z in places], dtype=float)
    if not len(points) or radius <= 0:
        return 0.0
    discs = shapely.buffer(shapely.points(points), radius, quad_segs=QUARTER)
    return float(shapely.area(shapely.union_all(discs)))
