"""Timeline of an episode as the page draws it: a lane with marks for each player, and a list in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accord.analysis.report.model import ReportedEpisode, TimelineEntry

MAX_MARKS = 240
"""Maximum number of marks in a lane; the list below the lanes has more."""
MIN_BAR_PERCENT = 0.6
"""Minimum width of a bar, in percent of the lane."""
ROOM = 14.0
"""Minimum width of a bar that shows its text, in percent of the lane."""
KINDS = {
    "action": "did", "deed": "took", "attack": "struck", "chat": "said", "signal": "signalled", "log": "printed",
    "bot": "trouble", "transfer": "paid",
}  # fmt: skip
"""Kind of a remark -> its name in list and legend."""
BARS = frozenset({"action"})
"""Kinds with a duration; each starts at the end of the player's last one."""


@dataclass(frozen=True)
class LaneMark:
    """Mark in a lane; places in percent of its width."""

    kind: str
    left: float
    width: float
    """Width; 0 for a moment."""
    ok: bool
    title: str
    text: str = ""
    """Text inside a bar that is wide enough."""


@dataclass(frozen=True)
class Lane:
    """A player's part of the timeline."""

    player: str
    index: int
    end: float
    """End of the player's program in percent; 100 if unknown."""
    marks: tuple[LaneMark, ...]
    left: int
    """Number of omitted marks."""


@dataclass(frozen=True)
class Timeline:
    """All lanes, the scale above them, and the list."""

    lanes: tuple[Lane, ...]
    ticks: tuple[tuple[float, str], ...]
    """(place in percent, label)."""
    kinds: tuple[str, ...]
    """Kinds in the legend."""
    rows: tuple[TimelineEntry, ...]
    """Entries in the order of time, transfers last."""
    in_rounds: bool
    plain: frozenset[str] = frozenset({"action", "deed", "attack", "bot"})
    """Kinds whose text already names the action."""


def timeline_of(episode: ReportedEpisode, players: Sequence[str]) -> Timeline | None:
    """Return the timeline of an episode, or None for an empty one."""
    rows = timeline_rows(episode)
    if not rows:
        return None
    end = max([episode.game_s or 0.0, *(remark.until or remark.game_s or 0.0 for remark in rows)]) or 1.0
    ended = {policy.player: policy.game_s for policy in episode.policies}
    # In rounds all players act in every round; only the results of their actions are drawn.
    drawn = [remark for remark in rows if not (episode.in_rounds and remark.kind in BARS)]
    lanes = tuple(_lane(name, index, drawn, end, ended.get(name)) for index, name in enumerate(players))
    present = {remark.kind for remark in drawn if remark.who in players}
    kinds = tuple(kind for kind in KINDS if kind in present)
    return Timeline(lanes, _ticks(end), kinds, tuple(rows), episode.in_rounds)


def timeline_rows(episode: ReportedEpisode) -> list[TimelineEntry]:
    """Return all entries of an episode in the order of the log, transfers last."""
    return [*episode.timeline, *_transfers(episode)]


def _transfers(episode: ReportedEpisode) -> list[TimelineEntry]:
    return [
        TimelineEntry(episode.game_s, "transfer", moved.payer, f"{moved.amount:g} ({moved.term})", moved.payee)
        for moved in episode.movements
    ]


def _lane(player: str, index: int, rows: Sequence[TimelineEntry], end: float, ended: float | None) -> Lane:
    marks: list[LaneMark] = []
    before = 0.0
    own = [remark for remark in rows if remark.who == player and remark.game_s is not None]
    for remark in own:
        start = remark.game_s or 0.0
        at = remark.until or start
        if remark.kind in BARS:
            start, before = min(before, start), at
        width = 100 * (at - start) / end
        if remark.kind in BARS:
            width = max(MIN_BAR_PERCENT, width)
        left = min(100 * start / end, 100 - width)
        text = remark.text if width >= ROOM and remark.kind in BARS else ""
        marks.append(LaneMark(remark.kind, round(left, 2), round(width, 2), remark.ok, title_of(remark), text))
    # Bars first, so that moments lie above them.
    shown = sorted(marks[:MAX_MARKS], key=lambda mark: mark.kind not in BARS)
    stop = 100.0 if ended is None else min(100.0, 100 * ended / end)
    return Lane(player, index, round(stop, 2), tuple(shown), len(marks) - len(shown))


def title_of(remark: TimelineEntry) -> str:
    """Return an entry as one line: time, action, repetitions."""
    until = f" to {remark.until:.1f}" if remark.until is not None else ""
    when = "" if remark.game_s is None else f"{remark.game_s:.1f}{until} s: "
    to = f" to {remark.to}" if remark.to else ""
    times = f" ({remark.times} times)" if remark.times > 1 else ""
    return f"{when}{KINDS.get(remark.kind, remark.kind)}{to}: {remark.text}{times}"


def _ticks(end: float) -> tuple[tuple[float, str], ...]:
    step = next((each for each in (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3600) if end / each <= 6), end / 5)
    count = int(end / step)
    return tuple((round(100 * number * step / end, 2), f"{number * step:g}") for number in range(count + 1))
