"""Schelling diagrams: verdict from known payoffs, casts, more players, bad input, and files."""

from __future__ import annotations

import asyncio
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.intervals import mean_interval
from accord.analysis.report.schelling import write_schelling
from accord.analysis.schelling import Schelling, SchellingPoint
from accord.studies.schelling import SchellingPlan, schelling
from bridge.types import ProgramOutcome
from dilemmas.errors import DilemmaError, UsageError
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.games import game
from tests.fakes.world import LOST, Deed, FakeWorld, FakeWorlds, Script

Game = dict[str, float]


@pytest.mark.parametrize(
    ("payoffs", "dilemma", "words"),
    [
        ({"r": 3, "p": 1, "t": 5, "s": 0}, True, "by greed and fear"),
        ({"r": 3, "p": 1, "t": 4, "s": 1.5}, True, "by greed"),
        ({"r": 4, "p": 1, "t": 3, "s": 0}, True, "by fear"),
        ({"r": 4, "p": 1, "t": 3, "s": 2}, False, "neither greed .* nor fear"),
        ({"r": 1, "p": 3, "t": 5, "s": 0}, False, "not R > P"),
        ({"r": 3, "p": 1, "t": 9, "s": 0}, False, "not 2R > T \\+ S"),
        ({"r": 3, "p": 1, "t": 2, "s": 4}, False, "not R > S"),
        ({"r": 3, "p": 3, "t": 3, "s": 3}, False, "not R > P, R > S"),
    ],
)
def test_the_verdict_follows_from_the_payoffs(payoffs: Game, dilemma: bool, words: str) -> None:
    found = game(**payoffs)
    assert found.dilemma is dilemma
    assert re.search(words, found.sentence())


def test_margins_say_by_how_much_and_how_sure() -> None:
    found = game(3, 1, 5, 0, spread=0.5)
    means = {name: margin.mean for name, margin in found.margins.items()}
    assert means == {"R > P": 2, "R > S": 3, "2R > T + S": 1, "greed: T > R": 2, "fear: P > S": 1}
    assert found.margins["R > P"].certain
    low, high = found.margins["R > P"].ci95 or (0, 0)
    assert 1 <= low < 2 < high <= 3
    assert not game(3, 1, 5, 0, spread=8).margins["R > P"].certain


def test_intervals_hold_possible_values_alone() -> None:
    skewed = (0.0, 0.5, 1.0, 0.2, 9.0)
    point = SchellingPoint(1, skewed, (), skewed, payoff_bounds=(0, math.inf))
    told = point.summaries(0)
    assert list(told) == ["cooperator", "welfare"]
    low, free = told["cooperator"].ci95, told["welfare"].ci95
    assert low is not None
    assert free is not None
    assert low == (0, free[1])
    assert free[0] < 0


def test_margins_compare_payoffs_of_one_seed() -> None:
    r, p = (10.0, 20.0, 30.0, 45.0, 50.0), (9.0, 18.0, 29.0, 43.5, 48.0)
    points = (SchellingPoint(0, (), p, p), SchellingPoint(1, p, r, r), SchellingPoint(2, r, (), r))
    margin = Schelling("game", 2, "nice", "nasty", 0, points, Path()).margins["R > P"]
    assert margin.mean == 1.5
    assert margin.shown
    assert margin.ci95 == mean_interval([1.0, 2.0, 1.0, 1.5, 2.0], 0)


def test_a_single_sample_has_no_interval() -> None:
    single = (
        SchellingPoint(0, (), (1.0,), (2.0,)),
        SchellingPoint(1, (0.0,), (5.0,), (5.0,)),
        SchellingPoint(2, (3.0,), (), (6.0,)),
    )
    found = Schelling("game", 2, "nice", "nasty", 0, single, Path())
    assert found.margins["R > P"].ci95 is None
    assert (found.dilemma, found.verdict, found.more_seeds) == (None, "undecided", None)
    assert "so few seeds have no interval: play more (--seeds 5)" in found.sentence()


def test_where_an_interval_reaches_over_zero_the_verdict_is_undecided() -> None:
    """Judged by means alone it would be a dilemma: 2R > T + S holds by 5.5, but the interval is -9 to 21.5."""
    found = game(80, 20, 100, 54, spread=9)
    assert {name: margin.word for name, margin in found.margins.items()} == {
        "R > P": "yes", "R > S": "yes", "2R > T + S": "open", "greed: T > R": "yes", "fear: P > S": "no",
    }  # fmt: skip
    assert all(margin.holds for name, margin in found.margins.items() if name != "fear: P > S")
    assert (found.dilemma, found.verdict) == (None, "undecided")
    low, high = found.margins["2R > T + S"].ci95 or (0, 0)
    assert low < 0 < high
    assert f"undecided (by the means it is one): 2R > T + S at 6.0 [{low:.1f}, {high:.1f}]" in found.sentence()
    assert f"about {found.more_seeds} more seeds would decide" in found.sentence()
    assert found.sentence().endswith(f"(--seeds {6 + (found.more_seeds or 0)})")
    plain = found.to_dict()
    assert (plain["dilemma"], plain["verdict"], plain["more_seeds"]) == (None, "undecided", found.more_seeds)


def test_no_dilemma_needs_an_interval_below_zero_too() -> None:
    """Judged by means alone it would be no dilemma: one condition is at -12.8, but the interval reaches above 0."""
    found = game(80, 20, 100, 66, spread=9)
    assert not found.margins["2R > T + S"].holds
    assert found.dilemma is None
    assert "no social dilemma" not in found.sentence()
    assert "by the means it is none" in found.sentence()
    assert game(80, 20, 100, 66).dilemma is False


def test_one_refuted_condition_decides_whatever_else_is_open() -> None:
    found = game(20, 80, 100, -60, spread=15)
    assert (found.margins["R > P"].word, found.margins["2R > T + S"].word) == ("no", "open")
    assert (found.dilemma, found.more_seeds) == (False, 0)
    assert found.sentence().endswith("not R > P")


def widths(means: Game, reach: float, episodes: int) -> Schelling:
    """Return a diagram of `episodes` episodes per cast, in which T varies by `reach` to both sides."""
    points = (
        SchellingPoint(0, (), (means["p"],) * episodes, (0.0,)),
        SchellingPoint(1, (means["s"],) * episodes, (means["t"] - reach, means["t"] + reach) * (episodes // 2), (0.0,)),
        SchellingPoint(2, (means["r"],) * episodes, (), (0.0,)),
    )
    return Schelling("game", 2, "nice", "nasty", 0, points, Path())


def test_with_as_many_seeds_as_it_asks_for_it_is_decided() -> None:
    means = {"r": 80, "p": 20, "t": 100, "s": 54}
    few = widths(means, 30, 10)
    assert few.dilemma is None
    assert few.more_seeds is not None
    needed = few.seeds + few.more_seeds
    # The interval from few episodes is imprecise: the estimate may miss by a fraction, not by a multiple.
    assert widths(means, 30, 2 * needed).dilemma is True
    assert widths(means, 30, 2 * (needed // 6)).dilemma is None


def test_a_margin_of_zero_asks_for_no_number_of_seeds() -> None:
    found = game(80, 20, 100, 60, spread=9)
    assert found.margins["2R > T + S"].mean == 0
    assert (found.dilemma, found.more_seeds) == (None, None)
    assert "cannot be said, since the mean is 0" in found.sentence()


def test_the_figure_says_that_it_is_undecided(tmp_path: Path) -> None:
    titles = {}
    for spread in (0, 9):
        figure, _, _ = write_schelling(game(80, 20, 100, 54, spread=spread), tmp_path)
        titles[spread] = "undecided whether a social dilemma" in figure.read_text()
    assert titles == {0: False, 9: True}


def test_the_files_hold_what_was_found(tmp_path: Path) -> None:
    found = game(3, 1, 5, 0, spread=0.125)
    figure, table, data = write_schelling(found, tmp_path)
    plain = json.loads(data.read_text())
    assert plain["dilemma"] is True
    assert plain["payoffs"]["T"]["mean"] == 5
    rows = [line.split(",")[:3] for line in table.read_text().splitlines()[1:]]
    assert rows == [
        ["0", "defector", "1.0"], ["0", "welfare", "2.0"], ["1", "cooperator", "0.0"], ["1", "defector", "5.0"],
        ["1", "welfare", "5.0"], ["2", "cooperator", "3.0"], ["2", "welfare", "6.0"],
    ]  # fmt: skip
    assert figure.read_text().lstrip().startswith("<?xml")
    assert write_schelling(found, tmp_path)[0].read_text() == figure.read_text()


def earning(gizmo: int, glitch: int) -> Script:
    """Return an episode of Double-Vein that ends with these amounts of raw iron."""
    deeds = (Deed(1, "Gizmo", {"raw_iron": gizmo}), Deed(1, "Glitch", {"raw_iron": glitch}))
    return Script(deeds, {name: (2, ProgramOutcome.RETURNED) for name in ("Gizmo", "Glitch")})


async def test_every_number_of_cooperators_is_played_in_every_rotation(tmp_path: Path) -> None:
    # Raw iron is worth 4 to Gizmo and 3 to Glitch. The program's name identifies the sharer.
    worlds = [
        FakeWorld([earning(1, 1)]),
        FakeWorld([earning(1, 5)]),
        FakeWorld([earning(6, 1)]),
        FakeWorld([earning(3, 4)]),
    ]
    told: list[str] = []
    plan = SchellingPlan("double-vein", seeds=1, world="fake", out=tmp_path)
    found = await schelling(plan, tell=told.append, worlds=FakeWorlds(*worlds))
    who = [{name for name, source in world.runs[0].items() if "shares_" in source} for world in worlds]
    assert who == [set(), {"Gizmo"}, {"Glitch"}, {"Gizmo", "Glitch"}]
    steps = ((0, 0), (0, 1), (1, 1), (1, 2), (1, 3), (2, 3), (2, 4))
    assert told == [f"{count} of 2 cooperate: {over} of 4 episodes are over" for count, over in steps]
    assert found.samples == {"R": (12.0,), "P": (3.5,), "T": (19.5,), "S": (3.5,)}
    assert [point.welfare for point in found.points] == [(7.0,), (23.0,), (24.0,)]


async def test_an_episode_that_is_lost_is_said_and_not_counted(tmp_path: Path) -> None:
    worlds = FakeWorlds(*(FakeWorld([Script(lost=(1.0, LOST))]) for _ in range(5)))
    with pytest.raises(DilemmaError, match=r"seed 0 with .*infrastructure: Glitch was disconnected"):
        await schelling(SchellingPlan("double-vein", seeds=1, world="fake", out=tmp_path), worlds=worlds)


async def test_more_players_join_beside_the_others_and_all_rotations_are_played(tmp_path: Path) -> None:
    path = tmp_path / "cleanup-3-players.yaml"
    with pytest.raises(AssertionError, match="no world is left"):
        await schelling(SchellingPlan("cleanup", players=3, seeds=1, world="fake", out=tmp_path), worlds=FakeWorlds())
    spec = load_scenario(str(path)).spec
    assert list(spec.players) == ["Gizmo", "Glitch", "Rivet"]
    assert spec.players["Rivet"].prices == {"red_mushroom": 3}
    assert spec.name == "cleanup-3"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"players": 1}, "players: 1 is not legal; give 2 to 8"),
        ({"players": 9}, "players: 9 is not legal"),
        ({"seeds": 0}, "seeds: 0 is not legal; give 1 or more"),
        ({"cooperate": "saint"}, "cooperate: unknown reference player 'saint'; choose one of"),
        ({"defect": "devil"}, "defect: unknown reference player 'devil'"),
    ],
)
def test_bad_input_is_one_line(change: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words) as refusal:
        SchellingPlan("cleanup", **change)
    assert "\n" not in str(refusal.value)


def three(cooperator: list[float], defector: list[float]) -> Schelling:
    """Return a diagram of three players: payoffs of a cooperator and a defector beside 0, 1 and 2 other cooperators."""
    points = []
    for count in range(4):
        c = (cooperator[count - 1],) * 2 if count else ()
        d = (defector[count],) * 2 if count < 3 else ()
        welfare = count * sum(c) / 2 + (3 - count) * sum(d) / 2
        points.append(SchellingPoint(count, c, d, (welfare,)))
    return Schelling("game", 3, "nice", "nasty", 0, tuple(points), Path())


@pytest.mark.parametrize(
    ("cooperator", "defector", "dilemma", "words"),
    [
        ([2, 4, 6], [3, 5, 8], True, "by greed and fear"),
        ([4, 4.5, 6], [3, 5, 8], True, "by greed"),
        ([2, 4, 6], [3, 5, 12], False, "not 3R > T \\+ 2C"),
        ([4, 5, 6], [3, 4, 5], False, "neither greed"),
        ([2, 4, 6], [7, 7, 8], False, "not R > P"),
    ],
)
def test_with_three_players_greed_and_fear_are_the_ends_of_the_diagram(
    cooperator: list[float], defector: list[float], dilemma: bool, words: str
) -> None:
    found = three(cooperator, defector)
    assert found.dilemma is dilemma
    assert re.search(words, found.sentence())
    assert found.margins["D > C beside 1"].mean == defector[1] - cooperator[1]
    assert found.margins["3R > T + 2C"].mean == 3 * cooperator[2] - defector[2] - 2 * cooperator[1]
    assert set(found.payoffs) == {"R", "P", "T", "S", "C"}
    assert found.to_dict()["dilemma"] is dilemma


async def test_bots_play_their_own_part_and_a_scenario_has_its_own_number(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="no world is left"):
        await schelling(SchellingPlan("commons-harvest-bots", seeds=1, world="fake", out=tmp_path), worlds=FakeWorlds())
    changed = tmp_path / "commons-harvest-bots-3-players.yaml"
    assert not (await asyncio.to_thread(changed.exists))
    plan = SchellingPlan("commons-harvest-bots", players=3, seeds=1, world="fake", out=tmp_path)
    with pytest.raises(AssertionError, match="no world is left"):
        await schelling(plan, worlds=FakeWorlds())
    spec = load_scenario(str(changed)).spec
    assert [name for name, player in spec.players.items() if player.bot is None] == ["Laura", "Pedro", "Rivet"]
    assert [player.bot for player in spec.players.values()].count("aggressive-bot") == 2
