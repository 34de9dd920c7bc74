"""A literal table with what plugins add to it: a name of Accord's own is never another's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from common.plugins.found import PluginEntry, entries

T = TypeVar("T")


class PluginTable(Mapping[str, T]):
    """Name -> value: Accord's own first, then those of plugins. A plugin's value is made when it is asked for.

    All of it raises PluginError for a plugin that takes a name of Accord's, or cannot be loaded.
    """

    def __init__(self, group: str, own: Mapping[str, T], make: Callable[[PluginEntry], T]) -> None:
        """`make` makes the value of a plugin's entry, and raises `entry.broken(...)` for one that is none."""
        self.own = own
        """Accord's own."""
        self._group = group
        self._make = make
        self._made: dict[PluginEntry, T] = {}

    def added(self) -> dict[str, PluginEntry]:
        """Name -> entry of a plugin."""
        found = entries(self._group)
        for name, entry in found.items():
            if name in self.own:
                raise entry.broken(f"Accord has {self._group} of that name; choose another")
        return found

    def __getitem__(self, name: str) -> T:
        if name in self.own:
            return self.own[name]
        entry = self.added()[name]
        if entry not in self._made:
            self._made[entry] = self._make(entry)
        return self._made[entry]

    def __iter__(self) -> Iterator[str]:
        yield from self.own
        yield from self.added()

    def __len__(self) -> int:
        return len(self.own) + len(self.added())
