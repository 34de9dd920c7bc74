"""`accord league`: let focal players meet the populations of held-out scenarios, and rate them."""

from __future__ import annotations

import asyncio
import json
import signal
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from accord.cli import options
from accord.cli.error_handling import DONE, say, write_out
from accord.cli.games_study import Cap, caps_of
from accord.cli.table_cells import words
from accord.cli.tables import table
from accord.studies.status.status_line import StatusLine

if TYPE_CHECKING:
    from accord.analysis.intervals import Interval
    from accord.analysis.league import League, LeagueStanding
    from accord.studies.league import LeaguePlan

File = Annotated[Path, typer.Argument(metavar="FILE", help="A league's YAML file (docs/league.md).")]


def league(
    file: File,
    training: Annotated[
        bool, typer.Option("--training", help="Play the scenarios of training; the held-out ones are not opened.")
    ] = False,
    jobs: options.Jobs = 1,
    max_usd: Cap = None,
    max_tokens: Cap = None,
    max_calls: Cap = None,
    out: options.Out = Path("runs"),
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check FILE, and say how many games it asks for.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> int:
    """Play every game that FILE asks for and rate the players; what has ended already is not played again."""
    from accord.studies.league import open_league, published_files
    from accord.studies.option_checks import check_values
    from accord.studies.settings import StudySettings

    check_values(StudySettings, {"jobs": jobs})
    caps = caps_of(usd=max_usd, tokens=max_tokens, calls=max_calls)
    plan = open_league(file, training=training)
    if dry_run:
        write_out(json.dumps({"name": plan.name, "told": plan.told()}) if as_json else f"{plan.name}: {plan.told()}")
        return DONE
    directory = out.expanduser() / plan.name
    try:
        found = asyncio.run(_games(plan, directory, jobs, caps, quiet=as_json))
    except (KeyboardInterrupt, asyncio.CancelledError):
        say(f"go on with: accord league {file}", prefix="")
        raise
    from accord.analysis.report.league import write_league

    page = write_league(found, directory, published_files(directory), plan.files)
    if as_json:
        write_out(json.dumps(found.to_dict(), indent=2))
        return DONE
    console = Console()
    console.print(_table(found))
    console.print(words(found.sentence()), soft_wrap=True)
    console.print(words(f"Report: {page}"), soft_wrap=True)
    console.print(words(f"Verify: accord verify {directory}"), soft_wrap=True)
    return DONE


async def _games(plan: LeaguePlan, directory: Path, jobs: int, caps: dict[str, float], *, quiet: bool) -> League:
    """Play the games with a status line; SIGTERM cancels them as cleanly as Ctrl-C."""
    from accord.studies.league import play_league

    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    line = StatusLine(Console(stderr=True, quiet=quiet), plan.name)
    done = count(1)
    async with line.shown():
        return await play_league(
            plan, directory, jobs, lambda _number, _outcome: line.update(f"{next(done)} games played"), budget=caps
        )


def _table(found: League) -> Table:
    """Return the ranking as a table with a row for each player."""
    shown = table(
        "rating: 400 points are odds of ten to one; 95 %: over seeds; return, welfare: 0 for the worst and 1 for the "
        "best baseline; expl.: exploitability; ahead: of the next"
    )
    for name in ("player", "place", "rating", "95 %", "return", "welfare", "gini", "expl.", "ahead"):
        shown.add_column(name, justify="left" if name in ("player", "ahead") else "right")
    for each in found.standings:
        shown.add_row(*_row(each))
    return shown


def _row(each: LeagueStanding) -> list[Text | str]:
    return [
        words(each.name),
        str(each.place),
        f"{each.rating:.0f}",
        _range(each.interval),
        _number(each.normalized),
        _number(each.welfare),
        _number(each.gini),
        _number(each.exploitability),
        {True: "surely", False: "open", None: "-"}[each.ahead],
    ]


def _range(interval: Interval | None) -> str:
    return "-" if interval is None else f"{interval[0]:.0f} .. {interval[1]:.0f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
