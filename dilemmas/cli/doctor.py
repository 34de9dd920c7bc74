"""`accord doctor`: whether this machine can run studies, a line per check."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from dilemmas.cli.boundary import DONE, FAILED, write_out
from dilemmas.doctor import Check, examine
from dilemmas.report.text import one_line

STYLES = {"ok": "green", "info": "cyan", "warn": "yellow", "fail": "red"}


def doctor(
    out: Annotated[Path, typer.Option(help="The folder for runs that is checked.")] = Path("runs"),
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> int:
    """Check this machine; say what to do about each thing that is missing."""
    found = asyncio.run(examine(out))
    if as_json:
        write_out(json.dumps([asdict(each) for each in found], indent=2, ensure_ascii=False))
    else:
        for each in found:
            Console().print(_line(each), soft_wrap=True)
    return FAILED if any(each.state == "fail" for each in found) else DONE


def _line(check: Check) -> Text:
    """One check as one line."""
    remedy = f" -> {one_line(check.remedy)}" if check.remedy else ""
    return Text.assemble(
        (f"{check.state:<5}", STYLES[check.state]), f"{check.name}: {one_line(check.found)}", (remedy, "bold")
    )
