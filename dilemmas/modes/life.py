"""Life mode: all agents live at the same time for the whole run (`dilemmas.modes.society`).

A world may consist of regions whose players never meet (`bridge.regions`). Each region is then a society of its own
that waits for no other, and their events are merged into one order (`dilemmas.records.merging`).
"""

from __future__ import annotations

import time

from bridge.regions import InRegions, within
from bridge.types import Limits
from common.timing import all_done
from dilemmas.minecraft.telemetry import TelemetryWriter
from dilemmas.modes.arena import Arena
from dilemmas.modes.protocol import Agents, PlayedEpisode
from dilemmas.modes.single_episode_mode import SingleEpisodeMode
from dilemmas.modes.society import LivingSociety, life_spec
from dilemmas.records.events import EndStateRead, PoliciesStarted
from dilemmas.records.merging import RegionMerger
from dilemmas.scenarios.base import Scenario


class LifeMode(SingleEpisodeMode):
    """Lives (`dilemmas.modes.protocol.Mode`) of `voyager_agents.realtime_agent.LivingAgent`."""

    name = "life"
    civic = True

    def check(self, scenario: Scenario) -> None:
        """Check that the scenario describes how its players live. Raises UsageError."""
        life_spec(scenario)

    def extent(
        self, scenario: Scenario, player: str, limit_s: float, episodes: int, *, keeps: bool = False
    ) -> tuple[int, int]:
        """Return the seconds of life.

        The arguments `scenario`, `player`, `limit_s`, `episodes` and `keeps` are those of `Mode.extent`.
        """
        return (int(limit_s), int(limit_s))

    def civic_steps(self, scenario: Scenario, limit_s: float) -> int:
        """Return the number of intervals at which institutions act."""
        return int(limit_s // scenario.civic_every_s)

    async def play(self, arena: Arena, agents: Agents, limits: Limits) -> PlayedEpisode:
        """Play all lives until the time limit."""
        began, start = time.monotonic(), await arena.world.now()
        arena.telemetry.start_episode([], start)
        arena.record.log(PoliciesStarted(players=list(agents)), start)
        if isinstance(arena.world, InRegions):
            t_s = await _apart(arena, arena.world, agents, limits, start)
        else:
            t_s = await LivingSociety(arena, agents, limits, start).live()
        for event in await arena.afterwards():
            arena.record.log(event)
        state = await arena.scenario.read(arena.world)
        wall_s = time.monotonic() - began
        end = EndStateRead(t_s=t_s, players=state.players, chest=state.chest, reason="time_limit", wall_s=wall_s)
        arena.record.log(end)
        return PlayedEpisode("time_limit", state, {}, tuple(arena.telemetry.chat), {}, t_s, wall_s)


async def _apart(arena: Arena, world: InRegions, agents: Agents, limits: Limits, start: int) -> float:
    """Run the lives of all regions; return the lived seconds. Raises the first region's error."""
    shares = world.shares(list(agents))
    async with arena.telemetry.paused():
        with arena.record.merge_regions(len(shares), start) as merging:
            regions = [
                _Region(number, arena, world, {name: agents[name] for name in names}, merging)
                for number, names in enumerate(shares)
            ]
            lives = await all_done(each.live(limits, start) for each in regions)
        # All regions stop at the same tick.
        await arena.world.until(await arena.world.now())
    for each in regions:
        arena.telemetry.chat += each.chat
    return max(lives)


class _Region:
    """One region of the world with its society."""

    def __init__(self, number: int, arena: Arena, world: InRegions, agents: Agents, merging: RegionMerger) -> None:
        self.chat: list[tuple[str, str]] = []
        self._number = number
        self._arena = arena
        self._regions = world.regions
        self._agents = agents
        self._merging = merging

    async def live(self, limits: Limits, start: int) -> float:
        """Run the region's lives, and return the lived seconds."""
        world = self._regions[self._number]
        with within(self._number):
            async with TelemetryWriter(world, self._arena.record) as telemetry:
                telemetry.start_episode([], start)
                part = self._arena.region_arena(self._number, len(self._regions), world, telemetry)
                t_s = (
                    await LivingSociety(part, self._agents, limits, start, self._paced).live() if self._agents else 0.0
                )
                self.chat = telemetry.chat
        self._merging.finish_region(self._number)
        return t_s

    async def _paced(self) -> None:
        """Pause while other regions are far behind."""
        world = self._regions[self._number]
        self._merging.advance_clock(self._number, await world.now())
        if self._merging.is_far_ahead(self._number):
            async with world.standing_still():
                await self._merging.wait_for_others(self._number)
