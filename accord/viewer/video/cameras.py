"""Cameras of a video: a player's eyes, the map from above, or an orbit around the players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin, tan

from accord.viewer.video.tracks import EYES, BodyPose

MAP, ORBIT = "map", "orbit"
MAP_PITCH, MAP_TAN = 52.0, tan(radians(20.0))
"""Angle of the engine's camera above, in degrees, and half its picture's height at distance 1 (`Camera`)."""
NEAREST, FARTHEST = 14.0, 110.0
"""Distance of the map's camera, in blocks."""
ORBIT_RADIUS = (10.0, 40.0)
"""Least and largest radius of an orbit, in blocks; blocks beyond 64 are not drawn."""
ORBIT_PITCH = 28.0
"""Angle at which an orbit looks down, in degrees."""
TURN_S = 40.0
"""Time of one orbit, in seconds of the video."""
MARGIN = 4.0
"""Blocks shown around the outermost players."""


@dataclass(frozen=True)
class Shot:
    """Camera of one frame."""

    feet: BodyPose
    """Feet of the one through whose eyes the camera looks, or the middle of a map."""
    above: float | None = None
    """Distance of a camera above the place; None for eyes."""


def overview(places: Mapping[str, BodyPose], last: Shot | None, aspect: float) -> Shot:
    """Return the map of all players: as near as shows all of them, and never nearer than the last frame's.

    Args:
        places: Player -> place.
        last: The frame before.
        aspect: Width of the picture by its height.
    """
    middle, width, depth = _middle(places)
    needed = max((width / 2 + MARGIN) / aspect, (depth / 2 + MARGIN) * sin(radians(MAP_PITCH))) / MAP_TAN
    distance = min(max(needed, NEAREST), FARTHEST)
    if last is not None and last.above is not None:
        distance = max(distance, last.above)
        # The map follows slowly, so that it does not shake with every step.
        x, z = (old + (new - old) * 0.05 for old, new in ((last.feet.x, middle.x), (last.feet.z, middle.z)))
        middle = middle._replace(x=x, z=z)
    return Shot(middle, distance)


def orbit(places: Mapping[str, BodyPose], seconds: float) -> Shot:
    """Return a look at the middle of all players from a circle around them.

    Args:
        places: Player -> place.
        seconds: Time since the video began.
    """
    middle, width, depth = _middle(places)
    radius = min(max(max(width, depth) * 0.9 + MARGIN, ORBIT_RADIUS[0]), ORBIT_RADIUS[1])
    angle = radians(seconds / TURN_S * 360)
    dx, dz = radius * sin(angle), radius * cos(angle)
    height = radius * tan(radians(ORBIT_PITCH)) + 1.0 - EYES
    yaw = degrees(atan2(dx, -dz))
    return Shot(BodyPose(middle.x + dx, middle.y + height, middle.z + dz, yaw, ORBIT_PITCH))


def _middle(places: Mapping[str, BodyPose]) -> tuple[BodyPose, float, float]:
    """Return the middle of all players at the lowest one's height, and the width and depth of their rectangle."""
    xs, zs = [place.x for place in places.values()], [place.z for place in places.values()]
    middle = BodyPose((min(xs) + max(xs)) / 2, min(place.y for place in places.values()), (min(zs) + max(zs)) / 2)
    return middle, max(xs) - min(xs), max(zs) - min(zs)
