"""Pictures of players' starts, for models that see before a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bridge.worlds import World
from dilemmas.minecraft.telemetry import TelemetryWriter
from dilemmas.modes.arena import Arena
from dilemmas.modes.eyes import Eyes
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.base import Scenario
from voyager_agents.agent import Observation

if TYPE_CHECKING:
    from grid_games.spec import GridGame


async def look_at_start(
    world: World, scenario: Scenario, record: RunRecord, show: Callable[[str], Observation], eyes: Eyes, seed: int
) -> None:
    """Build the scenario in a world and take the pictures of its players' starts.

    The record tells of episodes alone: nothing else that happens here is written.

    Args:
        world: An open world.
        scenario: The scenario to build.
        record: The run's record.
        show: Player -> its observation before the episode.
        eyes: Pictures of the run.
        seed: The run's seed.

    Raises:
        InfrastructureError: A component is lost.
    """
    arena = Arena(world, scenario, record, TelemetryWriter(world, record), show)
    await world.connect([*arena.players, scenario.spec.observer.name])
    await arena.stage(seed)
    await eyes.take(world, "start", arena.players)


def draw_start(game: GridGame, players: list[str], seed: int, episode: int, eyes: Eyes) -> None:
    """Draw a grid game as its players see it before the first step of an episode.

    Args:
        game: The game.
        players: All players, in the game's order.
        seed: The run's seed.
        episode: Number of the episode, from 1; each has a layout of its own.
        eyes: Pictures of the run.
    """
    if not eyes.players:
        return
    from dilemmas.modes.grid_table import draw_cells
    from grid_games import Batch, observe

    batch = Batch(game, [seed])
    for _ in range(episode - 1):
        batch.reset()
    grid = observe(batch)["grid"][0]
    for name in eyes.players:
        eyes.show_start(name, *draw_cells(game, grid[players.index(name)], eyes.options))
