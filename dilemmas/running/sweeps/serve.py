"""A worker of the local engine: it plays the tasks whose numbers it reads, and answers with what came of them.

When its input ends, whoever started it is gone or wants no more: it ends what it plays, worlds included, and leaves.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from dilemmas.running.sweeps.player import TaskPlayer
from dilemmas.running.worker import KNOWN, LEAVE_S

Say = Callable[[dict[str, Any]], None]


def main() -> int:
    """The process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a library prints must not end up among the answers

    def say(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message).encode() + b"\n")

    orders = sys.stdin.buffer
    first = orders.readline()
    if not first:
        return 0
    with contextlib.suppress(asyncio.CancelledError, BrokenPipeError):
        asyncio.run(_serve(json.loads(first), orders, say))
    return 0


async def _serve(first: dict[str, Any], orders: BinaryIO, say: Say) -> None:
    loop, me = asyncio.get_running_loop(), asyncio.current_task()
    assert me is not None
    if first["cores"]:
        os.sched_setaffinity(0, first["cores"])
    numbers: asyncio.Queue[int] = asyncio.Queue()

    def listen() -> None:
        for line in orders:
            loop.call_soon_threadsafe(numbers.put_nowait, json.loads(line))
        late = threading.Timer(LEAVE_S, os._exit, (1,))
        late.daemon = True
        late.start()
        loop.call_soon_threadsafe(me.cancel)

    threading.Thread(target=listen, daemon=True, name="orders").start()
    scratch = None if first["scratch"] is None else Path(first["scratch"])
    async with TaskPlayer(Path(first["folder"]), scratch, first["budget"]) as player:
        while True:
            index = await numbers.get()
            try:
                say({"task": index, "outcome": await player.play(index)})
            except tuple(KNOWN.values()) as error:
                say({"task": index, "error": {"kind": type(error).__name__, "text": str(error)}})


if __name__ == "__main__":
    sys.exit(main())
