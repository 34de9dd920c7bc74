"""Restoration of a played episode from the log, for a run interrupted before the episode's settlement."""

from __future__ import annotations

from collections.abc import Sequence

from bridge.types import PolicyResult, ProgramError, ProgramOutcome
from dilemmas.modes.protocol import PlayedEpisode
from dilemmas.records.events import ChatEvent, EndStateRead, LogEvent, LogLine, PolicyEnded
from dilemmas.scenarios.protocol import EndState


def restore_episode(end: EndStateRead, since: Sequence[LogLine]) -> PlayedEpisode:
    """Return the episode with end state `end` from the lines since its programs started, without bookings."""
    results = {each.player: _result(each, line.tick) for line in since if isinstance(each := line.event, PolicyEnded)}
    spoken = [line.event for line in since if isinstance(line.event, ChatEvent)]
    printed = [line.event for line in since if isinstance(line.event, LogEvent)]
    return PlayedEpisode(
        reason=end.reason,
        state=EndState(dict(end.players), dict(end.chest)),
        results=results,
        chat=tuple((each.sender, each.text) for each in spoken if each.sender is not None),
        logs={name: tuple(each.text for each in printed if each.bot == name) for name in results},
        game_s=end.t_s,
        wall_s=end.wall_s,
    )


def _result(event: PolicyEnded, tick: int | None) -> PolicyResult:
    error = None if event.error is None else ProgramError(**event.error.model_dump())
    return PolicyResult(event.player, ProgramOutcome(event.outcome), error, event.wall_ms, event.cpu_ms, None, tick)
