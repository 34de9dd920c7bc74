"""Events of pictures for models that see (`dilemmas.modes.eyes`)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel

Moment = Literal["start", "now", "end"]
"""Moment of a picture: before a game, during it, or at the end of an episode."""


class PictureTaken(EventModel):
    """Picture of what a player sees before a game or at the end of an episode; its file is in the folder `images`."""

    kind: Literal["picture_taken"] = "picture_taken"
    player: str
    moment: Moment
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    """Hash of the PNG file, and the name of the file."""
    width: int
    """Pixels."""
    height: int


PictureEvent = PictureTaken
"""Any event of pictures."""
