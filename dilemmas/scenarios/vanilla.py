"""Minecraft's names of blocks and items, so that a misspelt one is refused when a scenario is read."""

from __future__ import annotations

import difflib
import functools
import json
from typing import Literal

from bridge.prerequisites import ROOT
from bridge.types import Address

DATA = ROOT / "node_modules/minecraft-data/minecraft-data/data"


def check_block(name: str) -> str:
    """Return the name if it is a block's. Raises ValueError with the nearest legal name."""
    return _known("blocks", "a block", name)


def check_item(name: str) -> str:
    """Return the name if it is an item's. Raises ValueError with the nearest legal name."""
    return _known("items", "an item", name)


def _known(kind: Literal["blocks", "items"], what: str, name: str) -> str:
    # Without the packages there is no list; commands that play a scenario install them first.
    if DATA.is_dir() and name not in (known := _names(kind)):
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else "give its id without 'minecraft:', such as 'iron_ore'"
        raise ValueError(f"{name!r} is not {what} of Minecraft {Address.version}; {hint}")
    return name


@functools.cache
def _names(kind: Literal["blocks", "items"]) -> frozenset[str]:
    places = json.loads((DATA / "dataPaths.json").read_text(encoding="utf-8"))
    entries = json.loads((DATA / places["pc"][Address.version][kind] / f"{kind}.json").read_text(encoding="utf-8"))
    return frozenset(entry["name"] for entry in entries)
