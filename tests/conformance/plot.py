"""A plot of land for one case of the conformance suite, with its own players, in whatever world is under test.

The cases of a suite run side by side in one world, each on its own plot, so far from each other that no bot sees
another case's blocks. Positions are relative to the plot's origin: three numbers in Python, `~x ~y ~z` in commands,
`at(x, y, z)` in programs.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from bridge.errors import CommandError
from bridge.types import BotObservation, Event, Limits, PolicyResult
from bridge.worlds import VIRTUAL_CLOCK, World

SPACING = 160
"""Blocks between two plots: more than twice as far as a bot sees or searches."""
GROUND_Y = -60
SETTLE_S = 0.3
"""Game time after which a server has told every bot what commands did."""
HEARD_S = 0.01
"""Time between two looks whether the bots have read it."""
LONGEST_S = 120
"""A bot that has read nothing for so long is lost."""
ARRIVAL_LOOKS = 30
LIMITS = Limits(wall_s=90.0)
_TOLD = "told "
"""What a report begins with; primitives print lines of their own."""
_RELATIVE = re.compile(r"~(-?\d*)")


class Plot:
    """What a case does with the world, and what it finds out."""

    def __init__(self, world: World, number: int, players: int, events: Sequence[Event]) -> None:
        self.world = world
        self.origin = (SPACING * (number % 8), GROUND_Y, SPACING * (number // 8))
        self.names = [f"{chr(ord('A') + index)}{number:02d}" for index in range(players)]
        self._events = events
        self.results: dict[str, PolicyResult] = {}
        self._unseen = False
        self._marks = 0

    @property
    def a(self) -> str:
        """The first player."""
        return self.names[0]

    @property
    def b(self) -> str:
        """The second player."""
        return self.names[1]

    async def prepare(self) -> None:
        """Join the players and give each the same start: empty hands, two blocks apart, in the plot's middle."""
        await self.world.connect(self.names)
        for index, name in enumerate(self.names):
            x, y, z = self.at(2 * index, 0, 0)
            await self.world.command(f"gamemode survival {name}")
            await self.world.command(f"tp {name} {x + 0.5} {y} {z + 0.5} 0 0")
            await self.world.command(f"clear {name}")
            await self._arrived(name, (x + 0.5, y, z + 0.5))

    async def _arrived(self, name: str, there: tuple[float, float, float]) -> None:
        """Wait until the player itself knows where it has been put."""
        for _ in range(ARRIVAL_LOOKS):
            if math.dist((await self.world.observe(name)).position, there) < 1.0:
                return
            await self.settle(SETTLE_S)
        raise AssertionError(f"{name} did not come to {there}")

    def at(self, x: int, y: int, z: int) -> tuple[int, int, int]:
        """Absolute coordinates of a place on the plot."""
        return self.origin[0] + x, self.origin[1] + y, self.origin[2] + z

    def took(self, ms: float, least: float, most: float) -> bool:
        """Whether vanilla takes as long. Bots in real time are late on a busy machine, never early."""
        return least <= ms and (ms <= most or VIRTUAL_CLOCK not in self.world.capabilities)

    async def command(self, text: str) -> str:
        """Run a command; `~x ~y ~z` are the plot's, {a} and {b} the players."""
        axis = itertools.cycle(self.origin)
        self._unseen = True
        placed = _RELATIVE.sub(lambda found: str(next(axis) + int(found[1] or 0)), text)
        return await self.world.command(placed.replace("{a}", self.a).replace("{b}", self.names[-1]))

    async def refused(self, text: str) -> str:
        """The text with which a command is refused; fails when it is not."""
        try:
            reply = await self.command(text)
        except CommandError as error:
            return error.reply
        raise AssertionError(f"{text!r} was not refused: {reply}")

    async def give(self, *stacks: str, to: str | None = None) -> None:
        """Give stacks such as "iron_pickaxe" or "dirt 10"."""
        for stack in stacks:
            await self.command(f"give {to or self.a} {stack}")

    async def play(self, a: str, b: str | None = None, *, limits: Limits = LIMITS) -> PolicyResult:
        """Let the players run programs at the same time (`code` is a function's body); the first one's result.

        In a program, `at(x, y, z)` is a place on the plot, `tell(value)` reports, `caught(promise)` is the name of the
        error that it rejects with, or null, `until(bot, holds)` waits for what the bot is to see, however late it does.
        """
        bodies = {self.a: a} if b is None else {self.a: a, self.b: b}
        await self._run(bodies, limits)
        return self.results[self.a]

    async def _run(self, bodies: Mapping[str, str], limits: Limits) -> None:
        await self._settle()
        self.results = await self.world.run({name: self._program(name, body) for name, body in bodies.items()}, limits)

    async def played(self, a: str, b: str | None = None) -> None:
        """As `play`, and every program must return."""
        await self.play(a, b)
        self._all_returned()

    async def played_by_all(self, bodies: Mapping[str, str]) -> None:
        """As `played`, of any number of players: name -> its function's body."""
        await self._run(bodies, LIMITS)
        self._all_returned()

    def _all_returned(self) -> None:
        for result in self.results.values():
            assert result.outcome == "returned", result.error

    def told(self, player: str | None = None) -> list[Any]:
        """What a player's programs have reported with `tell`, in order."""
        return [json.loads(text[len(_TOLD) :]) for text in self._logs(player or self.a) if text.startswith(_TOLD)]

    async def items(self, player: str | None = None) -> dict[str, int]:
        """What a player has."""
        return (await self.see(player)).items

    async def see(self, player: str | None = None) -> BotObservation:
        """A player as it sees itself."""
        await self._settle()
        return await self.world.observe(player or self.a)

    async def has_block(self, x: int, y: int, z: int, block: str) -> bool:
        """Whether that block stands there; `block` may name states, as in commands."""
        try:
            reply = await self.command(f"execute if block ~{x} ~{y} ~{z} {block}")
        except CommandError:
            return False
        return reply.startswith("Test passed")

    def events(self, kind: str) -> list[Mapping[str, Any]]:
        """The data of what has happened in the world, of one kind."""
        return [event.data for event in self._events if event.kind == kind]

    async def _settle(self) -> None:
        """A command's reply comes before its effect has reached the bots."""
        if self._unseen:
            await self.settle(SETTLE_S)

    async def settle(self, seconds: float) -> None:
        """Let so much game time pass, and the players see what has come of it."""
        self._unseen = False
        await self.world.sleep(seconds)
        await self._heard()

    async def _heard(self) -> None:
        """Wait until the players have read all that the server has sent so far, however late their host is.

        A word to each goes the same way, after it. In a world with a virtual clock nothing is ever on its way.
        """
        if VIRTUAL_CLOCK in self.world.capabilities:
            return
        self._marks += 1
        first = len(self._events)
        marks = {f"{name} reads {self._marks}": name for name in self.names}
        replies = await self.world.commands([f'tellraw {name} "{mark}"' for mark, name in marks.items()])
        # Whoever has left the world hears nothing any more.
        awaited = {mark for mark, reply in zip(marks, replies, strict=True) if not isinstance(reply, CommandError)}
        async with asyncio.timeout(LONGEST_S):
            while awaited - {each.data["text"] for each in self._events[first:] if each.kind == "chat"}:  # noqa: ASYNC110
                await asyncio.sleep(HEARD_S)

    def _logs(self, player: str) -> list[str]:
        return [data["text"] for data in self.events("log") if data["bot"] == player]

    def _program(self, name: str, body: str) -> str:
        x, y, z = self.origin
        others = json.dumps([other for other in self.names if other != name])
        return f"""const at = (x, y, z) => new Vec3({x} + x, {y} + y, {z} + z)
const tell = (value) => console.log("{_TOLD}" + JSON.stringify(value === undefined ? null : value))
const caught = (promise) => promise.then(() => null, (error) => error.name)
const until = async (bot, holds) => {{ while (!holds()) await bot.waitForTicks(1) }}; const others = {others}
async function main (bot) {{
{body}
}}
"""
