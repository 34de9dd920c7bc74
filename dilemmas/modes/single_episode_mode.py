"""Base of modes with one episode, whose agents are asked only while they play."""

from __future__ import annotations

from collections.abc import Sequence

from dilemmas.modes import restoring
from dilemmas.modes.protocol import Mode, PlayedEpisode, Preparation
from dilemmas.records.events import EndStateRead, LogLine, PeriodSettled


class SingleEpisodeMode(Mode):
    """Base class of modes with a single episode: default steps around it."""

    async def due(self, preparation: Preparation, played: PlayedEpisode | None, *, anew: bool) -> list[str]:
        """Return all players before the only episode."""
        return list(preparation.agents) if played is None else []

    async def prepare(self, preparation: Preparation, players: Sequence[str]) -> None:
        """Do nothing: agents are asked during play."""

    async def conclude(self, preparation: Preparation) -> None:
        """Do nothing: there is no review after play."""

    def restore(self, end: EndStateRead, since: Sequence[LogLine]) -> PlayedEpisode:
        """Restore the episode from the log."""
        return restoring.restore_episode(end, since)

    def can_settle(self, since: Sequence[LogLine]) -> bool:
        """Return False after a talk between rounds: only the run knows what was settled before it."""
        return not any(isinstance(line.event, PeriodSettled) for line in since)
