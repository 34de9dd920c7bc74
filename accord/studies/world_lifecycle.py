"""The keeper of the world: starts it when it is first needed, keeps it between runs, replaces a broken one."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from typing import Any

from bridge.errors import InfrastructureError
from bridge.worlds import HOST_PER_PLAYER, World

RENEWABLE = "renewable"
"""Capability of worlds with `renew(seed)`, which leaves a world as `open_world(..., seed=seed)` would start it."""


class WorldKeeper:
    """At most one world is open at a time; `close` in the end, whatever happened."""

    def __init__(self, make: Callable[[int], World], *, repeats: bool = False) -> None:
        """`make` takes the world's seed. `repeats`: every episode is played in a world as new, so that it is the same
        to the byte whatever was played before, by whichever process."""
        self._make = make
        self._repeats = repeats
        self._separate = False
        self._world: World | None = None
        self._untouched: int | None = None
        """The seed of the open world, while nothing was done in it."""

    @property
    def world(self) -> World | None:
        """The world that is open now."""
        return self._world

    @property
    def reuses(self) -> bool:
        """True if the next run is played in a world that others have used."""
        return self._world is not None and not self._repeats

    async def get(self, seed: int) -> World:
        """Return the open world, started with that seed when there is none. Raises what starting raises."""
        if self._world is None:
            made: Any = self._make(seed)
            if self._separate and HOST_PER_PLAYER in made.capabilities:
                made.separate()
            self._world = await made.__aenter__()
            self._untouched = seed
        assert self._world is not None
        return self._world

    async def for_episode(self, seed: int, episode: int) -> World:
        """Return the world for an attempt at that episode (from 1) of the run with that seed."""
        world = await self.get(seed)
        if not self._repeats:
            return world
        wanted = episode_seed(seed, episode)
        if self._untouched != wanted:
            world = await self._renewed(world, wanted)
        self._untouched = None
        return world

    def separate(self) -> None:
        """From the next world on each player's programs have a host of their own, where the world can do that."""
        self._separate = True

    async def close(self) -> None:
        """End the world and all that belongs to it; a world that is lost already has nothing more to say."""
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


def episode_seed(seed: int, episode: int) -> int:
    """Return the world's seed in that episode: the run's own in the first, one drawn from it in every other."""
    return seed if episode == 1 else random.Random(f"world/{seed}/{episode}").getrandbits(31)
