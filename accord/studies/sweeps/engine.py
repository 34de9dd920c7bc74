"""Engines that play the tasks of a sweep: their protocol and their table."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from dilemmas.errors import UsageError

Heard = Callable[[int, str], None]
"""Gets a task's number and what came of it: a status of a run, or `lost`."""
MAX_LOST = 3
"""Maximum number of workers that may die on one task."""
BUSY_S = 2.0
"""Seconds until a task that somebody else plays is asked for again."""


@dataclass(frozen=True)
class Order:
    """Settings shared by all workers."""

    folder: Path
    scratch: Path | None = None
    budget: Mapping[str, float] = field(default_factory=dict)
    """Caps over those of the sweep's file."""
    allowed: tuple[str, ...] = ()
    """Endpoints and paths that the command line allows a sweep made elsewhere to use."""
    plugins: tuple[str, ...] = ()
    """Folders of plugins that are used."""


class Engine(Protocol):
    """Plays tasks. It holds nothing that the sweep's folder does not hold: any engine goes on where another stopped."""

    async def play(self, order: Order, indexes: Sequence[int], heard: Heard) -> None:
        """Play these tasks, each at least once, and tell each outcome; nothing runs on afterwards."""


ENGINES: dict[str, str] = {
    "local": "accord.studies.sweeps.local:LocalEngine",
    "ray": "accord.studies.sweeps.ray_engine:RayEngine",
}
"""Engine -> "module:class", imported when it is asked for. Slurm plays by itself: `slurm.write_job`."""


def open_engine(name: str, **options: object) -> Engine:
    """Return the engine of that name. Raises UsageError for an unknown one."""
    if name not in ENGINES:
        raise UsageError(f"engine {name!r} is not legal; choose one of {', '.join([*ENGINES, 'slurm'])}")
    module, _, attribute = ENGINES[name].partition(":")
    engine: Engine = getattr(importlib.import_module(module), attribute)(**options)
    return engine
