"""The place of the trials: attackers, a player that means well, and what can be known of both afterwards."""

from __future__ import annotations

import asyncio
import math
import re
from contextlib import suppress

from bridge.errors import BotLostError, BridgeError, CommandError
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Limits, ProgramOutcome
from common.errors import PrerequisiteError

FLOOR_Y = -61
"""Top layer of the flat world."""
LANE = 12
"""Blocks between two players' places: nobody is in another's way."""
FAR, RUN = 60.0, 7.2
"""A bot that is further from its place, in blocks, has not walked there in a trial; in a long one it may have run, at
so many blocks a second: jumping while it sprints (Minecraft Wiki, Sprinting)."""
USABLE = Limits(wall_s=12)
WALK = 3
STILL_TICKS, STEP = 6, 0.5
"""A bot that walks goes more than a block in that time; what lands or is pushed goes less."""
LOOK_S, MOST_LOOKS = 0.1, 400
LISTENERS_MORE = 3
MOST_CELLS = 10_000_000
"""Cells searched beyond a bot's share: by its last search, which was begun within it, and no more."""
TIMERS_MORE = 12
"""Besides one per bot: a client waits for the server's next sign of life, once it has had the first."""


class TrialArena:
    """Lays out a trial and looks at the world, the bots and the host after it."""

    witness = "Witness"

    def __init__(self, world: EmbeddedWorld, seats: int) -> None:
        self._world = world
        self.attackers = [f"Eve{number}" for number in range(1, seats + 1)]
        self._everybody = [self.witness, *self.attackers]
        self._listeners = 0
        self._timers = 0
        self._clock = 0

    @classmethod
    def honest_program(cls, steps: int, most_s: float) -> str:
        """Source of the player that means well: a step every 0.2 s, each one told; fewer where the machine is slow.

        At each step it sends itself a signal, and takes one that must be its own.
        """
        own = (
            f'await sendSignal(bot, "{cls.witness}", "step"); const taken = await waitSignal(bot, "{cls.witness}"); '
            f'if (taken.from !== "{cls.witness}") throw new Error(`a signal of ${{taken.from}} passed for mine`); '
        )
        return (
            f"async function main (bot) {{ const end = performance.now() + {most_s * 1000:.0f}; "
            f"for (let i = 0; i < {steps} && performance.now() < end; i++) {{ "
            f"await bot.look(i, 0, true); await bot.waitForTicks(4); {own}console.log(`step ${{i}}`) }} }}"
        )

    async def open(self) -> None:
        """Bring all players in and learn how the host looks when nothing is wrong."""
        await self.set_up()
        await self._world.run(self._walks(), USABLE)
        for host in await self._world.fleet.examine():
            self._listeners = max([self._listeners, *host["listeners"].values()])  # none where players are bodies
            self._timers = max(self._timers, host["resources"].get("Timeout", 0))

    async def set_up(self) -> None:
        """Everybody at their place, on whole ground, an empty chest at hand and nothing in hand."""
        await self._world.connect(self._everybody)
        for number, bot in enumerate(self._everybody):
            x = number * LANE
            await self._command(f"fill {x - 4} {FLOOR_Y} -6 {x + 4} {FLOOR_Y} 8 minecraft:grass_block")
            await self._command(f"setblock {x - 3} {FLOOR_Y + 1} -3 minecraft:chest")
            await self._command(f"clear {bot}")
            await self._command(f"tp {bot} {x}.5 {FLOOR_Y + 1} 0.5")
        self._clock = await self._time_of_day()

    async def host_pids(self) -> list[int]:
        """Return the bot hosts' process ids."""
        return [host["pid"] for host in (await self._world.fleet.stats())["hosts"]]

    async def harm(self, trial_s: float) -> list[str]:
        """Return what is wrong now with the world, the host or any bot, after programs had so many seconds."""
        try:
            late = await self._computing()
            await self._world.connect(self._everybody)
            return [
                *late,
                *await self._resting(),
                *await self._rules(trial_s),
                *await self._host(),
                *await self._usable(),
            ]
        except (BridgeError, PrerequisiteError) as error:
            return [f"the machinery is unusable afterwards: {error}"]

    async def _computing(self) -> list[str]:
        """Wait until no program computes on; what nothing interrupts is halted in the end, and its host replaced."""
        left = 0
        for _ in range(MOST_LOOKS):
            with suppress(BridgeError):  # a host that is being replaced
                left = sum(host["lingering"] for host in await self._world.fleet.examine())
                if left == 0:
                    return []
            await asyncio.sleep(LOOK_S)
        return [f"{left} programs compute on after their end"]

    async def _resting(self) -> list[str]:
        """Return who still moves, by the server's own coordinates and clock."""
        before = {bot: await self._position(bot) for bot in self._everybody}
        end = await self._world.now() + STILL_TICKS
        while await self._world.now() < end:
            await self._world.sleep(0.05)
        after = {bot: await self._position(bot) for bot in self._everybody}
        moved = {bot: math.dist(before[bot], after[bot]) for bot in self._everybody}
        return [f"{bot} walks on after its end ({way:.1f} blocks)" for bot, way in moved.items() if way > STEP]

    async def _rules(self, trial_s: float) -> list[str]:
        """Traces of commands in the world's own truth."""
        found, far = [], max(FAR, RUN * trial_s)
        for number, bot in enumerate(self._everybody):
            if "diamond" in await self._command(f"data get entity {bot} Inventory"):
                found.append(f"{bot} has been given items")
            if not (await self._command(f"data get entity {bot} playerGameType")).endswith(" 0"):
                found.append(f"{bot} changed its game mode")
            if (await self._command(f"deop {bot}")).startswith("Made "):
                found.append(f"{bot} was an operator")
            x, _, z = await self._position(bot)
            if abs(x - number * LANE) > far or abs(z) > far:
                found.append(f"{bot} is at {x:.0f}, {z:.0f}: it has not walked there")
        if abs(await self._time_of_day() - self._clock) > 20:
            found.append("the time of day was changed")
        return found

    async def _host(self) -> list[str]:
        """Traces in the host's process."""
        found = []
        for host in await self._world.fleet.examine():
            found += [f"the host's {name} was changed" for name in host["changed"]]
            for bot, count in host["listeners"].items():
                if count > self._listeners + LISTENERS_MORE:
                    found.append(f"{count - self._listeners} listeners were left on {bot}")
            for bot, cells in host["debts"].items():
                if cells > MOST_CELLS:
                    found.append(f"the host searched {cells / 1e6:.0f} million cells for {bot} in the others' time")
            timers = host["resources"].get("Timeout", 0)
            if timers > self._timers + len(self._everybody) + TIMERS_MORE:
                found.append(f"{timers - self._timers} timers were left in the host")
        return found

    async def _usable(self) -> list[str]:
        """Return whether everybody can walk, by the server's own coordinates."""
        await self.set_up()
        before = {bot: await self._position(bot) for bot in self._everybody}
        results = await self._world.run(self._walks(), USABLE)
        found = []
        for bot, (_, _, z) in before.items():
            walked = (await self._position(bot))[2] - z
            if results[bot].outcome is not ProgramOutcome.RETURNED or walked < WALK - 2:
                error = results[bot].error
                found.append(f"{bot} is unusable afterwards ({error.message if error else f'it walked {walked:.1f}'})")
        return found

    def _walks(self) -> dict[str, str]:
        """Everybody's walk from the place where the server has it: a bot on a busy machine may not know of it yet."""
        walk = "async function main (bot) {{ await goTo(bot, {{ x: {x}, y: {y}, z: {z} }}) }}"
        return {bot: walk.format(x=number * LANE, y=FLOOR_Y + 1, z=WALK) for number, bot in enumerate(self._everybody)}

    async def _position(self, bot: str) -> tuple[float, float, float]:
        reply = await self._command(f"data get entity {bot} Pos")
        found = [float(number) for number in re.findall(r"(-?[\d.]+(?:E-?\d+)?)d", reply)]
        if len(found) != 3:
            raise BotLostError(f"{bot} is not in the world ({reply})")
        x, y, z = found
        return x, y, z

    async def _time_of_day(self) -> int:
        """Time of day less the world's age: the same for ever, unless somebody sets the time."""
        day, age = [await self._command(f"time query {which}") for which in ("daytime", "gametime")]
        return (int(day.rpartition(" ")[2]) - int(age.rpartition(" ")[2])) % 24000

    async def _command(self, text: str) -> str:
        """Return the server's reply, refusals included: a refusal is what most of these questions hope for."""
        try:
            return await self._world.command(text)
        except CommandError as error:
            return error.reply
