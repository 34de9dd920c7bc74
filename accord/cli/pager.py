"""A pager for long output: lines go to it as they are made, and whoever leaves it early ends nothing but the output."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
from collections.abc import Generator

from rich.console import Console

LESS = "FRX"
"""Default options of less: quit if the text fits on one screen, show colours."""


class _Left(Exception):
    """The person has left the pager."""


class _Through(Console):
    """A console whose reader may leave; rich would end the process then."""

    def on_broken_pipe(self) -> None:
        """Nobody reads any more."""
        raise _Left


@contextlib.contextmanager
def paged(console: Console, *, wanted: bool = True) -> Generator[Console]:
    """Return a console whose output goes through the pager, where `console` is a terminal; else `console` itself."""
    command = _command() if wanted and console.is_terminal else None
    if command is None:
        yield console
        return
    environment = {"LESS": LESS, **os.environ}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, encoding="utf-8", env=environment)
    assert process.stdin is not None
    through = _Through(file=process.stdin, force_terminal=True, width=console.width, soft_wrap=True, highlight=False)
    try:
        # Who leaves the pager has read enough.
        with contextlib.suppress(_Left, BrokenPipeError):
            yield through
    finally:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        process.wait()


def _command() -> list[str] | None:
    """Return the person's own pager, else less; None where there is none."""
    own = shlex.split(os.environ.get("PAGER", ""))
    command = own or ["less"]
    return command if shutil.which(command[0]) else None
