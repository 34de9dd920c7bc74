"""Local engine: worker processes on this machine, each of which plays one task after the other."""

from __future__ import annotations

import asyncio
import json
import os
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.studies import worker_process
from accord.studies.sweeps.engine import BUSY_S, MAX_LOST, Heard, Order
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.ready import check_machine
from accord.studies.worker_process import KNOWN
from dilemmas.errors import DilemmaError


@dataclass
class LocalEngine:
    """Engine that plays the tasks of a sweep on this machine, `jobs` at a time."""

    jobs: int
    pinned: bool = True
    """True if each worker is pinned to its own cores, provided that there are at least two per worker."""
    _left: deque[int] = field(default_factory=deque)
    _lost: dict[int, int] = field(default_factory=dict)
    _stopped: bool = False

    async def play(self, order: Order, indexes: Sequence[int], heard: Heard) -> None:
        """Play tasks. Raises an error that concerns all tasks, after ending all workers."""
        self._left, jobs = deque(indexes), min(self.jobs, len(indexes))
        tasks = SweepFolder.open(order.folder, order.allowed).tasks
        for world in dict.fromkeys(tasks[index].world for index in indexes):
            await asyncio.to_thread(check_machine, world, jobs)
        cores = shares(sorted(os.sched_getaffinity(0)), jobs) if self.pinned else []
        try:
            async with asyncio.TaskGroup() as group:
                for number in range(jobs):
                    own = cores[number] if cores else []
                    group.create_task(self._work(order, number, own, heard), name=f"sweep job {number + 1}")
        except ExceptionGroup as several:
            raise several.exceptions[0] from None

    async def _work(self, order: Order, number: int, cores: list[int], heard: Heard) -> None:
        worker = _Worker(order, number, cores)
        try:
            while self._left and not self._stopped:
                index = self._left.popleft()
                outcome = await self._one(worker, index)
                if outcome == "busy":
                    await asyncio.sleep(BUSY_S)
                elif outcome is not None:
                    self._stopped = self._stopped or outcome == "budget"
                    heard(index, outcome)
        finally:
            await worker.close()

    async def _one(self, worker: _Worker, index: int) -> str | None:
        """Return the outcome of a task; None if its worker was lost and the task is played again."""
        try:
            outcome = await worker.play(index)
        except EOFError:
            await worker.close()
            self._lost[index] = self._lost.get(index, 0) + 1
            if self._lost[index] >= MAX_LOST:
                return "lost"
            self._left.append(index)
            return None
        if outcome == "busy":
            self._left.append(index)
        return outcome


class _Worker:
    """Handle of one job's worker process, started on first use and again after a loss."""

    def __init__(self, order: Order, number: int, cores: list[int]) -> None:
        self._order, self._number, self._cores = order, number, cores
        self._process: asyncio.subprocess.Process | None = None

    async def play(self, index: int) -> str:
        """Return the outcome of a task. Raises EOFError if the worker is lost, or the error that it reports."""
        if self._process is None:
            await self._start()
        process = self._process
        assert process is not None
        assert process.stdout is not None
        worker_process.say(process, index)
        line = await process.stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        said: dict[str, Any] = json.loads(line)
        if "error" in said:
            raise KNOWN.get(said["error"]["kind"], DilemmaError)(said["error"]["text"])
        return str(said["outcome"])

    async def _start(self) -> None:
        log = self._order.folder / "logs" / f"job-{self._number + 1}.log"
        self._process = await worker_process.start("accord.studies.sweeps.serve", log)
        scratch = None if self._order.scratch is None else str(self._order.scratch)
        first = {
            "folder": str(self._order.folder), "scratch": scratch, "cores": self._cores,
            "budget": dict(self._order.budget), "allowed": self._order.allowed, "plugins": self._order.plugins,
        }  # fmt: skip
        worker_process.say(self._process, first)

    async def close(self) -> None:
        """Close the process's input, so that it exits, and kill it after a timeout."""
        process, self._process = self._process, None
        if process is not None:
            await worker_process.end(process)


def shares(cores: Sequence[int], jobs: int) -> list[list[int]]:
    """Return the cores of each job, distributed evenly; empty with one job or fewer than two cores per job."""
    if jobs < 2 or len(cores) < 2 * jobs:
        return []
    return [list(cores[len(cores) * job // jobs : len(cores) * (job + 1) // jobs]) for job in range(jobs)]


def usual_jobs() -> int:
    """Return the default number of jobs: the number of cores that this process may use."""
    return len(os.sched_getaffinity(0))
