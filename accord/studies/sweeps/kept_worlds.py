"""Worlds that stay open between the runs of one process, since starting a world takes longer than a short run."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, Self

from accord.studies.world_lifecycle import RENEWABLE
from bridge.errors import InfrastructureError
from bridge.worlds import World, open_world

Kind = tuple[str, bool]
"""Name of a world, and whether its programs are trusted."""


class KeptWorlds:
    """Factory of worlds like `open_world`, which reuses worlds that can be reset. Call `close` in the end."""

    def __init__(self, log_dir: Path) -> None:
        """Write the logs of all reused worlds to `log_dir`."""
        self._log_dir = log_dir
        self._free: dict[Kind, World] = {}

    def __call__(self, name: str, *, seed: int, log_dir: Path, port: int | None = None, **asked: Any) -> World:  # noqa: ANN401 - as open_world takes them
        """Return a reused or new world, as `bridge.worlds.open_world` does; only worlds not reused log to `log_dir`."""
        made: Any = open_world(name, seed=seed, log_dir=log_dir, port=port, **asked)
        if RENEWABLE not in made.capabilities or asked:
            world: World = made
            return world
        kept: Any = _Kept(self, open_world(name, seed=seed, log_dir=self._log_dir, port=port), seed)
        return kept  # type: ignore[no-any-return]

    def take_world(self, kind: Kind) -> World | None:
        """Return a free open world of a kind, or None."""
        return self._free.pop(kind, None)

    async def give_back(self, kind: Kind, world: World) -> None:
        """Keep an open world for the next run, or close it if another one of its kind is free."""
        if kind in self._free:
            await world.__aexit__(None, None, None)
        else:
            self._free[kind] = world

    async def close(self) -> None:
        """Close all worlds."""
        while self._free:
            _, world = self._free.popitem()
            await world.__aexit__(None, None, None)


class _Kept:
    """Proxy of a world that reuses an open one when it is entered, and hands it back when it is left."""

    def __init__(self, owner: KeptWorlds, world: World, seed: int) -> None:
        self._owner, self._world, self._seed = owner, world, seed
        self._trusted = False

    def trust(self) -> None:
        """Declare programs trusted, as the world's own method does. Call it before the world opens."""
        self._trusted = True

    async def __aenter__(self) -> Self:
        kept: Any = self._owner.take_world(self._kind)
        if kept is not None:
            try:
                await kept.renew(self._seed)
            except InfrastructureError:
                await kept.__aexit__(None, None, None)
            else:
                self._world = kept
                return self
        world: Any = self._world
        if self._trusted:
            world.trust()
        await world.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            await self._owner.give_back(self._kind, self._world)
        else:
            await self._world.__aexit__(kind, error, trace)

    @property
    def _kind(self) -> Kind:
        return self._world.name, self._trusted

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - every other member of the world
        return getattr(self._world, name)
