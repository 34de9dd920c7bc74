"""Experiment for a Schelling diagram: reference players play every number of cooperators against defectors.

Bots of a scenario count neither as cooperators nor as defectors. Since the players' parts in a scenario may differ,
every rotation of the cooperators is played, and the payoffs of a seed are averaged. `accord.analysis.schelling`
analyses the result.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from accord.analysis.figures import TOGETHER, Key, bounds, common_bounds
from accord.analysis.intervals import UNBOUNDED, Interval
from accord.analysis.report.setups import read_setup
from accord.analysis.schelling import Schelling, SchellingPoint
from accord.studies.settings import StudySettings
from accord.studies.study import run_study
from bridge.worlds import World, open_world
from dilemmas.errors import DilemmaError, UsageError
from dilemmas.records import events as log
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.spec import ScenarioSpec
from voyager_agents import PLAYERS
from voyager_agents.errors import did_you_mean
from voyager_agents.registry import is_kind

EXTRAS = ("Rivet", "Pixel", "Sprocket", "Cog", "Widget", "Ratchet")
"""Names of players added to a scenario."""
CLEARANCE = 2
"""Distance in blocks between the spawn of an added player and that of the player that it copies."""


@dataclass(frozen=True)
class SchellingPlan:
    """Plan of a Schelling diagram, checked when created: an illegal value raises UsageError with a one-line message."""

    scenario: str
    players: int | None = None
    """Number of agents; None for the scenario's number."""
    seeds: int = 5
    seed: int = 0
    """First seed."""
    world: str = "mock"
    cooperate: str | None = None
    """Kind of the reference players that cooperate; None for the scenario's default."""
    defect: str | None = None
    """Kind of the reference players that defect; None for the scenario's default."""
    time_limit_s: float | None = None
    out: Path = Path("runs")
    jobs: int = 1
    """Number of concurrent episodes."""

    def __post_init__(self) -> None:
        if self.players is not None and not 2 <= self.players <= 2 + len(EXTRAS):
            raise UsageError(f"players: {self.players} is not legal; give 2 to {2 + len(EXTRAS)}")
        if self.jobs < 1:
            raise UsageError(f"jobs: {self.jobs} is not legal; give 1 or more")
        if self.seeds < 1:
            raise UsageError(f"seeds: {self.seeds} is not legal; give 1 or more")
        for option, kind in (("cooperate", self.cooperate), ("defect", self.defect)):
            if kind is not None and not is_kind(kind):
                hint = did_you_mean(kind, PLAYERS)
                raise UsageError(
                    f"{option}: unknown reference player {kind!r}{hint}; choose one of {', '.join(PLAYERS)}"
                )


async def schelling(
    plan: SchellingPlan,
    *,
    tell: Callable[[str], None] = lambda _: None,
    worlds: Callable[..., World] = open_world,
) -> Schelling:
    """Play the experiment and return the diagram.

    Args:
        plan: Plan of the diagram.
        tell: Called with a line of text about the progress.
        worlds: Factory of worlds.

    Raises:
        UsageError: The scenario is no dilemma, or a kind of player is unknown.
        DilemmaError: An episode was not played to its end.
    """
    plan.out.mkdir(parents=True, exist_ok=True)
    scenario = _peopled(plan)
    spec = scenario.spec
    if spec.dilemma is None:
        raise UsageError(f"{scenario.path}: {spec.name} is no dilemma: it names no strategies to compare")
    kinds = plan.cooperate or spec.dilemma.cooperate, plan.defect or spec.dilemma.defect
    for kind in kinds:
        if not is_kind(kind):
            hint = did_you_mean(kind, PLAYERS)
            raise UsageError(f"{scenario.path}: dilemma: unknown reference player {kind!r}{hint}; see PLAYERS")
    points = []
    players = len(_agents(spec))
    total = plan.seeds * sum(len(_rotations(players, count)) for count in range(players + 1))
    over = 0

    def heard(line: log.LogLine) -> None:
        nonlocal over
        if isinstance(line.event, log.RunEnded):
            over += 1
            tell(f"{count} of {players} cooperate: {over} of {total} episodes are over")

    for count in range(players + 1):
        tell(f"{count} of {players} cooperate: {over} of {total} episodes are over")
        points.append(await _point(plan, scenario, kinds, count, worlds, heard))
    return Schelling(spec.name, players, *kinds, plan.seed, tuple(points), plan.out)


def _rotations(players: int, count: int) -> range:
    """Return the index of the first cooperator in each rotation with `count` cooperators."""
    return range(players if 0 < count < players else 1)


def _agents(spec: ScenarioSpec) -> list[str]:
    """Return the names of the players that are not bots."""
    return [name for name, player in spec.players.items() if player.bot is None]


async def _point(
    plan: SchellingPlan,
    scenario: Scenario,
    kinds: tuple[str, str],
    count: int,
    worlds: Callable[..., World],
    heard: Callable[[log.LogLine], None],
) -> SchellingPoint:
    """Return the payoffs of each seed, averaged over all rotations, since episodes of one seed have the same chance."""
    names = _agents(scenario.spec)
    cooperator: list[list[float]] = []
    defector: list[list[float]] = []
    welfare: list[list[float]] = []
    possible: list[Mapping[Key, Interval]] = []
    for first in _rotations(len(names), count):
        cooperators = [names[(first + offset) % len(names)] for offset in range(count)]
        defectors = [name for name in names if name not in cooperators]
        parts = {name: kinds[0] if name in cooperators else kinds[1] for name in names}
        runs = await _runs(plan, scenario.path, parts, worlds, heard)
        possible += [within for _, within in runs]
        payoffs = [{name: player["payoff"] for name, player in result["players"].items()} for result, _ in runs]
        welfare.append([sum(each.values()) for each in payoffs])
        for samples, kind in ((cooperator, cooperators), (defector, defectors)):
            if kind:
                samples.append([statistics.fmean(each[name] for name in kind) for each in payoffs])
    ends = common_bounds(possible)
    own = [ends["payoff", name] for name in names]
    payoff = min(low for low, _ in own), max(high for _, high in own)
    total = ends.get(("welfare", TOGETHER), UNBOUNDED)
    return SchellingPoint(count, _averaged(cooperator), _averaged(defector), _averaged(welfare), payoff, total)


def _averaged(rotations: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Return the mean of each seed over the rotations."""
    return tuple(map(statistics.fmean, zip(*rotations, strict=True)))


async def _runs(
    plan: SchellingPlan,
    path: Path,
    parts: Mapping[str, str],
    worlds: Callable[..., World],
    heard: Callable[[log.LogLine], None],
) -> list[tuple[dict[str, Any], dict[Key, Interval]]]:
    """Return the result of each seed, with the possible values of its measures."""
    settings = StudySettings(
        str(path),
        ("none",),
        world=plan.world,
        seed=plan.seed,
        runs=plan.seeds,
        players=dict(parts),
        out=plan.out / "runs",
        jobs=plan.jobs,
        time_limit_s=plan.time_limit_s,
    )
    study = await run_study(settings, listen=heard, worlds=worlds)
    (result,) = study.results
    runs: list[dict[str, Any]] = result.get("runs", [result])
    for run in runs:
        if run["status"] != "complete":
            raise DilemmaError(f"seed {run['seed']} with {dict(parts)}: {run['status']}: {run['reason']}")
    declared = read_setup(study.directory, "none").bounds
    return [(run, bounds(run, declared)) for run in runs]


def _peopled(plan: SchellingPlan) -> Scenario:
    """Return the scenario with the plan's number of players; write a variant of it if the number differs."""
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
    """Return the changes to `players` in a variant: the last ones are removed, or copies of the first ones added."""
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
