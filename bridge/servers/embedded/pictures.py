"""Pictures of embedded worlds, asked for on the console."""

from __future__ import annotations

import json
from typing import Any

from bridge.errors import BridgeError, CommandError
from bridge.pictures import PictureRequest, png_bytes
from bridge.worlds import TakesCommands


class ConsolePictures:
    """Mixin for worlds whose console takes `accord:picture`."""

    async def picture(self: TakesCommands, request: PictureRequest) -> bytes:
        """Return what a player sees now, or its surroundings from above, as a PNG file.

        Raises BridgeError for an unknown player or an illegal request.
        """
        (reply,) = await self.commands([f"accord:picture {json.dumps(request.fields())}"])
        if isinstance(reply, CommandError):
            raise reply
        answer: dict[str, Any] = json.loads(reply)
        if "error" in answer:
            raise BridgeError(answer["error"])
        return png_bytes(answer["png"])
