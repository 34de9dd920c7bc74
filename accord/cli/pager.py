"""Pager for long output. Lines reach it as they are printed; leaving it early ends only the output."""

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
    """Signal that the user has left the pager."""


class _Through(Console):
    """Console that raises `_Left` on a broken pipe, where rich would end the process."""

    def on_broken_pipe(self) -> None:
        """Raise `_Left` because the pager is closed."""
        raise _Left


@contextlib.contextmanager
def paged(console: Console, *, wanted: bool = True) -> Generator[Console]:
    """Yield a console that prints through the pager if `console` is a terminal; otherwise yield `console` itself."""
    command = _command() if wanted and console.is_terminal else None
    if command is None:
        yield console
        return
    environment = {"LESS": LESS, **os.environ}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, encoding="utf-8", env=environment)
    assert process.stdin is not None
    through = _Through(file=process.stdin, force_terminal=True, width=console.width, soft_wrap=True, highlight=False)
    try:
        # A user who leaves the pager early has seen enough; this is no error.
        with contextlib.suppress(_Left, BrokenPipeError):
            yield through
    finally:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        process.wait()


def _command() -> list[str] | None:
    """Return the pager of $PAGER, otherwise less, or None if it is not installed."""
    own = shlex.split(os.environ.get("PAGER", ""))
    command = own or ["less"]
    return command if shutil.which(command[0]) else None
