"""Contributions of players: coalitions of a scenario's players are played as a sweep, and welfare is shared out.

A coalition's members play as the settings say, and stand-ins play all others (`accord.studies.absent_players`). Every
coalition is played with the same seeds. `accord.analysis.shapley` computes the contributions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, ClassVar

from accord.analysis.figures import MEASURES, PER_PLAYER, figure_name, figures
from accord.analysis.shapley import (
    MAX_EXACT,
    WELFARE,
    Coalition,
    GroupAccount,
    Method,
    Order,
    Shapley,
    all_coalitions,
    coalitions_of,
    drawn_orders,
    exact_fraction,
)
from accord.analysis.validity import invalid
from accord.studies.absent_players import replaceable, stand_in_kind, usual_stand_in
from accord.studies.conditions import resolve
from accord.studies.fitting import Assignment
from accord.studies.kept_plan import KeptPlan
from accord.studies.option_definitions import Bounds
from accord.studies.players import mode_of, seating
from accord.studies.runner import check_ground, usual_world
from accord.studies.settings import StudySettings
from accord.studies.sweeps.engine import Engine, Heard, open_engine
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.spec import Value
from accord.studies.sweeps.sweep import run_sweep
from accord.studies.tournament import sweep_data, unfinished, write_game
from bridge.worlds import NOWHERE, WORLDS
from dilemmas.errors import DilemmaError, UsageError
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.registry import load_scenario
from voyager_agents.registry import FAMILIES

COALITIONS = "coalitions"
"""Folder of the sweep."""
MAX_COALITIONS = 1 << 12
"""Maximum number of coalitions of an exact study: those of twelve players."""
ORDERS = 24
"""Default minimum number of drawn orders."""
METHODS: tuple[Method, ...] = ("exact", "antithetic", "stratified")


@dataclass(frozen=True)
class ShapleyPlan(KeptPlan):
    """Plan of a study of contributions, checked when created: an illegal value raises UsageError."""

    KIND: ClassVar[str] = "shapley"
    TOLD: ClassVar[str] = "a study of contributions"
    NEEDED: ClassVar[frozenset[str]] = frozenset({"scenario", "absent"})

    contract: str = "none"
    """Condition of the scenario, or path of a contract's file."""
    measure: str = WELFARE
    """Measure to share out, by its name in result.json."""
    absent: str = ""
    """Stand-in of absent players, or a kind of players; empty for the scenario's usual stand-in."""
    seeds: Annotated[int, Bounds(1, 10_000)] = 5
    """Runs of each coalition, with the seeds seed, seed + 1, ..."""
    method: str = ""
    """One of `METHODS`; empty for `exact` with up to four players, and else `antithetic`."""
    orders: Annotated[int, Bounds(4, 100_000)] = ORDERS
    """Minimum number of drawn orders of a sample."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method not in ("", *METHODS):
            raise UsageError(f"method: {self.method!r} is not legal; choose one of {', '.join(METHODS)}")
        if self.played_in not in (NOWHERE, *WORLDS):
            raise UsageError(f"world: {self.played_in!r} is not legal; choose one of {', '.join((NOWHERE, *WORLDS))}")

    @property
    def title(self) -> str:
        """Name of the study's folder, without the time."""
        return f"{load_scenario(self.scenario).spec.name}-{self.KIND}"

    @property
    def played_in(self) -> str:
        """Name of the world: as given, or `none` for games on arrays and else `mock`."""
        return self.world or (NOWHERE if usual_world(load_scenario(self.scenario), "off") == NOWHERE else "mock")

    @property
    def all_seeds(self) -> range:
        """Seeds of each coalition."""
        return range(self.seed, self.seed + self.seeds)

    @property
    def condition(self) -> str:
        """Condition of the scenario."""
        return str(Path(self.contract).absolute()) if Path(self.contract).is_file() else self.contract


@dataclass(frozen=True)
class CoalitionSeats:
    """Seats of a scenario that can be empty, with the players that take them."""

    plays: str
    """Mode of play."""
    players: tuple[str, ...]
    own: Mapping[str, Assignment]
    """Player -> who plays it while it is present."""
    stand_in: str
    """Kind of the player that takes the seats of absent players."""

    def point(self, coalition: Coalition) -> dict[str, Value]:
        """Return the sweep's parameters of a coalition: who takes each seat."""
        return {
            f"players.{player}": place_name(self.own[player]) if player in coalition else self.stand_in
            for player in self.players
        }


def place_name(place: Assignment) -> str:
    """Return who plays, as the option `players` names it: a kind, or a family without kinds."""
    return place.kind or place.family


async def shapley(
    plan: ShapleyPlan,
    directory: Path,
    heard: Heard = lambda _number, _outcome: None,
    engine: Callable[[int], Engine] = lambda jobs: open_engine("local", jobs=jobs),
) -> Shapley:
    """Play the coalitions of a scenario and return the players' contributions.

    Args:
        plan: The plan.
        directory: Directory for the records of the runs.
        heard: Called with the number and the outcome of each ended run.
        engine: Creates the engine for a number of concurrent runs.

    Raises:
        UsageError: The plan cannot be played.
        DilemmaError: Runs were not played to their end, or have no value of the measure.
    """
    scenario = load_scenario(plan.scenario, plan.round_changes())
    condition = resolve(scenario, plan.condition)
    seats = seats_of(plan, scenario)
    method, blocks, coalitions = design(plan, seats.players)
    name = scenario.spec.name
    # Stand-ins may play in other modes too: the mode is that of the whole group in all coalitions.
    data = {"extends": str(scenario.path.absolute()), "name": name, "plays": [seats.plays], **plan.round_changes()}
    file = await asyncio.to_thread(write_game, data, directory / f"{name}.yaml")
    points = {each: seats.point(each) for each in coalitions}
    # A player that plays like its stand-in makes two coalitions the same group, which is played once.
    groups = list({tuple(point.values()): point for point in points.values()}.values())
    sweep = sweep_data(plan, [file], groups)
    sweep["settings"] = {key: value for key, value in plan.settings.items() if key != "players"}
    folder = SweepFolder.make(directory / COALITIONS, {**sweep, "models": [plan.model or "none"]}, directory)
    for task in folder.tasks:
        folder.take_up(task)
    if plan.measure != WELFARE:
        # The first run tells the legal measures, before all others are played for nothing.
        await run_sweep(folder, engine(1), heard, budget=plan.budget, only=1)
        _check_measure(folder, plan.measure)
    result = await run_sweep(folder, engine(plan.jobs), heard, budget=plan.budget)
    if not result.complete:
        raise DilemmaError(unfinished(folder, result.statuses, f"accord resume {directory}"))
    by_group = _results(folder, groups, plan)
    played: dict[Coalition, tuple[Fraction, ...]] = {}
    # Thousands of coalitions may share the runs of a few groups.
    values: dict[int, tuple[Fraction, ...]] = {}
    for each, point in points.items():
        group = groups.index(point)
        if group not in values:
            values[group] = tuple(_value(result, plan.measure, each) for result in by_group[group])
        played[each] = values[group]
    return Shapley(
        name,
        condition.name,
        plan.measure,
        plan.absent or usual_stand_in(scenario, seats.plays),
        seats.players,
        {player: (_author(plan, seats.own[player]), seats.stand_in) for player in seats.players},
        method,
        blocks,
        tuple(plan.all_seeds),
        played,
        _accounts(by_group[groups.index(points[frozenset(seats.players)])], seats.players),
        len(folder.tasks),
        sum(bool(invalid(each)) for found in by_group for each in found),
        plan.played_in,
    )


def seats_of(plan: ShapleyPlan, scenario: Scenario) -> CoalitionSeats:
    """Return the seats of the scenario that can be empty. Raises UsageError."""
    settings = StudySettings.from_dict(
        {**plan.settings, "scenario": plan.scenario, "contracts": [plan.condition], "world": plan.played_in}
        | ({"model": plan.model} if plan.model else {})
    )
    check_ground(settings, scenario)
    own = seating(settings, scenario)
    plays = mode_of(settings, scenario).name
    players = tuple(replaceable(scenario))
    if len(players) < 2:
        raise UsageError(
            f"{scenario.spec.name} has too few players that others can replace ({len(players)}); choose a scenario "
            "with two or more"
        )
    stand_in = stand_in_kind(scenario, plays, plan.absent or usual_stand_in(scenario, plays))
    return CoalitionSeats(plays, players, own, stand_in)


def design(plan: ShapleyPlan, players: Sequence[str]) -> tuple[Method, tuple[tuple[Order, ...], ...], list[Coalition]]:
    """Return the method, the blocks of drawn orders and the coalitions to play, everybody first. Raises UsageError."""
    usual: Method = "exact" if len(players) <= MAX_EXACT else "antithetic"
    method = next((each for each in METHODS if each == plan.method), usual)
    if method == "exact":
        if 1 << len(players) > MAX_COALITIONS:
            raise UsageError(
                f"method: {len(players)} players have more than {MAX_COALITIONS} coalitions; leave out --method exact"
            )
        blocks: tuple[tuple[Order, ...], ...] = ()
        coalitions = all_coalitions(players)
    else:
        blocks = drawn_orders(players, plan.orders, method, plan.seed)
        coalitions = list(coalitions_of([order for block in blocks for order in block]))
    whole = frozenset(players)
    return method, blocks, [whole, *(each for each in coalitions if each != whole)]


def _check_measure(folder: SweepFolder, measure: str) -> None:
    """Check that the first run has a value of the measure. Raises UsageError."""
    result = folder.result(folder.tasks[0])
    if result is None or result["status"] != "complete":
        return
    keys = figures(result)
    if measure in map(figure_name, keys):
        return
    why = "has no value in the first run" if measure in MEASURES else "is no measure of the runs"
    whole = dict.fromkeys(name for name, player in keys if not player)
    each = dict.fromkeys(name for name, player in keys if player)
    raise UsageError(
        f"measure: {measure!r} {why}; choose one of {', '.join(whole)}, or NAME.PLAYER with one of {', '.join(each)}"
    )


def _results(
    folder: SweepFolder, groups: Sequence[Mapping[str, Value]], plan: ShapleyPlan
) -> list[list[dict[str, Any]]]:
    """Return the results of each group, by seed."""
    tasks = iter(folder.tasks)
    found: list[list[dict[str, Any]]] = []
    for _ in groups:
        results = [folder.result(next(tasks)) for _ in plan.all_seeds]
        found.append([each for each in results if each is not None])
    return found


def _value(result: Mapping[str, Any], measure: str, coalition: Coalition) -> Fraction:
    """Return the measure of a run. Raises DilemmaError if it has no value there."""
    found = {figure_name(key): value for key, value in figures(result).items()}
    if measure not in found:
        present = ", ".join(sorted(coalition)) or "nobody"
        raise DilemmaError(
            f"measure: {measure} has no value with seed {result['seed']} while {present} is present; choose another "
            "--measure"
        )
    return exact_fraction(found[measure])


def _accounts(results: Sequence[Mapping[str, Any]], players: Sequence[str]) -> dict[str, GroupAccount]:
    """Return the players' accounts in the runs of the whole group."""

    def of(player: str, part: str) -> tuple[float, ...]:
        return tuple(float(each["players"][player][part]) for each in results)

    return {player: GroupAccount(*(of(player, part) for part in PER_PLAYER)) for player in players}


def _author(plan: ShapleyPlan, place: Assignment) -> str:
    """Return who plays a player: the kind, and its model if it has one."""
    name = place_name(place)
    return f"{plan.model} ({name})" if plan.model and FAMILIES[place.family].roles else name
