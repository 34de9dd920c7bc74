"""Going on with a run that was interrupted: what its log tells up to the last point from which one can go on.

Such a checkpoint is the contract that the negotiation led to, the end state of an episode as the server gave it (where
the mode of play can have it settled from the log), or the end of an episode. What the log holds after its last
checkpoint is done again: an episode in the world from its start; model calls are not, since those that were answered
are in calls.jsonl.

The log is read once, line by line. Held of it are what a run goes on with and, of one episode, the lines that a mode of
play may ask for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from accord.analysis.validity import invalid
from accord.studies.progress import RunState
from contracts import load_contract
from contracts.negotiation import NegotiationRound, concluded
from dilemmas.modes.observation import PastEpisodes
from dilemmas.modes.protocol import TRANSIENT_EVENTS, Mode, PlayedEpisode
from dilemmas.records import events as log
from dilemmas.records.events import LogLine
from dilemmas.records.metering import Meter

_AGREED = ("none", "agreed", "failed")


@dataclass
class Restored:
    """The point from which a run continues."""

    progress: RunState = field(default_factory=RunState)
    past: PastEpisodes | None = None
    """The last finished episode."""
    pending: PlayedEpisode | None = None
    """The episode after that, when it was played but not settled."""
    started: bool = False
    """Contract and start are in the log already."""
    renegotiated: bool = False
    """The contract of the episode to come has been negotiated after the last one."""


@dataclass
class Interrupted:
    """State of an interrupted run, read from its log."""

    restored: Restored = field(default_factory=Restored)
    """The state of the run at the last checkpoint."""
    meter: Meter = field(default_factory=Meter)
    """The model calls up to there."""
    lines: int = 0
    """Number of the log has."""
    keep: int = 0
    """Number of of them stand up to the last checkpoint; 0 when there is none."""
    ended: log.RunEnded | None = None
    """The end of a run that needs nothing more; None when there is something to go on with."""


def read_interrupted(lines: Iterable[LogLine], players: Sequence[str], mode: Mode) -> Interrupted:
    """Return what these lines of a log tell; they are taken one at a time."""
    reading = _Reading(players, mode)
    for line in lines:
        reading.take(line)
    return reading.found


class _Reading:
    """Takes the lines of a log in their order."""

    def __init__(self, players: Sequence[str], mode: Mode) -> None:
        self.found = Interrupted()
        self._mode = mode
        self._restoring = _Restoring(players)
        self._meter = Meter()
        """All model calls so far."""
        self._waiting: list[tuple[LogLine, PlayedEpisode | None]] = []
        """Lines not yet part of the run, which count once a checkpoint follows; an end state comes with its episode."""
        self._since: list[LogLine] | None = None
        """Lines since the policies of an episode were started, until its end state; None outside."""

    def take(self, line: LogLine) -> None:
        """The next line."""
        found, event = self.found, line.event
        found.lines += 1
        ended = event if isinstance(event, log.RunEnded) else None
        # A run that is invalid was played to its end, too: nothing in it would come out otherwise.
        found.ended = ended if ended and (ended.status == "complete" or invalid(ended.result)) else None
        if isinstance(event, log.ModelCalled):
            self._meter.count(event)
        if isinstance(event, _RESTORING):
            self._waiting.append((line, None))
        if isinstance(event, log.PoliciesStarted):
            self._since = []
        if self._since is not None and not isinstance(event, TRANSIENT_EVENTS):
            self._since.append(line)
        if self._is_checkpoint(line):
            self._keep()

    def _is_checkpoint(self, line: LogLine) -> bool:
        event = line.event
        if isinstance(event, log.ContractEvent):
            return line.episode is None and event.state in _AGREED
        if isinstance(event, log.EndStateRead):
            since, self._since = self._since or [], None
            self._waiting.append((line, self._mode.restore(event, since)))
            return self._mode.can_settle(since)
        return isinstance(event, log.EpisodeEnded)

    def _keep(self) -> None:
        """The line that was taken last is a checkpoint."""
        for line, played in self._waiting:
            self._restoring.take(line, played)
        self._waiting = []
        self.found.restored = self._restoring.found
        self.found.restored.started = True
        self.found.meter = self._meter.copy()
        self.found.keep = self.found.lines


_RESTORING = (
    log.ContractEvent, log.NegotiationTurn, log.PolicyWritten, log.EpisodeBroken, log.VerdictGiven, log.EpisodeEnded
)  # fmt: skip
"""Events that say how far a run has come; an end state does so too."""


class _Restoring:
    """The state of a run, from the lines of `_RESTORING` and end states up to a checkpoint."""

    def __init__(self, players: Sequence[str]) -> None:
        self.found = Restored()
        self._players = players
        self._turns: list[NegotiationRound] = []
        """Rounds of the negotiation since the last contract."""

    def take(self, line: LogLine, played: PlayedEpisode | None) -> None:
        """The next line; with an end state, what was `played`."""
        found = self.found
        match event := line.event:
            case log.ContractEvent() if line.episode is None and event.state in _AGREED:
                self._agree(event)
            case log.NegotiationTurn():
                self._turns.append(_entry(event, self._players))
            case log.PolicyWritten():
                found.progress.policies[event.player] = event.source
                found.progress.files[event.player] = event.file
            case log.EpisodeBroken() if event.repeated:
                found.progress.repeats += 1
            case log.EndStateRead():
                found.pending = played
            case log.VerdictGiven():
                found.progress.verdict = _verdict(event)
            case log.EpisodeEnded():
                _finish(found, event, line.episode or 1)
            case _:
                pass

    def _agree(self, event: log.ContractEvent) -> None:
        progress = self.found.progress
        progress.contract = None if event.contract is None else load_contract(event.contract, self._players)
        self.found.renegotiated = progress.episodes > 0
        progress.negotiation = concluded(self._turns, self._players) if self._turns else None
        self._turns = []


def _verdict(event: log.VerdictGiven) -> dict[str, Any]:
    """Return the verdict as plain data; of a second judge only where there was one."""
    plain = event.model_dump(mode="json", exclude={"kind", "transfers"})
    return {key: value for key, value in plain.items() if value is not None}


def _finish(found: Restored, event: log.EpisodeEnded, episode: int) -> None:
    """The pending episode is settled."""
    progress, played = found.progress, found.pending
    if played is None:
        return
    progress.settle(replace(played, reason=event.reason, wall_s=event.wall_s), progress.verdict, event.players)
    progress.episodes = episode
    found.renegotiated = False
    critique = str((progress.verdict or {}).get("critique", ""))
    found.past = PastEpisodes(dict(progress.policies), played, event.players, critique)
    found.pending = None


def _entry(event: log.NegotiationTurn, players: Sequence[str]) -> NegotiationRound:
    return NegotiationRound(
        round=event.turn,
        speaker=event.speaker,
        thought=event.thought,
        message=event.message,
        proposal=None if event.offer is None else load_contract(event.offer, players),
        accepts=event.accepts,
        of=event.of,
        faults=tuple(event.faults),
        raw=tuple(event.raw),
    )
