"""Is a scenario a social dilemma? Every number of cooperators against defectors, played by reference players.

Names
    R  what a cooperator gets when all cooperate          T  what the only defector gets among cooperators
    P  what a defector gets when all defect               S  what the only cooperator gets among defectors

Verdict
    A social dilemma (after Hughes et al. 2018 and Macy and Flache 2002): R > P, R > S, 2 R > T + S, and greed, T > R,
    or fear, P > S. Each margin is told with its 95 % interval. A condition holds where the whole interval lies above 0,
    and does not where none of it does; between the two it is open. The verdict is undecided while it hangs on an open
    condition, with how many more seeds would about decide it: an interval shrinks with the root of the number of
    episodes. Payoffs are those of the episode, without any contract.
    With N > 2 players greed and fear are the two ends of the Schelling diagram: whether a defector does better than a
    cooperator beside N - 1 and beside no other cooperators; those between are told too. 2 R > T + S becomes
    N R > T + (N - 1) C with C for a cooperator beside a single defector: all together have most when all cooperate.

Bots of a scenario play their own part and count among neither.

Where the players' parts in a scenario differ, every rotation of who cooperates is played and averaged.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import yaml

from bridge.worlds import World, open_world
from dilemmas.analysis.measures import BOOTSTRAP_SAMPLES, Summary, summarize
from dilemmas.errors import DilemmaError, UsageError
from dilemmas.running.settings import StudySettings
from dilemmas.running.study import run_study
from dilemmas.scenarios.protocol import Scenario
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.spec import ScenarioSpec
from voyager_agents import PLAYERS

EXTRAS = ("Rivet", "Pixel", "Sprocket", "Cog", "Widget", "Ratchet")
"""Names of players beyond those of the scenario."""
Verdict = Literal["dilemma", "no dilemma", "undecided"]
CLEARANCE = 2
"""Blocks between an added player's spawn and the one that it is copied from."""


@dataclass(frozen=True)
class Plan:
    """What is to be played. Checked when made: every wrong value is a UsageError of one line."""

    scenario: str
    players: int | None = None
    """How many agents play; None for as many as the scenario has."""
    seeds: int = 5
    seed: int = 0
    """The first of the seeds."""
    world: str = "mock"
    cooperate: str | None = None
    """Kind of reference player; None for the scenario's own."""
    defect: str | None = None
    time_limit_s: float | None = None
    out: Path = Path("runs")
    jobs: int = 1
    """Episodes at a time."""

    def __post_init__(self) -> None:
        if self.players is not None and not 2 <= self.players <= 2 + len(EXTRAS):
            raise UsageError(f"players: {self.players} is not legal; give 2 to {2 + len(EXTRAS)}")
        if self.jobs < 1:
            raise UsageError(f"jobs: {self.jobs} is not legal; give 1 or more")
        if self.seeds < 1:
            raise UsageError(f"seeds: {self.seeds} is not legal; give 1 or more")
        for option, kind in (("cooperate", self.cooperate), ("defect", self.defect)):
            if kind is not None and kind not in PLAYERS:
                raise UsageError(f"{option}: unknown reference player {kind!r}; choose one of {', '.join(PLAYERS)}")


@dataclass(frozen=True)
class Point:
    """One number of cooperators; the samples are per episode, averaged over the players of a kind."""

    cooperators: int
    cooperator: tuple[float, ...]
    """Payoff of a cooperator; empty when nobody is one."""
    defector: tuple[float, ...]
    welfare: tuple[float, ...]

    @property
    def kinds(self) -> dict[str, tuple[float, ...]]:
        """The samples by what they are of."""
        return {"cooperator": self.cooperator, "defector": self.defector, "welfare": self.welfare}


@dataclass(frozen=True)
class Margin:
    """By how much one condition of a dilemma holds."""

    name: str
    mean: float
    ci95: tuple[float, float] | None
    """By the bootstrap; None for a single sample each."""

    @property
    def holds(self) -> bool:
        """Whether it does, by the means."""
        return self.mean > 0

    @property
    def shown(self) -> bool:
        """Whether it does, by the whole interval."""
        return self.ci95 is not None and self.ci95[0] > 0

    @property
    def refuted(self) -> bool:
        """Whether it does not, by the whole interval."""
        return self.ci95 is not None and self.ci95[1] <= 0

    @property
    def certain(self) -> bool:
        """Whether the whole interval says the same."""
        return self.shown or self.refuted

    @property
    def word(self) -> str:
        """yes, no or open."""
        return "yes" if self.shown else "no" if self.refuted else "open"

    def needed(self, seeds: int) -> float:
        """About how many seeds make it certain, if the means stay; infinite where nothing tells."""
        if self.certain:
            return seeds
        if self.ci95 is None or self.mean == 0:
            return math.inf
        reach = self.mean - self.ci95[0] if self.mean > 0 else self.ci95[1] - self.mean
        return max(seeds + 1, math.ceil(seeds * (reach / self.mean) ** 2))

    def told(self) -> str:
        """Name, mean and interval: "R > P at 5.5 [-46.0, 60.5]"."""
        interval = "" if self.ci95 is None else f" [{self.ci95[0]:.1f}, {self.ci95[1]:.1f}]"
        return f"{self.name} at {self.mean:.1f}{interval}"


@dataclass(frozen=True)
class Schelling:
    """The diagram and what follows from it."""

    scenario: str
    players: int
    cooperate: str
    defect: str
    seed: int
    points: tuple[Point, ...]
    directory: Path
    """Where the records of all episodes are."""

    @property
    def samples(self) -> dict[str, tuple[float, ...]]:
        """The samples of R, P, T and S; with more than two players of C too, and of `D i` and `C i` beside i others."""
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
        """Numbers of other cooperators that are neither none nor all."""
        return range(1, self.players - 1)

    @cached_property
    def payoffs(self) -> dict[str, Summary]:
        """R, P, T, S (and C) with their intervals."""
        return {name: summarize(values, self.seed) for name, values in self.samples.items() if len(name) == 1}

    @property
    def _best(self) -> str:
        """The condition that all have most together when all cooperate."""
        return "2R > T + S" if self.players == 2 else f"{self.players}R > T + {self.players - 1}C"

    @property
    def _conditions(self) -> tuple[str, ...]:
        """Those that a dilemma has all of; greed or fear comes on top."""
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
        """Whether it is a social dilemma, by the intervals; None while that is undecided."""
        conditions = [self.margins[name] for name in self._conditions]
        if all(each.shown for each in conditions) and any(each.shown for each in self._motives):
            return True
        if any(each.refuted for each in conditions) or all(each.refuted for each in self._motives):
            return False
        return None

    @property
    def by_the_means(self) -> bool:
        """What the means alone would say."""
        return all(self.margins[name].holds for name in self._conditions) and any(each.holds for each in self._motives)

    @property
    def verdict(self) -> Verdict:
        """The same in a word."""
        return "undecided" if self.dilemma is None else "dilemma" if self.dilemma else "no dilemma"

    @property
    def seeds(self) -> int:
        """How many were played of each cast."""
        return len(self.points[-1].cooperator)

    @property
    def more_seeds(self) -> int | None:
        """About how many more seeds would decide, if the means stay as they are: 0 when it is decided, None where
        nothing can be said: a single seed has no interval, and a margin of 0 is never certain."""
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
        """The verdict in words."""
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
        """What the verdict hangs on, and how many more seeds would decide."""
        open_ones = [self.margins[name] for name in self._conditions if not self.margins[name].certain]
        if not any(each.shown for each in self._motives):
            open_ones += [each for each in self._motives if not each.certain]
        told = ", ".join(each.told() for each in open_ones)
        if self.seeds < 2:
            return f"{told}; a single seed has no interval: play more (--seeds 5)"
        if self.more_seeds is None:
            return f"{told}; how many more seeds would decide cannot be said, since the mean is 0"
        many = self.seeds + self.more_seeds
        return f"{told}; about {self.more_seeds} more seeds would decide, if the means stay (--seeds {many})"

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "scenario": self.scenario,
            "players": self.players,
            "cooperate": self.cooperate,
            "defect": self.defect,
            "points": [
                {
                    "cooperators": point.cooperators,
                    **{
                        name: summarize(values, self.seed).plain() if values else None
                        for name, values in point.kinds.items()
                    },
                }
                for point in self.points
            ],
            "payoffs": {name: summary.plain() for name, summary in self.payoffs.items()},
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
    """A weighted sum of means; its interval resamples each side by itself, since they are different episodes."""
    mean = sum(weight * statistics.fmean(samples[side]) for side, weight in weights.items())
    if min(len(samples[side]) for side in weights) < 2:
        return Margin(name, mean, None)
    generator = random.Random(seed)
    found = sorted(
        sum(
            weight * statistics.fmean(generator.choices(samples[side], k=len(samples[side])))
            for side, weight in weights.items()
        )
        for _ in range(BOOTSTRAP_SAMPLES)
    )
    return Margin(name, mean, (found[int(0.025 * len(found))], found[int(0.975 * len(found)) - 1]))


async def schelling(
    plan: Plan,
    *,
    tell: Callable[[str], None] = lambda _: None,
    worlds: Callable[..., World] = open_world,
) -> Schelling:
    """Play the plan; `tell` hears what is played next. Raises UsageError for what cannot be played, DilemmaError for an
    episode that did not come to its end.
    """
    plan.out.mkdir(parents=True, exist_ok=True)
    scenario = _peopled(plan)
    spec = scenario.spec
    kinds = plan.cooperate or spec.dilemma.cooperate, plan.defect or spec.dilemma.defect
    for kind in kinds:
        if kind not in PLAYERS:
            raise UsageError(f"{scenario.path}: dilemma: unknown reference player {kind!r}; see PLAYERS")
    points = []
    players = len(_agents(spec))
    for count in range(players + 1):
        tell(f"{count} of {players} cooperate")
        points.append(await _point(plan, scenario, kinds, count, worlds))
    return Schelling(spec.name, players, *kinds, plan.seed, tuple(points), plan.out)


def _agents(spec: ScenarioSpec) -> list[str]:
    """The players that are no bots."""
    return [name for name, player in spec.players.items() if player.bot is None]


async def _point(
    plan: Plan, scenario: Scenario, kinds: tuple[str, str], count: int, worlds: Callable[..., World]
) -> Point:
    names = _agents(scenario.spec)
    rotations = range(len(names) if 0 < count < len(names) else 1)
    cooperator: list[float] = []
    defector: list[float] = []
    welfare: list[float] = []
    for first in rotations:
        cooperators = {names[(first + offset) % len(names)] for offset in range(count)}
        cast = {name: kinds[0] if name in cooperators else kinds[1] for name in names}
        for result in await _runs(plan, scenario.path, cast, worlds):
            payoffs = {name: player["payoff"] for name, player in result["players"].items()}
            welfare.append(sum(payoffs.values()))
            if cooperators:
                cooperator.append(statistics.fmean(payoffs[name] for name in cooperators))
            if len(cooperators) < len(names):
                defector.append(statistics.fmean(payoffs[name] for name in names if name not in cooperators))
    return Point(count, tuple(cooperator), tuple(defector), tuple(welfare))


async def _runs(plan: Plan, path: Path, cast: Mapping[str, str], worlds: Callable[..., World]) -> list[dict[str, Any]]:
    settings = StudySettings(
        str(path),
        ("none",),
        world=plan.world,
        seed=plan.seed,
        runs=plan.seeds,
        players=dict(cast),
        out=plan.out / "runs",
        jobs=plan.jobs,
        time_limit_s=plan.time_limit_s,
    )
    result = (await run_study(settings, worlds=worlds)).results[0]
    runs: list[dict[str, Any]] = result.get("runs", [result])
    for run in runs:
        if run["status"] != "complete":
            raise DilemmaError(f"seed {run['seed']} with {dict(cast)}: {run['status']}: {run['reason']}")
    return runs


def _peopled(plan: Plan) -> Scenario:
    """The scenario with that many players: a variant of it is written where its own number is another."""
    scenario = load_scenario(plan.scenario)
    spec = scenario.spec
    if plan.players is None or len(_agents(spec)) == plan.players:
        return scenario
    path = plan.out / f"{spec.name}-{plan.players}-players.yaml"
    base = scenario.path
    change = {
        "extends": str(base.resolve()),
        "name": f"{spec.name}-{plan.players}",
        "players": _players(spec, plan.players),
    }
    path.write_text(yaml.safe_dump(change, sort_keys=False), encoding="utf-8")
    return load_scenario(str(path))


def _players(spec: ScenarioSpec, count: int) -> dict[str, Any]:
    """Changes to the players: the last are taken away, or copies of the first ones are added beside them."""
    names = _agents(spec)
    if count < len(names):
        return dict.fromkeys(names[count:], None)
    added: dict[str, Any] = {}
    for index, name in enumerate(EXTRAS[: count - len(names)]):
        like = spec.players[names[index % len(names)]].model_dump(mode="json", by_alias=True)
        x, y, z = like["spawn"]
        like["spawn"] = [x + CLEARANCE * (1 + index // len(names)), y, z]
        added[name] = like
    return added
