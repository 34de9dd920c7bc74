"""A process of ours at the other end of two pipes: how it is started, spoken with and ended, seen from both ends.

Both ends speak JSON lines. The end of its input tells the process that whoever started it is gone or wants no more: it
ends what it does, worlds included, and leaves. One that does not leave in time is ended by force.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from common.errors import PluginError, PrerequisiteError
from common.gc_tuning import look_seldom
from dilemmas.errors import RecordError, UsageError

LEAVE_S = 20.0
"""A process whose input has ended and that has not left by then is ended by force."""
KNOWN = {each.__name__: each for each in (PluginError, PrerequisiteError, RecordError, UsageError)}
"""Errors that keep their kind on their way to whoever started the process."""
_LINE_LIMIT = 1 << 28

Message = dict[str, Any]
Say = Callable[[Message], None]
Hear = Callable[[Any], None]


async def start(module: str, log: Path, keep: Sequence[int] = ()) -> asyncio.subprocess.Process:
    """Start that module as a process; its own words go to the end of `log`, it keeps the descriptors `keep` open."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab", buffering=0) as words:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            module,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=words,
            pass_fds=tuple(keep),
            start_new_session=True,  # Ctrl-C is for whoever started it; this process ends when its input does
            limit=_LINE_LIMIT,
        )


def say(process: asyncio.subprocess.Process, message: object) -> None:
    """Tell it something; one that has ended hears nothing."""
    if process.stdin is None or process.stdin.is_closing():
        return
    with contextlib.suppress(OSError):
        process.stdin.write(json.dumps(message).encode() + b"\n")


async def end(process: asyncio.subprocess.Process) -> None:
    """End it: it is told by the end of its input, and forced when it does not listen."""
    assert process.stdin is not None
    process.stdin.close()
    leaving = asyncio.ensure_future(_left(process))
    while not leaving.done():
        # Whoever is cancelled here has begun to clean up already.
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait([leaving])


async def _left(process: asyncio.subprocess.Process) -> None:
    try:
        async with asyncio.timeout(LEAVE_S + 1):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def main(serve: Callable[[Message, BinaryIO, Say], Coroutine[Any, Any, None]]) -> int:
    """Return the process: it serves as the first line of its input says."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    look_seldom()
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    # What any library prints must not end up among the answers.
    os.dup2(2, 1)

    def tell(message: Message) -> None:
        answers.write(json.dumps(message).encode() + b"\n")

    orders = sys.stdin.buffer
    first = orders.readline()
    if not first:
        return 0
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(serve(json.loads(first), orders, tell))
    return 0


def listen(orders: BinaryIO, hear: Hear) -> None:
    """Pass on every further line to this loop; at the end of them the current task is cancelled."""
    loop, serving = asyncio.get_running_loop(), asyncio.current_task()
    assert serving is not None

    def read() -> None:
        for line in orders:
            loop.call_soon_threadsafe(hear, json.loads(line))
        late = threading.Timer(LEAVE_S, os._exit, (1,))
        late.daemon = True
        late.start()
        loop.call_soon_threadsafe(serving.cancel)

    threading.Thread(target=read, daemon=True, name="orders").start()
