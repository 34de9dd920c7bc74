"""What modes have in common whose agents are asked while they play, and neither before nor after."""

from __future__ import annotations

from collections.abc import Sequence

from dilemmas.modes import restoring
from dilemmas.modes.protocol import PlayedEpisode, Preparation
from dilemmas.records.events import EndStateRead, LogLine


class WithinPlay:
    """The part of such a mode that is around the play (`dilemmas.modes.protocol.Mode`)."""

    several = False

    async def due(self, preparation: Preparation, played: PlayedEpisode | None, *, anew: bool) -> list[str]:
        """All, once."""
        return list(preparation.agents) if played is None else []

    async def prepare(self, preparation: Preparation, players: Sequence[str]) -> None:
        """Nothing: who plays is asked in the game."""

    async def conclude(self, preparation: Preparation) -> None:
        """Nothing: the game was all there is."""

    def restore(self, end: EndStateRead, since: Sequence[LogLine]) -> PlayedEpisode:
        """All that stands in the log."""
        return restoring.played(end, since)

    def can_settle(self, since: Sequence[LogLine]) -> bool:
        """The end state is all that there is to settle."""
        return True
