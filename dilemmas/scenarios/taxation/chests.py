"""The community chests: what lies in them, and how they are emptied without losing what is put in meanwhile.

On a server that runs by itself people go on between two commands. So a reading asks in an order that explains itself,
and the emptying takes a stack only if it is still as it was read, in one command.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Stack

Held = dict[str, dict[str, int]]
"""Player, or chest -> item -> count."""


class CommunityChests:
    """All of them, and what constituents hold."""

    def __init__(self, at: Mapping[str, tuple[int, int, int]], constituents: Sequence[str]) -> None:
        """`at` is chest -> where it stands."""
        self._at = at
        self._constituents = list(constituents)
        self._found: dict[str, list[Stack]] = {}
        """As at the last reading."""

    async def read(self, world: World, *, people_first: bool = False) -> tuple[Held, Held]:
        """What lies in the chests, and what each constituent that is in the world holds.

        Chests are read first: whoever has put something in that is seen there has lost it in its inventory already.
        With `people_first` it is the other way round, for the first reading: what is put in meanwhile was there before.
        """
        there, held = await commands.goods(
            world, list(self._at.values()), self._constituents, players_first=people_first
        )
        self._found = dict(zip(self._at, there, strict=True))
        people = zip(self._constituents, held, strict=True)
        return _sums(self._found), {name: items for name, items in people if items is not None}

    async def empty(self, world: World) -> Held:
        """Take out what the last reading has found; chest -> what was taken. What has changed since stays."""
        lying = [(name, stack) for name, stacks in self._found.items() for stack in stacks]
        gone = await commands.take_out(world, [stack for _, stack in lying])
        taken: dict[str, list[Stack]] = {name: [] for name in self._found}
        for (name, stack), was in zip(lying, gone, strict=True):
            if was:
                taken[name].append(stack)
        return _sums(taken)


def both(one: Held, other: Held) -> Held:
    """Chest -> what lies in it by both."""
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
