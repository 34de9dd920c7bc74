"""Player whose program is a file: it plays the same program in every episode."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from common.plain_files import read_text
from voyager_agents.agent import Action, Observer
from voyager_agents.errors import PlayerError

FILE = "file"
"""Option with the path of the program's file."""
MAX_BYTES = 1 << 20
"""Maximum size of a program."""


class FilePlayer(Observer):
    """Agent that plays the program of a file in every episode."""

    def __init__(self, name: str, path: Path) -> None:
        """Raise PlayerError for an unusable file."""
        super().__init__(name)
        self._program = read_program(path)

    async def act(self) -> Action:
        """Return the program."""
        return Action(self._program)


def program_path(options: Mapping[str, Any]) -> Path:
    """Return the path of the program's file. Raises PlayerError for other options and without a file."""
    if unknown := sorted(set(options) - {FILE}):
        raise PlayerError(f"{unknown[0]!r} is no option of 'program' agents: they have file")
    if FILE not in options:
        raise PlayerError("no file is named: say which program plays with --agents program:FILE")
    return Path(str(options[FILE]))


def read_program(path: Path) -> str:
    """Return the program in a file. Raises PlayerError."""
    try:
        return read_text(path, MAX_BYTES)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise PlayerError(f"program:{path}: cannot be read ({reason}); give a file with an async function") from None
