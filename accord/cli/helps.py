"""Help page of a command: options in groups, with name and value on the left and the description on the right."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from typer.core import TyperArgument

NAMES = 27
"""Width of the column with an option's name and value, in characters.

The description of a longer one starts below it.
"""
MAX_WIDTH = 100
"""Maximum line width in characters, for readability."""
DEFAULT = re.compile(r"\[default: \((.*)\)\]$")
Record = tuple[str, str]
"""Option with its value, and its description."""


def command_help(command: Any, ctx: Any) -> Group:  # noqa: ANN401 - typer's own click has no public name
    """Return the help of a command as a rich renderable."""
    panels: defaultdict[str, list[Record]] = defaultdict(list)
    for param in command.get_params(ctx):
        if (record := param.get_help_record(ctx)) is not None:
            # A worded default has its own parentheses within the brackets; one pair is enough.
            record = (record[0], DEFAULT.sub(r"[default: \1]", record[1]))
            usual = "Arguments" if isinstance(param, TyperArgument) else "Options"
            panels[getattr(param, "rich_help_panel", None) or usual].append(record)
    usage = Text(command.get_usage(ctx), style="bold")
    about = Text(" ".join((command.help or "").split()))
    last = panels.pop("Options", None)
    shown = [*panels.items(), *([("Options", last)] if last else [])]
    return Group(
        *(Padding(each, (0, 1, 1, 1)) for each in (usage, about)),
        *(Panel(_rows(records), title=title, title_align="left", border_style="dim") for title, records in shown),
    )


def show_help(command: Any, ctx: Any) -> str:  # noqa: ANN401
    """Return the help of a command as text, with colours only for a terminal."""
    console = Console(highlight=False)
    console = Console(highlight=False, width=min(console.width, MAX_WIDTH))
    with console.capture() as captured:
        console.print(command_help(command, ctx))
    return captured.get()


def _rows(records: Sequence[Record]) -> Group:
    shown: list[RenderableType] = []
    for name, text in records:
        left = Text(name, style="bold cyan", overflow="fold")
        if left.cell_len > NAMES:
            shown.append(left)
            left = Text()
        row = Table.grid(padding=(0, 2, 0, 0))
        row.add_column(width=NAMES)
        row.add_column(ratio=1, overflow="fold")
        row.add_row(left, Text(" ".join(text.split())))
        shown.append(row)
    return Group(*shown)
