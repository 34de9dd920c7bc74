"""Pictures of worlds: requests, and the interface of worlds that can be looked at."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol

from bridge.errors import HostError

PICTURES = "pictures"
"""Capability of worlds that take pictures of themselves."""
CameraPlace = Literal["eyes", "above"]


class PictureRequest(NamedTuple):
    """A picture to take. A world refuses an illegal request with BridgeError."""

    player: str
    """Player through whose eyes, or above whom, the picture is taken."""
    width: int = 320
    """Pixels, 16 to 2048."""
    height: int = 180
    """Pixels, 16 to 2048."""
    place: CameraPlace = "eyes"
    distance: float | None = None
    """Distance of a camera above, 4 to 160 blocks; None for the usual one."""
    captions: Sequence[str] = ()
    """Texts at the lower edge, the last one at the bottom: at most 8 of 400 characters each."""

    def fields(self) -> dict[str, Any]:
        """Return the request as the engine reads it (`PictureRequest` of engine/view)."""
        return {
            "player": self.player, "width": self.width, "height": self.height, "from": self.place,
            "distance": self.distance, "captions": list(self.captions),
        }  # fmt: skip


class TakesPictures(Protocol):
    """A world with the capability `PICTURES`."""

    async def picture(self, request: PictureRequest) -> bytes:
        """Return what a player sees now, or its surroundings from above, as a PNG file.

        The same state of the world gives the same picture in all worlds. Looking changes nothing in the world.
        Raises BridgeError for an unknown player or an illegal request.
        """


def png_bytes(text: object) -> bytes:
    """Return the bytes of a PNG file that came as base64. Raises HostError if it is none."""
    try:
        return base64.b64decode(str(text), validate=True)
    except binascii.Error as error:
        raise HostError(f"the world sent no picture: {error}") from error
