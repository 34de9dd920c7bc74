"""Player of a sweep's tasks in one process, which shares open worlds and the account of spending between runs."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.kept_worlds import KeptWorlds
from accord.studies.sweeps.ready import check_machine
from accord.studies.sweeps.sweep_budget import Book
from accord.studies.sweeps.task import Outcome, play_task
from common.plugins import add as add_plugin


def use_plugins(folders: Iterable[str]) -> None:
    """Add the plugins in the folders that the parent process uses. Raises PluginError."""
    for folder in folders:
        add_plugin(Path(folder))


class TaskPlayer:
    """Player of tasks, one after the other. Use it as an async context manager."""

    def __init__(
        self,
        folder: Path,
        scratch: Path | None = None,
        budget: Mapping[str, float] | None = None,
        allowed: Collection[str] = (),
    ) -> None:
        """Open a sweep for playing.

        Args:
            folder: Folder of the sweep.
            scratch: Folder of this machine for runs in progress.
            budget: Caps that override those of the sweep's file.
            allowed: Endpoints and paths that an untrusted sweep may use.

        Raises:
            UsageError: The folder is no sweep, or names something that is not allowed.
        """
        self.folder = SweepFolder.open(folder, allowed)
        self._scratch = scratch
        self._ready: set[str] = set()
        self._worlds = KeptWorlds(folder / "logs" / secrets.token_hex(4))
        self._book = Book(
            folder / "books", {str(name): cap for name, cap in self.folder.spec.budget.items()} | dict(budget or {})
        )

    async def play(self, index: int) -> Outcome:
        """Play a task as `play_task` does. Also raises PrerequisiteError if this machine cannot run the world."""
        world = self.folder.task(index).world
        if world not in self._ready:
            await asyncio.to_thread(check_machine, world)
            self._ready.add(world)
        return await play_task(self.folder, index, worlds=self._worlds, scratch=self._scratch, book=self._book)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._worlds.close()
