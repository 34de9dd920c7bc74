"""Start of a mock world's Node process, also ahead of the world, since loading the engine takes 0.3 s."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from bridge.confinement import confinement, isolate_flags
from bridge.prerequisites import ROOT, ready_node
from common.errors import PrerequisiteError

MAIN = ROOT / "bridge" / "mock" / "host_main.js"
_CODE = ("node_modules", "bridge/host", "bridge/mock", "engine", "skills_js", "package.json")
FLAGS = (
    *isolate_flags(_CODE),
    "--max-old-space-size=2048",
    # What a world makes is mostly new and soon forgotten: with more room for it less is copied. The collector's
    # threads cost more than they save. Isolates have no part in it (heaps.js).
    "--min-semi-space-size=32",
    "--max-semi-space-size=32",
    "--single-threaded-gc",
    # A dozen kinds of mobs, players and things share their code. With V8's usual four kinds of objects at a place it
    # looks every field of theirs up by its name.
    "--max-valid-polymorphic-map-count=12",
    # It sees what code is used for from its first call on, and makes better code of it.
    "--no-lazy-feedback-allocation",
)
"""Node's permission model: it may read its own code, and write or start nothing."""

_ahead: list[subprocess.Popen[bytes]] = []
"""Process started ahead, until a world takes it."""


def start_node() -> subprocess.Popen[bytes]:
    """Start a process that waits for the settings of a world on its standard input. Raises PrerequisiteError.

    Its standard error is a pipe: where a world logs to is not known yet when a process starts ahead.
    """
    binary = ready_node()
    confined = confinement(MAIN)
    try:
        return subprocess.Popen(
            [*confined.command, str(binary), *FLAGS, str(MAIN)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={},
            cwd="/",
            start_new_session=True,  # Ctrl-C is Python's to handle; Node ends when its input does
        )
    except OSError as error:
        raise PrerequisiteError(f"Node does not start ({error}): run `make setup`") from error


@contextmanager
def node_ahead() -> Iterator[None]:
    """Start the process of this process's next mock world now, and end it with the context if no world took it.

    Without Node nothing is started; the world reports that.
    """
    with suppress(PrerequisiteError):
        _ahead.append(start_node())
    try:
        yield
    finally:
        while _ahead:
            end_node(_ahead.pop())


def take_node() -> subprocess.Popen[bytes] | None:
    """Return the process that was started ahead, once; None if there is none."""
    return _ahead.pop() if _ahead else None


def end_node(process: subprocess.Popen[bytes]) -> None:
    """Kill the process, reap it and close its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
