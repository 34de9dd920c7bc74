"""Devices by which players choose: commands that build and reset them, programs that use them, readings of the world.

A player's choice is what its own booth shows when the stage is over, and nothing else: the pressure plate that it
stands on, the one lever that is pulled, the one chest with paper in it. Two levers or two chests are no choice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import floor

from bridge.errors import BotLostError, CommandError, ServerError
from bridge.programs import Calls
from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.layout import Cell, Layout
from dilemmas.scenarios.repeated_game import layout as places
from dilemmas.scenarios.repeated_game.spec import RepeatedGameSpec

PAPER = "paper"
BLOCKS = {"plates": "oak_pressure_plate", "levers": "lever[face=floor]", "chests": "chest[facing=north]"}
"""Device -> its block at the start of a stage."""
NOTHING_SET = (commands.SAME_BLOCK,)


class Devices:
    """Devices of all booths. An instance holds no state of a run."""

    def __init__(self, spec: RepeatedGameSpec) -> None:
        self._spec = spec
        self._layout = Layout(spec)
        count = spec.law.widest()
        self._cells = {player: places.devices(booth, count) for booth, player in enumerate(spec.players)}

    def cell(self, player: str, number: int) -> Cell:
        """Return the position of a player's device in the world; devices are counted from 0."""
        return self._layout.cell(self._cells[player][number])

    def build(self) -> list[Command]:
        """Return commands that build coloured floors and the devices on them."""
        found = []
        for cells in self._cells.values():
            for (x, y, z), colour in zip(cells, places.COLOURS, strict=False):
                found.append(Command(f"setblock {self._layout.at((x, y - 1, z))} minecraft:{colour}_wool", NOTHING_SET))
                found.append(self._set((x, y, z)))
        return found

    def ready(self, players: Sequence[str]) -> list[Command]:
        """Return commands that put the players back in their seats and reset their devices."""
        found = []
        for player in players:
            stand = self._layout.stand(places.seat(self._spec.booth(player)))
            found.append(Command(f"tp {player} {stand} 0 20"))
            if self._spec.by != "plates":
                found += self._made_new(player)
        return found

    def _made_new(self, player: str) -> list[Command]:
        cells = self._cells[player]
        # Replacing a container removes its contents.
        emptied = [Command(f"setblock {self._layout.at(cell)} minecraft:air", NOTHING_SET) for cell in cells]
        made = [*emptied, *(self._set(cell) for cell in cells)]
        if self._spec.by == "chests":
            made += [
                Command(f"clear {player} minecraft:{PAPER}", (commands.NOTHING_HELD,)),
                Command(f"give {player} minecraft:{PAPER} 1"),
            ]
        return made

    def _set(self, cell: Cell) -> Command:
        return Command(f"setblock {self._layout.at(cell)} minecraft:{BLOCKS[self._spec.by]}", NOTHING_SET)

    def program(self, player: str, number: int) -> str:
        """Return the program by which a bot uses a device of its booth."""
        x, y, z = self.cell(player, number)
        at = {"x": x, "y": y, "z": z}
        if self._spec.by == "plates":
            return Calls([("goTo", [at, 0])])
        if self._spec.by == "chests":
            return Calls([("depositItemIntoChest", [at, {PAPER: 1}])])
        place = json.dumps([x, y, z])
        return (
            "async function choose (bot) {\n"
            f"  const lever = bot.blockAt(new Vec3(...{place}))\n"
            "  await bot.lookAt(lever.position.offset(0.5, 0.2, 0.5))\n"
            "  await bot.activateBlock(lever)\n"
            "}\n"
        )

    async def picked(self, world: World, options: Mapping[str, Sequence[str]]) -> dict[str, str]:
        """Return player -> option that the world shows; a player that shows no option is missing."""
        choosing = {player: each for player, each in options.items() if each}
        if self._spec.by == "plates":
            return await self._stood_on(world, choosing)
        return await self._used(world, choosing)

    async def _stood_on(self, world: World, options: Mapping[str, Sequence[str]]) -> dict[str, str]:
        found = {}
        at = await commands.positions(world, list(self._spec.players))
        for player, each in options.items():
            if player not in at:
                raise BotLostError(f"{player} is not in the game any more")
            cell = (floor(at[player][0]), floor(at[player][1] + 0.1), floor(at[player][2]))
            cells = [self.cell(player, number) for number in range(len(each))]
            if cell in cells:
                found[player] = each[cells.index(cell)]
        return found

    async def _used(self, world: World, options: Mapping[str, Sequence[str]]) -> dict[str, str]:
        asked = [(player, option, number) for player, each in options.items() for number, option in enumerate(each)]
        texts = [self._question(player, number) for player, _, number in asked]
        shown: dict[str, list[str]] = {}
        for (player, option, _), reply in zip(asked, await world.commands(texts), strict=True):
            if _passed(reply):
                shown.setdefault(player, []).append(option)
        return {player: each[0] for player, each in shown.items() if len(each) == 1}

    def _question(self, player: str, number: int) -> str:
        at = " ".join(map(str, self.cell(player, number)))
        if self._spec.by == "levers":
            return f"execute if block {at} minecraft:lever[powered=true]"
        return f'execute if data block {at} Items[{{id:"minecraft:{PAPER}"}}]'


def _passed(reply: str | CommandError) -> bool:
    """Return True if a test passed; worlds report a failed one as a refusal or as a reply.

    Raises:
        ServerError: The reply is not one of vanilla's.
        CommandError: The command was refused for another reason.
    """
    told = reply.reply if isinstance(reply, CommandError) else reply
    if told.startswith((commands.TEST_FAILED, commands.NO_BLOCK_ENTITY)):
        return False
    if isinstance(reply, CommandError):
        raise reply
    if not told.startswith(commands.TEST_PASSED):
        raise ServerError(f"the server answered {told[:80]!r}, not in vanilla's words ({commands.TEST_PASSED})")
    return True
