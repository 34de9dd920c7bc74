"""Player and mob positions in the log; each event holds only the changes since the previous one of the attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dilemmas.records.events import MobsSeen, PlacesSeen, Spot


@dataclass
class CurrentPositions:
    """Current positions of all players, accumulated from the `places` events of one attempt."""

    at: dict[str, Spot] = field(default_factory=dict)

    def apply(self, event: PlacesSeen) -> None:
        """Update the positions of players that moved or left."""
        for name in event.gone:
            self.at.pop(name, None)
        self.at.update(event.at)


class PositionChanges:
    """Builder of `places` events for one attempt."""

    def __init__(self) -> None:
        self._at: dict[str, Spot] = {}

    def event(self, t_s: float, places: Mapping[str, Spot]) -> PlacesSeen | None:
        """Return the event for the players' positions, or None if nobody moved by a tenth of a block."""
        now = {name: _tenths(spot) for name, spot in places.items()}
        moved = {name: spot for name, spot in now.items() if self._at.get(name) != spot}
        gone = [name for name in self._at if name not in now]
        self._at = now
        return PlacesSeen(t_s=t_s, at=moved, gone=gone) if moved or gone else None


class MobChanges:
    """Builder of `mobs` events for one attempt."""

    def __init__(self) -> None:
        self._at: dict[str, tuple[str, Spot]] = {}

    def event(self, t_s: float, seen: Mapping[int, tuple[str, Spot]]) -> MobsSeen | None:
        """Return the event for the visible mobs (entity id -> kind and position), or None if nothing changed."""
        now = {str(number): (kind, _tenths(spot)) for number, (kind, spot) in sorted(seen.items())}
        moved = {number: told for number, told in now.items() if self._at.get(number) != told}
        gone = [number for number in self._at if number not in now]
        self._at = now
        return MobsSeen(t_s=t_s, at=moved, gone=gone) if moved or gone else None


def _tenths(spot: Spot) -> Spot:
    # Adding zero turns -0.0 into 0.0.
    x, y, z = (round(part, 1) + 0.0 for part in spot)
    return (x, y, z)
