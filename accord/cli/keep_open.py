"""World kept open after the last run, so that people can look around in it."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import suppress

from rich.console import Console
from rich.text import Text

from accord.studies.status.study_progress import StudyProgress
from bridge.types import Address


class KeepOpen:
    """Callback that a study awaits before it closes the world. It returns at Enter or Ctrl-C."""

    def __init__(self, console: Console, progress: StudyProgress) -> None:
        self._console = console
        self._progress = progress

    async def __call__(self, address: Address | None) -> None:
        """Print the address to join, then wait for Enter or Ctrl-C."""
        self._progress.pause()
        if address is None:
            self._console.print("this world has no address to join: nothing is kept open")
            return
        how = "Enter or Ctrl-C" if sys.stdin.isatty() else "Ctrl-C"
        text = f"the world stays open: join {address} with Minecraft {address.version} and look around; {how} ends it"
        self._console.print(Text(text), soft_wrap=True)
        await _wait_for_user()


async def _wait_for_user() -> None:
    """Wait for a line on the terminal or for SIGINT."""
    loop = asyncio.get_running_loop()
    end = asyncio.Event()
    before = signal.getsignal(signal.SIGINT)
    loop.add_signal_handler(signal.SIGINT, end.set)
    if listening := sys.stdin.isatty():
        loop.add_reader(sys.stdin, end.set)
    try:
        await end.wait()
    finally:
        if listening:
            loop.remove_reader(sys.stdin)
            with suppress(OSError):
                sys.stdin.readline()
        loop.remove_signal_handler(signal.SIGINT)
        # asyncio had installed its own SIGINT handler, which cancels the study; the loop has now reset it to Python's.
        signal.signal(signal.SIGINT, before)
