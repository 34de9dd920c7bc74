"""Every `accord` command that the documentation shows is one that the command line takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

from accord.cli.app import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SUBSTITUTED = re.compile(r"\$\([^)]*\)")
"""Command substitutions of the shell, such as the newest folder."""
FENCE = re.compile(r"^ *```(?:bash|text|console)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)


def shown(page: Path) -> list[str]:
    """The command lines of a page's fences, continuation lines joined, comments left out."""
    lines = "\n".join(FENCE.findall(page.read_text(encoding="utf-8"))).replace("\\\n", " ").splitlines()
    return [line.strip() for line in lines if line.strip().startswith("accord ")]


def parse(command: str) -> None:
    """Parse a command line without running it. Raises click's UsageError."""
    found: object = typer.main.get_command(app)
    name, words, context = "accord", shlex.split(SUBSTITUTED.sub("FOUND", command), comments=True)[1:], None
    while isinstance(found, typer.core.TyperCommand | typer.core.TyperGroup):
        context = found.make_context(name, words, parent=context)
        if not isinstance(found, typer.core.TyperGroup):
            return
        name, found, words = found.resolve_command(context, [*context._protected_args, *context.args])  # type: ignore[assignment]


@pytest.mark.parametrize("page", [page for page in PAGES if shown(page)], ids=lambda page: page.stem)
def test_commands_on_a_page_are_ones_that_the_command_line_takes(page: Path) -> None:
    for command in shown(page):
        parse(command)


@pytest.mark.parametrize("command", ["accord run double-vein --nonsense", "accord nothing", "accord skills frob"])
def test_a_command_that_is_none_is_found(command: str) -> None:
    with pytest.raises(Exception, match="No such"):
        parse(command)
