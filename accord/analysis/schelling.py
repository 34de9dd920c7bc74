"""Test of a scenario for a social dilemma: reference players play every number of cooperators against defectors.

Names
    R  payoff of a cooperator when all cooperate          T  payoff of the only defector among cooperators
    P  payoff of a defector when all defect               S  payoff of the only cooperator among defectors

Verdict
    A social dilemma (after Hughes et al. 2018 and Macy and Flache 2002): R > P, R > S, 2 R > T + S, and greed, T > R,
        or fear, P > S. Each margin has a 95 % interval. A condition holds if the whole interval lies above 0, fails if
        none of it does, and is open otherwise. The verdict is undecided while it depends on an open condition; the
        number of seeds that would decide it is estimated, since an interval shrinks with the root of their number.
        Payoffs are those of the episode without any contract.
    With N > 2 players greed and fear are the two ends of the Schelling diagram: a defector's advantage over a
        cooperator beside N - 1 and beside no other cooperators; the numbers between are reported too. 2 R > T + S
        becomes N R > T + (N - 1) C, with C for a cooperator beside a single defector: universal cooperation has the
        highest total.

A scenario's own bots play their usual part and count as neither.

Since the players' parts in a scenario may differ, every rotation of the cooperators is played. Episodes of one seed are
not independent: a seed counts once, with the mean of its rotations, and margins compare payoffs seed by seed.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from accord.analysis.intervals import MIN_RUNS, UNBOUNDED, Interval, mean_interval
from accord.analysis.measures import MeasureSummary, summarize

Verdict = Literal["dilemma", "no dilemma", "undecided"]
DECIMALS = 9
"""Decimals of payoffs that count: rounding errors must not look like chance."""


@dataclass(frozen=True)
class SchellingPoint:
    """Payoffs at one number of cooperators; samples are per seed, averaged over rotations and players of a kind."""

    cooperators: int
    cooperator: tuple[float, ...]
    """Payoffs of a cooperator; empty at zero cooperators."""
    defector: tuple[float, ...]
    welfare: tuple[float, ...]
    payoff_bounds: Interval = UNBOUNDED
    """Least and most possible payoff of a player."""
    welfare_bounds: Interval = UNBOUNDED
    """Least and most possible welfare."""

    def summaries(self, seed: int) -> dict[str, MeasureSummary]:
        """Return the summary by kind of player and of welfare, with intervals of possible values; kinds without
        players are left out."""
        kinds = {
            "cooperator": (self.cooperator, self.payoff_bounds),
            "defector": (self.defector, self.payoff_bounds),
            "welfare": (self.welfare, self.welfare_bounds),
        }
        return {kind: summarize(values, seed).cut_to(bounds) for kind, (values, bounds) in kinds.items() if values}


@dataclass(frozen=True)
class Margin:
    """Margin by which one condition of a dilemma holds."""

    name: str
    mean: float
    ci95: Interval | None
    """95 % interval; None for too few seeds (`accord.analysis.intervals.mean_interval`)."""

    @property
    def holds(self) -> bool:
        """Return whether the condition holds by the means."""
        return self.mean > 0

    @property
    def shown(self) -> bool:
        """Return whether the condition holds by the whole interval."""
        return self.ci95 is not None and self.ci95[0] > 0

    @property
    def refuted(self) -> bool:
        """Return whether the condition fails by the whole interval."""
        return self.ci95 is not None and self.ci95[1] <= 0

    @property
    def certain(self) -> bool:
        """Return whether the whole interval lies on one side of 0."""
        return self.shown or self.refuted

    @property
    def word(self) -> str:
        """ "yes", "no" or "open"."""
        return "yes" if self.shown else "no" if self.refuted else "open"

    def needed(self, seeds: int) -> float:
        """Return the estimated number of seeds that make the margin certain if the means stay; infinite if unknown."""
        if self.certain:
            return seeds
        if self.ci95 is None or self.mean == 0:
            return math.inf
        reach = self.mean - self.ci95[0] if self.mean > 0 else self.ci95[1] - self.mean
        return max(seeds + 1, math.ceil(seeds * (reach / self.mean) ** 2))

    def format_text(self) -> str:
        """Return name, mean and interval: "R > P at 5.5 [-46.0, 60.5]"."""
        interval = "" if self.ci95 is None else f" [{self.ci95[0]:.1f}, {self.ci95[1]:.1f}]"
        return f"{self.name} at {self.mean:.1f}{interval}"


@dataclass(frozen=True)
class Schelling:
    """Schelling diagram of a scenario, and the verdict on it."""

    scenario: str
    players: int
    cooperate: str
    defect: str
    seed: int
    points: tuple[SchellingPoint, ...]
    directory: Path
    """Directory of the records of all episodes."""

    @property
    def samples(self) -> dict[str, tuple[float, ...]]:
        """Samples of R, P, T and S; beyond two players also of C, and of `D i` and `C i` beside i others."""
        first, last = self.points[0], self.points[-1]
        found = {
            "R": last.cooperator,
            "P": first.defector,
            "T": self.points[-2].defector,
            "S": self.points[1].cooperator,
        }
        if self.players == 2:
            return found
        between = {
            name: values
            for others in self._between
            for name, values in (
                (f"D {others}", self.points[others].defector),
                (f"C {others}", self.points[others + 1].cooperator),
            )
        }
        return {**found, "C": self.points[-2].cooperator, **between}

    @property
    def _between(self) -> range:
        """Numbers of other cooperators except none and all."""
        return range(1, self.players - 1)

    @cached_property
    def payoffs(self) -> dict[str, MeasureSummary]:
        """R, P, T, S (and C) with their intervals."""
        bounds = self.points[0].payoff_bounds
        named = {name: values for name, values in self.samples.items() if len(name) == 1}
        return {name: summarize(values, self.seed).cut_to(bounds) for name, values in named.items()}

    @property
    def _best(self) -> str:
        """Condition that universal cooperation has the highest total."""
        return "2R > T + S" if self.players == 2 else f"{self.players}R > T + {self.players - 1}C"

    @property
    def _conditions(self) -> tuple[str, ...]:
        """Conditions that a dilemma must all meet, beside greed or fear."""
        return ("R > P", "R > S", self._best)

    @cached_property
    def margins(self) -> dict[str, Margin]:
        """All conditions by name, in the verdict's order."""
        exploited = "S" if self.players == 2 else "C"
        weights: dict[str, dict[str, float]] = {
            "R > P": {"R": 1, "P": -1},
            "R > S": {"R": 1, "S": -1},
            self._best: {"R": self.players, "T": -1, exploited: 1 - self.players},
            "greed: T > R": {"T": 1, "R": -1},
            "fear: P > S": {"P": 1, "S": -1},
            **{f"D > C beside {others}": {f"D {others}": 1, f"C {others}": -1} for others in self._between},
        }
        return {name: _margin(name, self.samples, each, self.seed) for name, each in weights.items()}

    @property
    def _motives(self) -> tuple[Margin, Margin]:
        """Greed and fear; one of them is enough."""
        return self.margins["greed: T > R"], self.margins["fear: P > S"]

    @property
    def dilemma(self) -> bool | None:
        """Return whether the scenario is a social dilemma by the intervals; None while undecided."""
        conditions = [self.margins[name] for name in self._conditions]
        if all(each.shown for each in conditions) and any(each.shown for each in self._motives):
            return True
        if any(each.refuted for each in conditions) or all(each.refuted for each in self._motives):
            return False
        return None

    @property
    def by_the_means(self) -> bool:
        """Return whether the scenario is a social dilemma by the means alone."""
        return all(self.margins[name].holds for name in self._conditions) and any(each.holds for each in self._motives)

    @property
    def verdict(self) -> Verdict:
        """Verdict in one word."""
        return "undecided" if self.dilemma is None else "dilemma" if self.dilemma else "no dilemma"

    @property
    def seeds(self) -> int:
        """Number of seeds played with each cast."""
        return len(self.points[-1].cooperator)

    @property
    def more_seeds(self) -> int | None:
        """Estimated number of further seeds that would decide, if the means stay.

        0 when decided; None when nothing can be estimated: few seeds have no interval, and a margin of 0 never becomes
        certain.
        """
        if self.dilemma is not None:
            return 0
        conditions = [self.margins[name] for name in self._conditions]
        broken = [each.needed(self.seeds) for each in conditions if not each.holds]
        if not any(each.holds for each in self._motives):
            broken.append(max(each.needed(self.seeds) for each in self._motives))
        motive = min((each.needed(self.seeds) for each in self._motives if each.holds), default=math.inf)
        needed = min(broken) if broken else max(motive, *(each.needed(self.seeds) for each in conditions))
        return None if math.isinf(needed) else int(needed) - self.seeds

    def sentence(self) -> str:
        """Return the verdict in a sentence."""
        parties = f"{self.cooperate} and {self.defect}"
        if self.dilemma is None:
            likely = "is one" if self.by_the_means else "is none"
            undecided = f"Whether {self.scenario} is a social dilemma between {parties} is undecided"
            return f"{undecided} (by the means it {likely}): {self._open()}"
        if not self.dilemma:
            broken = [name for name in self._conditions if self.margins[name].refuted]
            missing = ", ".join(broken) or "neither greed (T > R) nor fear (P > S) is there"
            return f"{self.scenario} is no social dilemma between {parties}: not {missing}"
        motives = [each.name.partition(":")[0] for each in self._motives if each.shown]
        return f"{self.scenario} is a social dilemma between {parties}, by {' and '.join(motives)}"

    def _open(self) -> str:
        """Return the open conditions, and the estimated number of further seeds."""
        open_ones = [self.margins[name] for name in self._conditions if not self.margins[name].certain]
        if not any(each.shown for each in self._motives):
            open_ones += [each for each in self._motives if not each.certain]
        told = ", ".join(each.format_text() for each in open_ones)
        if any(each.ci95 is None for each in open_ones):
            return f"{told}; so few seeds have no interval: play more (--seeds {max(MIN_RUNS, 2 * self.seeds)})"
        if self.more_seeds is None:
            return f"{told}; how many more seeds would decide cannot be said, since the mean is 0"
        many = self.seeds + self.more_seeds
        return f"{told}; about {self.more_seeds} more seeds would decide, if the means stay (--seeds {many})"

    def to_dict(self) -> dict[str, Any]:
        """Return the diagram for JSON."""
        return {
            "scenario": self.scenario,
            "players": self.players,
            "cooperate": self.cooperate,
            "defect": self.defect,
            "points": [
                {
                    "cooperators": point.cooperators,
                    **dict.fromkeys(("cooperator", "defector")),
                    **{kind: summary.to_dict() for kind, summary in point.summaries(self.seed).items()},
                }
                for point in self.points
            ],
            "payoffs": {name: summary.to_dict() for name, summary in self.payoffs.items()},
            "margins": {
                name: {
                    "mean": margin.mean,
                    "ci95": None if margin.ci95 is None else list(margin.ci95),
                    "holds": margin.holds,
                    "certain": margin.certain,
                }
                for name, margin in self.margins.items()
            },
            "dilemma": self.dilemma,
            "verdict": self.verdict,
            "by_the_means": self.by_the_means,
            "more_seeds": self.more_seeds,
        }


def _margin(name: str, samples: Mapping[str, Sequence[float]], weights: Mapping[str, float], seed: int) -> Margin:
    """Return the mean of a weighted sum of the payoffs of each seed. If it never varies, its interval is a point."""
    sides = [samples[side] for side in weights]
    sums = [
        round(sum(weight * value for weight, value in zip(weights.values(), values, strict=True)), DECIMALS)
        for values in zip(*sides, strict=True)
    ]
    mean = round(statistics.fmean(sums), DECIMALS)
    constant = len(sums) > 1 and min(sums) == max(sums)
    return Margin(name, mean, (mean, mean) if constant else mean_interval(sums, seed))
