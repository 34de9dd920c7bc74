"""What has to be remembered of a log while its lines become steps; nothing of it grows with the log."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, deque
from dataclasses import dataclass, field, replace
from typing import Any

from accord.analysis.transcript.model import StepPart, TranscriptCall, TranscriptStep
from dilemmas.minecraft.telemetry import TICKS_A_SECOND
from dilemmas.records.events import LogLine, ModelCalled, RunStarted

TO, TIMES = "\N{EN DASH}", "\N{MULTIPLICATION SIGN}"
MOST_DEEDS = 40
"""Lines of one step of deeds; more of them make another step."""
_DETAILS = re.compile(r"\(|:| at ")
"""Where a deed's details begin."""
MOST_TITLE = 120
"""Characters in which deeds are told one by one."""
MOST_CALLS = 500
"""Calls of a player that wait for the step that they led to; older ones become steps of their own."""


@dataclass
class RepeatedAct:
    """Something that a body did, as often as it did it in a row."""

    text: str
    first: float | None
    last: float | None
    times: int = 1
    trouble: bool = False

    def line(self) -> str:
        """In one line."""
        when = "" if self.first is None else f"{self.first:.1f} s  "
        if self.first is not None and self.last is not None and self.last - self.first >= 0.05:
            when = f"{self.first:.1f}{TO}{self.last:.1f} s  "
        return f"{when}{self.text}{f' {TIMES} {self.times}' if self.times > 1 else ''}"


@dataclass
class ActsSinceStep:
    """What a player has done since its last step."""

    deeds: list[RepeatedAct] = field(default_factory=list)
    line: LogLine | None = None
    """Of the last one."""
    gained: dict[str, int] = field(default_factory=dict)
    """Item -> how many more it has than before these deeds."""

    def add(self, text: str, t_s: float | None, line: LogLine, *, trouble: bool = False) -> None:
        """One deed more; the same again is counted."""
        self.line = line
        last = self.deeds[-1] if self.deeds else None
        if last is not None and (last.text, last.trouble) == (text, trouble):
            last.times, last.last = last.times + 1, t_s
        else:
            self.deeds.append(RepeatedAct(text, t_s, t_s, trouble=trouble))

    def step(self, where: TranscriptStep) -> TranscriptStep:
        """All of it as one step at that place."""
        lines = [deed.line() for deed in self.deeds]
        got = ", ".join(f"{count:+d} {item}" for item, count in self.gained.items() if count)
        title = got or "; ".join(deed.text for deed in self.deeds)
        if not got and len(title) <= MOST_TITLE and all(deed.times == 1 for deed in self.deeds):
            # The title tells it all.
            return replace(where, title=title, trouble=any(deed.trouble for deed in self.deeds))
        title = got or self._counted()
        parts = (StepPart("", "\n".join(lines), "list"),) if lines else ()
        return replace(where, title=title, parts=parts, trouble=any(deed.trouble for deed in self.deeds))

    def _counted(self) -> str:
        """Each kind of deed with how often it was done."""
        times: Counter[str] = Counter()
        for deed in self.deeds:
            times[_DETAILS.split(deed.text, maxsplit=1)[0]] += deed.times
        return ", ".join(f"{what} {TIMES} {count}" if count > 1 else what for what, count in times.items())


class TranscriptState:
    """Where the lines of one run's log are laid out."""

    def __init__(self) -> None:
        self.players: tuple[str, ...] = ()
        """In the order of the scenario."""
        self.judge = "judge"
        """Who judges."""
        self.reviewed: set[str] = set()
        """Players that tell their critics' reviews themselves."""
        self.contracts: dict[str, str] = {}
        """Name -> text of the contract that is in force."""
        self._deeds: dict[str, ActsSinceStep] = {}
        self._held: dict[str, dict[str, int]] = {}
        self._programs: dict[str, str] = {}
        self._calls: dict[str, deque[TranscriptCall]] = {}
        self._attempt = 1
        self._started: int | None = None
        self._line: LogLine | None = None
        self._rounds: dict[str, int | None] = {}
        self._last: int | None = None
        """The last episode so far."""
        self.lives = False
        """Whether agents live: what is said and done is told in events of their lives."""
        self.judged = False
        """Whether a verdict was given on the episode."""

    def begin(self, line: LogLine) -> None:
        """The next line is laid out."""
        self._line = line
        self._last = line.episode or self._last

    def start(self, event: RunStarted) -> None:
        """The run begins."""
        self.players = tuple(event.players)

    def attempt(self, number: int) -> None:
        """An attempt at an episode begins: nobody holds anything."""
        self._attempt, self._started, self.judged = number, None, False
        self._rounds.clear()
        self._held.clear()

    def started(self) -> None:
        """The players begin to act."""
        self._started = None if self._line is None else self._line.tick

    def place(self, player: str, kind: str, title: str = "", **more: object) -> TranscriptStep:
        """A step of that player at the line that is laid out."""
        line = self._line
        assert line is not None
        t_s = self._seconds(line)
        told: Any = more.pop("round", getattr(line.event, "round", None))
        self._rounds[player] = round_ = told or self._rounds.get(player)
        at: dict[str, Any] = {"t_s": t_s, **more}
        return TranscriptStep(
            player,
            kind,
            title,
            seq=line.seq,
            episode=line.episode or self._last,
            between=line.episode is None,
            attempt=self._attempt,
            round=round_,
            **at,
        )

    def _seconds(self, line: LogLine) -> float | None:
        """Game time since the episode began, where it is known."""
        t_s: float | None = getattr(line.event, "t_s", None)
        if t_s is None and line.tick is not None and self._started is not None:
            return max(0, line.tick - self._started) / TICKS_A_SECOND
        return t_s

    def everybody(self, player: str) -> tuple[str, ...]:
        """All players but that one."""
        return tuple(each for each in self.players if each != player)

    # ---- deeds

    def did(self, player: str, text: str, *, trouble: bool = False) -> list[TranscriptStep]:
        """Notes a deed; gives the step that is full by now, if there is one."""
        line = self._line
        assert line is not None
        full = self.deeds(player) if len(self._deeds.setdefault(player, ActsSinceStep()).deeds) >= MOST_DEEDS else []
        self._deeds.setdefault(player, ActsSinceStep()).add(text, self._seconds(line), line, trouble=trouble)
        return full

    def holds(self, player: str, items: dict[str, int]) -> list[TranscriptStep]:
        """Notes what the player has now, as a deed by which it got or gave it."""
        before, self._held[player] = self._held.get(player, {}), dict(items)
        change = {item: items.get(item, 0) - before.get(item, 0) for item in {**before, **items}}
        change = {item: count for item, count in change.items() if count}
        full: list[TranscriptStep] = []
        for item, count in change.items():
            verb = "got" if count > 0 else "gave up"
            amount = abs(count)
            for _ in range(amount if amount < MOST_DEEDS else 1):
                full += self.did(player, f"{verb} {item}" if amount < MOST_DEEDS else f"{verb} {amount} {item}")
            gained = self._deeds[player].gained
            gained[item] = gained.get(item, 0) + count
        return full

    def deeds(self, player: str) -> list[TranscriptStep]:
        """What the player has done so far, as a step; from here on another one begins."""
        done = self._deeds.pop(player, None)
        if done is None or done.line is None:
            return []
        now, self._line = self._line, done.line
        where = self.place(player, "did")
        self._line = now
        return [done.step(where)]

    def all_deeds(self) -> list[TranscriptStep]:
        """The same of all players."""
        return [step for player in list(self._deeds) for step in self.deeds(player)]

    # ---- programs

    def is_new(self, player: str, source: str) -> bool:
        """Whether that program is another one than the player's last."""
        mark = hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()
        before, self._programs[player] = self._programs.get(player), mark
        return before != mark

    # ---- calls

    def called(self, event: ModelCalled) -> list[TranscriptStep]:
        """A call was answered; it waits for its step. Gives those that have waited for too long."""
        call = TranscriptCall(event.player, event.purpose, event.number or 0, event.model, event.tokens, event.usd)
        waiting = self._calls.setdefault(event.player, deque())
        waiting.append(call)
        return [self._unclaimed(waiting.popleft())] if len(waiting) > MOST_CALLS else []

    def claim(self, player: str, roles: tuple[str, ...], most: int | None = None) -> tuple[TranscriptCall, ...]:
        """The calls of that player in these roles that no step has had yet, at most so many, oldest first."""
        waiting = self._calls.get(player, deque())
        wanted = [call for call in waiting if call.role in roles][:most]
        self._calls[player] = deque(call for call in waiting if call not in wanted)
        return tuple(wanted)

    def unclaimed(self) -> list[TranscriptStep]:
        """Every call that no step has had."""
        calls = [call for waiting in self._calls.values() for call in waiting]
        self._calls.clear()
        return [self._unclaimed(call) for call in calls]

    def _unclaimed(self, call: TranscriptCall) -> TranscriptStep:
        return self.place(call.player, "call", f"asked {call.model} as {call.role}", calls=(call,))
