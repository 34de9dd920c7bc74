"""Axioms of exact contributions in real plays of every scenario with two or more players that others can replace.

Two players join or stay away, and all others play like their stand-ins, so that they are null players and four groups
are played. Large societies are shortened: the same rules with a handful of players.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml

from accord.analysis.shapley import WELFARE, Coalition, Method, Shapley, all_coalitions, coalitions_of, drawn_orders
from accord.studies.absent_players import replaceable, stand_in_kind, usual_stand_in
from accord.studies.players import mode_of, seating
from accord.studies.settings import StudySettings
from accord.studies.shapley import ORDERS, ShapleyPlan, shapley
from dilemmas.scenarios.registry import load_scenario, scenario_names
from tests.fakes.sweep_engine import Here
from tests.fakes.taxed import small_taxation

SINGLE = {"voyager-progress", "voyager-zero-shot", "perception-room"}
"""Scenarios with one player that others can replace, which has nobody to share with."""
COSTLY = {
    "build-together-four", "build-together-three",
    "cleanup", "commons-harvest-bots", "commons-harvest-known-selfish", "commons-harvest-law",
    "commons-harvest-single-tree", "conquest-five", "conquest-six", "conquest-three", "donations",
    "donations-punishment", "fishery-council", "kitchen-divided", "kitchen-line", "pasture", "pasture-council",
    "perception-chef", "pollution", "pollution-council", "progression", "progression-long", "religion-small",
    "taxation", "village-market", "volunteers-dilemma-private",
}  # fmt: skip
"""Scenarios in which one player varies instead of two."""
MEASURES = {
    "village": "decisions", "village-market": "decisions", "progression": "unique_items",
    "progression-long": "unique_items", "religion": "faith_said", "religion-small": "faith_said",
    "perception-chef": "food",
}  # fmt: skip
"""Scenario without rewards -> measure that is shared out."""
SHORTENED: dict[str, dict[str, Any]] = {
    **{name: {"population": {"count": 3}} for name in ("village", "village-market", "perception-town")},
    **{name: {"population": {"count": 3}, "regions": 1} for name in ("progression", "progression-long")},
    **{name: {"population": {"count": 8}} for name in ("religion", "religion-small")},
}
"""Scenario -> changes that make it small."""
MAX_PLAYERS = 12


def shortened(name: str, folder: Path) -> str:
    """Return the scenario, or the path of its small variant."""
    if name == "taxation":
        return str(small_taxation(folder))
    if name not in SHORTENED:
        return name
    path = folder / f"{name}-small.yaml"
    path.write_text(yaml.safe_dump({"extends": name, "name": f"{name}-small", **SHORTENED[name]}))
    return str(path)


def axiom_plan(scenario: str, measure: str, present: int) -> ShapleyPlan:
    """Return a plan in which the first players vary, and all others play like their stand-ins."""
    loaded = load_scenario(scenario)
    settings = StudySettings(scenario)
    plays = mode_of(settings, loaded).name
    stand_in = stand_in_kind(loaded, plays, usual_stand_in(loaded, plays))
    own = {player: place.kind or place.family for player, place in seating(settings, loaded).items()}
    players = replaceable(loaded)
    kinds = {player: own[player] if number < present else stand_in for number, player in enumerate(players)}
    # In games in rounds the limit is a number of rounds.
    limits: dict[str, Any] = {} if loaded.spec.TURNS in ("choices", "words") else {"time_limit_s": 4.0}
    rounds: dict[str, Any] = {"repeat": 1} if loaded.spec.TURNS == "choices" else {}
    return ShapleyPlan(
        scenario, measure=measure, seeds=1, method="exact", settings={"players": kinds, **limits}, **rounds
    )


def check_axioms(found: Shapley, null: set[str]) -> int:
    """Check all axioms, and return the number of pairs of players that are symmetric and not null."""
    values, value = found.values, cache(found.value)
    assert sum(values.values()) == found.whole - found.nobody
    assert {values[player] for player in null} <= {Fraction(0)}
    pairs = 0
    for one, other in combinations(found.players, 2):
        others = [name for name in found.players if name not in (one, other)]
        rest: list[Coalition] = all_coalitions(others)
        if all(value(each | {one}) == value(each | {other}) for each in rest):
            assert values[one] == values[other]
            pairs += not {one, other} & null
    return pairs


@pytest.mark.parametrize("name", [name for name in scenario_names() if name not in SINGLE])
async def test_exact_contributions_keep_the_axioms(name: str, tmp_path: Path) -> None:
    scenario = shortened(name, tmp_path)
    players = replaceable(load_scenario(scenario))
    assert 2 <= len(players) <= MAX_PLAYERS
    # Four groups of the symmetric games are played below.
    present = 2 if len(players) > 2 and name not in COSTLY and name not in SYMMETRIC else 1
    found = await shapley(
        axiom_plan(scenario, MEASURES.get(name, WELFARE), present), tmp_path / "study", engine=lambda _jobs: Here()
    )
    assert found.runs == 1 << present
    check_axioms(found, set(players[present:]))


def test_what_has_no_contributions_is_told_in_one_line() -> None:
    for name in SINGLE:
        assert len(replaceable(load_scenario(name))) == 1


FISHERS = ("always-cooperate", "always-cooperate", "tit-for-tat", "random", "always-cooperate")
"""Kinds of the players of the fishery."""
SYMMETRIC = ("prisoners-dilemma", "stag-hunt", "public-goods", "volunteers-dilemma", "weakest-link", "cost-sharing")
"""Games that treat all seats alike, in which the first two players play alike."""


@pytest.mark.parametrize("name", SYMMETRIC)
async def test_players_that_play_alike_in_games_of_equal_seats_add_the_same(name: str, tmp_path: Path) -> None:
    loaded = load_scenario(name)
    dilemma = loaded.spec.dilemma
    assert dilemma is not None
    players = replaceable(loaded)
    kinds = {player: dilemma.cooperate if number < 2 else dilemma.defect for number, player in enumerate(players)}
    plan = ShapleyPlan(name, absent=dilemma.defect, seeds=1, repeat=1, method="exact", settings={"players": kinds})
    found = await shapley(plan, tmp_path, engine=lambda _jobs: Here())
    assert found.runs == 4
    assert check_axioms(found, set(players[2:])) == 1


@pytest.fixture(scope="module")
def fishery(tmp_path_factory: pytest.TempPathFactory) -> Shapley:
    """Return the exact study of a fishery, in which each of five different players can be replaced by a greedy one."""
    scenario = load_scenario("fishery")
    kinds = dict(zip(replaceable(scenario), FISHERS, strict=True))
    dilemma = scenario.spec.dilemma
    assert dilemma is not None
    plan = ShapleyPlan(
        "fishery", absent=dilemma.defect, seeds=1, repeat=6, method="exact", settings={"players": kinds}
    )  # fmt: skip
    return asyncio.run(shapley(plan, tmp_path_factory.mktemp("fishery"), engine=lambda _jobs: Here()))


def test_samples_of_a_played_game_hold_its_exact_values_in_95_of_100_repeats(fishery: Shapley) -> None:
    """Each repeat draws other orders, by one method or the other; the coalitions in them are those that were played."""
    assert len(set(fishery.values.values())) > 2, "players differ in what they add"
    methods: tuple[Method, Method] = ("antithetic", "stratified")
    held = 0
    for seed in range(100):
        method = methods[seed % 2]
        blocks = drawn_orders(fishery.players, ORDERS, method, seed)
        met = coalitions_of([order for block in blocks for order in block])
        drawn = replace(fishery, method=method, blocks=blocks, played={each: fishery.played[each] for each in met})
        intervals = {player: summary.ci95 or (0.0, -1.0) for player, summary in drawn.summaries.items()}
        held += all(low - 1e-9 <= fishery.values[player] <= high + 1e-9 for player, (low, high) in intervals.items())
    assert held >= 95
