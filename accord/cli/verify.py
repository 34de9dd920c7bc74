"""`accord verify`: check the integrity of a record."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from accord.analysis.report.text import one_line
from accord.cli import options
from accord.cli.error_handling import DONE, FAILED, write_out

Study = Annotated[
    Path, typer.Argument(metavar="RUN", help="The directory that 'accord run' or 'accord league' has written.")
]


def verify(
    run: Study,
    replay: Annotated[
        bool, typer.Option("--replay", help="Also play it again, with the recorded answers of models.")
    ] = False,
    allow: options.Allow = None,
    as_json: options.AsJson = False,
) -> int:
    """Say whether the record in RUN is whole and unchanged, and with --replay whether it repeats."""
    from accord.studies import verifying
    from accord.studies.league_verifying import is_league, replay_league, verify_league

    if is_league(run):
        found = verify_league(run)
        again = replay_league
    else:
        found = verifying.verify(run)
        again = verifying.replay
    if replay:
        found.append(asyncio.run(again(run, allow or ())))
    if as_json:
        write_out(json.dumps([asdict(each) for each in found], indent=2, ensure_ascii=False))
    console = Console(soft_wrap=True, quiet=as_json)
    for each in found:
        mark = {True: ("yes ", "green"), False: ("NO  ", "red"), None: ("?   ", "yellow")}[each.ok]
        told = f": {each.told}" if each.told else ""
        console.print(Text.assemble(mark, one_line(f"{each.question}{told}", 2000)))
    return FAILED if any(each.ok is False for each in found) else DONE
