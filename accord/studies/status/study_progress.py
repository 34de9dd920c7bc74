"""Progress of a study on standard error: current step, cost, pending calls, time left.

On a terminal two lines are updated in place, and a line is printed for each ended run. In a notebook one line below the
cell is updated in place. Elsewhere a line is printed every 30 s, so that a log shows that the study is alive and what
it costs.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from types import TracebackType

from rich.console import Console
from rich.status import Status
from rich.text import Text

from accord.analysis.report.text import one_line
from accord.studies.status.life_progress import LifeProgress
from accord.studies.status.notebook_line import CellLine, Shows
from accord.studies.status.progress_state import ProgressState
from accord.studies.status.status_line import EVERY_S
from dilemmas.records import events as log
from dilemmas.records.progress_events import ProgressEvent
from dilemmas.records.states import WholeStates

CELL_S = 1.0
"""Seconds between two updates of the line below a notebook's cell."""


class StudyProgress:
    """Progress display fed by all events and progress events of a study. Use as a context manager."""

    def __init__(
        self,
        console: Console,
        runs: int,
        *,
        announce: bool,
        jobs: int = 1,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        display: Shows | None = None,
    ) -> None:
        """Create the display of a study's progress.

        Args:
            console: The console to print to.
            runs: Number of runs in the study.
            announce: Whether to print the world's address even without a terminal.
            jobs: Number of concurrent runs.
            clock: Wall clock in seconds.
            sleep: Waits between two lines without a terminal.
            display: Shows the line of a notebook; None for IPython's `display`.
        """
        self._console = console
        self._runs = runs
        self._announce = announce
        self._jobs = jobs
        self._sleep = sleep
        self._number = 0
        self._ended = 0
        self._label = ""
        self._text = "starting"
        self._states = WholeStates()
        self._living = LifeProgress(clock)
        self._state = ProgressState(clock)
        self._shown = console.is_terminal
        self._cell = CellLine(display) if console.is_jupyter else None
        # The status renders this object at each refresh, so that waiting times advance without events.
        self._status: Status | None = console.status(self) if self._shown else None

    def __enter__(self) -> StudyProgress:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.pause()

    def __rich__(self) -> Text:
        """Return the current lines for the terminal."""
        second = " · ".join(part for part in self._figures() if part)
        return Text.assemble(one_line(self._text), ("\n" + one_line(second) if second else "", "dim"))

    def pause(self) -> None:
        """Stop updating the terminal for good."""
        if self._status is not None:
            self._status.stop()

    @contextlib.asynccontextmanager
    async def beating(self) -> AsyncGenerator[None]:
        """Print a line every 30 s while the block runs, or update the line in a notebook; no-op on a terminal."""
        if self._shown or self._console.quiet:
            yield
            return
        beat = asyncio.create_task(self._beat(), name="progress")
        try:
            yield
        finally:
            beat.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await beat
            if self._cell is not None:
                self._cell.show(self.line())

    async def _beat(self) -> None:
        while self._cell is not None:
            self._cell.show(self.line())
            await self._sleep(CELL_S)
        while True:
            await self._sleep(EVERY_S)
            self._console.print(Text(self.line()), soft_wrap=True)

    def line(self) -> str:
        """Return the whole progress in one line."""
        parts = (self._text, *self._figures())
        return one_line("; ".join(part for part in parts if part), 1000)

    def _figures(self) -> tuple[str, ...]:
        state = self._state
        return (state.waiting(), state.reached(), state.cost(), state.left())

    def watch(self, news: ProgressEvent) -> None:
        """Handle a progress event."""
        self._state.handle_event(news)

    def hear(self, line: log.LogLine) -> None:
        """Handle one event of the log."""
        if self._jobs > 1 and isinstance(line.event, log.RunStarted | log.RunResumed | log.RunEnded):
            self._hear_several(line.event)
        else:
            self._hear_one(line)
            if isinstance(line.event, log.PersonSeen):
                self._tell_person(line.event)
            if told := self._living.handle_event(line.event):
                self._now(told)

    def _hear_one(self, line: log.LogLine) -> None:
        """Handle an event of a single run."""
        state = self._states.full_state_of(line.event)
        match event := line.event:
            case log.RunStarted() | log.RunResumed():
                self._number += 1
                self._label = f"{event.condition}, seed {event.seed} ({self._number} of {self._runs})"
                self._now("waiting for the world")
            case log.WorldReady():
                self._tell_address(event)
            case log.NegotiationTurn() | log.TalkMessageSent():
                self._now(f"negotiating: {event.speaker} has spoken")
            case log.EpisodeStarted():
                again = f", attempt {event.attempt}" if event.attempt > 1 else ""
                self._now(f"building the world for episode {line.episode}{again}")
            case log.PolicyWritten():
                self._now(f"{event.player} has written its program")
            case log.PoliciesStarted():
                self._now("playing")
            case log.StateSeen() if state is not None:
                self._now(f"playing, {event.t_s:.0f} s of game time: {_rewards(state)}")
            case log.VerdictGiven():
                self._now("judged")
            case log.RunEnded():
                self._end(event)
            case _:
                pass

    def note(self, text: str) -> None:
        """Show a step outside of runs."""
        self._text = text

    def _hear_several(self, event: log.RunStarted | log.RunResumed | log.RunEnded) -> None:
        """Handle the start or end of one of several runs played side by side."""
        if isinstance(event, log.RunEnded):
            self._ended += 1
            self._label = f"{event.result.get('condition')}, seed {event.result.get('seed')} ({self._ended} done)"
            self._end(event)
        else:
            self._number += 1
        self.note(f"{self._ended} of {self._runs} runs are over, {max(0, self._number - self._ended)} are being played")

    def _now(self, text: str) -> None:
        self.note(f"{self._label}: {text}")

    def _tell_address(self, event: log.WorldReady) -> None:
        if event.address and not event.reused and (self._shown or self._announce):
            text = f"to watch: join {event.address} with Minecraft {event.version or '1.20.4'}"
            self._console.print(Text(one_line(text)), soft_wrap=True)

    def _tell_person(self, event: log.PersonSeen) -> None:
        """Print the state of a human player and the address to join, even without a terminal."""
        text = f"{event.player}: {event.text}" if event.state == "awaited" else f"{event.player}: {event.state}"
        self._console.print(Text(one_line(text)), soft_wrap=True)
        self._now(f"waiting for {event.player}" if event.state in ("awaited", "left") else "playing")

    def _end(self, event: log.RunEnded) -> None:
        if not self._shown and self._cell is None:
            return
        if event.status == "complete":
            players = event.result.get("players") or {}
            payoffs = ", ".join(f"{name} {account.get('payoff', 0):g}" for name, account in players.items())
            text = Text.assemble(("done ", "green"), one_line(f"{self._label}: {payoffs}"))
        else:
            text = Text.assemble((f"{event.status} ", "red"), one_line(f"{self._label}: {event.reason or 'no reason'}"))
        if self._shown:
            self._console.print(text)
        else:
            self.note(text.plain)


def _rewards(event: log.StateSeen) -> str:
    return ", ".join(f"{name} {holdings.reward:g}" for name, holdings in event.players.items())
