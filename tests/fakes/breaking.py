"""Mock world that loses its bots once during play, for tests of interrupted episodes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bridge.errors import BotLostError
from bridge.mock_world import MockWorld
from bridge.types import NEARBY, Sensed, Senses


class BreakingWorld(MockWorld):
    """Mock world whose `sense` fails at call number `breaks_at`, counted from 1; 0 for never."""

    breaks_at = 0

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        self.breaks_at -= 1
        if self.breaks_at == 0:
            raise BotLostError("the bots were lost")
        return await super().sense(names, senses)


class BreaksOnce:
    """Factory of mock worlds with the signature of `bridge.worlds.open_world`, of which the first one breaks."""

    def __init__(self, sense: int) -> None:
        """Let the first world break at call number `sense`."""
        self.opened = 0
        self._sense = sense
        self._numbers = itertools.count()

    def __call__(self, name: str, *, seed: int, log_dir: Path, port: int | None = None, **land: Any) -> MockWorld:  # noqa: ANN401
        assert name == "mock"
        world = BreakingWorld(seed, log_dir, port, **land)
        world.breaks_at = self._sense if next(self._numbers) == 0 else 0
        self.opened += 1
        return world
