"""Vanilla's command tree (minecraft-data), and a matcher for complete, executable commands.

minecraft-data lacks the trees of some versions; the nearest earlier one is used, such as 1.20.3 for 1.20.4 and for
1.21.4. The syntax of items is each version's own.

Arguments are matched by shape, not by meaning: positions as three coordinates, selectors, resource names, numbers
within bounds. This finds misspelt literals, missing or superfluous arguments, and wrong order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
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
    tree = _tree(nearest(version))
    return tree.matches("", text, _order(version) >= COMPONENTS_SINCE)


@cache
def nearest(version: str) -> str:
    """Return the latest version up to `version` that has a command tree."""
    there = [folder.parent.name for folder in DATA.glob("pc/*/commands.json")]
    return max((each for each in there if _order(each) <= _order(version)), key=_order)


@cache
def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


@cache
def _tree(version: str) -> _Tree:
    return _Tree(json.loads((DATA / f"pc/{version}/commands.json").read_text(encoding="utf-8"))["root"])


@dataclass(frozen=True)
class _Argument:
    """Node that stands for a value, with the nodes after it under `path`."""

    node: Node
    path: str
    shape: re.Pattern[str] | None
    """Shape of the value; None for an item, which has its own reader."""

    def consume(self, rest: str, components: bool) -> str | None:
        """Return the rest of the text after the argument's only possible match, or None."""
        if self.shape is None:
            end = _item_end(rest, "[" if components else "{")
            return None if end is None or rest[end : end + 1] not in ("", " ") else rest[end + 1 :]
        found = self.shape.match(rest)
        return None if found is None or not _within(self.node, found[0]) else rest[found.end() + 1 :]


@dataclass(frozen=True)
class _Following:
    """Nodes that may follow a node."""

    executable: bool
    literals: dict[str, tuple[str, ...]]
    """Literal -> paths of the nodes of that name, of which a redirect may add a second one."""
    arguments: tuple[_Argument, ...]


class _Tree:
    """Command tree, read node by node as commands ask for it: a literal is found by its name, without a search."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._nodes: dict[str, Node] = {"": root}
        """Path from the root -> node."""
        self._following: dict[str, _Following] = {}

    def matches(self, path: str, rest: str, components: bool) -> bool:
        """Return True if the rest of a text completes a command after the node at `path`."""
        if path not in self._following:
            self._following[path] = self._read(path)
        following = self._following[path]
        if not rest:
            return following.executable
        word, _, left = rest.partition(" ")
        return any(self.matches(each, left, components) for each in following.literals.get(word, ())) or any(
            (after := each.consume(rest, components)) is not None and self.matches(each.path, after, components)
            for each in following.arguments
        )

    def _read(self, path: str) -> _Following:
        node = self._nodes[path]
        literals: dict[str, tuple[str, ...]] = {}
        arguments = []
        for parent, child in self._children(path, node):
            place = f"{parent} {child['name']}"
            self._nodes[place] = child
            if child["type"] == "literal":
                literals[child["name"]] = (*literals.get(child["name"], ()), place)
            else:
                arguments.append(_Argument(child, place, _pattern(child)))
        return _Following(bool(node["executable"]), literals, tuple(arguments))

    def _children(self, path: str, node: Node) -> Iterator[tuple[str, Node]]:
        """Yield path and node of all that may follow; `execute ... run` continues with any command, others redirect."""
        if node["name"] == "run" and not node["children"]:
            yield from (("", child) for child in self._root["children"])
            return
        yield from ((path, child) for child in node["children"])
        for target in self._root["children"]:
            if target["name"] in node.get("redirects", []):
                yield from ((f" {target['name']}", child) for child in target["children"])


def _pattern(node: Node) -> re.Pattern[str] | None:
    return None if node["parser"]["parser"] in _ITEMS else re.compile(rf"(?:{_shape(node)})(?= |$)")


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
