"""Concurrent runs of a study in worker processes (`accord.studies.worker`), each with its own world.

If a worker dies, a new worker continues its run from the record, as `accord resume` would. A run on which several
workers have died ends with status `infrastructure` and is not scored.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.analysis.validity import invalid
from accord.studies import worker_process
from accord.studies.runner import Listen, RunName, Runner, Worlds
from accord.studies.settings import StudySettings
from accord.studies.worker_process import KNOWN
from bridge.errors import InfrastructureError
from dilemmas.errors import DilemmaError, UsageError
from dilemmas.records.events import LogLine
from dilemmas.records.progress_events import ProgressListener, from_json, ignore_progress
from voyager_agents import Budget, BudgetExhausted
from voyager_agents.budget import Ticket
from voyager_agents.models import Usage

MAX_WORKERS_LOST = 3
"""Number of workers that die on one run before the run is given up."""
STOPS = ("failed", "budget")
"""Statuses of a run after which no further run is started, unless the run was played to its end: further runs would
most likely end in the same way."""


def stops(result: Mapping[str, Any]) -> bool:
    """Return whether no further run is started after a run with this result."""
    return result["status"] in STOPS and not invalid(result)


class WorkerLost(InfrastructureError):
    """Loss of a worker process during a run."""


def importable(worlds: Worlds) -> str:
    """Return the import path `MODULE:NAME` of a function. Raises UsageError if other processes cannot import it."""
    name = getattr(worlds, "__qualname__", "<")
    if "<" in name or "." in name:
        raise UsageError("several jobs need worlds that other processes can open too: give a function of a module")
    return f"{worlds.__module__}:{name}"


@dataclass
class Workers:
    """Pool of worker processes that play the runs of a study."""

    runner: Runner
    """Runner of this process, which collects the results."""
    settings: StudySettings
    budget: Budget
    """Budget of the study."""
    study: Path
    worlds: str
    """Import path of the factory of worlds (`importable`)."""
    lock: int
    """File descriptor of the study's lock, which each worker keeps open until it exits."""
    listen: Listen | None = None
    watch: ProgressListener = ignore_progress
    """Listener for the progress events of all workers."""

    def __post_init__(self) -> None:
        self._left: deque[RunName] = deque()
        self._stopped = False

    async def play(self, runs: Sequence[RunName], jobs: int, *, go_on: bool) -> None:
        """Play runs, `jobs` at a time; results are in `runner.results`. Raises the first error of a run.

        An error ends all workers.
        """
        self._left = deque(runs)
        try:
            async with asyncio.TaskGroup() as group:
                for number in range(1, min(jobs, len(runs)) + 1):
                    group.create_task(self._work(number, go_on=go_on), name=f"job {number}")
        except ExceptionGroup as several:
            raise several.exceptions[0] from None

    async def _work(self, number: int, *, go_on: bool) -> None:
        """Play one run after the other in one worker, which is replaced if it dies."""
        worker = _Worker(self, number)
        try:
            while self._left and not self._stopped:
                await self._one(worker, self._left.popleft(), go_on=go_on)
        finally:
            await worker.close()

    async def _one(self, worker: _Worker, run: RunName, *, go_on: bool) -> None:
        for lost in range(MAX_WORKERS_LOST):
            try:
                await worker.play(run, go_on=go_on or lost > 0)
                break
            except WorkerLost as error:
                reason = str(error)
        else:
            self.runner.give_up(run, reason)
        if stops(self.runner.results[run]):
            self._stopped = True


class _Worker:
    """Handle of one job's worker process, started on first use and again after a loss."""

    def __init__(self, workers: Workers, number: int) -> None:
        self._workers = workers
        self._number = number
        self._process: asyncio.subprocess.Process | None = None
        self._hearing: asyncio.Task[None] | None = None
        self._ended: asyncio.Future[None] | None = None
        self._tickets: dict[int, Ticket] = {}

    @property
    def _log(self) -> str:
        """Path of the worker's log in the study's directory."""
        return f"logs/job-{self._number}/worker.log"

    async def play(self, run: RunName, *, go_on: bool) -> None:
        """Play a run. Raises WorkerLost, or the run's error."""
        if self._process is None:
            await self._start()
        self._ended = asyncio.get_running_loop().create_future()
        self._say({"run": run, "go_on": go_on})
        try:
            await self._ended
        except WorkerLost:
            await self.close()
            raise

    async def close(self) -> None:
        """Close the process's input, so that it exits, and kill it after a timeout."""
        process, self._process = self._process, None
        if process is None:
            return
        await worker_process.end(process)
        assert self._hearing is not None
        await asyncio.wait([self._hearing])

    async def _start(self) -> None:
        workers = self._workers
        self._process = await worker_process.start("accord.studies.worker", workers.study / self._log, (workers.lock,))
        self._hearing = asyncio.create_task(self._hear(self._process), name=f"answers of worker {self._number}")
        self._say(
            {
                "settings": workers.settings.to_dict(),
                "study": str(workers.study),
                "worlds": workers.worlds,
                "logs": Path(self._log).parent.as_posix(),
                "used_s": workers.budget.wall_s,
                "anew": workers.runner.anew,
            }
        )

    def _say(self, message: dict[str, Any]) -> None:
        if self._process is not None:
            worker_process.say(self._process, message)

    async def _hear(self, process: asyncio.subprocess.Process) -> None:
        """Handle the worker's messages until it exits; then close its open calls and fail its run as lost."""
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                # A line without an end was cut off when the worker was killed.
                if line.endswith(b"\n"):
                    self._handle_message(json.loads(line))
        except Exception as error:
            # An error of a listener fails the study, as it does if one process plays all runs.
            self._fail(error)
            raise
        code = await process.wait()
        for ticket in self._tickets.values():
            self._workers.budget.done(ticket, None)
        self._tickets.clear()
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        self._fail(WorkerLost(f"the worker process has ended by {how}; see {self._log}"))

    def _fail(self, error: Exception) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_exception(error)

    def _handle_message(self, said: dict[str, Any]) -> None:
        if "line" in said and self._workers.listen is not None:
            self._workers.listen(LogLine.from_json(said["line"]))
        elif "news" in said:
            self._workers.watch(from_json(said["news"]))
        elif "let" in said:
            self._let(said)
        elif "done" in said:
            ticket = self._tickets.pop(said["done"], None)
            if ticket is not None:
                self._workers.budget.done(ticket, None if said["usage"] is None else Usage(**said["usage"]))
        elif "ended" in said:
            self._end((said["ended"][0], said["ended"][1]), said["result"], said["error"])

    def _let(self, said: dict[str, Any]) -> None:
        refusal: str | None = None
        try:
            ticket = self._workers.budget.let(said["agent"], said["model"], said["chars"])
            self._tickets[said["let"]] = ticket
        except BudgetExhausted as error:
            refusal = str(error)
        self._say({"answer": said["let"], "refusal": refusal})

    def _end(self, run: RunName, result: dict[str, Any] | None, error: dict[str, str] | None) -> None:
        if result is not None:
            self._workers.runner.results[run] = result
        if error is None:
            if self._ended is not None and not self._ended.done():
                self._ended.set_result(None)
        elif error["kind"] in KNOWN:
            self._fail(KNOWN[error["kind"]](error["text"]))
        else:
            self._fail(DilemmaError(f"internal error in a worker: {error['text']}; see {self._log}"))
