"""Run progress derived from the event log, reported at starts and ends and otherwise at most once a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from accord.studies.option_groups import RunOptions
from dilemmas.modes.protocol import Mode
from dilemmas.records import events as log
from dilemmas.records.events.base import EventModel
from dilemmas.records.progress_events import ProgressListener, RunAdvanced
from dilemmas.scenarios.base import Scenario

EVERY_S = 1.0
"""Minimum wall time in seconds between two reports on the same episode."""


_TELLING = (
    log.RunStarted, log.RunResumed, log.EpisodeStarted, log.EpisodeEnded, log.RunEnded, log.StateSeen, log.PlacesSeen,
    log.ActBegan,
)  # fmt: skip


@cache
def _may_tell(kind: type[EventModel]) -> bool:
    """Return whether events of a class show progress. Most do not, and this check sees every line of a run."""
    return issubclass(kind, _TELLING) or "round" in kind.model_fields or kind.model_config.get("extra") == "allow"


@dataclass(frozen=True)
class Extent:
    """Maximum length of a run."""

    episodes: int
    of: float
    """Length of an episode in `unit`."""
    unit: str
    timed: bool = True
    """True if times in the log are in `unit`."""

    @classmethod
    def of_run(cls, settings: RunOptions, scenario: Scenario, mode: Mode) -> Extent:
        """Return the maximum length of a study's runs, in the mode's `unit` or in seconds of game time."""
        limit = settings.time_limit_s or scenario.spec.end.time_limit_s
        if mode.several:
            return cls(settings.episodes, limit, "s")
        players = list(scenario.spec.players)
        most = mode.round_count(scenario, limit) or max(
            (mode.extent(scenario, player, limit, settings.episodes)[1] for player in players), default=0
        )
        return cls(1, float(most), mode.unit, mode.timed)


class RunProgress:
    """Reporter of one run's progress, fed with the lines of its event log."""

    def __init__(
        self, run: str, extent: Extent, watch: ProgressListener, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._run = run
        self._extent = extent
        self._watch = watch
        self._clock = clock
        self._episode = 0
        self._reported_s = float("-inf")

    def hear(self, line: log.LogLine) -> None:
        """Handle the next line of the log."""
        event = line.event
        if not _may_tell(type(event)):
            return
        match event:
            case log.RunStarted() | log.RunResumed():
                self._report_progress(0.0)
            case log.EpisodeStarted():
                self._episode = line.episode or self._episode
                self._report_progress(0.0)
            case log.EpisodeEnded():
                self._report_progress(self._extent.of)
            case log.RunEnded():
                self._report_progress(self._extent.of, over=True)
            case log.StateSeen() | log.PlacesSeen() if self._extent.timed:
                self._now_and_then(event.t_s)
            case log.ActBegan() if not self._extent.timed:
                self._now_and_then(float(event.number - 1))
            case _:
                number = getattr(event, "round", None)
                if isinstance(number, int):
                    self._now_and_then(float(number))

    def _now_and_then(self, done: float) -> None:
        if self._clock() - self._reported_s >= EVERY_S:
            self._report_progress(done)

    def _report_progress(self, done: float, *, over: bool = False) -> None:
        self._reported_s = self._clock()
        extent = self._extent
        self._watch(RunAdvanced(self._run, self._episode, extent.episodes, done, extent.of, extent.unit, over))
