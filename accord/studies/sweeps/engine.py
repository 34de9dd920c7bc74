"""Engines that play the tasks of a sweep: protocol and registry."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from dilemmas.errors import UsageError

Heard = Callable[[int, str], None]
"""Callback with the number of a task and its outcome: the status of its run, or `lost`."""
MAX_LOST = 3
"""Number of workers that die on one task before the task is given up."""
BUSY_S = 2.0
"""Seconds before a task that another process plays is tried again."""


@dataclass(frozen=True)
class Order:
    """Settings shared by all workers of an engine."""

    folder: Path
    scratch: Path | None = None
    budget: Mapping[str, float] = field(default_factory=dict)
    """Caps that override those of the sweep's file."""
    allowed: tuple[str, ...] = ()
    """Endpoints and paths that the command line allows an untrusted sweep to use."""
    plugins: tuple[str, ...] = ()
    """Folders of the plugins in use."""


class Engine(Protocol):
    """Player of a sweep's tasks. All state is in the sweep's folder, so any engine can continue another's sweep."""

    async def play(self, order: Order, indexes: Sequence[int], heard: Heard) -> None:
        """Play tasks, each at least once, and report each outcome. No process is left running afterwards."""


ENGINES: dict[str, str] = {
    "local": "accord.studies.sweeps.local:LocalEngine",
    "ray": "accord.studies.sweeps.ray_engine:RayEngine",
}
"""Name of an engine -> "module:class", imported on demand. For Slurm, `slurm.write_job` writes a job script instead."""


def open_engine(name: str, **options: object) -> Engine:
    """Return a new engine by name. Raises UsageError for an unknown name."""
    if name not in ENGINES:
        raise UsageError(f"engine {name!r} is not legal; choose one of {', '.join([*ENGINES, 'slurm'])}")
    module, _, attribute = ENGINES[name].partition(":")
    engine: Engine = getattr(importlib.import_module(module), attribute)(**options)
    return engine
