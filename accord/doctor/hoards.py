"""Attacks on measurement: items hoarded for the next episode, and players who join before the world is set up.

Each program of `bridge/hostile/hoards.js` plays an episode of a scenario, which is then set up again. Any difference
from the first start, in the world or in players' possessions, counts as harm.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from bridge.errors import BridgeError, CommandError
from bridge.hostile import Attack, AttackReport, AttackVerdict, embedded, load_hoards
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Limits, PolicyResult, Senses
from common.errors import PrerequisiteError
from dilemmas.minecraft.telemetry import TelemetryWriter
from dilemmas.modes.arena import Arena
from dilemmas.modes.observation import observation
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.registry import load_scenario

SCENARIO = "double-vein"
CONTAINERS = ("chest", "trapped_chest", "barrel", "ender_chest", "furnace", "hopper", "dropper", "dispenser")
NEARBY = Senses(radius=64, blocks=CONTAINERS)
OWN = ("Inventory", "EnderItems", "XpLevel", "active_effects")
PASSERBY = "Passerby"
JOINS_FIRST = Attack(
    kind="hoards", name="joins-first", success="who joins before the world is set up plays, and is counted", source=""
)
OpenWorld = Callable[[Path], EmbeddedWorld]


@dataclass(frozen=True)
class Hoards:
    """A scenario in a world, with a player that tries to keep something."""

    world: EmbeddedWorld
    arena: Arena

    @property
    def player(self) -> str:
        """Name of the hostile player."""
        return self.arena.players[0]

    async def state(self) -> dict[str, str]:
        """Return query -> reply for everything in which one start can differ from another."""
        asked = [
            "execute if entity @e[type=!player]",
            *(f"data get entity {name} {path}" for name in self.arena.players for path in OWN),
        ]
        replies = await self.world.commands(asked)
        found = {
            text: reply.reply if isinstance(reply, CommandError) else reply
            for text, reply in zip(asked, replies, strict=True)
        }
        seen = (await self.world.sense([self.player], NEARBY))[self.player]
        found["containers"] = str(sorted((block.block, block.position) for block in seen.blocks))
        found["counted"] = str(await self.arena.scenario.read(self.world))
        return found

    async def attempt(self, attack: Attack) -> AttackVerdict:
        """Play the program for an episode, and compare the next start with the first."""
        await self.arena.stage(0)
        fresh = await self.state()
        results = await self.world.run({self.player: attack.source}, Limits(wall_s=attack.wall_s or 30))
        await self.arena.stage(0)
        return verdict(attack, results[self.player], differences(fresh, await self.state()))


def differences(fresh: Mapping[str, str], later: Mapping[str, str]) -> tuple[str, ...]:
    """Return one sentence per difference."""
    return tuple(f"{key}: {later[key]}, not {fresh[key]}" for key in fresh if later[key] != fresh[key])


def verdict(attack: Attack, result: PolicyResult, evidence: tuple[str, ...]) -> AttackVerdict:
    """Return the verdict on an attack."""
    calm: Literal["blocked", "harmless"] = "harmless" if result.error is None else "blocked"
    message = "" if result.error is None else result.error.message
    return AttackVerdict(attack, "breach" if evidence else calm, str(result.outcome), evidence, message)


async def run_hoards(open_world: OpenWorld = embedded, attacks: Sequence[Attack] | None = None) -> AttackReport:
    """Play attacks in a new world, and leave nothing behind. Raises BridgeError if the world does not start.

    Args:
        open_world: Factory of the world.
        attacks: Programs to play; all hoards for None. Whether early players play is looked at in any case.
    """
    began = time.monotonic()
    with TemporaryDirectory(prefix="accord-hoards-") as name:
        folder = Path(name)
        record = RunRecord.create(folder / "run", {})
        try:
            async with open_world(folder / "logs") as world:
                verdicts = await _played(world, record, load_hoards() if attacks is None else attacks)
        finally:
            record.close()
    return AttackReport(verdicts, time.monotonic() - began)


async def _played(world: EmbeddedWorld, record: RunRecord, attacks: Sequence[Attack]) -> tuple[AttackVerdict, ...]:
    scenario = load_scenario(SCENARIO)
    # Joins like any client, without the world's knowledge.
    await world.fleet.connect([PASSERBY])
    arena = Arena(
        world,
        scenario,
        record,
        TelemetryWriter(world, record),
        lambda player: observation(scenario, player, 1, None, None, ""),
    )
    await world.connect([*arena.players, scenario.spec.observer.name])
    mode = await world.command(f"data get entity {PASSERBY} playerGameType")
    await arena.stage(0)
    joined = () if mode.endswith(" 3") else (f"{PASSERBY} is no spectator: {mode}",)
    verdicts = [AttackVerdict(JOINS_FIRST, "breach" if joined else "harmless", "joined", joined)]
    try:
        await scenario.read(world)
    except (BridgeError, PrerequisiteError) as error:
        verdicts = [AttackVerdict(JOINS_FIRST, "breach", "joined", (*joined, f"the players cannot be read: {error}"))]
    hoards = Hoards(world, arena)
    verdicts += [await hoards.attempt(attack) for attack in attacks]
    return tuple(verdicts)
