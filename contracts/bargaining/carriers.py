"""Carriers of messages: whom a message reaches, and after how many rounds of talk.

Out of band, a message reaches every member at once. In the world it is a whisper, a letter, or said at a meeting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import dist
from typing import Literal, Protocol

Place = tuple[float, float, float]
Places = Callable[[], Mapping[str, Place]]
"""Function that returns player -> its position in the world, in blocks."""
CarrierName = Literal["out-of-band", "whisper", "letter", "meeting"]


class Carrier(Protocol):
    """Means by which messages travel."""

    name: CarrierName

    def delay(self, speaker: str, hearer: str) -> int | None:
        """Return after how many rounds of talk a message arrives; None if it does not."""


class OutOfBand:
    """Carrier outside of the world: every message arrives at once."""

    name: CarrierName = "out-of-band"

    def delay(self, speaker: str, hearer: str) -> int | None:
        """Return 0."""
        return 0


class Letters:
    """Carrier of letters, which arrive in the next round of talk."""

    name: CarrierName = "letter"

    def delay(self, speaker: str, hearer: str) -> int | None:
        """Return 1."""
        return 1


@dataclass
class Whispers:
    """Carrier of whispers, which are heard within reach."""

    places: Places
    reach: float
    """Distance that a whisper carries, in blocks."""
    name: CarrierName = "whisper"

    def delay(self, speaker: str, hearer: str) -> int | None:
        """Return 0 for a hearer within reach, else None."""
        at = self.places()
        here, there = at.get(speaker), at.get(hearer)
        return 0 if here is not None and there is not None and dist(here, there) <= self.reach else None


@dataclass
class Meeting:
    """Carrier of words at one place: speaker and hearer have to be there."""

    places: Places
    at: Place
    radius: float
    """Radius of the place, in blocks."""
    name: CarrierName = "meeting"

    def delay(self, speaker: str, hearer: str) -> int | None:
        """Return 0 if both are at the place, else None."""
        at = self.places()
        there = [name in at and dist(at[name], self.at) <= self.radius for name in (speaker, hearer)]
        return 0 if all(there) else None
