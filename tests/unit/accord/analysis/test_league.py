"""Ratings of a league: known strengths, coverage of intervals, normalization, stability, invalid games, tables."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from accord.analysis.league import CENTRE, SCALE, League, LeagueGame, LeagueScenario
from accord.analysis.report.league import games_csv, read_games

NAMES = ("a", "b", "c", "d", "e")


def league(
    value: Callable[[int, int, int], float],
    *,
    names: tuple[str, ...] = NAMES,
    scenarios: int = 3,
    seeds: int = 20,
    baselines: tuple[str, ...] | None = None,
    bad: Callable[[int, int, int], bool] = lambda _k, _s, _p: False,
) -> League:
    """Return a league in which `value` gives the focal return by scenario, seed and player."""
    games = tuple(
        LeagueGame(
            f"s{k}", s, name, ("A",), value(k, s, p), None, value(k, s, p), 0.0, None, "games/s.json", bad(k, s, p)
        )
        for k in range(scenarios)
        for p, name in enumerate(names)
        for s in range(seeds)
    )
    about = tuple(LeagueScenario(f"s{k}", "a-game", "visitor", 1, 2, ("grim",), "none") for k in range(scenarios))
    return League("test", names, baselines or names, about, tuple(range(seeds)), games)


def luce(strengths: list[float], scenarios: int, seeds: int, seed: int) -> League:
    """Return a league of players with known strengths.

    Returns are strengths with Gumbel noise, so that one player has the higher return with exactly the odds of the
    Bradley-Terry model (Yellott 1977).
    """
    noise = np.random.default_rng(seed).gumbel(size=(scenarios, seeds, len(strengths)))
    names = tuple(f"p{number}" for number in range(len(strengths)))
    return league(lambda k, s, p: strengths[p] + float(noise[k, s, p]), names=names, scenarios=scenarios, seeds=seeds)


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.analysis.league.RESAMPLES", 100)


def test_players_of_known_strength_land_where_they_must() -> None:
    """A made-up player with odds of ten to one against another stands 400 points above it."""
    lead = math.log(10)
    found = luce([0.0, lead / 4, lead / 2, -lead / 2], 10, 200, 1)
    ratings = {each.name: each.rating for each in found.standings}
    assert [each.name for each in found.standings] == ["p2", "p1", "p0", "p3"]
    for name, expected in (("p0", -25), ("p1", 75), ("p2", 175), ("p3", -225)):
        assert ratings[name] - CENTRE == pytest.approx(expected, abs=15)
    assert ratings["p2"] - ratings["p3"] == pytest.approx(SCALE, abs=25)
    assert found.stability.kendall == 1
    assert all(each.ahead for each in found.standings[:-1])


def test_intervals_cover_known_ratings() -> None:
    """In 20 leagues of 15 seeds the true ratings of five players lie in about 95 % of their intervals."""
    strengths = [-0.8, -0.4, 0.0, 0.4, 0.8]
    true = [CENTRE + strength * SCALE / math.log(10) for strength in strengths]
    inside = 0
    for seed in range(20):
        for each in luce(strengths, 4, 15, seed).standings:
            assert each.interval is not None
            inside += each.interval[0] <= true[int(each.name[1:])] <= each.interval[1]
    assert 0.88 <= inside / 100 <= 0.99


def test_equal_returns_are_draws_and_equal_ratings_share_a_place() -> None:
    found = league(lambda _k, _s, p: 0.0 if p else 1.0)
    assert [(each.place, each.name) for each in found.standings] == [(1, "a"), (2, "b"), (2, "c"), (2, "d"), (2, "e")]
    assert {round(each.rating) for each in found.standings[1:]} == {round(found.standings[1].rating)}
    even = league(lambda _k, _s, _p: 1.0)
    assert {each.rating for each in even.standings} == {CENTRE}
    assert even.flat == ["s0", "s1", "s2"]
    assert even.standings[0].normalized is None
    assert even.stability.kendall is None
    assert "nothing is normalized" in even.sentence()


def test_an_undefeated_player_has_a_finite_rating() -> None:
    found = league(lambda _k, _s, p: -float(p), seeds=50)
    ratings = [each.rating for each in found.standings]
    assert ratings == sorted(ratings, reverse=True)
    assert all(math.isfinite(each) for each in ratings)
    assert all(each.interval is None for each in found.standings), "chance decides nothing"


def test_returns_are_normalized_by_the_worst_and_the_best_baseline() -> None:
    """Baselines b and d get 1 and 3 in each scenario, times its unit; c is in between, a below, e above."""
    found = league(lambda k, _s, p: float(p) * 10**k, baselines=("b", "d"))
    scores = {each.name: each.normalized for each in found.standings}
    assert scores == pytest.approx({"a": -0.5, "b": 0, "c": 0.5, "d": 1, "e": 1.5})
    assert found.bounds("s2") == (100, 300)
    assert found.normalized_in("s1", "e") == pytest.approx(1.5)


def test_invalid_games_count_nowhere() -> None:
    """The best player's invalid games would make it the worst one."""
    found = league(
        lambda _k, s, p: -100.0 if p == 0 and s < 5 else 10.0 - p, bad=lambda _k, s, p: p == 0 and s < 5, seeds=10
    )
    first = found.standings[0]
    assert (first.name, first.games, first.normalized) == ("a", 15, 1.0)
    assert found.invalid == 15
    assert "15 of 150 games are invalid" in found.sentence()
    summary = found.summary("s0", "a")
    assert summary is not None
    assert (summary.n, summary.mean) == (5, 10.0)


def test_the_interval_over_scenarios_is_wider_where_scenarios_differ() -> None:
    noise = np.random.default_rng(0).normal(size=(6, 12, 5))
    found = league(lambda k, s, p: float(noise[k, s, p]) + (p if k % 2 else -p), scenarios=6, seeds=12)
    for each in found.standings:
        assert each.interval is not None
        assert each.wide is not None
        assert each.wide[1] - each.wide[0] > each.interval[1] - each.interval[0]
    few = league(lambda k, s, p: float(noise[k, s, p]), scenarios=4, seeds=4)
    assert all(each.interval is None and each.wide is None and each.ahead is None for each in few.standings)
    assert "So few seeds have no interval" in few.sentence()


def test_two_halves_of_the_seeds_that_disagree_are_told() -> None:
    """In even seeds the order is that of the names, and in odd seeds the reverse."""
    found = league(lambda _k, s, p: float(-p if s % 2 == 0 else p))
    assert (found.stability.kendall, found.stability.spearman, found.stability.seeds) == (-1, -1, (10, 10))
    assert "Kendall's tau -1.00, Spearman's rho -1.00" in found.sentence()
    assert league(lambda _k, _s, p: float(p), seeds=1).stability.kendall is None


def test_equal_games_give_equal_results_and_tables_are_read_again() -> None:
    noise = np.random.default_rng(3).normal(size=(3, 20, 5))
    one, two = (league(lambda k, s, p: float(noise[k, s, p])) for _ in range(2))
    assert one.to_dict() == two.to_dict()
    assert read_games(games_csv(one.games)) == list(one.games)
    for text in ("a,b\n", games_csv(one.games).replace("s0,0,a,A,", "s0,0,a,A,,", 1)):
        with pytest.raises(ValueError, match=r"columns|missing|unpack"):
            read_games(text)
