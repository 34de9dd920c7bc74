"""Items in vanilla commands: up to 1.20.4 their properties are NBT, from 1.20.5 on components. One builder for both.

An item without properties is the same text everywhere; scenarios should keep to that where they can.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

COMPONENTS_SINCE = (1, 20, 5)
MAX_STACK = 64
_ID = re.compile(r"(?:minecraft:)?([a-z0-9_]+)")
_VANILLA = frozenset({"Enchantments", "display", "Damage", "Unbreakable"})
_KEY = re.compile(r"[A-Za-z0-9_]+")


@dataclass(frozen=True)
class Item:
    """A stack of items as a command names it. Raises ValueError for what no command could say."""

    id: str
    count: int = 1
    name: str | None = None
    """Shown instead of the item's own name."""
    enchantments: Mapping[str, int] = field(default_factory=dict)
    """Enchantment -> level."""
    damage: int = 0
    """Uses that its durability has lost."""
    unbreakable: bool = False
    marks: Mapping[str, int | str] = field(default_factory=dict)
    """Data of one's own, by which `clear` and `execute` can tell this item from others."""

    def __post_init__(self) -> None:
        for what, key in [("item", self.id), *(("enchantment", each) for each in self.enchantments)]:
            if _ID.fullmatch(key) is None:
                raise ValueError(f"{what} {key!r} is no id: write e.g. diamond_sword or minecraft:diamond_sword")
        if not 1 <= self.count <= MAX_STACK:
            raise ValueError(f"count {self.count} of {self.id} is not legal: 1 to {MAX_STACK}")
        if self.damage < 0:
            raise ValueError(f"damage {self.damage} of {self.id} is not legal: 0 or more")
        for enchantment, level in self.enchantments.items():
            if not 1 <= level <= 255:
                raise ValueError(f"level {level} of {enchantment} is not legal: 1 to 255")
        for key in self.marks:
            if _KEY.fullmatch(key) is None or key in _VANILLA:
                raise ValueError(f"mark {key!r} is not legal: letters, digits and _, and no name of vanilla's own")


def uses_components(version: str) -> bool:
    """Whether that Minecraft version writes items with components. Raises ValueError for what is no version."""
    try:
        return tuple(int(part) for part in version.split(".")) >= COMPONENTS_SINCE
    except ValueError:
        raise ValueError(f"{version!r} is no Minecraft version: write e.g. 1.20.4") from None


def argument(item: Item, version: str) -> str:
    """The item without its count, as `give PLAYER ITEM COUNT` and `item replace ... with ITEM COUNT` take it."""
    if uses_components(version):
        parts = [f"{key}={value}" for key, value in _components(item).items()]
        return _full(item.id) + (f"[{','.join(parts)}]" if parts else "")
    tag = _tag(item)
    return _full(item.id) + (_compound(tag) if tag else "")


def stack(item: Item, version: str, slot: int | None = None) -> str:
    """The stack as a container's `Items` or an item entity hold it, count and slot included."""
    fields: dict[str, str] = {} if slot is None else {"Slot": f"{slot}b"}
    fields["id"] = _quoted(_full(item.id))
    if uses_components(version):
        fields["count"] = str(item.count)
        components = {_quoted(f"minecraft:{key}"): value for key, value in _components(item).items()}
        if components:
            fields["components"] = _compound(components)
    else:
        fields["Count"] = f"{item.count}b"
        tag = _tag(item)
        if tag:
            fields["tag"] = _compound(tag)
    return _compound(fields)


def predicate(item: Item, version: str) -> str:
    """What matches items of that id with these marks, whatever else they have: for `clear PLAYER PREDICATE`."""
    if not item.marks:
        return _full(item.id)
    marks = _compound(_marks(item))
    return _full(item.id) + (f"[custom_data~{marks}]" if uses_components(version) else marks)


def _components(item: Item) -> dict[str, str]:
    """Component -> value in SNBT (1.20.5 to 1.21.4)."""
    found: dict[str, str] = {}
    if item.enchantments:
        levels = {_quoted(_full(name)): str(level) for name, level in item.enchantments.items()}
        found["enchantments"] = _compound({"levels": _compound(levels)})
    if item.name is not None:
        found["custom_name"] = _name(item.name)
    if item.damage:
        found["damage"] = str(item.damage)
    if item.unbreakable:
        found["unbreakable"] = "{}"
    if item.marks:
        found["custom_data"] = _compound(_marks(item))
    return found


def _tag(item: Item) -> dict[str, str]:
    """The item's NBT (up to 1.20.4)."""
    found = _marks(item)
    if item.enchantments:
        each = [
            _compound({"id": _quoted(_full(name)), "lvl": f"{level}s"}) for name, level in item.enchantments.items()
        ]
        found["Enchantments"] = f"[{','.join(each)}]"
    if item.name is not None:
        found["display"] = _compound({"Name": _name(item.name)})
    if item.damage:
        found["Damage"] = str(item.damage)
    if item.unbreakable:
        found["Unbreakable"] = "1b"
    return found


def _marks(item: Item) -> dict[str, str]:
    return {key: _quoted(value) if isinstance(value, str) else str(value) for key, value in item.marks.items()}


def _compound(fields: Mapping[str, str]) -> str:
    return "{" + ",".join(f"{key}:{value}" for key, value in fields.items()) + "}"


def _full(name: str) -> str:
    return name if name.startswith("minecraft:") else f"minecraft:{name}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _name(text: str) -> str:
    """A text component, which is JSON inside of a quoted string."""
    escaped = (
        json.dumps({"text": text}, ensure_ascii=False, separators=(",", ":")).replace("\\", "\\\\").replace("'", "\\'")
    )
    return f"'{escaped}'"
