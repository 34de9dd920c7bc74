"""Progress line of commands that play many games, on a terminal and elsewhere."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

from rich.console import Console
from typer.testing import CliRunner

from accord.cli.app import app
from accord.studies.status.status_line import EVERY_S, StatusLine


async def lines(console: Console) -> None:
    """Show a line whose text changes between its updates."""
    slept: list[float] = []
    over = asyncio.Event()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) > 2:
            over.set()
            await asyncio.Event().wait()
        line.update(f"game {len(slept)}")

    line = StatusLine(console, "starting", sleep)
    async with line.shown():
        await (over.wait() if not console.is_terminal else asyncio.sleep(0))
        line.update("game 9\nof 9")
    assert slept == ([] if console.is_terminal else [EVERY_S] * 3)


async def test_without_a_terminal_the_line_is_written_at_once_while_it_lasts_and_at_the_end() -> None:
    out = io.StringIO()
    await lines(Console(file=out, width=20))
    assert out.getvalue().splitlines() == ["starting", "game 1", "game 2", "game 9 of 9"]


async def test_a_quiet_console_and_a_terminal_get_no_lines() -> None:
    quiet, terminal = io.StringIO(), io.StringIO()
    await lines(Console(file=quiet, quiet=True))
    await lines(Console(file=terminal, force_terminal=True, force_interactive=False))
    assert quiet.getvalue() == ""
    assert "game 1" not in terminal.getvalue()


def test_schelling_in_a_pipe_is_not_silent(tmp_path: Path) -> None:
    words = ["schelling", "prisoners-dilemma", "--seeds", "1", "--jobs", "2", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.stderr
    shown = result.stderr.splitlines()
    assert (shown[0], shown[-1]) == ("starting", "2 of 2 cooperate: 4 of 4 episodes are over")
