"""Items of people and of the public in the world, read, taken and given by vanilla commands.

What the server says was taken is what counts: a transfer that finds too few items, or no room, is reversed. Items of
the public lie in chests in the world; where a scenario has none, they are on account.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import dist

from bridge.worlds import World
from contracts.institutions.marketplace import net_changes
from contracts.markets.goods import Items
from contracts.markets.market import POOL, TREASURY, GoodsTransfer
from dilemmas.minecraft import commands
from dilemmas.minecraft.coffers import Coffer
from dilemmas.minecraft.commands import Command

REMOVED = re.compile(r"Removed (\d+) item")
PUBLIC = (TREASURY, POOL)
"""Names of the public accounts."""


class WorldGoods:
    """Items of people (a `contracts.institutions.marketplace.GoodsHost`)."""

    def __init__(
        self,
        world: World,
        people: Sequence[str],
        place: Sequence[float],
        reach: float,
        coffers: Mapping[str, tuple[int, int, int]] | None = None,
    ) -> None:
        """Watch people; those within `reach` blocks of `place` are at the market.

        Args:
            world: The world.
            people: Names of all people.
            place: Middle of the market, in world coordinates.
            reach: Distance from it, in blocks.
            coffers: Public account -> position of its chest; an account without a chest is kept on books.
        """
        self._world, self._people = world, list(people)
        self._place, self._reach = tuple(place), reach
        self._coffers = {name: Coffer(world, at) for name, at in (coffers or {}).items()}
        self._books: dict[str, dict[str, int]] = {name: {} for name in PUBLIC if name not in self._coffers}

    async def read(self, *, everybody: bool = False) -> Mapping[str, Items]:
        """Return person -> items, of the people at the market, or of everybody."""
        places = await commands.positions(self._world, self._people)
        near = {name: dist(at, self._place) <= self._reach for name, at in places.items()}
        here = [name for name in self._people if near.get(name) or (everybody and name in near)]
        _, carried = await commands.goods(self._world, [], here)
        return {name: items for name, items in zip(here, carried, strict=True) if items is not None}

    async def public(self) -> Mapping[str, Items]:
        """Return public account -> its items, as the server shows its chest."""
        lying = {name: await coffer.items() for name, coffer in self._coffers.items()}
        return {name: lying[name] if name in lying else dict(self._books[name]) for name in PUBLIC}

    async def food(self) -> Mapping[str, int]:
        """Return person -> food level, of the people in the world."""
        return await commands.food_levels(self._world, self._people)

    async def carry(self, transfers: Sequence[GoodsTransfer]) -> bool:
        """Carry out transfers by their net changes, all or none; return False if somebody lacks an item."""
        changes = [
            (name, item, count) for name, own in net_changes(transfers).items() for item, count in own.items() if count
        ]
        lost = [(name, item, -count) for name, item, count in changes if count < 0]
        taken = [(name, item, await self._take(name, item, count)) for name, item, count in lost]
        given: list[tuple[str, str, int]] = []
        done = taken == lost
        if done:
            # Chests first: they alone can be full.
            gains = sorted((each for each in changes if each[2] > 0), key=lambda each: each[0] not in self._coffers)
            for name, item, count in gains:
                given.append((name, item, await self._give(name, item, count)))
                if given[-1][2] < count:
                    done = False
                    break
        if not done:
            for name, item, count in given:
                await self._take(name, item, count)
            for name, item, count in taken:
                await self._give(name, item, count)
        return done

    async def move(self, giver: str, taker: str, item: str, count: int) -> int:
        """Move items from one holder to another, and return how many were moved.

        Args:
            giver: Person or public account that gives.
            taker: Person or public account that receives.
            item: The item.
            count: Maximum number of items.
        """
        taken = await self._take(giver, item, count)
        given = await self._give(taker, item, taken)
        await self._give(giver, item, taken - given)
        return given

    async def _take(self, name: str, item: str, count: int) -> int:
        """Take items from a person, a chest or an account, and return how many were there."""
        if not count:
            return 0
        if name in self._coffers:
            return await self._coffers[name].take(item, count)
        if name in self._books:
            found = min(count, self._books[name].get(item, 0))
            self._books[name][item] = self._books[name].get(item, 0) - found
            return found
        text = f"clear {name} minecraft:{item} {count}"
        reply = await commands.ask(self._world, Command(text, (commands.NOTHING_HELD, commands.NO_PLAYER)))
        said = REMOVED.search(reply)
        return int(said[1]) if said else 0

    async def _give(self, name: str, item: str, count: int) -> int:
        """Give items to a person, a chest or an account, and return how many it took."""
        if not count:
            return 0
        if name in self._coffers:
            return await self._coffers[name].put(item, count)
        if name in self._books:
            self._books[name][item] = self._books[name].get(item, 0) + count
            return count
        text = f"give {name} minecraft:{item} {count}"
        reply = await commands.ask(self._world, Command(text, (commands.NO_PLAYER,)))
        return 0 if reply.startswith(commands.NO_PLAYER) else count


class WorldLedger:
    """Money of people and of the treasury in the world (a `contracts.institutions.frame.Ledger`), in whole units."""

    def __init__(self, goods: WorldGoods, money: str) -> None:
        """Keep accounts of an item.

        Args:
            goods: Items of people and of the public.
            money: Item in which people pay.
        """
        self._goods, self._money = goods, money
        self._held: dict[str, int] = {}

    async def refresh(self) -> None:
        """Read what everybody holds."""
        held = {**await self._goods.read(everybody=True), **await self._goods.public()}
        self._held = {name: items.get(self._money, 0) for name, items in held.items()}

    def holds(self, account: str) -> Fraction:
        """Return what a person or the treasury held at the last reading, with the payments since; 0 if away."""
        return Fraction(self._held.get(account, 0))

    async def pay(self, payer: str, payee: str, amount: Fraction) -> Fraction:
        """Move at most `amount` in whole units and at most what the payer has; return what the world moved."""
        if payer not in self._held or payee not in self._held:
            return Fraction(0)
        due = max(0, int(min(amount, self.holds(payer))))
        moved = await self._goods.move(payer, payee, self._money, due)
        self._held[payer] -= moved
        self._held[payee] += moved
        return Fraction(moved)
