"""Timeline and paths of an episode, read in one pass within fixed bounds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import dist

from accord.analysis import grid_sentences
from accord.analysis.report import sentences
from accord.analysis.report.model import Step, TimelineEntry, Way
from dilemmas.records import events as log

MAX_REMARKS = 5_000
"""Maximum number of entries of a timeline; further entries are counted."""
MAX_STEPS = 20_000
"""Maximum number of places of all players together; beyond it every second one is dropped, repeatedly."""
TOGETHER_S = 5.0
"""Repetitions within this many seconds are one entry of the timeline."""
LEAP = 12.0
"""Blocks in a second, or in a step of a round, beyond which a path is broken: the player was moved."""
RECENT = 4
"""Recent entries of a player that are searched for a repetition, since programs alternate actions."""
_PLACE = re.compile(r"\(-?\d[^()]*\)")
"""Place in a text; an action repeated elsewhere is still a repetition."""
REPEATED = frozenset({"action", "deed", "log"})
"""Kinds whose repetitions become one entry."""
_OF_ALL = frozenset(
    {log.GroundLaid, log.PlacesSeen, log.FieldStepped, log.Decided, log.SocietyChanged, log.GridSocialAct,
     log.GridExchanged, log.GridFault, log.GridPlanned}
)  # fmt: skip
"""Events that are more than a remark of one player."""


@dataclass
class TimelineReader:
    """Reader of the events of one attempt, in their order."""

    ground: log.GroundLaid | None = None
    timeline: list[TimelineEntry] = field(default_factory=list)
    remarks: int = 0
    in_rounds: bool = False
    """True if players decided in rounds, so that times are rounds."""
    _rounds: list[tuple[float, float]] = field(default_factory=list)
    """Rounds of the first and last repetition of each entry of the timeline."""
    _round: float = 0.0
    """Last finished round."""
    _last_s: float = 0.0
    """Latest time of an entry, in seconds."""
    _recent: dict[str, list[int]] = field(default_factory=dict)
    """Player -> indices of its last few entries in the timeline."""
    _steps: dict[str, list[Step | None]] = field(default_factory=dict)
    """Player -> its places over time; None while it was absent."""
    _count: int = 0
    _thinning: int = 1
    _looks: int = 0
    _last_look: float | None = None
    _every: float | None = None
    """Minimum time between two samples in seconds; realtime agents are sampled every few seconds only."""

    def add_event(self, event: log.Event) -> None:
        """Handle an event that belongs to the course of an episode."""
        if type(event) not in _OF_ALL:
            self._hear(event)
            return
        match event:
            case log.GroundLaid():
                self.ground = event
            case log.PlacesSeen():
                self._look(event.t_s, {name: (x, z) for name, (x, _, z) in event.at.items()}, event.gone)
            case log.FieldStepped():
                self._field(event)
            case log.Decided():
                self.in_rounds = True
            case log.SocietyChanged() | log.GridSocialAct() | log.GridExchanged() | log.GridFault() | log.GridPlanned():
                self._on_grid(event)
            case _:
                pass

    def _hear(self, event: log.Event) -> None:
        """Handle an event that may be an entry of the timeline."""
        if self._is_left(event):
            self.remarks += 1
        elif (remark := _remark(event)) is not None:
            # Actions carry their round. All other events precede the rules' step and belong to the next round.
            told = event.round if isinstance(event, log.DeedSeen) else None
            self._note(remark, self._round + 1 if told is None else float(told))

    def _is_left(self, event: log.Event) -> bool:
        """Return whether the event is only counted: the timeline is full, and no entry can be repeated."""
        if len(self.timeline) < MAX_REMARKS or not isinstance(event, log.ActionEvent | log.LogEvent):
            return False
        told = isinstance(event, log.LogEvent) or event.name not in sentences.UNTOLD
        return told and event.t_s is not None and event.t_s - self._last_s > TOGETHER_S

    def ways(self) -> dict[str, Way]:
        """Return player -> the unbroken parts of its path."""
        leap = LEAP * self._thinning * max(1.0, self._every or 1.0)
        found = {name: _parts(steps, leap) for name, steps in self._steps.items()}
        return {name: parts for name, parts in found.items() if parts}

    def entries(self) -> tuple[TimelineEntry, ...]:
        """Return the timeline in the order of the log."""
        left = self.remarks - len(self.timeline)
        more = [TimelineEntry(None, "log", "", f"{left} more remarks are in events.jsonl")] if left else []
        rows = self.timeline
        if self.in_rounds:
            # Bots report seconds of the game, which differ from rounds.
            rows = [
                replace(each, game_s=first, until=last if last > first else None)
                for each, (first, last) in zip(rows, self._rounds, strict=True)
            ]
        return (*rows, *more)

    def _on_grid(self, event: log.Event) -> None:
        for each in grid_sentences.sentences_of(event):
            entry = TimelineEntry(float(each.step), each.kind, each.player, each.text, each.to, each.ok)
            self._note(entry, float(each.step))

    def _field(self, event: log.FieldStepped) -> None:
        """Handle a step of a commons, whose places are cells of its own grid."""
        self._round = float(event.step)
        x0, _, z0 = self.ground.origin if self.ground else (0, 0, 0)
        at = {name: (x + x0 + 0.5, z + z0 + 0.5) for name, (x, z) in event.positions.items()}
        self._look(float(event.step), at, event.out)

    def _look(self, t_s: float, at: Mapping[str, tuple[float, float]], gone: list[str]) -> None:
        if self._last_look is not None and t_s > self._last_look:
            self._every = min(t_s - self._last_look, self._every or t_s - self._last_look)
        self._last_look = t_s
        self._looks += 1
        if self._looks % self._thinning:
            return
        for name, (x, z) in at.items():
            steps = self._steps.setdefault(name, [])
            if not steps or steps[-1] is None or steps[-1][1:] != (x, z):
                steps.append((t_s, x, z))
                self._count += 1
        for name in gone:
            if (steps := self._steps.get(name, [])) and steps[-1] is not None:
                steps.append(None)
        if self._count > MAX_STEPS:
            self._steps = {name: steps[::2] for name, steps in self._steps.items()}
            self._count = sum(len(steps) for steps in self._steps.values())
            self._thinning *= 2

    def _note(self, remark: TimelineEntry, now: float) -> None:
        recent = self._recent.setdefault(remark.who, [])
        for place in recent:
            if _repeats(before := self.timeline[place], remark):
                self.timeline[place] = replace(before, until=remark.game_s, times=before.times + 1)
                self._last_s = max(self._last_s, remark.game_s or 0.0)
                self._rounds[place] = (self._rounds[place][0], now)
                return
        self.remarks += 1
        if len(self.timeline) < MAX_REMARKS:
            self._recent[remark.who] = [*recent, len(self.timeline)][-RECENT:]
            self.timeline.append(remark)
            self._last_s = max(self._last_s, remark.game_s or 0.0)
            self._rounds.append((now, now))


def _repeats(before: TimelineEntry, now: TimelineEntry) -> bool:
    if now.kind not in REPEATED or (before.kind, before.ok, before.to) != (now.kind, now.ok, now.to):
        return False
    since = before.until if before.until is not None else before.game_s
    if now.game_s is None or since is None or now.game_s - since > TOGETHER_S:
        return False
    return _PLACE.sub("", before.text) == _PLACE.sub("", now.text)


def _remark(event: log.Event) -> TimelineEntry | None:
    """Return the timeline's entry for an event, or None without one."""
    match event:
        case log.ActionEvent() if event.name not in sentences.UNTOLD:
            why = sentences.failure_reason(event)
            text = sentences.failed_action_sentence(event, why) if why else sentences.action_sentence(event)
            return TimelineEntry(event.t_s, "action", event.bot, text, ok=event.ok is not False)
        # Messages without a sender come from the game itself and are omitted.
        case log.ChatEvent() if event.sender is not None:
            return TimelineEntry(event.t_s, "chat", event.sender, event.text)
        case log.SignalEvent():
            return TimelineEntry(event.t_s, "signal", event.sender, event.name or "", event.receiver or "all")
        case log.LogEvent():
            return TimelineEntry(event.t_s, "log", event.bot, event.text)
        case log.DeedSeen():
            kind = "deed" if event.deed == "take" else "attack"
            ok = event.deed == "take" or event.hit
            return TimelineEntry(float(event.step), kind, event.player, sentences.deed_sentence(event), ok=ok)
        case log.BotEvent() if event.state in ("died", "kicked", "ended") and event.t_s is not None:
            text = "left the game" if event.state == "ended" else event.state
            return TimelineEntry(
                event.t_s, "bot", event.bot, f"{text}{': ' if event.reason else ''}{event.reason or ''}", ok=False
            )
        case _:
            return None


def _parts(steps: list[Step | None], leap: float) -> Way:
    """Return the steps in parts; a part ends where the player was absent or leapt."""
    parts: list[list[Step]] = [[]]
    for step in steps:
        if step is None or (parts[-1] and dist(parts[-1][-1][1:], step[1:]) > leap):
            parts.append([])
        if step is not None:
            parts[-1].append(step)
    return tuple(tuple(part) for part in parts if part)
