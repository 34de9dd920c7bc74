"""Worker process of the local engine, which reads numbers of tasks, plays the tasks and answers with their outcomes."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

from accord.studies import worker_process
from accord.studies.sweeps.player import TaskPlayer, use_plugins
from accord.studies.worker_process import KNOWN, Say


async def _serve(first: dict[str, Any], orders: BinaryIO, say: Say) -> None:
    if first["cores"]:
        os.sched_setaffinity(0, first["cores"])
    numbers: asyncio.Queue[int] = asyncio.Queue()
    worker_process.listen(orders, numbers.put_nowait)
    scratch = None if first["scratch"] is None else Path(first["scratch"])
    use_plugins(first["plugins"])
    async with TaskPlayer(Path(first["folder"]), scratch, first["budget"], first["allowed"]) as player:
        while True:
            index = await numbers.get()
            try:
                say({"task": index, "outcome": await player.play(index)})
            except tuple(KNOWN.values()) as error:
                say({"task": index, "error": {"kind": type(error).__name__, "text": str(error)}})


if __name__ == "__main__":
    sys.exit(worker_process.main(_serve))
