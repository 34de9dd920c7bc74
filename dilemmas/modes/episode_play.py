"""Programs and tool players of one episode, run together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bridge.types import Limits, PolicyResult
from common.timing import all_done
from dilemmas.modes.arena import Arena

if TYPE_CHECKING:
    from dilemmas.modes.tool_players import ToolPlayer


class EpisodePlay:
    """Programs and tool players of one episode."""

    def __init__(self, arena: Arena, policies: Mapping[str, str], tool_players: Sequence[ToolPlayer]) -> None:
        self._arena = arena
        self._policies = policies
        self._tool_players = tool_players

    async def run(self, limits: Limits) -> dict[str, PolicyResult]:
        """Run all programs and calls to their end."""
        world = self._arena.world
        if not self._tool_players:
            return await world.run(self._policies, limits)

        async def run_programs() -> dict[str, PolicyResult]:
            return await world.run(self._policies, limits)

        found = await all_done([run_programs(), *(each.play() for each in self._tool_players)])
        return {name: result for part in found for name, result in part.items()}

    async def stop(self) -> None:
        """End all programs and calls: the episode is over."""
        for player in self._tool_players:
            player.stop()
        await self._arena.world.cancel()
