"""A mode of play that Accord does not have, with agents for it: all are asked once a second for as long as it lasts.

It lives in this file alone, so that a test can show that nothing else knows one mode from another. What an agent
answers is an item; the next second it has it.
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
    """A mode in which all agents act once a second."""

    name = MODE

    def check(self, scenario: Scenario) -> None:
        """Every scenario will do."""

    def extent(
        self, scenario: Scenario, player: str, limit_s: float, episodes: int, *, keeps: bool = False
    ) -> tuple[int, int]:
        """Seconds; all of them."""
        return (int(limit_s), int(limit_s))

    async def due(self, preparation: Preparation, played: PlayedEpisode | None, *, anew: bool) -> list[str]:
        """All, once."""
        return list(preparation.agents) if played is None else []

    async def prepare(self, preparation: Preparation, players: Sequence[str]) -> None:
        """Everybody looks around."""
        for player in players:
            preparation.agents[player].scenario = preparation.show(player).scenario

    async def play(self, arena: Arena, agents: Agents, limits: Limits) -> PlayedEpisode:
        """So many seconds."""
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
        """Everybody has a last word, for the record; what is said follows from the log, and not from the agents."""
        for player in preparation.agents:
            earned = preparation.show(player).reward
            preparation.record.log(Critique(player=player, text=f"I earned {earned}", success=True))

    def restore(self, end: EndStateRead, since: Sequence[LogLine]) -> PlayedEpisode:
        """From the log."""
        return restoring.restore_episode(end, since)

    def can_settle(self, since: Sequence[LogLine]) -> bool:
        """Always."""
        return True


@dataclass
class Miner:
    """Asks its model every second for what to dig."""

    seat: AgentContext
    scenario: str = ""

    async def choose(self, second: int) -> str:
        """An item."""
        assert self.scenario, "it was shown nothing"
        question = ChatMessage("user", f"You are {self.seat.player}. Second {second}: what do you dig?")
        reply = await require_model(self.seat, ROLE).complete([question], Settings())
        return reply.text


def make(seats: Sequence[AgentContext]) -> list[Miner]:
    """An agent for each seat."""
    return [Miner(seat) for seat in seats]


async def cost(run: ImaginedRun) -> Mapping[str, Range]:
    """A short call a second."""
    least, most = run.extent
    each = CallCost(1, 10, 2)
    return {ROLE: (each.times(least), each.times(most))}


def family(**chosen: Any) -> Family:  # noqa: ANN401 - whatever a test wants otherwise
    """Who plays it."""
    usual: dict[str, Any] = {
        "plays": MODE,
        "make": make,
        "roles": (ROLE,),
        "cost": cost,
        "negotiates": False,
    }
    return Family(**{**usual, **chosen})
