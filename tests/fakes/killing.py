"""Studies killed during play, as by kill -9, for tests of resumption."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any

from accord.studies.study import StudyResult
from dilemmas.records.events import LogLine
from dilemmas.records.record import read_events


def kill_after(count: int) -> Callable[[LogLine], None]:
    heard = iter(range(1, 10**9))

    def listen(_: LogLine) -> None:
        if next(heard) == count:
            os.kill(os.getpid(), signal.SIGKILL)

    return listen


def killed_at(play: Coroutine[Any, Any, StudyResult]) -> None:
    """Play a study that kills its own process midway, in a child process, and check that it was killed."""
    child = os.fork()
    if child == 0:
        try:
            asyncio.run(play)
        finally:
            os._exit(1)
    play.close()
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGKILL


def begun(directory: Path) -> Iterable[LogLine]:
    """Return the log up to the first attempt at the lives."""
    return itertools.takewhile(lambda line: line.kind != "episode_started", read_events(directory / "events.jsonl"))


def log_of(found: StudyResult) -> Path:
    return found.directory / "events.jsonl"


def events(found: StudyResult, kind: type[Any]) -> list[Any]:
    return [line.event for line in read_events(log_of(found)) if isinstance(line.event, kind)]
