"""Links of an environment to the hosts of its rollouts: one in this process, or one in each worker process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from accord.studies import worker_process
from accord.studies.settings import StudySettings
from accord.training.hosting import Report, RolloutHost

Lost = Callable[[str], None]
"""Callback that gets the reason for which a host is lost."""


class Link(Protocol):
    """Connection to a host of rollouts."""

    async def send(self, order: Mapping[str, Any]) -> None:
        """Send an order to the host, which is started on first use."""

    async def close(self) -> None:
        """Close the host with its rollouts and worlds."""


class LocalLink:
    """Link to a host in this event loop."""

    def __init__(self, settings: StudySettings, logs: Path, report: Report, *, keep: bool) -> None:
        """Create the host (`RolloutHost`)."""
        self._host = RolloutHost(settings, logs, report, keep=keep)

    async def send(self, order: Mapping[str, Any]) -> None:
        """Pass an order on."""
        self._host.hear(order)

    async def close(self) -> None:
        """Close the host."""
        await self._host.close()


class WorkerLink:
    """Link to a host in a process of its own, which is started on first use and again after a loss."""

    def __init__(self, settings: StudySettings, logs: Path, report: Report, lost: Lost, *, keep: bool) -> None:
        """Prepare a worker.

        Args:
            settings: Settings of every rollout, except for the seed.
            logs: Folder for the logs of the worker and its worlds.
            report: Called with each report of the host.
            lost: Called if the process ends on its own.
            keep: True to keep the records of finished rollouts.
        """
        self._first = {"settings": settings.to_dict(), "logs": str(logs), "keep": keep}
        self._log = logs / "worker.log"
        self._report = report
        self._lost = lost
        self._process: asyncio.subprocess.Process | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    async def send(self, order: Mapping[str, Any]) -> None:
        """Send an order to the worker."""
        async with self._starting:
            if self._process is None:
                self._process = await worker_process.start("accord.training.worker", self._log)
                self._hearing = asyncio.create_task(self._hear(self._process), name="reports of a worker")
                worker_process.say(self._process, self._first)
        worker_process.say(self._process, dict(order))

    async def close(self) -> None:
        """Close the worker's input, so that it exits, and kill it after a timeout."""
        process, self._process = self._process, None
        if process is not None:
            await worker_process.end(process)
        if self._hearing is not None:
            await asyncio.wait([self._hearing])

    async def _hear(self, process: asyncio.subprocess.Process) -> None:
        """Pass on the worker's reports until it exits."""
        assert process.stdout is not None
        async for line in process.stdout:
            # A line without an end was cut off when the worker was killed.
            if line.endswith(b"\n"):
                self._report(json.loads(line))
        code = await process.wait()
        if self._process is process:
            self._process = None
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            self._lost(f"the worker process has ended by {how}; see {self._log}")
