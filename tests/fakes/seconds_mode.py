"""Game mode outside Accord in which all agents are asked once a second until the time limit.

The mode lives in this file only, which lets a test show that no other code depends on particular modes. An agent's
answer is an item, which it holds in the next second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from bridge.types import Limits
from dilemmas.modes import restoring
from dilemmas.modes.arena import Arena
from dilemmas.modes.episodes import gather_all
from dilemmas.modes.protocol import Agents, Mode, PlayedEpisode, Preparation
from dilemmas.records.events import Critique, EndStateRead, LogLine, PoliciesStarted
from dilemmas.scenarios.base import Scenario
from tests.fakes.world import FakeWorld
from voyager_agents.context import AgentContext, require_model
from voyager_agents.cost import CallCost, ImaginedRun, Range
from voyager_agents.family import Family
from voyager_agents.models import ChatMessage, Settings

MODE, FAMILY, ROLE = "seconds", "miners", "miner"


class Seconds(Mode):
    """Game mode in which all agents act once a second."""

    name = MODE

    def check(self, scenario: Scenario) -> None:
        """Accept every scenario."""

    def extent(
        self, scenario: Scenario, player: str, limit_s: float, episodes: int, *, keeps: bool = False
    ) -> tuple[int, int]:
        """Return the number of seconds."""
        return (int(limit_s), int(limit_s))

    async def due(self, preparation: Preparation, played: PlayedEpisode | None, *, anew: bool) -> list[str]:
        """Return all players before the only episode."""
        return list(preparation.agents) if played is None else []

    async def prepare(self, preparation: Preparation, players: Sequence[str]) -> None:
        """Let all agents look around."""
        for player in players:
            preparation.agents[player].scenario = preparation.show(player).scenario

    async def play(self, arena: Arena, agents: Agents, limits: Limits) -> PlayedEpisode:
        """Play until the time limit."""
        world = cast(FakeWorld, arena.world)
        start = await world.now()
        arena.telemetry.start_episode([], start)
        arena.record.log(PoliciesStarted(players=list(agents)), start)
        for second in range(int(limits.wall_s)):
            async with arena.thinking():
                items = list(await gather_all(agent.choose(second) for agent in agents.values()))
            for player, item in zip(agents, items, strict=True):
                world.players[player][item] = world.players[player].get(item, 0) + 1
            await world.sleep(1)
            arena.log_state(float(second + 1), await arena.rules.step(world, float(second + 1)))
        state = await arena.scenario.read(world)
        end = EndStateRead(t_s=limits.wall_s, players=state.players, chest=state.chest, reason="time_limit")
        arena.record.log(end)
        return PlayedEpisode("time_limit", state, {}, (), {}, end.t_s, end.wall_s)

    async def conclude(self, preparation: Preparation) -> None:
        """Log the last words of all agents, which follow from the log and not from the agents."""
        for player in preparation.agents:
            earned = preparation.show(player).reward
            preparation.record.log(Critique(player=player, text=f"I earned {earned}", success=True))

    def restore(self, end: EndStateRead, since: Sequence[LogLine]) -> PlayedEpisode:
        """Restore the episode from the log."""
        return restoring.restore_episode(end, since)

    def can_settle(self, since: Sequence[LogLine]) -> bool:
        """Return True."""
        return True


@dataclass
class Miner:
    """Agent that asks its model every second for an item to dig."""

    seat: AgentContext
    scenario: str = ""

    async def choose(self, second: int) -> str:
        """Return an item."""
        assert self.scenario, "it was shown nothing"
        question = ChatMessage("user", f"You are {self.seat.player}. Second {second}: what do you dig?")
        reply = await require_model(self.seat, ROLE).complete([question], Settings())
        return reply.text


def make(seats: Sequence[AgentContext]) -> list[Miner]:
    """Return an agent for each seat."""
    return [Miner(seat) for seat in seats]


async def cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Return the cost of one short call per second."""
    least, most = run.extent
    each = CallCost(1, 10, 2)
    return {ROLE: (each.times(least), each.times(most))}


def family(**chosen: Any) -> Family:  # noqa: ANN401 - whatever a test wants otherwise
    """Return the family that plays the mode."""
    usual: dict[str, Any] = {
        "plays": MODE,
        "make": make,
        "roles": (ROLE,),
        "cost": cost,
        "negotiates": False,
    }
    return Family(**{**usual, **chosen})
