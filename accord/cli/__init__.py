"""Command line `accord`. The console script calls `main`."""

from __future__ import annotations

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted, 143 terminated."""
    try:
        # Imported here, so that Ctrl-C during start-up also ends without a traceback.
        from common.gc_tuning import look_seldom

        look_seldom()
        from accord.cli.app import run

        return run(arguments)
    except KeyboardInterrupt:
        return 130
