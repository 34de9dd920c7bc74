"""A literal table extended by plugins; plugins cannot replace Accord's own names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from common.plugins.found import PluginEntry, entries

T = TypeVar("T")


class PluginTable(Mapping[str, T]):
    """Mapping of names to values: Accord's own first, then those of plugins, which are made on access.

    Every access raises PluginError for a plugin that claims a name of Accord's or cannot be loaded.
    """

    def __init__(self, group: str, own: Mapping[str, T], make: Callable[[PluginEntry], T]) -> None:
        """Create a table; `make` turns a plugin's entry into a value and raises `entry.broken(...)` if it cannot."""
        self.own = own
        """Accord's own entries."""
        self._group = group
        self._make = make
        self._made: dict[PluginEntry, T] = {}

    def added(self) -> dict[str, PluginEntry]:
        """Return the plugins' entries by name."""
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
