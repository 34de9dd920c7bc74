"""Whole items of holders: people, a treasury, pools. They change by moves, and by money that an office issues."""

from __future__ import annotations

from collections.abc import Mapping

from contracts.errors import Refused

Items = Mapping[str, int]
"""Item -> count, above 0."""


class Goods:
    """Items of each holder."""

    def __init__(self, held: Mapping[str, Items]) -> None:
        """Open accounts; `held` is holder -> its items. Raises ValueError for a negative count."""
        self._held: dict[str, dict[str, int]] = {}
        for holder, items in held.items():
            self.set_items(holder, items)

    @property
    def holders(self) -> tuple[str, ...]:
        """All holders, in the order in which their accounts were opened."""
        return tuple(self._held)

    def set_items(self, holder: str, items: Items) -> None:
        """Replace the items of a holder by a count of them, such as a reading of the world. Raises ValueError."""
        for item, count in items.items():
            if count < 0:
                raise ValueError(f"{holder}: {count} of {item} is less than none")
        self._held[holder] = {item: count for item, count in items.items() if count}

    def count(self, holder: str, item: str) -> int:
        """Return how many of an item a holder has; 0 for an unknown holder."""
        return self._held.get(holder, {}).get(item, 0)

    def items(self, holder: str) -> dict[str, int]:
        """Return the items of a holder."""
        return dict(self._held.get(holder, {}))

    def totals(self) -> dict[str, int]:
        """Return item -> count of all holders together."""
        found: dict[str, int] = {}
        for items in self._held.values():
            for item, count in items.items():
                found[item] = found.get(item, 0) + count
        return {item: found[item] for item in sorted(found)}

    def move(self, giver: str, taker: str, items: Items) -> None:
        """Move items, all of them or none. Raises Refused if the giver has too few, or the taker has no account."""
        self.swap(giver, items, taker, {})

    def swap(self, one: str, gives: Items, other: str, takes: Items) -> None:
        """Exchange items, all of them or none.

        Args:
            one: Holder that gives `gives` and receives `takes`.
            gives: Items that move from `one` to `other`.
            other: Holder that gives `takes` and receives `gives`.
            takes: Items that move from `other` to `one`.

        Raises:
            Refused: A holder has no account or too few items, or both are the same.
        """
        if one == other:
            raise Refused("self", f"{one!r} cannot give anything to itself")
        for holder, items in ((one, gives), (other, takes)):
            if holder not in self._held:
                raise Refused("holder", f"{holder!r} has no account here")
            for item, count in items.items():
                if count < 1:
                    raise Refused("count", f"{item}: {count}: give a whole number from 1")
                if self.count(holder, item) < count:
                    raise Refused("short", f"{holder} has {self.count(holder, item)} of {item}, and not {count}")
        for giver, taker, items in ((one, other, gives), (other, one, takes)):
            for item, count in items.items():
                self._add(giver, item, -count)
                self._add(taker, item, count)

    def issue(self, taker: str, item: str, count: int) -> None:
        """Add new items to a holder's account; only an office that issues money does this. Raises Refused."""
        if taker not in self._held:
            raise Refused("holder", f"{taker!r} has no account here")
        if count < 1:
            raise Refused("count", f"{item}: {count}: give a whole number from 1")
        self._add(taker, item, count)

    def _add(self, holder: str, item: str, change: int) -> None:
        items = self._held[holder]
        items[item] = items.get(item, 0) + change
        if not items[item]:
            del items[item]
