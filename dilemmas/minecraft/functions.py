"""A scenario's commands as a vanilla function file, for servers that Accord does not run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dilemmas.minecraft.commands import Command

MAX_COMMANDS = 65_536
"""Maximum number of commands that vanilla runs of one function (`maxCommandChainLength`); it silently skips the rest.
"""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def function_text(title: str, commands: Sequence[Command], notes: Sequence[str] = ()) -> str:
    """Return the text of a `.mcfunction` file: notes as comments, then one command per line without a slash.

    Args:
        title: First comment.
        commands: Commands in order.
        notes: Further comments.

    Raises:
        ValueError: A command is not a single line, or there are more commands than vanilla runs.
    """
    if len(commands) > MAX_COMMANDS:
        raise ValueError(f"{len(commands)} commands; vanilla runs at most {MAX_COMMANDS} of one function")
    for command in commands:
        if _CONTROL.search(command.text) or not command.text.strip():
            raise ValueError(f"{command.text!r} is no single line")
    head = [f"# {_CONTROL.sub(' ', line)}" for line in (title, *notes)]
    return "\n".join([*head, *(command.text.removeprefix("/") for command in commands)]) + "\n"
