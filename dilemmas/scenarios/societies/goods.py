"""Items of people in the world, as a market moves them: read, taken and given by vanilla commands.

Only people near the market place are there. What the server says was taken is what counts: a transfer that finds too
few items is reversed. Items of the treasury and of a pool are on account, where nobody can reach them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import dist

from bridge.worlds import World
from contracts.institutions.marketplace import net_changes
from contracts.markets.goods import Items
from contracts.markets.market import POOL, TREASURY, GoodsTransfer
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command

REMOVED = re.compile(r"Removed (\d+) item")


class WorldGoods:
    """Items of people (a `contracts.institutions.marketplace.GoodsHost`)."""

    def __init__(self, world: World, people: Sequence[str], place: Sequence[float], reach: float) -> None:
        """Watch people; those within `reach` blocks of `place` are at the market."""
        self._world, self._people = world, list(people)
        self._place, self._reach = tuple(place), reach
        self.accounts: dict[str, dict[str, int]] = {TREASURY: {}, POOL: {}}
        """Public account -> item -> count."""

    async def read(self, *, everybody: bool = False) -> Mapping[str, Items]:
        """Return person -> items, of the people at the market, or of everybody."""
        places = await commands.positions(self._world, self._people)
        near = {name: dist(at, self._place) <= self._reach for name, at in places.items()}
        here = [name for name in self._people if near.get(name) or (everybody and name in near)]
        _, carried = await commands.goods(self._world, [], here)
        return {name: items for name, items in zip(here, carried, strict=True) if items is not None}

    async def food(self) -> Mapping[str, int]:
        """Return person -> food level, of the people in the world."""
        return await commands.food_levels(self._world, self._people)

    async def carry(self, transfers: Sequence[GoodsTransfer]) -> bool:
        """Carry out transfers by their net changes, all or none; return False if somebody lacks an item."""
        changes = net_changes(transfers)
        lost = [(name, item, -count) for name, own in changes.items() for item, count in own.items() if count < 0]
        taken = [(name, item, await self._take(name, item, count)) for name, item, count in lost]
        if any(count < due for (_, _, count), (_, _, due) in zip(taken, lost, strict=True)):
            for name, item, count in taken:
                await self._give(name, item, count)
            return False
        for name, own in changes.items():
            for item, count in own.items():
                if count > 0:
                    await self._give(name, item, count)
        return True

    async def _take(self, name: str, item: str, count: int) -> int:
        """Take items from a person or an account, and return how many were there."""
        if name in self.accounts:
            found = min(count, self.accounts[name].get(item, 0))
            self.accounts[name][item] = self.accounts[name].get(item, 0) - found
            return found
        text = f"clear {name} minecraft:{item} {count}"
        reply = await commands.ask(self._world, Command(text, (commands.NOTHING_HELD, commands.NO_PLAYER)))
        said = REMOVED.search(reply)
        return int(said[1]) if said else 0

    async def _give(self, name: str, item: str, count: int) -> None:
        if not count:
            return
        if name in self.accounts:
            self.accounts[name][item] = self.accounts[name].get(item, 0) + count
            return
        await commands.give(self._world, [Command(f"give {name} minecraft:{item} {count}", (commands.NO_PLAYER,))])
