"""Chests of the public, into which rules put items and from which they take them, by vanilla commands.

The server's reading of the chest is what counts. A stack is changed only if it is still as it was read, in one command,
so that nothing is lost on a server where people act between two commands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command, Stack

SLOTS, STACK = 27, 64
"""Slots of a chest, and items of a full stack."""
SINGLE = re.compile(r"_(pickaxe|axe|hoe|sword|shovel)$|^(shears|fishing_rod)$")
"""Items that do not stack."""


class Coffer:
    """A chest that holds what belongs to all."""

    def __init__(self, world: World, at: tuple[int, int, int]) -> None:
        """Watch the chest at a position in world coordinates."""
        self._world = world
        self._at = at

    async def items(self) -> dict[str, int]:
        """Return item -> count as the server shows it; empty if the chest is gone."""
        found: dict[str, int] = {}
        for stack in await self._stacks():
            found[stack.item] = found.get(stack.item, 0) + stack.count
        return found

    async def put(self, item: str, count: int) -> int:
        """Put items in, and return how many are in the chest now that were not before."""
        stacks, left = await self._stacks(), count
        most = 1 if SINGLE.search(item) else STACK
        for stack in stacks:
            if left and stack.item == item and stack.count < most:
                more = min(left, most - stack.count)
                left -= more if await self._replace(stack, stack.count + more) else 0
        taken = {stack.slot for stack in stacks}
        for slot in (number for number in range(SLOTS) if number not in taken):
            if left <= 0:
                break
            more = min(left, most)
            left -= more if await self._fill(slot, item, more) else 0
        return count - left

    async def take(self, item: str, count: int) -> int:
        """Take at most `count` items out, and return how many it were."""
        left = count
        for stack in await self._stacks():
            if left and stack.item == item:
                gone = min(left, stack.count)
                left -= gone if await self._replace(stack, stack.count - gone) else 0
        return count - left

    async def _stacks(self) -> Sequence[Stack]:
        [stacks], _ = await commands.goods(self._world, [self._at], [])
        return stacks

    async def _replace(self, stack: Stack, count: int) -> bool:
        """Set the count of a stack that is unchanged since it was read; return False if it is not."""
        x, y, z = self._at
        item = f"minecraft:{stack.item} {count}" if count else "minecraft:air"
        same = f"if data block {x} {y} {z} Items[{stack.data}]"
        return await self._done(f"execute {same} run item replace block {x} {y} {z} container.{stack.slot} with {item}")

    async def _fill(self, slot: int, item: str, count: int) -> bool:
        """Put a stack into a slot that is empty; return False if it is not, or the chest is gone."""
        x, y, z = self._at
        free = f"unless data block {x} {y} {z} Items[{{Slot:{slot}b}}]"
        return await self._done(
            f"execute {free} run item replace block {x} {y} {z} container.{slot} with minecraft:{item} {count}"
        )

    async def _done(self, text: str) -> bool:
        reply = await commands.ask(self._world, Command(text, (commands.NO_BLOCK_ENTITY, commands.NO_CONTAINER)))
        return reply.startswith(commands.SLOT_REPLACED)
