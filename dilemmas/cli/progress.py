"""Progress of a study on standard error: what is happening now, and a line for each run that has ended."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.status import Status
from rich.text import Text

from dilemmas.analysis.report.text import one_line
from dilemmas.records import events as log
from dilemmas.records.states import WholeStates


class Progress:
    """Hears every event of a study. Quiet unless `console` is a terminal; use as a context manager."""

    def __init__(self, console: Console, runs: int, announce: bool, jobs: int = 1) -> None:
        """`runs` is how many the study has in all, `jobs` how many at a time; `announce`: tell the address also where
        all else is quiet."""
        self._console = console
        self._runs = runs
        self._announce = announce
        self._jobs = jobs
        self._number = 0
        self._ended = 0
        self._label = ""
        self._states = WholeStates()
        self._shown = console.is_terminal
        self._status: Status | None = console.status("starting") if self._shown else None

    def __enter__(self) -> Progress:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.pause()

    def pause(self) -> None:
        """Stop what moves on the screen, for good."""
        if self._status is not None:
            self._status.stop()

    def hear(self, line: log.Line) -> None:
        """Take note of one event."""
        if self._jobs > 1 and isinstance(line.event, log.RunStarted | log.RunResumed | log.RunEnded):
            self._hear_several(line.event)
        else:
            self._hear_one(line)

    def _hear_one(self, line: log.Line) -> None:
        """Of the one run that is played."""
        state = self._states.take(line.event)
        match event := line.event:
            case log.RunStarted() | log.RunResumed():
                self._number += 1
                self._label = f"{event.condition}, seed {event.seed} ({self._number} of {self._runs})"
                self._now("waiting for the world")
            case log.WorldReady():
                self._tell_address(event)
            case log.NegotiationTurn():
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
        """Say what happens outside of runs."""
        if self._status is not None:
            self._status.update(Text(one_line(text)))

    def _hear_several(self, event: log.RunStarted | log.RunResumed | log.RunEnded) -> None:
        """A run among others has begun or ended."""
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

    def _end(self, event: log.RunEnded) -> None:
        if not self._shown:
            return
        if event.status == "complete":
            players = event.result.get("players") or {}
            payoffs = ", ".join(f"{name} {account.get('payoff', 0):g}" for name, account in players.items())
            text = Text.assemble(("done ", "green"), one_line(f"{self._label}: {payoffs}"))
        else:
            text = Text.assemble((f"{event.status} ", "red"), one_line(f"{self._label}: {event.reason or 'no reason'}"))
        self._console.print(text)


def _rewards(event: log.StateSeen) -> str:
    return ", ".join(f"{name} {holdings.reward:g}" for name, holdings in event.players.items())
