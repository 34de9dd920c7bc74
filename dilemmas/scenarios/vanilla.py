"""Minecraft's names of blocks and items, so that a misspelt one is refused when a scenario is read."""

from __future__ import annotations

import difflib
import functools
import json
from typing import Any, Literal

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
    return _stack_sizes().get(item, 64) if DATA.is_dir() else 64


def _known(kind: Literal["blocks", "items"], what: str, name: str) -> str:
    # Without the packages there is no list; commands that play a scenario install them first.
    if DATA.is_dir() and name not in (known := _names(kind)):
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else "give its id without 'minecraft:', such as 'iron_ore'"
        raise ValueError(f"{name!r} is not {what} of Minecraft {Address.version}; {hint}")
    return name


@functools.cache
def _names(kind: Literal["blocks", "items"]) -> frozenset[str]:
    return frozenset(entry["name"] for entry in _entries(kind))


@functools.cache
def _stack_sizes() -> dict[str, int]:
    return {entry["name"]: int(entry["stackSize"]) for entry in _entries("items")}


def _entries(kind: Literal["blocks", "items"]) -> list[dict[str, Any]]:
    places = json.loads((DATA / "dataPaths.json").read_text(encoding="utf-8"))
    path = DATA / places["pc"][Address.version][kind] / f"{kind}.json"
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found
