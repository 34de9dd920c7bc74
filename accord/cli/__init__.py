"""Command line `accord`. The console script calls `main`."""

from __future__ import annotations

import sys
from itertools import pairwise

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted, 143 terminated."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        # Imported here, so that Ctrl-C during start-up also ends without a traceback.
        from common.gc_tuning import look_seldom

        look_seldom()
        if not _plays_at_once_on_mock(given):
            return _run(given)
        from bridge.mock.node_start import node_ahead

        # Node loads the engine while Python imports the command line and the study.
        with node_ahead():
            return _run(given)
    except KeyboardInterrupt:
        return 130


def _run(arguments: list[str]) -> int:
    from accord.cli.app import run

    return run(arguments)


def _plays_at_once_on_mock(arguments: list[str]) -> bool:
    """Return True for `accord run` on the mock world in this process, before typer, which takes longest, is imported.

    A wrong guess costs time only: a world without a process starts one, and a process without a world is ended.
    """
    if arguments[:1] != ["run"]:
        return False
    mock = "--world=mock" in arguments or ("--world", "mock") in pairwise(arguments)
    # Workers of several jobs start processes of their own.
    others = {"--help", "-h", "--dry-run", "--jobs"}
    return mock and others.isdisjoint(each.partition("=")[0] for each in arguments)
