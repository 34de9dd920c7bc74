"""Vanilla's command tree (minecraft-data), and a matcher: is this text a whole, executable command of it?

Arguments are matched by their shape, not their meaning: positions as three coordinates, selectors, resource names,
numbers within their bounds. That finds misspelt literals, missing and superfluous arguments, wrong order.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

TREE = (
    Path(__file__).resolve().parents[2]
    / "node_modules/minecraft-data/minecraft-data/data/pc/1.20.3/commands.json"
)
Node = dict[str, Any]

_COORDINATE = r"(?:-?\d+(?:\.\d+)?|[~^](?:-?\d+(?:\.\d+)?)?)"
_WORD = r"[A-Za-z0-9_.+-]+"
_RESOURCE = r"#?(?:[a-z0-9_.-]+:)?[a-z0-9_./-]+"
_SELECTOR = r"@[aeprs](?:\[[^\]\s]*\])?"
_STATES = r"(?:\[[^\]\s]*\])?(?:\{\S*\})?"
_SHAPES: dict[str, str] = {
    "brigadier:bool": "true|false",
    "brigadier:integer": r"-?\d+",
    "brigadier:float": r"-?\d+(?:\.\d+)?",
    "brigadier:double": r"-?\d+(?:\.\d+)?",
    "minecraft:block_pos": rf"{_COORDINATE} {_COORDINATE} {_COORDINATE}",
    "minecraft:vec3": rf"{_COORDINATE} {_COORDINATE} {_COORDINATE}",
    "minecraft:rotation": rf"{_COORDINATE} {_COORDINATE}",
    "minecraft:block_state": _RESOURCE + _STATES,
    "minecraft:block_predicate": _RESOURCE + _STATES,
    "minecraft:item_stack": r"(?:[a-z0-9_.-]+:)?[a-z0-9_./-]+(?:\{\S*\})?",
    "minecraft:item_predicate": _RESOURCE + r"(?:\{\S*\})?",
    "minecraft:item_slot": r"(?:container|hotbar|inventory|enderchest|villager|horse)\.\d+|weapon(?:\.\w+)?|armor\.\w+",
    "minecraft:entity": rf"{_SELECTOR}|[A-Za-z0-9_]{{1,16}}",
    "minecraft:game_profile": rf"{_SELECTOR}|[A-Za-z0-9_]{{1,16}}",
    "minecraft:score_holder": rf"\*|{_SELECTOR}|\S+",
    "minecraft:gamemode": "survival|creative|adventure|spectator",
    "minecraft:objective": _WORD,
    "minecraft:objective_criteria": r"[a-z_.]+(?::[a-z0-9_.]+)?",
    "minecraft:nbt_path": r"[A-Za-z_][\w.\[\]\"{}:-]*",
    "minecraft:resource_location": _RESOURCE,
    "minecraft:message": r".+",
}


def is_command(text: str) -> bool:
    """Whether vanilla 1.20.4 would parse this text as a whole command."""
    return _matches(_root(), text)


@cache
def _root() -> Node:
    root: Node = json.loads(TREE.read_text(encoding="utf-8"))["root"]
    return root


def _matches(node: Node, rest: str) -> bool:
    if not rest:
        return bool(node["executable"])
    return any(_matches(child, left) for child in node["children"] for left in _consume(child, rest))


def _consume(node: Node, rest: str) -> list[str]:
    """What is left of the text after this node, for the one way that it can match; nothing when it does not."""
    shape = re.escape(node["name"]) if node["type"] == "literal" else _shape(node)
    found = re.match(rf"(?:{shape})(?= |$)", rest)
    if found is None or not _within(node, found[0]):
        return []
    return [rest[found.end() + 1 :]]


def _shape(node: Node) -> str:
    parser = node["parser"]["parser"]
    if parser == "brigadier:string":
        return {"word": _WORD, "phrase": rf"{_WORD}|\"[^\"]*\"", "greedy": ".+"}[node["parser"]["modifier"]["type"]]
    if parser not in _SHAPES:
        # No command of a scenario needs it so far; matching nothing keeps the test strict.
        return r"(?!)"
    return _SHAPES[parser]


def _within(node: Node, text: str) -> bool:
    parser = node.get("parser") or {"parser": "", "modifier": None}
    if parser["parser"] not in ("brigadier:integer", "brigadier:float", "brigadier:double"):
        return True
    bounds = parser["modifier"] or {}
    return bool(bounds.get("min", float("-inf")) <= float(text) <= bounds.get("max", float("inf")))
