"""Wall time of a study for `--max-wall`: the sum over all processes that played it, without the breaks in between.

The seconds are stored in `wall.json` beside config.yaml. The file is rewritten every second, so that a killed process
loses at most one second.
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
    """Async context manager that updates `wall.json` while a study is played."""

    def __init__(self, directory: Path, budget: Budget) -> None:
        self._path = directory / FILE
        self._budget = budget
        self._task: asyncio.Task[None] | None = None

    @staticmethod
    def read(directory: Path) -> float:
        """Return the seconds used so far; 0 without a readable file, as in records of earlier versions."""
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
        """Replace the file by a rename. It is not flushed to disk, which would cost more than a lost second."""
        new = self._path.with_suffix(".new")
        try:
            new.write_text(json.dumps({"wall_s": round(self._budget.wall_s, 1)}) + "\n", encoding="utf-8")
            new.replace(self._path)
        except OSError as error:
            raise RecordError(f"cannot write {self._path}: {error.strerror}") from None
