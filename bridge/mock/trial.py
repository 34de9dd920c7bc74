"""Trial of one program in a fresh world: its events and the items before and after."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.types import BotObservation, Event, Limits, PolicyResult
from bridge.worlds import FLAT, World, open_world

SETTLE_S = 0.3
"""Game seconds after which a bot has seen the effects of commands."""


@dataclass(frozen=True)
class PolicyTrial:
    """A program's run from its first tick to its end."""

    result: PolicyResult
    replies: tuple[str, ...]
    """Replies to the commands that prepared the world."""
    events: tuple[Event, ...]
    """Events during the run: actions, logs, chat, inventory, signals."""
    before: BotObservation
    after: BotObservation

    @property
    def game_s(self) -> float:
        """Game time of the run, in seconds."""
        return self.result.wall_ms / 1000

    @property
    def gained(self) -> dict[str, int]:
        """Item name -> change of its count; unchanged items are left out."""
        names = sorted({*self.before.items, *self.after.items})
        change = {name: self.after.items.get(name, 0) - self.before.items.get(name, 0) for name in names}
        return {name: count for name, count in change.items() if count != 0}


def try_policy(
    source: str,
    *,
    log_dir: Path,
    world: str = "mock",
    seed: int = 0,
    player: str = "Gizmo",
    commands: Sequence[str] = (),
    limits: Limits | None = None,
    terrain: str = FLAT,
) -> PolicyTrial:
    """Run one program as an agent's program is run, in a new world prepared by commands.

    The player joins first, so that commands may name it. Faults of the program are in the result.

    Args:
        source: The program.
        log_dir: Folder for the world's logs.
        world: Name of the world.
        seed: Seed of the world.
        player: Name of the bot.
        commands: Commands that prepare the world.
        limits: Limits of the run.
        terrain: Terrain of the world.

    Raises:
        CommandError: A command was refused.
        PrerequisiteError: Something is missing on this machine.
    """
    opened = open_world(world, seed=seed, log_dir=log_dir, terrain=terrain)
    return asyncio.run(try_in_world(opened, source, player, commands, limits or Limits()))


async def try_in_world(opened: World, source: str, player: str, commands: Sequence[str], limits: Limits) -> PolicyTrial:
    """Run the trial in a world that is not entered yet, which ends with the trial.

    Args:
        opened: The world.
        source: The program.
        player: Name of the bot.
        commands: Commands that prepare the world.
        limits: Limits of the run.
    """
    events: list[Event] = []
    async with opened as world:
        await world.connect([player])
        replies = tuple([await world.command(text) for text in commands])
        await world.sleep(SETTLE_S)
        before = await world.observe(player)
        stream = world.events()

        async def listen() -> None:
            async for event in stream:
                events.append(event)

        listener = asyncio.create_task(listen(), name="trial events")
        try:
            results = await world.run({player: source}, limits)
            await asyncio.sleep(0)
        finally:
            listener.cancel()
            await asyncio.wait([listener])
        after = await world.observe(player)
    return PolicyTrial(results[player], replies, tuple(events), before, after)
