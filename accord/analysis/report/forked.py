"""Work in forks of this process, which share its imports: a report's figures, and a report beside a study."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import signal
import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import IO, Any, Generic, Self, TypeVar

T = TypeVar("T")
STANDARD_ERROR = 2
MIN_CALLS = 4
"""Minimum number of calls for which a fork pays off."""


def can_fork() -> bool:
    """Return True if a fork saves time and is safe.

    A fork of a process with several threads is not: locks that other threads hold would stay locked in it.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    return cores > 1 and threading.active_count() == 1


def call_all(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Return the results of all calls in order; a fork makes every second call. Raises the first error of a call."""
    if len(calls) < MIN_CALLS or not can_fork():
        return [call() for call in calls]
    with Fork(lambda: lambda: [call() for call in calls[1::2]]) as fork:
        others = fork.start()
        results = [[call() for call in calls[::2]], others()]
    return [results[number % 2][number // 2] for number in range(len(calls))]


class Fork(Generic[T]):
    """Fork of this process that calls a function for it. Use as a context manager."""

    def __init__(self, prepare: Callable[[], Callable[..., T]]) -> None:
        """Fork at once. The fork calls `prepare`, which returns the function that `start` calls."""
        self._prepare = prepare
        orders, self._orders = os.pipe()
        self._answers, answers = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._orders)
            os.close(self._answers)
            _serve(prepare, orders, answers)
        os.close(orders)
        os.close(answers)
        self._to, self._from = os.fdopen(self._orders, "wb"), os.fdopen(self._answers, "rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        for pipe in (self._to, self._from):
            _close(pipe)

    def start(self, *arguments: object) -> Callable[[], T]:
        """Start the function in the fork and return a function that waits for its result.

        The returned function raises the errors of the prepared one. If the fork was killed, it makes the call in this
        process.
        """
        try:
            pickle.dump(arguments, self._to, pickle.HIGHEST_PROTOCOL)
            self._to.flush()
        except OSError:
            return lambda: self._prepare()(*arguments)

        def wait() -> T:
            try:
                succeeded, value = pickle.load(self._from)
            except (EOFError, pickle.UnpicklingError):
                return self._prepare()(*arguments)
            if not succeeded:
                raise value
            result: T = value
            return result

        return wait


def _serve(prepare: Callable[[], Callable[..., object]], orders: int, answers: int) -> None:
    """Call the prepared function until the other process closes its end; never return."""
    try:
        # The parent's garbage stays: a finalizer that runs here may wait for a thread that only the parent has.
        gc.freeze()
        # Ctrl-C is handled by the parent, which ends this process.
        os.setsid()
        _close_others(orders, answers)
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_DFL)
        function = prepare()
        with open(orders, "rb") as source, open(answers, "wb") as target:
            while True:
                pickle.dump(_outcome(function, pickle.load(source)), target, pickle.HIGHEST_PROTOCOL)
                target.flush()
    except BaseException:  # noqa: BLE001 - the end of this process, whatever ends it; the other one sees its pipe close
        pass
    finally:
        # Exit without the parent's clean-up, whose files and handlers do not belong to the fork.
        os._exit(0)


def _close_others(*kept: int) -> None:
    """Close all other files of the parent: a process at the other end of a pipe must see when the parent closes it."""
    for name in os.listdir("/dev/fd"):
        if int(name) > STANDARD_ERROR and int(name) not in kept:
            # The listing itself has been closed already.
            with contextlib.suppress(OSError):
                os.close(int(name))


def _outcome(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[bool, Any]:
    """Return True and the result of a call, or False and the exception that it raised."""
    try:
        return True, function(*arguments)
    except Exception as error:  # noqa: BLE001 - raised again in the other process
        return False, error


def _close(pipe: IO[bytes]) -> None:
    # Buffered output for an ended process is dropped.
    with contextlib.suppress(BrokenPipeError):
        pipe.close()
