"""The arena of the trials: attackers, an honest player, and checks of both afterwards."""

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
"""Blocks between two players' places."""
FAR, RUN = 60.0, 7.2
"""Distance in blocks that a bot cannot walk in a trial, and speed of sprint-jumping in blocks per second for long
trials (Minecraft Wiki, Sprinting)."""
USABLE = Limits(wall_s=12)
WALK = 3
STILL_TICKS, STEP = 6, 0.5
"""Ticks and distance in blocks that tell a walking bot from one that lands or is pushed."""
LOOK_S, MAX_LOOKS = 0.1, 400
LISTENERS_MORE = 3
MAX_CELLS = 10_000_000
"""Cells that a bot's last search may take beyond its share."""
TIMERS_MORE = 12
"""Timers allowed besides one per bot: a client waits for the server's next keep-alive."""


class TrialArena:
    """Preparation of trials, and checks of world, bots and host afterwards."""

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
        """Return the source of the honest player: a logged step every 0.2 s, fewer on a slow machine.

        At each step it sends itself a signal and takes one, which must be its own.
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
        """Connect all players and record the normal state of the host."""
        await self.set_up()
        await self._world.run(self._walks(), USABLE)
        for host in await self._world.fleet.examine():
            self._listeners = max([self._listeners, *host["listeners"].values()])  # none where players are bodies
            self._timers = max(self._timers, host["resources"].get("Timeout", 0))

    async def set_up(self) -> None:
        """Put all players at their places, on intact ground with an empty chest nearby and empty hands."""
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
        """Return harm to world, host or bots after programs that could take some seconds."""
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
        """Wait until no program computes; one that nothing interrupts is halted in the end, and its host replaced."""
        left = 0
        for _ in range(MAX_LOOKS):
            with suppress(BridgeError):  # a host that is being replaced
                left = sum(host["lingering"] for host in await self._world.fleet.examine())
                if left == 0:
                    return []
            await asyncio.sleep(LOOK_S)
        return [f"{left} programs compute on after their end"]

    async def _resting(self) -> list[str]:
        """Return the bots that still move, by the server's coordinates and clock."""
        before = {bot: await self._position(bot) for bot in self._everybody}
        end = await self._world.now() + STILL_TICKS
        while await self._world.now() < end:
            await self._world.sleep(0.05)
        after = {bot: await self._position(bot) for bot in self._everybody}
        moved = {bot: math.dist(before[bot], after[bot]) for bot in self._everybody}
        return [f"{bot} walks on after its end ({way:.1f} blocks)" for bot, way in moved.items() if way > STEP]

    async def _rules(self, trial_s: float) -> list[str]:
        """Return traces of commands in the world's state."""
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
        """Return traces in the host's process."""
        found = []
        for host in await self._world.fleet.examine():
            found += [f"the host's {name} was changed" for name in host["changed"]]
            for bot, count in host["listeners"].items():
                if count > self._listeners + LISTENERS_MORE:
                    found.append(f"{count - self._listeners} listeners were left on {bot}")
            for bot, cells in host["debts"].items():
                if cells > MAX_CELLS:
                    found.append(f"the host searched {cells / 1e6:.0f} million cells for {bot} in the others' time")
            timers = host["resources"].get("Timeout", 0)
            if timers > self._timers + len(self._everybody) + TIMERS_MORE:
                found.append(f"{timers - self._timers} timers were left in the host")
        return found

    async def _usable(self) -> list[str]:
        """Return the bots that cannot walk, by the server's coordinates."""
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
        """Return a walk for each bot from its position on the server, which a bot on a busy machine may not know
        yet."""
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
        """Return the time of day minus the world's age, which is constant unless the time is set."""
        day, age = [await self._command(f"time query {which}") for which in ("daytime", "gametime")]
        return (int(day.rpartition(" ")[2]) - int(age.rpartition(" ")[2])) % 24000

    async def _command(self, text: str) -> str:
        """Return the server's reply, refusals included, since most of these commands should be refused."""
        try:
            return await self._world.command(text)
        except CommandError as error:
            return error.reply
