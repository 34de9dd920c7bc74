"""Engine of sweeps that plays in the process of a test."""

from __future__ import annotations

from collections.abc import Sequence

from accord.studies.sweeps.engine import Heard, Order
from accord.studies.sweeps.player import TaskPlayer


class Here:
    """Engine that plays tasks in this process."""

    def __init__(self) -> None:
        self.played: list[int] = []

    async def play(self, order: Order, indexes: Sequence[int], heard: Heard) -> None:
        async with TaskPlayer(order.folder) as player:
            for index in indexes:
                heard(index, await player.play(index))
                self.played.append(index)
