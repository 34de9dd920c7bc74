"""Pool of worker processes that read runs and write their pages in parallel, one for each core.

A long run takes seconds to read. Each worker is a process of this module: `multiprocessing` would import a user's
script again. Work and results go through the worker's pipes, pickled.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Protocol, TypeVar

from common.gc_tuning import look_seldom
from common.segments import Log

T = TypeVar("T")
MIN_BYTES = 32 << 20
"""Bytes of all logs from which on workers pay off, since starting them takes a second."""
MAX_WORKERS = 8
"""Maximum number of workers; each holds a run in memory."""


class WorkerPool(Protocol):
    """Executor of work on runs."""

    def map(self, work: Callable[..., T], calls: Sequence[tuple[Any, ...]]) -> list[T]:
        """Return the results of `work`, a module's function, for each tuple of arguments, in order.

        Raises the error of the first failing call.
        """

    def begin(self, work: Callable[..., T], calls: Sequence[tuple[Any, ...]]) -> Callable[[], list[T]]:
        """Start `map` in the background; return a function that waits for the results."""


class InProcessPool:
    """Executor that works in this process."""

    def map(self, work: Callable[..., T], calls: Sequence[tuple[Any, ...]]) -> list[T]:
        """See `WorkerPool.map`."""
        return [work(*call) for call in calls]

    def begin(self, work: Callable[..., T], calls: Sequence[tuple[Any, ...]]) -> Callable[[], list[T]]:
        """See `WorkerPool.begin`; the work is done when the results are asked for."""
        return lambda: self.map(work, calls)


class ProcessPool:
    """Pool of processes. Call `close_workers` when it is no longer needed."""

    def __init__(self, count: int) -> None:
        self._all = [_Worker() for _ in range(count)]

    def map(self, work: Callable[..., T], calls: Sequence[tuple[Any, ...]]) -> list[T]:
        """See `WorkerPool.map`."""
        return self.begin(work, calls)()

    def begin(self, work: Callable[..., T], calls: Sequence[tuple[Any, ...]]) -> Callable[[], list[T]]:
        """See `WorkerPool.begin`."""
        found: list[Any] = [None] * len(calls)
        failed: dict[int, BaseException] = {}
        waiting = iter(range(len(calls)))

        def serve(worker: _Worker) -> None:
            # In order, so that all calls before the first failure are completed.
            while not failed and (number := next(waiting, None)) is not None:
                try:
                    found[number] = worker.do(work, calls[number])
                except BaseException as error:  # noqa: BLE001 - raised below, in the caller's thread
                    failed[number] = error

        threads = [threading.Thread(target=serve, args=(worker,), daemon=True) for worker in self._all]
        for thread in threads:
            thread.start()

        def done() -> list[T]:
            for thread in threads:
                thread.join()
            if failed:
                raise failed[min(failed)]
            return found

        return done

    def close_workers(self) -> None:
        """Kill all workers at once."""
        for worker in self._all:
            worker.close()


class _Worker:
    """Worker process, seen from the parent."""

    def __init__(self) -> None:
        self._closed = False
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is handled by the parent, which ends this process.
        )

    def do(self, work: Callable[..., T], call: tuple[Any, ...]) -> T:
        """Return the result of the call. If the worker was killed from outside, the call is made in this process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            _say(self._process.stdin, (work, call))
            done, value = pickle.load(self._process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            if self._closed:
                raise
            return work(*call)
        if not done:
            raise value
        return value  # type: ignore[no-any-return] # of that work

    def close(self) -> None:
        """Kill the worker."""
        self._closed = True
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()
        self._process.wait()


@contextlib.contextmanager
def pool_for(runs: Sequence[Path], min_bytes: int | None = None) -> Iterator[WorkerPool]:
    """Yield an executor for work on the runs in these directories.

    Args:
        runs: Directories of runs.
        min_bytes: Bytes of logs from which on workers are started; None for `MIN_BYTES`.
    """
    count = min(MAX_WORKERS, len(runs), _cores())
    if count < 1 or _cores() < 2 or _size(runs) < (MIN_BYTES if min_bytes is None else min_bytes):
        yield InProcessPool()
        return
    workers = ProcessPool(count)
    try:
        yield workers
    finally:
        workers.close_workers()


def _cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _size(runs: Sequence[Path]) -> int:
    """Return the bytes of the runs' logs; unreadable logs are reported by their reader."""
    size = 0
    for run in runs:
        with contextlib.suppress(OSError):
            size += Log(run / "events.jsonl").size()
    return size


def _say(pipe: IO[bytes], said: object) -> None:
    pipe.write(pickle.dumps(said, pickle.HIGHEST_PROTOCOL))
    pipe.flush()


def _done(work: Callable[..., Any], call: tuple[Any, ...]) -> tuple[bool, Any]:
    """Return (whether the work succeeded, its result or error). Any error belongs to the caller."""
    try:
        return True, work(*call)
    except Exception as error:  # noqa: BLE001 - raised again by the caller
        return False, error


def main() -> int:
    """Run the worker: make calls until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    look_seldom()
    answers = os.fdopen(os.dup(1), "wb")
    # Output printed by libraries must not mix with the answers.
    os.dup2(2, 1)
    while True:
        try:
            work, call = pickle.load(sys.stdin.buffer)
        except EOFError:
            return 0
        _say(answers, _done(work, call))


if __name__ == "__main__":
    sys.exit(main())
