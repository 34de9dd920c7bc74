"""Holders of a power: by elections where they fill the offices, else drawn by lot for the whole game."""

from __future__ import annotations

from contracts.institutions.frame import Desk, Group
from contracts.institutions.slots import POWERS, PRESENT, Power


class Officers:
    """Holders of one power. The part that has them declares `POWERS` and `PRESENT`."""

    def __init__(self, power: Power, group: Group, seats: int = 1) -> None:
        """Prepare the holders.

        Args:
            power: The power.
            group: The people.
            seats: Number of holders that are drawn without elections; one person at least stays without the power.
        """
        self._power: Power = power
        self._group = group
        self._seats = min(seats, len(group.members) - 1)
        self._drawn: tuple[str, ...] = ()

    def holders(self, desk: Desk) -> list[str]:
        """Return the holders that are present. Without elections, the first call draws and tells them."""
        if not self._drawn and not desk.has(POWERS):
            drawn = desk.dice(f"appointed:{self._power}").sample(sorted(self._group.members), self._seats)
            self._drawn = tuple(sorted(drawn))
            desk.tell("appointed", ", ".join(drawn), "drawn by lot for the whole game", powers=[self._power])
        found = desk.read(POWERS).get(self._power, ()) if desk.has(POWERS) else self._drawn
        return [name for name in found if name in desk.read(PRESENT)]
