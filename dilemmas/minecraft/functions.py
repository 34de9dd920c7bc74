"""A scenario's commands as a vanilla function file, for a server that Accord does not run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dilemmas.minecraft.commands import Command

MOST = 65_536
"""Commands that vanilla runs of one function (`maxCommandChainLength`); later ones would be left out in silence."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def function_text(title: str, commands: Sequence[Command], notes: Sequence[str] = ()) -> str:
    """The text of a `.mcfunction` file: notes as comments, then a command a line, none with a slash.

    Raises ValueError for a command that is no single line, and for more commands than vanilla runs.
    """
    if len(commands) > MOST:
        raise ValueError(f"{len(commands)} commands; vanilla runs {MOST} of one function")
    for command in commands:
        if _CONTROL.search(command.text) or not command.text.strip():
            raise ValueError(f"{command.text!r} is no single line")
    head = [f"# {_CONTROL.sub(' ', line)}" for line in (title, *notes)]
    return "\n".join([*head, *(command.text.removeprefix("/") for command in commands)]) + "\n"
