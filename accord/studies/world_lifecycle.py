"""Lifecycle of a study's world: started on first use, reused between runs, replaced when it is lost."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bridge.errors import InfrastructureError
from bridge.worlds import HOST_PER_PLAYER, World

RENEWABLE = "renewable"
"""Capability of worlds with `renew(seed)`, which resets a world to the state of a new one with that seed."""


class WorldKeeper:
    """Owner of a study's world; at most one is open at a time. Always call `close` in the end."""

    def __init__(self, make: Callable[[int], World], *, repeats: bool = False) -> None:
        """Open worlds by `make(seed)` on demand.

        With `repeats` every episode is played in a new or reset world. Its log is then the same byte for byte,
        whatever this process or another one has played before.
        """
        self._make = make
        self._repeats = repeats
        self._separate = False
        self._world: World | None = None
        self._untouched: int | None = None
        """Seed of the open world as long as the world is unused; else None."""

    @property
    def world(self) -> World | None:
        """Open world, or None."""
        return self._world

    @property
    def reuses(self) -> bool:
        """True if the next run reuses the world of earlier runs."""
        return self._world is not None and not self._repeats

    async def get(self, seed: int) -> World:
        """Return the open world, or open one with the seed. Raises the errors of opening a world."""
        if self._world is None:
            made: Any = self._make(seed)
            if self._separate and HOST_PER_PLAYER in made.capabilities:
                made.separate()
            self._world = await made.__aenter__()
            self._untouched = seed
        assert self._world is not None
        return self._world

    async def for_run(self, seed: int) -> World:
        """Return the world at the start of the run with a seed.

        Model calls before the first episode take time of this world, so that it must not be one of an earlier run.
        """
        world = await self.get(seed)
        if self._repeats and self._untouched != seed:
            world = await self._renewed(world, seed)
            self._untouched = seed
        return world

    async def for_survey(self, seed: int) -> World:
        """Return the world for a look at the scenario before the first episode, which then gets a renewed world."""
        world = await self.get(seed)
        self._untouched = None
        return world

    async def for_episode(self, seed: int, episode: int) -> World:
        """Return the world for an attempt at an episode (from 1) of the run with a seed."""
        world = await self.get(seed)
        if not self._repeats:
            return world
        wanted = episode_seed(seed, episode)
        if self._untouched != wanted:
            world = await self._renewed(world, wanted)
        self._untouched = None
        return world

    def separate(self) -> None:
        """Give each player's programs a host process of their own from the next world on, if the world supports it."""
        self._separate = True

    async def close(self) -> None:
        """Close the world; errors of a world that is already lost are ignored."""
        world, self._world = self._world, None
        if world is not None:
            with contextlib.suppress(InfrastructureError):
                await world.__aexit__(None, None, None)

    async def _renewed(self, world: World, seed: int) -> World:
        if RENEWABLE not in world.capabilities:
            await self.close()
            return await self.get(seed)
        renewable: Any = world
        await renewable.renew(seed)
        return world


class WarmWorld:
    """World that stays open between studies with the same settings. Call `close` in the end."""

    def __init__(self, log_dir: Path) -> None:
        """Write the logs of the world's processes to `log_dir`."""
        self.log_dir = log_dir
        self._keeper: WorldKeeper | None = None

    def keeper_or(self, make: Callable[[], WorldKeeper]) -> WorldKeeper:
        """Return the owner of the world; the first study makes it."""
        if self._keeper is None:
            self._keeper = make()
        return self._keeper

    async def close(self) -> None:
        """Close the world, if it is open."""
        if self._keeper is not None:
            await self._keeper.close()


def episode_seed(seed: int, episode: int) -> int:
    """Return the world's seed in an episode: the run's seed in episode 1, else a seed derived from it."""
    return seed if episode == 1 else random.Random(f"world/{seed}/{episode}").getrandbits(31)
