"""Table of the modes of play. A new mode is one file and one line here (docs/adding-a-mode.md)."""

from __future__ import annotations

import importlib
from collections import UserDict
from collections.abc import Mapping
from typing import Any

from dilemmas.modes.protocol import Mode

PLACES = {
    "episodes": "dilemmas.modes.episodes:Episodes",
    "grid": "dilemmas.modes.grid:Grid",
    "iterations": "dilemmas.modes.iterations:Iterations",
    "life": "dilemmas.modes.life:LifeMode",
    "rounds": "dilemmas.modes.rounds:Rounds",
}
"""Name of a mode, as in `Family.plays` and `ScenarioSpec.plays` -> `module:class`."""


class ModeTable(UserDict[str, Mode]):
    """The modes by name; each is imported when it is first played."""

    def __init__(self, places: Mapping[str, str]) -> None:
        super().__init__()
        self.data: dict[str, Any] = dict(places)

    def __getitem__(self, name: str) -> Mode:
        """Return the mode. Raises KeyError for an unknown name."""
        found = self.data[name]
        if isinstance(found, str):
            module, _, attribute = found.partition(":")
            self.data[name] = found = getattr(importlib.import_module(module), attribute)()
        mode: Mode = found
        return mode


MODES = ModeTable(PLACES)
"""Name of a mode -> mode."""
