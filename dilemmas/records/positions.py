"""Where players are, in the log: a `places` line tells who has moved since the one before it in the same attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dilemmas.records.events import MobsSeen, PlacesSeen, Spot


@dataclass
class PlacesNow:
    """Where everybody is, from the `places` lines of one attempt."""

    at: dict[str, Spot] = field(default_factory=dict)

    def take(self, event: PlacesSeen) -> None:
        """Who has moved is told; the others are where they were."""
        for name in event.gone:
            self.at.pop(name, None)
        self.at.update(event.at)


class PlaceChanges:
    """What a `places` line has to tell, in one attempt at an episode."""

    def __init__(self) -> None:
        self._at: dict[str, Spot] = {}

    def event(self, t_s: float, places: Mapping[str, Spot]) -> PlacesSeen | None:
        """The event for these places of all players who are there; None where nobody has moved a tenth of a block."""
        now = {name: _tenths(spot) for name, spot in places.items()}
        moved = {name: spot for name, spot in now.items() if self._at.get(name) != spot}
        gone = [name for name in self._at if name not in now]
        self._at = now
        return PlacesSeen(t_s=t_s, at=moved, gone=gone) if moved or gone else None


class MobChanges:
    """What a `mobs` line has to tell, in one attempt at an episode."""

    def __init__(self) -> None:
        self._at: dict[str, tuple[str, Spot]] = {}

    def event(self, t_s: float, seen: Mapping[int, tuple[str, Spot]]) -> MobsSeen | None:
        """The event for these mobs (number -> kind and place) that somebody sees; None where nothing has changed."""
        now = {str(number): (kind, _tenths(spot)) for number, (kind, spot) in sorted(seen.items())}
        moved = {number: told for number, told in now.items() if self._at.get(number) != told}
        gone = [number for number in self._at if number not in now]
        self._at = now
        return MobsSeen(t_s=t_s, at=moved, gone=gone) if moved or gone else None


def _tenths(spot: Spot) -> Spot:
    # Adding zero makes no -0.0 of a place just west of a block's edge.
    x, y, z = (round(part, 1) + 0.0 for part in spot)
    return (x, y, z)
