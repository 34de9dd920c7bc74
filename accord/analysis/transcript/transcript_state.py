"""State that is kept while the lines of a log become transcript steps. Its size does not grow with the log."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, deque
from dataclasses import dataclass, field, replace
from typing import Any

from accord.analysis.transcript.model import StepPart, TranscriptCall, TranscriptStep
from contracts import Contract
from dilemmas.minecraft.telemetry import TICKS_A_SECOND
from dilemmas.records.events import LogLine, ModelCalled, RunStarted

TO, TIMES = "\N{EN DASH}", "\N{MULTIPLICATION SIGN}"
MAX_DEEDS = 40
"""Maximum number of lines in a step of actions; further lines start another step."""
_DETAILS = re.compile(r"\(|:| at ")
"""Start of the details of an action."""
MAX_TITLE_LENGTH = 120
"""Maximum length of a title that lists actions individually, in characters."""
MAX_WAITING_CALLS = 500
"""Maximum number of a player's calls that wait for their step; older ones become steps of their own."""


@dataclass
class RepeatedAct:
    """Action of a body with the number of times it was repeated in a row."""

    text: str
    first: float | None
    last: float | None
    times: int = 1
    trouble: bool = False

    def to_line(self) -> str:
        """Return the action in one line."""
        when = "" if self.first is None else f"{self.first:.1f} s  "
        if self.first is not None and self.last is not None and self.last - self.first >= 0.05:
            when = f"{self.first:.1f}{TO}{self.last:.1f} s  "
        return f"{when}{self.text}{f' {TIMES} {self.times}' if self.times > 1 else ''}"


@dataclass
class ActsSinceStep:
    """Actions of a player since its last step."""

    deeds: list[RepeatedAct] = field(default_factory=list)
    line: LogLine | None = None
    """Line of the last action."""
    gained: dict[str, int] = field(default_factory=dict)
    """Item -> gain since the first of these actions."""

    def add_action(self, text: str, t_s: float | None, line: LogLine, *, trouble: bool = False) -> None:
        """Add an action; a repetition is counted.

        Args:
            text: The action in words.
            t_s: Its time in seconds of game time, if known.
            line: Its line of the log.
            trouble: The action failed.
        """
        self.line = line
        last = self.deeds[-1] if self.deeds else None
        if last is not None and (last.text, last.trouble) == (text, trouble):
            last.times, last.last = last.times + 1, t_s
        else:
            self.deeds.append(RepeatedAct(text, t_s, t_s, trouble=trouble))

    def to_step(self, where: TranscriptStep) -> TranscriptStep:
        """Return all actions as one step at that place."""
        lines = [deed.to_line() for deed in self.deeds]
        got = ", ".join(f"{count:+d} {item}" for item, count in self.gained.items() if count)
        title = got or "; ".join(deed.text for deed in self.deeds)
        if not got and len(title) <= MAX_TITLE_LENGTH and all(deed.times == 1 for deed in self.deeds):
            # The title already has all the information.
            return replace(where, title=title, trouble=any(deed.trouble for deed in self.deeds))
        title = got or self._counted()
        parts = (StepPart("", "\n".join(lines), "list"),) if lines else ()
        return replace(where, title=title, parts=parts, trouble=any(deed.trouble for deed in self.deeds))

    def _counted(self) -> str:
        """Return each kind of action with its count."""
        times: Counter[str] = Counter()
        for deed in self.deeds:
            times[_DETAILS.split(deed.text, maxsplit=1)[0]] += deed.times
        return ", ".join(f"{what} {TIMES} {count}" if count > 1 else what for what, count in times.items())


class TranscriptState:
    """Players, contracts, pending calls and pending actions of one run's log."""

    def __init__(self) -> None:
        self.players: tuple[str, ...] = ()
        """Players in the order of the scenario."""
        self.judge = "judge"
        """Name of the judge."""
        self.reviewed: set[str] = set()
        """Players whose own steps already tell their critics' reviews."""
        self.tool_calls: dict[str, int] = {}
        """Player -> number of its tool call in progress."""
        self.contracts: dict[str, str] = {}
        """Name -> text of the contract in force."""
        self.deals: dict[int, Contract] = {}
        """Number of a deal -> its contract."""
        self.announced: set[int | None] = set()
        """Numbers of the deals that all players are told of once they are agreed."""
        self._deeds: dict[str, ActsSinceStep] = {}
        self._held: dict[str, dict[str, int]] = {}
        self._programs: dict[str, str] = {}
        self._calls: dict[str, deque[TranscriptCall]] = {}
        self._attempt = 1
        self._started: int | None = None
        self._line: LogLine | None = None
        self._rounds: dict[str, int | None] = {}
        self._last: int | None = None
        """Number of the last episode so far."""
        self.lives = False
        """True if agents live in real time; then events of lives tell speech and actions."""
        self.judged = False
        """True if a verdict was given on the episode."""

    def next_line(self, line: LogLine) -> None:
        """Move to the next line of the log."""
        self._line = line
        self._last = line.episode or self._last

    def start_run(self, event: RunStarted) -> None:
        """Handle the start of the run."""
        self.players = tuple(event.players)

    def start_attempt(self, number: int) -> None:
        """Handle the start of an attempt at an episode; all inventories are empty."""
        self._attempt, self._started, self.judged = number, None, False
        self._rounds.clear()
        self._held.clear()

    def start_acting(self) -> None:
        """Note that the players begin to act."""
        self._started = None if self._line is None else self._line.tick

    def new_step(self, player: str, kind: str, title: str = "", **more: object) -> TranscriptStep:
        """Return an empty step of the player at the current line."""
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
        """Return game time since the episode began, in seconds, if known."""
        t_s: float | None = getattr(line.event, "t_s", None)
        if t_s is None and line.tick is not None and self._started is not None:
            return max(0, line.tick - self._started) / TICKS_A_SECOND
        return t_s

    def parties_of(self, deal: int | None) -> tuple[str, ...]:
        """Return the parties of a deal; all players for the contract of all."""
        return self.players if deal is None or deal not in self.deals else self.deals[deal].parties

    def players_except(self, player: str) -> tuple[str, ...]:
        """Return all players except `player`."""
        return tuple(each for each in self.players if each != player)

    # ---- deeds

    def note_action(self, player: str, text: str, *, trouble: bool = False) -> list[TranscriptStep]:
        """Note an action; return the step that is full by now, if any."""
        line = self._line
        assert line is not None
        full = (
            self.take_actions(player) if len(self._deeds.setdefault(player, ActsSinceStep()).deeds) >= MAX_DEEDS else []
        )
        self._deeds.setdefault(player, ActsSinceStep()).add_action(text, self._seconds(line), line, trouble=trouble)
        return full

    def note_inventory(self, player: str, items: dict[str, int]) -> list[TranscriptStep]:
        """Record the player's inventory as an action that gained or lost items."""
        before, self._held[player] = self._held.get(player, {}), dict(items)
        change = {item: items.get(item, 0) - before.get(item, 0) for item in {**before, **items}}
        change = {item: count for item, count in change.items() if count}
        full: list[TranscriptStep] = []
        for item, count in change.items():
            verb = "got" if count > 0 else "gave up"
            amount = abs(count)
            for _ in range(amount if amount < MAX_DEEDS else 1):
                full += self.note_action(player, f"{verb} {item}" if amount < MAX_DEEDS else f"{verb} {amount} {item}")
            gained = self._deeds[player].gained
            gained[item] = gained.get(item, 0) + count
        return full

    def take_actions(self, player: str) -> list[TranscriptStep]:
        """Return the player's actions so far as a step, and start another one."""
        done = self._deeds.pop(player, None)
        if done is None or done.line is None:
            return []
        now, self._line = self._line, done.line
        where = self.new_step(player, "did")
        self._line = now
        return [done.to_step(where)]

    def take_all_actions(self) -> list[TranscriptStep]:
        """Return the actions so far of all players as steps."""
        return [step for player in list(self._deeds) for step in self.take_actions(player)]

    # ---- programs

    def is_new(self, player: str, source: str) -> bool:
        """Return whether the program differs from the player's last one."""
        mark = hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()
        before, self._programs[player] = self._programs.get(player), mark
        return before != mark

    # ---- calls

    def note_call(self, event: ModelCalled) -> list[TranscriptStep]:
        """Note an answered call, which waits for its step; return calls that have waited for too long."""
        call = TranscriptCall(event.player, event.purpose, event.number or 0, event.model, event.tokens, event.usd)
        waiting = self._calls.setdefault(event.player, deque())
        waiting.append(call)
        return [self._unclaimed(waiting.popleft())] if len(waiting) > MAX_WAITING_CALLS else []

    def claim_calls(self, player: str, roles: tuple[str, ...], most: int | None = None) -> tuple[TranscriptCall, ...]:
        """Return at most `most` of the player's calls in these roles that no step has claimed yet, oldest first."""
        waiting = self._calls.get(player, deque())
        wanted = [call for call in waiting if call.role in roles][:most]
        self._calls[player] = deque(call for call in waiting if call not in wanted)
        return tuple(wanted)

    def unclaimed_calls(self) -> list[TranscriptStep]:
        """Return every call that no step has claimed, as steps."""
        calls = [call for waiting in self._calls.values() for call in waiting]
        self._calls.clear()
        return [self._unclaimed(call) for call in calls]

    def _unclaimed(self, call: TranscriptCall) -> TranscriptStep:
        return self.new_step(call.player, "call", f"asked {call.model} as {call.role}", calls=(call,))
