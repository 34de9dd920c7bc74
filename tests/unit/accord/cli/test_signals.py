"""Signals to a real process that plays an endless study."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

SCRIPT = """
import asyncio, sys
import accord.studies.study
from accord.cli import main

async def run_study(settings, **_):
    try:
        print("started", flush=True)
        await asyncio.Event().wait()
    finally:
        print("cleaned up", flush=True)

accord.studies.study.run_study = run_study
sys.exit(main(["run", "double-vein"]))
"""


@pytest.mark.parametrize(
    ("sent", "code", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_a_signal_is_a_clean_end_with_one_line(sent: signal.Signals, code: int, word: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        process.send_signal(sent)
        try:
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, out) == (code, "cleaned up\n")
    assert err == f"{word}: all that was started has been ended\n"
