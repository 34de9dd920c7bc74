"""Curves over game time: step functions of several runs, brought to one grid, as mean with minimum and maximum."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dilemmas.events import StateSeen
from dilemmas.report.model import Run

Measure = Callable[[StateSeen], float]
"""A figure of one moment."""


@dataclass(frozen=True)
class Curve:
    """A measure over game time, over one or more runs; values hold until the next time."""

    times: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


def samples_of(run: Run) -> tuple[StateSeen, ...]:
    """The samples that curves are drawn from: those of the last episode that has any."""
    with_samples = [episode.samples for episode in run.episodes if episode.samples]
    return with_samples[-1] if with_samples else ()


def curve(runs: Sequence[Run], measure: Measure) -> Curve | None:
    """That measure of what players hold, over the runs that have samples; None when none has.

    A run that ended earlier keeps its last value, since its players keep what they hold.
    """
    series = []
    for run in runs:
        if samples := samples_of(run):
            series.append(([each.t_s for each in samples], [measure(each) for each in samples]))
    if not series:
        return None
    times = tuple(sorted({time for steps, _ in series for time in steps}))
    rows = [[_at(steps, values, time) for steps, values in series] for time in times]
    return Curve(
        times,
        tuple(sum(row) / len(row) for row in rows),
        tuple(min(row) for row in rows),
        tuple(max(row) for row in rows),
    )


def _at(steps: Sequence[float], values: Sequence[float], time: float) -> float:
    """The value of a step function; before its first step, the first value."""
    return values[max(bisect_right(steps, time) - 1, 0)]


def held(player: str, item: str) -> Measure:
    """How many of that item the player holds."""
    return lambda state: float(state.players[player].items.get(item, 0)) if player in state.players else 0.0


def reward(player: str) -> Measure:
    """What the player's items are worth to it, before transfers."""
    return lambda state: state.players[player].reward if player in state.players else 0.0


def per_capita(players: Sequence[str]) -> Measure:
    """The mean reward of these players."""
    return lambda state: sum(reward(player)(state) for player in players) / len(players)


def standing(block: str) -> Measure:
    """How many of that block there are in the world."""
    return lambda state: float(state.world.get(block, 0))


def welfare(state: StateSeen) -> float:
    """The sum of all players' rewards."""
    return sum(each.reward for each in state.players.values())
