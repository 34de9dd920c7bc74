"""Minecraft's names of blocks and items, so that a misspelt one is refused when a scenario is read."""

from __future__ import annotations

import difflib
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


def max_stack(item: str) -> int:
    """Return the maximum number of an item in one slot; 64 for an unknown item and without the packages."""
    return _table("items").get(item, 64)


def _known(kind: Literal["blocks", "items"], what: str, name: str) -> str:
    # Without the packages there is no list; commands that play a scenario install them first.
    known = _table(kind)
    if known and name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else "give its id without 'minecraft:', such as 'iron_ore'"
        raise ValueError(f"{name!r} is not {what} of Minecraft {Address.version}; {hint}")
    return name


_READ: dict[str, dict[str, int]] = {}
"""Tables that were read. An absent one is looked for again, since the packages may be installed meanwhile."""


def _table(kind: Literal["blocks", "items"]) -> dict[str, int]:
    """Return the names of blocks or items with their stack sizes; an empty table without the packages."""
    if kind not in _READ and DATA.is_dir():
        places = json.loads((DATA / "dataPaths.json").read_text(encoding="utf-8"))
        path = DATA / places["pc"][Address.version][kind] / f"{kind}.json"
        entries = json.loads(path.read_text(encoding="utf-8"))
        _READ[kind] = {entry["name"]: int(entry.get("stackSize", 64)) for entry in entries}
    return _READ.get(kind, {})
