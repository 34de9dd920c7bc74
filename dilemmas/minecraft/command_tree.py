"""Vanilla's command tree (minecraft-data), and a matcher for complete, executable commands.

minecraft-data lacks the trees of some versions; the nearest earlier one is used, such as 1.20.3 for 1.20.4 and for
1.21.4. The syntax of items is each version's own.

Arguments are matched by shape, not by meaning: positions as three coordinates, selectors, resource names, numbers
within bounds. This finds misspelt literals, missing or superfluous arguments, and wrong order.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from bridge.prerequisites import ROOT

DATA = ROOT / "node_modules/minecraft-data/minecraft-data/data"
Node = dict[str, Any]
COMPONENTS_SINCE = (1, 20, 5)
"""First version whose commands write item properties as components instead of NBT."""

_COORDINATE = r"(?:-?\d+(?:\.\d+)?|[~^](?:-?\d+(?:\.\d+)?)?)"
_WORD = r"[A-Za-z0-9_.+-]+"
_RESOURCE = r"#?(?:[a-z0-9_.-]+:)?[a-z0-9_./-]+"
_SELECTOR = r"@[aeprs](?:\[(?:[^\[\]\s]|\[[^\[\]\s]*\])*\])?"
"""A selector; its arguments may contain lists, as in `nbt={Tags:[a]}`."""
_STATES = r"(?:\[[^\]\s]*\])?(?:\{\S*\})?"
_SHAPES: dict[str, str] = {
    "brigadier:bool": "true|false",
    "brigadier:integer": r"-?\d+",
    "minecraft:time": r"\d+(\.\d+)?[dst]?",
    "brigadier:float": r"-?\d+(?:\.\d+)?",
    "brigadier:double": r"-?\d+(?:\.\d+)?",
    "minecraft:block_pos": rf"{_COORDINATE} {_COORDINATE} {_COORDINATE}",
    "minecraft:column_pos": rf"{_COORDINATE} {_COORDINATE}",
    "minecraft:vec2": rf"{_COORDINATE} {_COORDINATE}",
    "minecraft:vec3": rf"{_COORDINATE} {_COORDINATE} {_COORDINATE}",
    "minecraft:swizzle": "x?y?z?",
    "minecraft:entity_anchor": "feet|eyes",
    "minecraft:dimension": _RESOURCE,
    "minecraft:rotation": rf"{_COORDINATE} {_COORDINATE}",
    "minecraft:block_state": _RESOURCE + _STATES,
    "minecraft:block_predicate": _RESOURCE + _STATES,
    "minecraft:item_slot": r"(?:container|hotbar|inventory|enderchest|villager|horse)\.\d+|weapon(?:\.\w+)?|armor\.\w+",
    "minecraft:entity": rf"{_SELECTOR}|[A-Za-z0-9_]{{1,16}}",
    "minecraft:game_profile": rf"{_SELECTOR}|[A-Za-z0-9_]{{1,16}}",
    "minecraft:score_holder": rf"\*|{_SELECTOR}|\S+",
    "minecraft:gamemode": "survival|creative|adventure|spectator",
    "minecraft:objective": _WORD,
    "minecraft:objective_criteria": r"[a-z_.]+(?::[a-z0-9_.]+)?",
    "minecraft:nbt_path": r"[A-Za-z_][\w.\[\]\"{}:,-]*",
    "minecraft:resource": _RESOURCE,
    "minecraft:resource_key": _RESOURCE,
    "minecraft:resource_or_tag": _RESOURCE,
    "minecraft:resource_or_tag_key": _RESOURCE,
    "minecraft:scoreboard_slot": r"[a-z_.]+",
    "minecraft:resource_location": _RESOURCE,
    "minecraft:message": r".+",
}


_ITEMS = frozenset({"minecraft:item_stack", "minecraft:item_predicate"})
_CLOSING = {"[": "]", "{": "}"}


def is_command(text: str, version: str = "1.20.4") -> bool:
    """Return True if vanilla of `version` would parse the text as a complete command."""
    root = _root(nearest(version))
    return _matches(root, root, text, _order(version) >= COMPONENTS_SINCE)


@cache
def nearest(version: str) -> str:
    """Return the latest version up to `version` that has a command tree."""
    there = [folder.parent.name for folder in DATA.glob("pc/*/commands.json")]
    return max((each for each in there if _order(each) <= _order(version)), key=_order)


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


@cache
def _root(version: str) -> Node:
    root: Node = json.loads((DATA / f"pc/{version}/commands.json").read_text(encoding="utf-8"))["root"]
    return root


def _matches(root: Node, node: Node, rest: str, components: bool) -> bool:
    if not rest:
        return bool(node["executable"])
    following = _following(root, node)
    return any(
        _matches(root, child, left, components) for child in following for left in _consume(child, rest, components)
    )


def _following(root: Node, node: Node) -> list[Node]:
    """Return the nodes that may follow; `execute ... run` continues with any command, other clauses redirect."""
    if node["name"] == "run" and not node["children"]:
        return list(root["children"])
    onward = [child for child in root["children"] if child["name"] in node.get("redirects", [])]
    return [*node["children"], *(each for target in onward for each in target["children"])]


def _consume(node: Node, rest: str, components: bool) -> list[str]:
    """Return the rest of the text after the node's only possible match; empty if it does not match."""
    parser = (node.get("parser") or {"parser": ""})["parser"]
    if parser in _ITEMS:
        end = _item_end(rest, "[" if components else "{")
        return [] if end is None or rest[end : end + 1] not in ("", " ") else [rest[end + 1 :]]
    shape = re.escape(node["name"]) if node["type"] == "literal" else _shape(node)
    found = re.match(rf"(?:{shape})(?= |$)", rest)
    if found is None or not _within(node, found[0]):
        return []
    return [rest[found.end() + 1 :]]


def _item_end(text: str, opening: str) -> int | None:
    """Return the end of an item with optional properties in `opening` brackets, or None."""
    found = re.match(_RESOURCE, text)
    if found is None:
        return None
    return _group_end(text, found.end()) if text[found.end() : found.end() + 1] == opening else found.end()


def _group_end(text: str, at: int) -> int | None:
    """Return the end of the bracketed group that starts at `at`, ignoring quoted brackets, or None."""
    open_groups: list[str] = []
    quote = ""
    while at < len(text):
        letter = text[at]
        if quote:
            if letter == "\\":
                at += 1
            elif letter == quote:
                quote = ""
        elif letter in "\"'":
            quote = letter
        elif letter in _CLOSING:
            open_groups.append(_CLOSING[letter])
        elif letter in "]}" and (not open_groups or open_groups.pop() != letter):
            return None
        at += 1
        if not open_groups:
            return at
    return None


def _shape(node: Node) -> str:
    parser = node["parser"]["parser"]
    if parser == "brigadier:string":
        return {"word": _WORD, "phrase": rf"{_WORD}|\"[^\"]*\"", "greedy": ".+"}[node["parser"]["modifier"]["type"]]
    if parser not in _SHAPES:
        # No scenario uses this argument type; matching nothing keeps the check strict.
        return r"(?!)"
    return _SHAPES[parser]


def _within(node: Node, text: str) -> bool:
    parser = node.get("parser") or {"parser": "", "modifier": None}
    if parser["parser"] not in ("brigadier:integer", "brigadier:float", "brigadier:double"):
        return True
    bounds = parser["modifier"] or {}
    return bool(bounds.get("min", float("-inf")) <= float(text) <= bounds.get("max", float("inf")))
