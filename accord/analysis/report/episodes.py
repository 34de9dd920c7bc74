"""Episodes of a run, assembled from the lines of its log in one pass, within bounds that do not grow with the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from accord.analysis.report.episode_timeline import TimelineReader
from accord.analysis.report.model import ReportedEpisode, ReportedPolicy, ReportedTermFinding, ReportedVerdict
from dilemmas.minecraft.telemetry import TICKS_A_SECOND
from dilemmas.records import events as log
from dilemmas.records.states import WholeStates

MAX_SOURCE = 100_000
"""Maximum length of a policy in the report, in characters."""
MAX_SAMPLES = 4_000
"""Maximum number of samples of an episode; beyond it every second one is dropped, repeatedly."""
MAX_HOLDINGS = 100_000
"""Maximum number of players in all samples together; crowds keep fewer samples, at least MIN_SAMPLES
2.
"""
MIN_SAMPLES = 100
MAX_ENTRIES = 50_000
"""Maximum number of entries of an episode's council."""
_Course = log.PoliciesStarted | log.PolicyEvent | log.PolicyEnded
_Judged = log.VerdictGiven | log.TransferBooked | log.Critique
_OWN = frozenset(
    {log.EpisodeBroken, log.PolicyWritten, log.PoliciesStarted, log.PolicyEvent, log.PolicyEnded, log.StateSeen,
     log.EndStateRead, log.VerdictGiven, log.TransferBooked, log.Critique, log.CouncilEntry}
)  # fmt: skip
"""Events that are not part of an episode's course."""


class EpisodeBuilder:
    """Builder of episodes: takes lines in their order; `build` returns the episodes.

    An attempt that infrastructure broke is dropped when the next one begins; only its reason is kept.
    """

    def __init__(self) -> None:
        self._episodes: dict[int, _Episode] = {}
        self._number = 0
        self.ended = 0
        """Number of episodes that have ended so far."""

    def add_line(self, line: log.LogLine) -> None:
        """Handle one line of the log; lines outside of episodes are skipped."""
        self._number = line.episode or self._number
        if not self._number:
            return
        now = self._episodes.get(self._number)
        if now is None:
            now = self._episodes[self._number] = _Episode(self._number)
        match event := line.event:
            case log.EpisodeStarted():
                self.ended -= bool(now.reason)
                now.start_attempt()
            case log.EpisodeEnded():
                self.ended += not now.reason
                now.reason, now.game_s = str(event.reason), event.game_s
                self._settled(now)
            case _:
                now.add_event(event, line.tick)

    def _settled(self, now: _Episode) -> None:
        """Drop the samples of earlier episodes: curves are drawn from the last episode with samples."""
        if now.samples:
            for number, earlier in self._episodes.items():
                if number < now.number:
                    earlier.samples = []

    def build(self) -> tuple[ReportedEpisode, ...]:
        """Return all episodes with any content, in order."""
        found = (self._episodes[number].build() for number in sorted(self._episodes))
        return tuple(each for each in found if each != ReportedEpisode(each.number))


@dataclass
class _Episode:
    """Episode under construction."""

    number: int
    policies: dict[str, ReportedPolicy] = field(default_factory=dict)
    critiques: list[log.Critique] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    samples: list[log.StateSeen] = field(default_factory=list)
    thinning: int = 1
    """One sample is kept out of this many."""
    seen: int = 0
    last: log.StateSeen | None = None
    """Last sample, if it was kept."""
    until: float | None = None
    """Time of the last sample in seconds."""
    states: WholeStates = field(default_factory=WholeStates)
    course: TimelineReader = field(default_factory=TimelineReader)
    verdict: ReportedVerdict | None = None
    movements: list[log.TransferBooked] = field(default_factory=list)
    council: list[log.CouncilEntry] = field(default_factory=list)
    reason: str = ""
    game_s: float | None = None
    started: int | None = None
    """World age at the start of its programs, in ticks."""

    def start_attempt(self) -> None:
        """Start a new attempt; programs and critiques precede it and are kept."""
        fresh = _Episode(self.number, self.policies, self.critiques, self.broken)
        self.__dict__.update(fresh.__dict__)

    def add_event(self, event: log.Event, tick: int | None) -> None:
        """Handle an event of the episode at that tick of the world."""
        if type(event) not in _OWN:
            self.course.add_event(event)
            return
        match event:
            case log.StateSeen() | log.EndStateRead():
                self._sample(event)
            case log.EpisodeBroken():
                self.broken.append(event.reason)
            case log.PolicyWritten():
                self._policy(event)
            case log.PoliciesStarted() | log.PolicyEvent() | log.PolicyEnded():
                self._course(event, tick)
            case log.VerdictGiven() | log.TransferBooked() | log.Critique():
                self._judge(event)
            case log.CouncilEntry():
                if len(self.council) < MAX_ENTRIES:
                    self.council.append(event)
            case _:
                pass

    def build(self) -> ReportedEpisode:
        """Return the episode for the report."""
        samples = self.samples
        if self.until is not None and (not samples or samples[-1] is not self.last):
            samples = [*samples, self.last or self.states.whole(self.until)]
        return ReportedEpisode(
            number=self.number,
            samples=tuple(samples),
            timeline=self.course.entries(),
            ground=self.course.ground,
            ways=self.course.ways(),
            in_rounds=self.course.in_rounds,
            policies=tuple(self.policies.values()),
            verdict=self.verdict,
            movements=tuple(self.movements),
            critiques=tuple(self.critiques),
            council=tuple(self.council),
            reason=self.reason,
            game_s=self.game_s,
            broken=tuple(self.broken),
        )

    def _policy(self, event: log.PolicyWritten) -> None:
        source = event.source
        if len(source) > MAX_SOURCE:
            source = f"{source[:MAX_SOURCE]}\n// {len(source) - MAX_SOURCE} more characters in {event.file}"
        self.policies.pop(event.player, None)
        self.policies[event.player] = ReportedPolicy(event.player, event.author, source)

    def _course(self, event: _Course, tick: int | None) -> None:
        """Handle the start of programs, as the run and then the bots report it, and their ends."""
        if isinstance(event, log.PolicyEnded):
            self._policy_ended(event, tick)
        elif isinstance(event, log.PoliciesStarted) or event.state == "started":
            self.started = tick

    def _policy_ended(self, event: log.PolicyEnded, tick: int | None) -> None:
        """Note a program's end in game time: on a world with a virtual clock no other time passes."""
        game_s = None if tick is None or self.started is None else max(0, tick - self.started) / TICKS_A_SECOND
        if (policy := self.policies.get(event.player)) is not None:
            ended = replace(policy, outcome=event.outcome, error=_problem(event.error), game_s=game_s)
            self.policies[event.player] = ended

    def _sample(self, event: log.StateSeen | log.EndStateRead) -> None:
        """Keep a state. The end state is the last point, since rewards are computed from it."""
        self.states.merge(event)
        # The policies' last tick can precede the scenario's last sample; times in a curve must not decrease.
        self.until = event.t_s if self.until is None else max(self.until, event.t_s)
        self.last = None
        if self.seen % self.thinning == 0:
            self.last = self.states.whole(self.until)
            self.samples.append(self.last)
            if len(self.samples) > min(MAX_SAMPLES, max(MIN_SAMPLES, MAX_HOLDINGS // max(1, len(self.last.players)))):
                self.samples = self.samples[::2]
                self.thinning *= 2
        self.seen += 1

    def _judge(self, event: _Judged) -> None:
        match event:
            case log.VerdictGiven() if event.deal is None:
                self.verdict = _verdict(event)
            case log.TransferBooked():
                self.movements.append(event)
            case log.Critique():
                self.critiques.append(event)


def _problem(error: log.PolicyProblem | None) -> str:
    if error is None:
        return ""
    place = f" (line {error.line}" + (f", column {error.column})" if error.column is not None else ")")
    return f"{error.name}: {error.message}" + (place if error.line is not None else "")


def _verdict(event: log.VerdictGiven) -> ReportedVerdict:
    findings = tuple(_finding(each) for each in event.findings)
    return ReportedVerdict(event.judge, event.readable, event.critique, findings, event.raw, event.agreement)


def _finding(data: Mapping[str, Any]) -> ReportedTermFinding:
    values = {str(name): float(value) for name, value in (data.get("values") or {}).items()}
    texts = {key: str(data.get(key, "")) for key in ("subject", "kind", "party", "reason")}
    return ReportedTermFinding(ok=data.get("ok") is True, values=values, **texts)
