"""Plot of land with its own players for one case of the conformance suite, in any world under test.

The cases of a suite run concurrently in one world, each on its own plot, so far apart that no bot sees blocks of
another case. Positions are relative to the plot's origin: three numbers in Python, `~x ~y ~z` in commands, `at(x, y,
z)` in programs.
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
"""Distance between two plots in blocks: more than twice the range of a bot's sight and searches."""
GROUND_Y = -60
SETTLE_S = 0.3
"""Game time in which a server reports the effects of commands to every bot, in seconds."""
HEARD_S = 0.01
"""Interval between two checks that bots have read a message, in seconds."""
LONGEST_S = 120
"""Time after which a bot that has read nothing is considered lost, in seconds."""
ARRIVAL_LOOKS = 30
LIMITS = Limits(wall_s=90.0)
_TOLD = "told "
"""Prefix of reports, since primitives print lines of their own."""
_RELATIVE = re.compile(r"~(-?\d*)")


class Plot:
    """A case's access to the world: actions and observations."""

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
        """Name of the first player."""
        return self.names[0]

    @property
    def b(self) -> str:
        """Name of the second player."""
        return self.names[1]

    async def prepare(self) -> None:
        """Connect the players in the plot's middle, two blocks apart and with empty hands."""
        await self.world.connect(self.names)
        places = {name: self.at(2 * index, 0, 0) for index, name in enumerate(self.names)}
        for name, (x, y, z) in places.items():
            await self.world.command(f"gamemode survival {name}")
            await self.world.command(f"tp {name} {x + 0.5} {y} {z + 0.5} 0 0")
            await self.world.command(f"clear {name}")
        await self._arrived({name: (x + 0.5, y, z + 0.5) for name, (x, y, z) in places.items()})

    async def _arrived(self, places: Mapping[str, tuple[float, float, float]]) -> None:
        """Wait until the players know their new positions."""
        for _ in range(ARRIVAL_LOOKS):
            seen = {name: (await self.world.observe(name)).position for name in places}
            away = [name for name, there in places.items() if math.dist(seen[name], there) >= 1.0]
            if not away:
                return
            await self.settle(SETTLE_S)
        raise AssertionError(f"{away} did not come to {[places[name] for name in away]}")

    def at(self, x: int, y: int, z: int) -> tuple[int, int, int]:
        """Return the world coordinates of a position on the plot."""
        return self.origin[0] + x, self.origin[1] + y, self.origin[2] + z

    def took(self, ms: float, least: float, most: float) -> bool:
        """Return True if a duration is vanilla's; bots in real time may be late on a busy machine, but never early."""
        return least <= ms and (ms <= most or VIRTUAL_CLOCK not in self.world.capabilities)

    async def command(self, text: str) -> str:
        """Run a command; `~x ~y ~z` are relative to the plot, {a} and {b} name the players."""
        axis = itertools.cycle(self.origin)
        self._unseen = True
        placed = _RELATIVE.sub(lambda found: str(next(axis) + int(found[1] or 0)), text)
        return await self.world.command(placed.replace("{a}", self.a).replace("{b}", self.names[-1]))

    async def refused(self, text: str) -> str:
        """Return the text of a command's refusal; fail if it is accepted."""
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
        """Run the players' programs concurrently (each text is a function's body), and return the first one's result.

        In a program, `at(x, y, z)` is a position on the plot, `tell(value)` reports a value, `caught(promise)` is the
        name of the promise's error or null, and `until(bot, holds)` waits until the bot sees that a condition holds.
        """
        bodies = {self.a: a} if b is None else {self.a: a, self.b: b}
        await self._run(bodies, limits)
        return self.results[self.a]

    async def _run(self, bodies: Mapping[str, str], limits: Limits) -> None:
        await self._settle()
        self.results = await self.world.run({name: self._program(name, body) for name, body in bodies.items()}, limits)

    async def played(self, a: str, b: str | None = None) -> None:
        """Run programs like `play`; every program must return."""
        await self.play(a, b)
        self._all_returned()

    async def played_by_all(self, bodies: Mapping[str, str]) -> None:
        """Run programs of any number of players (name -> function's body), like `played`."""
        await self._run(bodies, LIMITS)
        self._all_returned()

    def _all_returned(self) -> None:
        for result in self.results.values():
            assert result.outcome == "returned", result.error

    def told(self, player: str | None = None) -> list[Any]:
        """Return the values that a player's programs reported with `tell`, in order."""
        return [json.loads(text[len(_TOLD) :]) for text in self._logs(player or self.a) if text.startswith(_TOLD)]

    async def items(self, player: str | None = None) -> dict[str, int]:
        """Return a player's inventory."""
        return (await self.see(player)).items

    async def see(self, player: str | None = None) -> BotObservation:
        """Return a player's own observation."""
        await self._settle()
        return await self.world.observe(player or self.a)

    async def has_block(self, x: int, y: int, z: int, block: str) -> bool:
        """Return True if the block is at that position; `block` may include states, as in commands."""
        try:
            reply = await self.command(f"execute if block ~{x} ~{y} ~{z} {block}")
        except CommandError:
            return False
        return reply.startswith("Test passed")

    def events(self, kind: str) -> list[Mapping[str, Any]]:
        """Return the data of the world's events of one kind."""
        return [event.data for event in self._events if event.kind == kind]

    async def _settle(self) -> None:
        """Wait until effects of commands have reached the bots, which happens after the reply."""
        if self._unseen:
            await self.settle(SETTLE_S)

    async def settle(self, seconds: float) -> None:
        """Let game time pass until the players have seen its effects."""
        self._unseen = False
        await self.world.sleep(seconds)
        await self._heard()

    async def _heard(self) -> None:
        """Wait until the players have read everything that the server has sent, however slow their host is.

        A chat message to each player takes the same way afterwards. In a world with a virtual clock nothing is in
        transit.
        """
        if VIRTUAL_CLOCK in self.world.capabilities:
            return
        self._marks += 1
        first = len(self._events)
        marks = {f"{name} reads {self._marks}": name for name in self.names}
        replies = await self.world.commands([f'tellraw {name} "{mark}"' for mark, name in marks.items()])
        # A player that has left the world receives nothing.
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
