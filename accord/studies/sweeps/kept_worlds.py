"""Worlds that stay up between the runs of one process: starting one costs more than a short run."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, Self

from accord.studies.world_lifecycle import RENEWABLE
from bridge.errors import InfrastructureError
from bridge.worlds import World, open_world

Kind = tuple[str, bool]
"""The world's name, and whether its programs are trusted."""


class KeptWorlds:
    """Opens worlds as `open_world` does, and keeps those that can be made as new; close it in the end."""

    def __init__(self, log_dir: Path) -> None:
        """`log_dir` takes the logs of all worlds."""
        self._log_dir = log_dir
        self._free: dict[Kind, World] = {}

    def __call__(self, name: str, *, seed: int, log_dir: Path, port: int | None = None, **asked: Any) -> World:  # noqa: ANN401 - as open_world takes them
        """Return a kept or new world, as `bridge.worlds.open_world` does; `log_dir` is for worlds that are not kept."""
        made: Any = open_world(name, seed=seed, log_dir=log_dir, port=port, **asked)
        if RENEWABLE not in made.capabilities or asked:
            world: World = made
            return world
        kept: Any = _Kept(self, open_world(name, seed=seed, log_dir=self._log_dir, port=port), seed)
        return kept  # type: ignore[no-any-return]

    def take(self, kind: Kind) -> World | None:
        """A world that is open and free, if there is one."""
        return self._free.pop(kind, None)

    async def give_back(self, kind: Kind, world: World) -> None:
        """Keep an open world for the next run."""
        if kind in self._free:
            await world.__aexit__(None, None, None)
        else:
            self._free[kind] = world

    async def close(self) -> None:
        """End all worlds."""
        while self._free:
            _, world = self._free.popitem()
            await world.__aexit__(None, None, None)


class _Kept:
    """A world that was open before, as if it were new; all else is the world's own."""

    def __init__(self, owner: KeptWorlds, world: World, seed: int) -> None:
        self._owner, self._world, self._seed = owner, world, seed
        self._trusted = False

    def trust(self) -> None:
        """Declare programs trusted, as the world's own method does; to be called before it opens."""
        self._trusted = True

    async def __aenter__(self) -> Self:
        kept: Any = self._owner.take(self._kind)
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
