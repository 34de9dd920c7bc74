"""Progress of a study derived from its progress events: cost, pending work, share done, time left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from accord.analysis.report.text import dollars, one_line
from dilemmas.records.progress_events import (
    CallEnded,
    CallKey,
    CallStarted,
    CallState,
    ProgressEvent,
    RunAdvanced,
    StudyStarted,
)
from voyager_agents.models.watching import Queued, Retrying

MIN_LASTED_S = 5.0
"""Minimum elapsed time of a study, in seconds, before its remaining time is estimated."""
MIN_SHARE = 0.01
"""Minimum share of a study that is done before its remaining time is estimated."""


@dataclass
class _Flight:
    """Model call in flight."""

    model: str
    began: float
    queued: int = 0
    """Concurrency limit of the endpoint while the call waits in its queue; else 0."""
    why: str = ""
    """Error of the last try; empty if no try has failed."""
    since: float = 0.0
    """Time of its first failed try."""
    again: float = 0.0
    """Time of its next try."""


class ProgressState:
    """State of a study's progress, updated by progress events. Times are those of `clock`, in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._runs = 1
        self._done = 0
        self._reached: dict[str, RunAdvanced] = {}
        self._over = 0
        self._flights: dict[CallKey, _Flight] = {}
        self.calls = 0
        """Number of answered calls."""
        self.tokens = 0
        self.usd = 0.0
        """Dollars of calls with a known price."""
        self.unpriced = 0
        self.failed = 0
        self.retries = 0
        self.limited = 0
        """Retries after a 429."""

    def handle_event(self, news: ProgressEvent) -> None:
        """Handle a progress event."""
        match news:
            case StudyStarted():
                self._runs, self._done = news.runs, news.done
                self.calls, self.tokens, self.usd = news.calls, news.tokens, news.usd
                self._began = self._clock()
            case RunAdvanced():
                self._reach(news)
            case CallStarted():
                self._flights[news.who] = _Flight(news.model, self._clock())
            case CallState():
                self._state(news)
            case CallEnded():
                self._end(news)

    def _reach(self, news: RunAdvanced) -> None:
        self._reached[news.run] = news
        if news.over:
            # Finished runs are only counted.
            del self._reached[news.run]
            self._over += 1

    def _state(self, news: CallState) -> None:
        flight = self._flights.get(news.who)
        match news.state:
            case Retrying() as state:
                self.retries += 1
                self.limited += state.limited
                if flight is not None:
                    now = self._clock()
                    flight.since = flight.since if flight.why else now
                    flight.why, flight.again, flight.queued = state.why, now + state.pause_s, 0
            case Queued() as state if flight is not None:
                flight.queued = state.limit
            case _ if flight is not None:
                flight.queued = 0
            case _:
                pass

    def _end(self, news: CallEnded) -> None:
        self._flights.pop(news.who, None)
        if news.failed:
            self.failed += 1
            return
        self.calls += 1
        self.tokens += news.tokens
        self.usd += news.usd or 0.0
        self.unpriced += news.usd is None

    def cost(self) -> str:
        """Return calls, tokens, dollars and retries as text; empty if no model is asked."""
        if not (self.calls or self.retries or self.failed or self._flights):
            return ""
        parts = [_several(self.calls, "call"), f"{self.tokens:,} tokens"]
        if self.usd or not self.unpriced:
            parts.append(dollars(self.usd) + (" and what has no known price" if self.unpriced else ""))
        if self.retries:
            limited = f" ({self.limited} after 429)" if self.limited else ""
            parts.append(_several(self.retries, "retry", "retries") + limited)
        if self.failed:
            parts.append(f"{self.failed} failed")
        return ", ".join(parts)

    def waiting(self) -> str:
        """Return the pending model calls as text: retries, queued calls or the oldest call; empty without any."""
        now = self._clock()
        flights = list(self._flights.items())
        troubled = [flight for _, flight in flights if flight.why]
        if troubled:
            worst = min(troubled, key=lambda flight: flight.since)
            soonest = min(flight.again for flight in troubled) - now
            then = f"retry in {soonest:.0f} s" if soonest >= 0.5 else "asked again"
            several = f" ({len(troubled)} calls)" if len(troubled) > 1 else ""
            return f"endpoint: {one_line(worst.why)} for {now - worst.since:.0f} s, {then}{several}"
        queued = [flight.queued for _, flight in flights if flight.queued]
        if queued:
            return f"{_several(len(queued), 'call waits', 'calls wait')}: the endpoint takes {queued[-1]} at a time"
        if not flights:
            return ""
        who, oldest = min(flights, key=lambda pair: pair[1].began)
        others = f" and {len(flights) - 1} more" if len(flights) > 1 else ""
        return f"waiting for {one_line(who.player)}'s {who.role}{others}, {now - oldest.began:.0f} s"

    def reached(self) -> str:
        """Return the progress of the current run as text; empty with several concurrent runs."""
        if len(self._reached) != 1:
            return ""
        (news,) = self._reached.values()
        inside = f"{news.unit} {news.done:.0f} of {news.of:.0f}"
        if news.unit == "s":
            inside = f"at most {news.of:.0f} s"
        if not news.episode:
            return ""
        return f"episode {news.episode} of {news.episodes}, {inside}" if news.episodes > 1 else inside

    def left(self) -> str:
        """Return the estimated remaining time as text; empty as long as too little of the study is done."""
        lasted = self._clock() - self._began
        wanted = self._runs - self._done
        share = (self._over + sum(news.share for news in self._reached.values())) / max(wanted, 1)
        if lasted < MIN_LASTED_S or share < MIN_SHARE or share >= 1:
            return ""
        return f"at most about {_time(lasted * (1 - share) / share)} left"


def _several(number: int, one: str, several: str = "") -> str:
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
