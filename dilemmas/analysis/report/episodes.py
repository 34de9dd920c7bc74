"""Puts the lines of a run's log together into episodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from dilemmas.analysis.report.model import Episode, Finding, Policy, Remark, Verdict
from dilemmas.records import events as log

MAX_SOURCE = 100_000
"""Characters of a policy that the report shows."""
_Heard = log.ChatEvent | log.SignalEvent | log.LogEvent | log.CouncilEntry
_Judged = log.VerdictGiven | log.TransferBooked | log.Critique


class Draft:
    """Episodes in the making: takes lines in their order; `finish` gives what they were.

    An attempt that infrastructure broke is dropped when the next one begins; only its reason is kept.
    """

    def __init__(self) -> None:
        self._episodes: dict[int, Episode] = {}
        self._number = 0

    @property
    def episodes(self) -> int:
        """How many episodes have ended so far."""
        return sum(bool(each.reason) for each in self._episodes.values())

    def take(self, line: log.Line) -> None:
        """Note one line of the log; what belongs to no episode is left away."""
        self._number = line.episode or self._number
        if not self._number:
            return
        match event := line.event:
            case log.EpisodeStarted():
                self._begin()
            case log.EpisodeBroken():
                self._change(broken=(*self._now.broken, event.reason))
            case log.PolicyWritten():
                self._policy(event)
            case log.PolicyEnded():
                self._policy_ended(event)
            case log.StateSeen() | log.EndStateRead():
                self._sample(event)
            case log.EpisodeEnded():
                self._change(reason=str(event.reason), game_s=event.game_s)
            case log.VerdictGiven() | log.TransferBooked() | log.Critique():
                self._judge(event)
            case log.ChatEvent() | log.SignalEvent() | log.LogEvent() | log.CouncilEntry():
                self._hear(event)
            case _:
                pass

    def finish(self) -> tuple[Episode, ...]:
        """All episodes, in order."""
        return tuple(self._episodes[number] for number in sorted(self._episodes))

    @property
    def _now(self) -> Episode:
        return self._episodes.get(self._number) or Episode(self._number)

    def _change(self, **changes: object) -> None:
        self._episodes[self._number] = replace(self._now, **cast("dict[str, Any]", changes))

    def _begin(self) -> None:
        """A new attempt starts empty; programs and critiques come before it and are kept."""
        self._change(samples=(), timeline=(), verdict=None, movements=(), council=(), reason="", game_s=None)

    def _policy(self, event: log.PolicyWritten) -> None:
        source = event.source
        if len(source) > MAX_SOURCE:
            source = f"{source[:MAX_SOURCE]}\n// {len(source) - MAX_SOURCE} more characters in {event.file}"
        others = tuple(each for each in self._now.policies if each.player != event.player)
        self._change(policies=(*others, Policy(event.player, event.author, source)))

    def _policy_ended(self, event: log.PolicyEnded) -> None:
        error = _problem(event.error)
        ended = tuple(
            replace(each, outcome=event.outcome, error=error, wall_s=event.wall_ms / 1000)
            if each.player == event.player
            else each
            for each in self._now.policies
        )
        self._change(policies=ended)

    def _sample(self, event: log.StateSeen | log.EndStateRead) -> None:
        """The end state is the last point: it is the truth that rewards come from."""
        earlier = self._now.samples
        # The policies' last tick can lie before the scenario's last look; time in a curve never runs back.
        t_s = max(event.t_s, earlier[-1].t_s) if earlier else event.t_s
        world = event.world if isinstance(event, log.StateSeen) else earlier[-1].world if earlier else {}
        self._change(samples=(*earlier, log.StateSeen(t_s=t_s, players=event.players, world=world)))

    def _judge(self, event: _Judged) -> None:
        match event:
            case log.VerdictGiven():
                self._change(verdict=_verdict(event))
            case log.TransferBooked():
                self._change(movements=(*self._now.movements, event))
            case log.Critique():
                self._change(critiques=(*self._now.critiques, event))

    def _hear(self, event: _Heard) -> None:
        match event:
            case log.CouncilEntry():
                self._change(council=(*self._now.council, event))
                return
            case log.ChatEvent():
                remark = Remark(event.t_s, "chat", event.sender or "server", event.text)
            case log.SignalEvent():
                remark = Remark(event.t_s, "signal", event.sender, event.name or "", event.receiver or "all")
            case log.LogEvent():
                remark = Remark(event.t_s, "log", event.bot, event.text)
        self._change(timeline=(*self._now.timeline, remark))


def _problem(error: log.PolicyProblem | None) -> str:
    if error is None:
        return ""
    place = f" (line {error.line}" + (f", column {error.column})" if error.column is not None else ")")
    return f"{error.name}: {error.message}" + (place if error.line is not None else "")


def _verdict(event: log.VerdictGiven) -> Verdict:
    findings = tuple(_finding(each) for each in event.findings)
    return Verdict(event.judge, event.readable, event.critique, findings, event.raw, event.agreement)


def _finding(data: Mapping[str, Any]) -> Finding:
    values = {str(name): float(value) for name, value in (data.get("values") or {}).items()}
    texts = {key: str(data.get(key, "")) for key in ("subject", "kind", "party", "reason")}
    return Finding(ok=data.get("ok") is True, values=values, **texts)
