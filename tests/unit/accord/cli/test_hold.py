from __future__ import annotations

import asyncio
import io
import os
import signal

from rich.console import Console

from accord.cli.keep_open import KeepOpen
from accord.studies.status.study_progress import StudyProgress
from bridge.types import Address


async def test_ctrl_c_is_a_good_end_and_leaves_the_handler_as_it_was() -> None:
    console = Console(file=io.StringIO(), width=200)
    before = signal.getsignal(signal.SIGINT)
    waiting = asyncio.create_task(
        KeepOpen(console, StudyProgress(console, 1, announce=True))(Address("127.0.0.1", 25599))
    )
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not waiting.done()
    os.kill(os.getpid(), signal.SIGINT)
    await waiting
    assert signal.getsignal(signal.SIGINT) is before
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == (
        "the world stays open: join 127.0.0.1:25599 with Minecraft 1.20.4 and look around; Ctrl-C ends it\n"
    )
