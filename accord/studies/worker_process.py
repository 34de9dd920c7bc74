"""Child processes that exchange JSON lines with their parent over pipes: both the parent's and the child's side.

When its input ends, because the parent closed it or died, a child stops its work, closes its worlds and exits. A child
that does not exit in time is killed.
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
"""Time in seconds that a process has to exit after the end of its input before it is killed."""
KNOWN = {each.__name__: each for each in (PluginError, PrerequisiteError, RecordError, UsageError)}
"""Name -> error class, for errors that are raised again with the same class in the parent process."""
_LINE_LIMIT = 1 << 28

Message = dict[str, Any]
Say = Callable[[Message], None]
Hear = Callable[[Any], None]


async def start(module: str, log: Path, keep: Sequence[int] = ()) -> asyncio.subprocess.Process:
    """Start a module as a child process with the file descriptors `keep`; append its standard error to `log`."""
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
            start_new_session=True,  # Ctrl-C goes to the parent alone; the child exits when its input ends
            limit=_LINE_LIMIT,
        )


def say(process: asyncio.subprocess.Process, message: object) -> None:
    """Send a message to a child process; do nothing if it has exited."""
    if process.stdin is None or process.stdin.is_closing():
        return
    with contextlib.suppress(OSError):
        process.stdin.write(json.dumps(message).encode() + b"\n")


async def end(process: asyncio.subprocess.Process) -> None:
    """Close the input of a child process, so that it exits, and kill it after a timeout."""
    assert process.stdin is not None
    process.stdin.close()
    leaving = asyncio.ensure_future(_left(process))
    while not leaving.done():
        # A cancelled caller is cleaning up already, so it waits for the child all the same.
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
    """Run `serve` in this child process with the first message of its input; return the exit status."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    look_seldom()
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    # Libraries may print to standard output, which must not mix with the answers.
    os.dup2(2, 1)

    def send_message(message: Message) -> None:
        answers.write(json.dumps(message).encode() + b"\n")

    orders = sys.stdin.buffer
    first = orders.readline()
    if not first:
        return 0
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(serve(json.loads(first), orders, send_message))
    return 0


def listen(orders: BinaryIO, hear: Hear) -> None:
    """Call `hear` with each further message in this event loop; cancel the current task at the end of the input."""
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
