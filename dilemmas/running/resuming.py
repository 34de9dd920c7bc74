"""Going on with a run that was interrupted: what its log tells up to the last point from which one can go on.

Such a checkpoint is the contract that the negotiation led to, the end state of an episode as the server gave it (where
the mode of play can have it settled from the log), or the end of an episode. What the log holds after its last
checkpoint is done again: an episode in the world from its start; model calls are not, since those that were answered
are in calls.jsonl.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from contracts import load_contract
from contracts.negotiation import Entry, Negotiated, concluded
from dilemmas.modes.observation import Past
from dilemmas.modes.protocol import Mode, Played
from dilemmas.records import events as log
from dilemmas.records.events import Line
from dilemmas.records.metering import Meter
from dilemmas.running.progress import Progress

_AGREED = ("none", "agreed", "failed")


@dataclass
class Restored:
    """Where a run goes on."""

    progress: Progress = field(default_factory=Progress)
    past: Past | None = None
    """The last finished episode."""
    pending: Played | None = None
    """The episode after that, when it was played but not settled."""
    started: bool = False
    """Contract and start are in the log already."""
    renegotiated: bool = False
    """The contract of the episode to come has been negotiated after the last one."""


def checkpoint(lines: Sequence[Line], mode: Mode) -> int:
    """How many lines stand up to the last checkpoint; 0 when there is none."""
    backwards = range(len(lines), 0, -1)
    return next((number for number in backwards if _is_checkpoint(lines, number, mode)), 0)


def ended(lines: Sequence[Line]) -> log.RunEnded | None:
    """The end of a run that needs nothing more; None when there is something to go on with."""
    last = lines[-1].event if lines else None
    return last if isinstance(last, log.RunEnded) and last.status == "complete" else None


def recount(meter: Meter, lines: Sequence[Line]) -> None:
    """Counts the model calls in these lines."""
    for line in lines:
        if isinstance(line.event, log.ModelCalled):
            meter.count(line.event)


def restore(lines: Sequence[Line], players: Sequence[str], mode: Mode) -> Restored:
    """The state of the run after these lines, which end at a checkpoint (or are none)."""
    found = Restored(started=bool(lines))
    table = 0
    for number, line in enumerate(lines):
        match event := line.event:
            case log.ContractEvent() if line.episode is None and event.state in _AGREED:
                found.progress.contract = None if event.contract is None else load_contract(event.contract, players)
                found.renegotiated = found.progress.episodes > 0
                found.progress.negotiation = _negotiation(lines[table:number], players)
                table = number
            case log.PolicyWritten():
                found.progress.policies[event.player] = event.source
                found.progress.files[event.player] = event.file
            case log.EpisodeBroken() if event.repeated:
                found.progress.repeats += 1
            case log.EndStateRead():
                found.pending = mode.restore(event, _since_start(lines, number))
            case log.VerdictGiven():
                found.progress.verdict = _verdict(event)
            case log.EpisodeEnded():
                _finish(found, event, line.episode or 1)
            case _:
                pass
    return found


def _is_checkpoint(lines: Sequence[Line], number: int, mode: Mode) -> bool:
    line = lines[number - 1]
    event = line.event
    if isinstance(event, log.ContractEvent):
        return line.episode is None and event.state in _AGREED
    if isinstance(event, log.EndStateRead):
        return mode.can_settle(_since_start(lines, number))
    return isinstance(event, log.EpisodeEnded)


def _verdict(event: log.VerdictGiven) -> dict[str, Any]:
    """The verdict as plain data; of a second judge only where there was one."""
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
    found.past = Past(dict(progress.policies), played, event.players, critique)
    found.pending = None


def _since_start(lines: Sequence[Line], number: int) -> Sequence[Line]:
    """Of the first `number` lines those since an episode's policies were started."""
    backwards = range(number - 1, -1, -1)
    return lines[next(start for start in backwards if isinstance(lines[start].event, log.PoliciesStarted)) : number]


def _negotiation(lines: Sequence[Line], players: Sequence[str]) -> Negotiated | None:
    turns = [_entry(line.event, players) for line in lines if isinstance(line.event, log.NegotiationTurn)]
    return concluded(turns, players) if turns else None


def _entry(event: log.NegotiationTurn, players: Sequence[str]) -> Entry:
    return Entry(
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
