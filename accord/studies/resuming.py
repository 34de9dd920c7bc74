"""State of an interrupted run, restored from its log up to the last checkpoint.

Checkpoints are the contract after a negotiation, the end state of an episode (if the mode of play can settle the
episode from the log), and the end of an episode. Everything after the last checkpoint is repeated: an episode is played
from its start. Answered model calls are not repeated, since their answers are in calls.jsonl.

The log is read once, line by line. Only the restored state and the lines of one episode are kept in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from accord.analysis.validity import invalid
from accord.studies.outcomes import Outcome
from accord.studies.progress import RunState, past_episodes
from contracts import load_contract
from contracts.bargaining.deals import DealBook, DealEntry
from contracts.negotiation import NegotiationRound, concluded
from dilemmas.modes.observation import PastEpisodes
from dilemmas.modes.protocol import TRANSIENT_EVENTS, Mode, PlayedEpisode
from dilemmas.records import events as log
from dilemmas.records.events import LogLine
from dilemmas.records.metering import Meter

_AGREED = ("none", "agreed", "failed")


@dataclass
class Restored:
    """Checkpoint from which a run continues."""

    progress: RunState = field(default_factory=RunState)
    past: PastEpisodes | None = None
    """Last finished episode; None before the first."""
    pending: PlayedEpisode | None = None
    """Next episode if it was played but not settled, else None."""
    started: bool = False
    """True if the log has the start of the run and its contract."""
    renegotiated: bool = False
    """True if the contract of the next episode has been renegotiated already."""


@dataclass
class Interrupted:
    """State of an interrupted run, read from its log."""

    restored: Restored = field(default_factory=Restored)
    """State of the run at the last checkpoint."""
    meter: Meter = field(default_factory=Meter)
    """Usage of models up to the last checkpoint."""
    lines: int = 0
    """Number of lines in the log."""
    keep: int = 0
    """Number of lines up to the last checkpoint; 0 without a checkpoint."""
    ended: log.RunEnded | None = None
    """End of a finished run; None if the run has to be continued."""


def read_interrupted(lines: Iterable[LogLine], players: Sequence[str], mode: Mode) -> Interrupted:
    """Return the state of a run from the lines of its log, which are consumed one at a time."""
    reading = _Reading(players, mode)
    for line in lines:
        reading.read_line(line)
    return reading.found


class _Reading:
    """Reader of a log's lines in order, which tracks checkpoints."""

    def __init__(self, players: Sequence[str], mode: Mode) -> None:
        self.found = Interrupted()
        self._mode = mode
        self._restoring = _Restoring(players)
        self._meter = Meter()
        """Usage of models up to the current line."""
        self._waiting: list[tuple[LogLine, PlayedEpisode | None]] = []
        """Lines since the last checkpoint, applied at the next one; a line with an end state has its episode."""
        self._since: list[LogLine] | None = None
        """Lines from the start of an episode's programs to its end state; None outside of episodes."""

    def read_line(self, line: LogLine) -> None:
        """Handle the next line."""
        found, event = self.found, line.event
        found.lines += 1
        ended = event if isinstance(event, log.RunEnded) else None
        # An invalid run was played to its end too; repeating it would not change its result.
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
        if isinstance(event, log.TalkEnded):
            return line.episode is None
        if isinstance(event, log.ContractEvent):
            return line.episode is None and event.state in _AGREED
        if isinstance(event, log.EndStateRead):
            since, self._since = self._since or [], None
            self._waiting.append((line, self._mode.restore(event, since)))
            return self._mode.can_settle(since)
        return isinstance(event, log.EpisodeEnded)

    def _keep(self) -> None:
        """Make the last line a checkpoint: apply the waiting lines to the restored state."""
        for line, played in self._waiting:
            self._restoring.read_line(line, played)
        self._waiting = []
        self.found.restored = self._restoring.found
        self.found.restored.started = True
        self.found.meter = self._meter.copy()
        self.found.keep = self.found.lines


_RESTORING = (
    log.ContractEvent, log.NegotiationTurn, log.TalkMessageSent, log.DealChanged, log.TalkEnded, log.TalksVoided,
    log.PolicyWritten,
    log.EpisodeBroken, log.VerdictGiven, log.AgreementEnforced, log.EpisodeEnded,
)  # fmt: skip
"""Events from which the state of a run is restored, besides end states."""


class _Restoring:
    """Builder of a run's state from `_RESTORING` events and end states."""

    def __init__(self, players: Sequence[str]) -> None:
        self.found = Restored()
        self._players = players
        self._turns: list[NegotiationRound] = []
        """Rounds of the negotiation since the last contract."""
        self._deals: list[DealEntry] = []
        """Changes of deals so far."""
        self._outcomes: list[Outcome] = []
        """Outcomes of agreements in the current episode."""

    def read_line(self, line: LogLine, played: PlayedEpisode | None) -> None:
        """Handle the next line; `played` is the episode of an end state, else None."""
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
                self._outcomes.append(_outcome(event))
            case log.AgreementEnforced():
                self._outcomes[-1] = replace(self._outcomes[-1], enforced=_enforced(event))
            case log.EpisodeEnded():
                self._finish(event, line.episode or 1)
            case _:
                self._bargain(line)

    def _bargain(self, line: LogLine) -> None:
        """Handle an event of a talk."""
        progress = self.found.progress
        match event := line.event:
            case log.TalkMessageSent():
                progress.said = event.number
            case log.DealChanged():
                self._deals.append(DealEntry.from_dict(event.entry))
            case log.TalksVoided():
                # The outcomes of the broken attempt are void as well.
                self._deals, progress.said, self._outcomes = self._deals[: event.entries], event.messages, []
            case log.TalkEnded() if line.episode is None:
                self._restore_deals()
                self.found.renegotiated = progress.episodes > 0
            case _:
                pass

    def _restore_deals(self) -> None:
        self.found.progress.book = DealBook.restore(self._players, self._deals)

    def _finish(self, event: log.EpisodeEnded, episode: int) -> None:
        """Settle the pending episode with the accounts in its `EpisodeEnded` event."""
        found, outcomes = self.found, self._outcomes
        progress, played = found.progress, found.pending
        self._outcomes = []
        if played is None:
            return
        if progress.book is not None:
            self._restore_deals()
        settled = replace(played, reason=event.reason, wall_s=event.wall_s)
        progress.settle(settled, outcomes, event.players)
        progress.episodes = episode
        found.renegotiated = False
        found.past = past_episodes(progress, played)
        found.pending = None

    def _agree(self, event: log.ContractEvent) -> None:
        progress = self.found.progress
        progress.contract = None if event.contract is None else load_contract(event.contract, self._players)
        self.found.renegotiated = progress.episodes > 0
        progress.negotiation = concluded(self._turns, self._players) if self._turns else None
        self._turns = []


def _outcome(event: log.VerdictGiven) -> Outcome:
    """Return a verdict as plain data; fields of a second judge are left out without one."""
    plain = event.model_dump(mode="json", exclude={"kind", "transfers", "deal"})
    breaches = [
        {"party": each["party"], "term": each["subject"], "kind": "obligation", "reason": each["reason"]}
        for each in event.findings
        if each["kind"] == "obligation" and not each["ok"]
    ]
    bound = {"force": "binding", "breaches": breaches, "promises": {}, "forfeited": {}, "unread": []}
    return Outcome(event.deal, {key: value for key, value in plain.items() if value is not None}, bound)


def _enforced(event: log.AgreementEnforced) -> dict[str, Any]:
    return event.model_dump(mode="json", include={"force", "breaches", "promises", "forfeited"}) | {
        "unread": list(event.unread)
    }


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
        fault_kinds=tuple(event.fault_kinds),
    )
