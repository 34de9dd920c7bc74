"""Wall time of a study over all processes that played it, without pauses between, for `--max-wall`.

The seconds are in `wall.json` beside config.yaml, rewritten every second, so that a killed process loses at most the
last one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from types import TracebackType

from common.plain_files import read_text
from dilemmas.errors import RecordError
from voyager_agents import Budget

FILE = "wall.json"
EVERY_S = 1.0


class Stopwatch:
    """Keeps the file up to date while a study is played; an async context manager."""

    def __init__(self, directory: Path, purse: Budget) -> None:
        self._path = directory / FILE
        self._purse = purse
        self._task: asyncio.Task[None] | None = None

    @staticmethod
    def read(directory: Path) -> float:
        """Seconds so far; 0 for a study that was killed in its first one, or that an older version played."""
        try:
            return max(0.0, float(json.loads(read_text(directory / FILE))["wall_s"]))
        except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
            return 0.0

    async def __aenter__(self) -> Stopwatch:
        self._task = asyncio.create_task(self._tick(), name="stopwatch")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _tick(self) -> None:
        try:
            while True:
                await asyncio.sleep(EVERY_S)
                self._write()
        finally:
            self._write()

    def _write(self) -> None:
        """A rename makes it whole; a flush to the disk every second would cost more than the second that it saves."""
        new = self._path.with_suffix(".new")
        try:
            new.write_text(json.dumps({"wall_s": round(self._purse.wall_s, 1)}) + "\n", encoding="utf-8")
            new.replace(self._path)
        except OSError as error:
            raise RecordError(f"cannot write {self._path}: {error.strerror}") from None
