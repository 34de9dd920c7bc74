"""Curves over game time: step functions of several runs on one grid, as mean with minimum and maximum."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from accord.analysis.report.model import ReportedRun
from contracts.institutions import ReputationStanding
from dilemmas.records.events import StateSeen

Measure = Callable[[StateSeen], float]
"""Function from one moment's state to a number."""
_Steps = tuple[Sequence[float], Sequence[float]]
"""Times, and the value from each time on."""


@dataclass(frozen=True)
class Curve:
    """Measure over game time, over one or more runs; a value holds until the next time."""

    times: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    def bends(self) -> Curve:
        """Return the curve with only the times of changes and the last one."""
        rows = list(zip(self.times, self.mean, self.low, self.high, strict=True))
        kept = [row for before, row in pairwise(rows) if before[1:] != row[1:] or row is rows[-1]]
        times, mean, low, high = zip(rows[0], *kept, strict=True)
        return Curve(times, mean, low, high)


def samples_of(run: ReportedRun) -> tuple[StateSeen, ...]:
    """Return the samples of the last episode that has any."""
    with_samples = [episode.samples for episode in run.episodes if episode.samples]
    return with_samples[-1] if with_samples else ()


def curve(runs: Sequence[ReportedRun], measure: Measure) -> Curve | None:
    """Return the curve of a measure of states over the runs with samples, or None without any.

    A run that ended earlier keeps its last value, since its players keep their items.
    """
    series = []
    for run in runs:
        if samples := samples_of(run):
            series.append(([each.t_s for each in samples], [measure(each) for each in samples]))
    return _merged(series)


def reputation(runs: Sequence[ReportedRun], player: str) -> Curve | None:
    """Return a player's reputation over the rounds of the last episodes, or None if no council judged it.

    The reputation follows from the promises that councils found kept or broken, or is a model's judgement.
    """
    series = [steps for run in runs if (steps := standings(run, player))]
    return _merged(series)


def mean_curve(series: Sequence[Sequence[tuple[float, float]]]) -> Curve | None:
    """Return the mean of several runs' steps, given as (time, value from then on), or None without any."""
    return _merged([([time for time, _ in each], [value for _, value in each]) for each in series if each])


def standings(run: ReportedRun, player: str) -> tuple[list[float], list[float]] | None:
    """Return the rounds at which a player's reputation changes and the reputation from each on, or None without any."""
    councils = [episode.council for episode in run.episodes if episode.council]
    entries = [each.entry for each in councils[-1]] if councils else []
    members = {str(name) for entry in entries if entry.get("what") == "council" for name in entry.get("members", ())}
    last = max((float(entry.get("round") or 0) for entry in entries), default=0.0)
    if any(entry.get("what") == "judged" for entry in entries):
        steps = [entry for entry in entries if entry.get("what") == "judged" and entry.get("player") == player]
        rounds, scores = [float(each["round"]) for each in steps], [float(each["score"]) for each in steps]
        return ([*rounds, max(last, rounds[-1])], [*scores, scores[-1]]) if steps else None
    judged = [entry for entry in entries if entry.get("what") in ("kept", "broken")]
    if player not in members or not judged:
        return None
    standing = ReputationStanding()
    rounds, scores = [0.0], [standing.score]
    for entry in judged:
        if entry.get("player") == player:
            standing = standing.after(str(entry["what"]))
            rounds.append(float(entry["round"]))
            scores.append(standing.score)
    return [*rounds, max(last, rounds[-1])], [*scores, standing.score]


def _merged(series: Sequence[_Steps]) -> Curve | None:
    """Return the step functions on one grid, or None without any."""
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
    """Return the value of a step function; before its first step, its first value."""
    return values[max(bisect_right(steps, time) - 1, 0)]


def held(player: str, item: str) -> Measure:
    """Return a measure: the number of an item that a player holds."""
    return lambda state: float(state.players[player].items.get(item, 0)) if player in state.players else 0.0


def reward(player: str) -> Measure:
    """Return a measure: the value of a player's items to it, before transfers."""
    return lambda state: state.players[player].reward if player in state.players else 0.0


def per_capita(players: Sequence[str]) -> Measure:
    """Return a measure: the mean reward of these players."""
    return lambda state: sum(reward(player)(state) for player in players) / len(players)


def standing(block: str) -> Measure:
    """Return a measure: the number of a block in the world."""
    return lambda state: float(state.world.get(block, 0))


def welfare(state: StateSeen) -> float:
    """Return the sum of all players' rewards."""
    return sum(each.reward for each in state.players.values())
