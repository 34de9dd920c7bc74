"""`accord check`: run the compliance suite on a package that extends Accord, or on one registered name."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from accord.analysis.report.text import one_line
from accord.cli import options
from accord.cli.error_handling import DONE, FAILED, write_out
from bridge.prerequisites import check_packages
from common.plugins.found import GROUPS
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from accord.compliance import ComplianceFinding

Target = Annotated[
    str, typer.Argument(metavar="PATH|GROUP:NAME", help="The folder of a package, or e.g. scenarios:double-vein.")
]


def check(target: Target, as_json: options.AsJson = False) -> int:
    """Check that what a package adds does what Accord's own does: it builds, repeats, ends, pays by its log."""
    # An installed package fetches its JavaScript packages on first use; some checks read their files.
    check_packages()
    with tempfile.TemporaryDirectory(prefix="accord-check-") as out:
        found = asyncio.run(_print_findings(target, Path(out), as_json=as_json))
    if as_json:
        write_out(json.dumps(found, indent=2, ensure_ascii=False))
    failed = sum(not each["ok"] for each in found)
    if not as_json:
        total = f"{len(found)} checks, {failed} failed"
        Console().print(Text(total, "red" if failed else "green"))
    return FAILED if failed else DONE


async def _print_findings(target: str, out: Path, *, as_json: bool) -> list[dict[str, object]]:
    """Print every finding when it arrives and return all findings as dictionaries."""
    console = Console(soft_wrap=True, quiet=as_json)
    found = []
    async for finding in _suite(target, out):
        found.append(asdict(finding))
        mark = ("ok  ", "green") if finding.ok else ("FAIL", "red")
        told = f": {finding.told}" if finding.told else ""
        console.print(Text.assemble(mark, "  ", one_line(f"{finding.thing}: {finding.check}{told}", 1000)))
    return found


def _suite(target: str, out: Path) -> AsyncIterator[ComplianceFinding]:
    from accord.compliance import check as check_one
    from accord.compliance import check_plugin

    group, sign, name = target.partition(":")
    if Path(target).exists() or not sign:
        return check_plugin(Path(target), out)
    if group not in GROUPS:
        raise UsageError(f"{target!r}: {group!r} is no group; choose one of {', '.join(GROUPS)}, or give a folder")
    return check_one(group, name, out)
