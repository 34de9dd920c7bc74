"""The timeline of an episode as the page draws it: a lane for each player, marks in it, and all of it in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accord.analysis.report.model import Remark, ReportedEpisode

MAX_MARKS = 240
"""Marks in one lane; the list below the lanes has more."""
LEAST_SHARE = 0.6
"""Percent of the lane's width that a bar has at least."""
ROOM = 14.0
"""Percent of the lane's width from which on a bar has its text in it."""
KINDS = {
    "action": "did", "deed": "took", "attack": "struck", "chat": "said", "signal": "signalled", "log": "printed",
    "bot": "trouble", "transfer": "paid",
}  # fmt: skip
"""Kind of a remark -> how the list and the legend name it."""
BARS = frozenset({"action"})
"""Kinds that take time: each begins where that player's last one ended."""


@dataclass(frozen=True)
class LaneMark:
    """One mark in a lane; places in percent of its width."""

    kind: str
    left: float
    width: float
    """0 for a moment."""
    ok: bool
    title: str
    text: str = ""
    """What stands in a bar that is wide enough."""


@dataclass(frozen=True)
class Lane:
    """A player's part of the timeline."""

    player: str
    index: int
    end: float
    """Where its program ended, in percent; 100 where that is not known."""
    marks: tuple[LaneMark, ...]
    left: int
    """Marks for which there was no room."""


@dataclass(frozen=True)
class Timeline:
    """All lanes, the scale above them, and the list."""

    lanes: tuple[Lane, ...]
    ticks: tuple[tuple[float, str], ...]
    """(place in percent, label)."""
    kinds: tuple[str, ...]
    """Kinds that occur, for the legend."""
    rows: tuple[Remark, ...]
    """In the order of time, transfers last."""
    in_rounds: bool
    plain: frozenset[str] = frozenset({"action", "deed", "attack", "bot"})
    """Kinds whose text says already what was done."""


def timeline_of(episode: ReportedEpisode, players: Sequence[str]) -> Timeline | None:
    """The timeline of an episode; None where nothing is to be told."""
    rows = timeline_rows(episode)
    if not rows:
        return None
    end = max([episode.game_s or 0.0, *(remark.until or remark.game_s or 0.0 for remark in rows)]) or 1.0
    ended = {policy.player: policy.game_s for policy in episode.policies}
    # In rounds everybody acts in each: the deeds tell what came of it.
    drawn = [remark for remark in rows if not (episode.in_rounds and remark.kind in BARS)]
    lanes = tuple(_lane(name, index, drawn, end, ended.get(name)) for index, name in enumerate(players))
    present = {remark.kind for remark in drawn if remark.who in players}
    kinds = tuple(kind for kind in KINDS if kind in present)
    return Timeline(lanes, _ticks(end), kinds, tuple(rows), episode.in_rounds)


def timeline_rows(episode: ReportedEpisode) -> list[Remark]:
    """All that is told of an episode, in the order of the log; transfers last."""
    return [*episode.timeline, *_transfers(episode)]


def _transfers(episode: ReportedEpisode) -> list[Remark]:
    return [
        Remark(episode.game_s, "transfer", moved.payer, f"{moved.amount:g} ({moved.term})", moved.payee)
        for moved in episode.movements
    ]


def _lane(player: str, index: int, rows: Sequence[Remark], end: float, ended: float | None) -> Lane:
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
            width = max(LEAST_SHARE, width)
        left = min(100 * start / end, 100 - width)
        text = remark.text if width >= ROOM and remark.kind in BARS else ""
        marks.append(LaneMark(remark.kind, round(left, 2), round(width, 2), remark.ok, title_of(remark), text))
    # Bars first, so that moments lie above them.
    shown = sorted(marks[:MAX_MARKS], key=lambda mark: mark.kind not in BARS)
    stop = 100.0 if ended is None else min(100.0, 100 * ended / end)
    return Lane(player, index, round(stop, 2), tuple(shown), len(marks) - len(shown))


def title_of(remark: Remark) -> str:
    """An entry as one line: when, what, how often."""
    until = f" to {remark.until:.1f}" if remark.until is not None else ""
    when = "" if remark.game_s is None else f"{remark.game_s:.1f}{until} s: "
    to = f" to {remark.to}" if remark.to else ""
    times = f" ({remark.times} times)" if remark.times > 1 else ""
    return f"{when}{KINDS.get(remark.kind, remark.kind)}{to}: {remark.text}{times}"


def _ticks(end: float) -> tuple[tuple[float, str], ...]:
    step = next((each for each in (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3600) if end / each <= 6), end / 5)
    count = int(end / step)
    return tuple((round(100 * number * step / end, 2), f"{number * step:g}") for number in range(count + 1))
