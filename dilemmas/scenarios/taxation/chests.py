"""Community chests: readings, and emptying without losing items that are put in meanwhile.

On a server that runs by itself, people act between two commands. So a reading asks in a fixed order, and the emptying
takes a stack, in one command, only if it is still as it was read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Stack

Held = dict[str, dict[str, int]]
"""Player, or chest -> item -> count."""


class CommunityChests:
    """All community chests, and the inventories of constituents."""

    def __init__(self, at: Mapping[str, tuple[int, int, int]], constituents: Sequence[str]) -> None:
        """Watch chests; `at` is chest -> position."""
        self._at = at
        self._constituents = list(constituents)
        self._found: dict[str, list[Stack]] = {}
        """Contents at the last reading."""

    async def read(self, world: World, *, people_first: bool = False) -> tuple[Held, Held]:
        """Read the chests, and the inventories of all constituents that are in the world.

        Chests are read first: an item that is seen in a chest has then left its inventory already. With `people_first`
        the order is reversed, for the first reading: an item that is put in meanwhile then counts as there before.
        """
        there, held = await commands.goods(
            world, list(self._at.values()), self._constituents, players_first=people_first
        )
        self._found = dict(zip(self._at, there, strict=True))
        people = zip(self._constituents, held, strict=True)
        return _sums(self._found), {name: items for name, items in people if items is not None}

    async def empty(self, world: World) -> Held:
        """Remove the contents of the last reading and return chest -> removed items. Later changes stay."""
        lying = [(name, stack) for name, stacks in self._found.items() for stack in stacks]
        gone = await commands.take_out(world, [stack for _, stack in lying])
        taken: dict[str, list[Stack]] = {name: [] for name in self._found}
        for (name, stack), was in zip(lying, gone, strict=True):
            if was:
                taken[name].append(stack)
        return _sums(taken)


def sum_contents(one: Held, other: Held) -> Held:
    """Return chest -> items of both together."""
    sums = {name: dict(items) for name, items in one.items()}
    for name, items in other.items():
        for item, count in items.items():
            sums[name][item] = sums[name].get(item, 0) + count
    return sums


def _sums(found: Mapping[str, Sequence[Stack]]) -> Held:
    sums: Held = {name: {} for name in found}
    for name, stacks in found.items():
        for stack in stacks:
            sums[name][stack.item] = sums[name].get(stack.item, 0) + stack.count
    return sums
