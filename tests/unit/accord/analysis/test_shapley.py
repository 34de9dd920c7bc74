"""Shapley values: the axioms hold exactly, known games, and samples that cover the exact values."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.analysis.report.shapley import coalition_name
from accord.analysis.shapley import (
    Coalition,
    GroupAccount,
    Method,
    Shapley,
    all_coalitions,
    coalitions_of,
    contributions,
    drawn_orders,
    exact_fraction,
    mean_of,
    shapley_values,
)

SIX = ("A", "B", "C", "D", "E", "F")
Game = Mapping[Coalition, Fraction]


def random_game(seed: int) -> Game:
    draw = random.Random(seed)
    return {each: Fraction(draw.randint(0, 100), draw.randint(1, 9)) for each in all_coalitions(SIX)}


def voting_game(seed: int) -> Game:
    """Return a weighted majority, in which a player is decisive in few orders."""
    draw = random.Random(seed)
    weights = {player: draw.randint(1, 10) for player in SIX}
    half = sum(weights.values()) // 2
    return {each: Fraction(int(sum(weights[one] for one in each) > half)) for each in all_coalitions(SIX)}


def squared_game(seed: int) -> Game:
    draw = random.Random(seed)
    weights = {player: draw.randint(1, 10) for player in SIX}
    return {each: Fraction(sum(weights[one] for one in each) ** 2) for each in all_coalitions(SIX)}


def study(game: Game, method: Method = "exact", orders: int = 24, seed: int = 0, noise: float = 0.0) -> Shapley:
    """Return the study of a game with four seeds; noise is a normal error of a whole seed and of each value."""
    blocks = () if method == "exact" else drawn_orders(SIX, orders, method, seed)
    met = all_coalitions(SIX) if method == "exact" else coalitions_of([each for block in blocks for each in block])
    draw = random.Random(seed)
    errors = [draw.gauss(0, noise) for _ in range(8)] if noise else [0.0]
    played = {each: tuple(game[each] * (1 + exact_fraction(error)) for error in errors) for each in met}
    seeds = tuple(range(len(errors)))
    return Shapley("game", "none", "welfare", "idle", SIX, {}, method, blocks, seeds, played, {})


@cache
def solved(make: Callable[[int], Game], seed: int) -> tuple[Game, Mapping[str, Fraction]]:
    """Return a game and its exact values."""
    game = make(seed)
    return game, shapley_values(SIX, game.__getitem__)


FEW = settings(max_examples=25)
values = st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=16, max_size=16)


@FEW
@given(values)
def test_values_add_up_exactly_for_numbers_as_they_are_written(numbers: list[float]) -> None:
    players = SIX[:4]
    game = dict(zip(all_coalitions(players), map(exact_fraction, numbers), strict=True))
    found = shapley_values(players, game.__getitem__)
    assert sum(found.values()) == game[frozenset(players)] - game[frozenset()]


@FEW
@given(values)
def test_players_that_the_values_do_not_tell_apart_add_the_same_exactly(numbers: list[float]) -> None:
    players = SIX[:4]
    swap = {"A": "B", "B": "A"}
    drawn = dict(zip(all_coalitions(players), map(exact_fraction, numbers), strict=True))
    game = {each: drawn[each] + drawn[frozenset(swap.get(one, one) for one in each)] for each in drawn}
    found = shapley_values(players, game.__getitem__)
    assert found["A"] == found["B"]


@FEW
@given(values)
def test_a_player_that_changes_nothing_adds_nothing_exactly(numbers: list[float]) -> None:
    players = SIX[:4]
    drawn = dict(zip(all_coalitions(players), map(exact_fraction, numbers), strict=True))
    game = {each: drawn[each - {"D"}] for each in drawn}
    assert shapley_values(players, game.__getitem__)["D"] == 0


def test_the_values_are_those_of_known_games() -> None:
    # Gloves: A has a left one, B and C have a right one, and a pair is worth 1.
    gloves = {each: Fraction(int("A" in each and len(each) > 1)) for each in all_coalitions(SIX[:3])}
    assert shapley_values(SIX[:3], gloves.__getitem__) == {
        "A": Fraction(2, 3), "B": Fraction(1, 6), "C": Fraction(1, 6),
    }  # fmt: skip
    # The airport game (Littlechild and Owen 1973): a runway costs what its longest user needs.
    needs = {"A": 1, "B": 2, "C": 5}
    airport = {each: Fraction(max((needs[one] for one in each), default=0)) for each in all_coalitions(SIX[:3])}
    assert shapley_values(SIX[:3], airport.__getitem__) == {
        "A": Fraction(1, 3), "B": Fraction(5, 6), "C": Fraction(23, 6),
    }  # fmt: skip


def test_all_orders_together_give_the_exact_values() -> None:
    game = random_game(1)
    assert contributions(list(permutations(SIX)), game.__getitem__) == shapley_values(SIX, game.__getitem__)


@pytest.mark.parametrize("method", ["antithetic", "stratified"])
def test_drawn_orders_are_in_blocks_of_one_law_and_repeat(method: Method) -> None:
    blocks = drawn_orders(SIX, 13, method, 3)
    assert blocks == drawn_orders(SIX, 13, method, 3) != drawn_orders(SIX, 13, method, 4)
    assert sum(map(len, blocks)) >= 13
    for block in blocks:
        if method == "antithetic":
            first, second = block
            assert first == second[::-1]
        else:
            assert all(sorted(order[place] for order in block) == list(SIX) for place in range(len(SIX)))


@pytest.mark.parametrize("method", ["antithetic", "stratified"])
@pytest.mark.parametrize("make", [random_game, voting_game, squared_game])
def test_the_intervals_of_a_sample_hold_all_exact_values_in_95_of_100_repeats(
    make: Callable[[int], Game], method: Method
) -> None:
    held = 0
    for seed in range(100):
        game, exact = solved(make, seed)
        found = study(game, method, 24, seed)
        intervals = {player: summary.ci95 or (0.0, -1.0) for player, summary in found.summaries.items()}
        held += all(low - 1e-9 <= exact[player] <= high + 1e-9 for player, (low, high) in intervals.items())
    assert held >= 95


def test_intervals_over_orders_and_seeds_hold_the_values_of_all_seeds_in_95_of_100_repeats() -> None:
    game = squared_game(5)
    exact = shapley_values(SIX, game.__getitem__)
    held = 0
    for seed in range(100):
        found = study(game, "antithetic", 24, seed, noise=0.3)
        intervals = {player: summary.ci95 or (0.0, -1.0) for player, summary in found.summaries.items()}
        held += all(low <= exact[player] <= high for player, (low, high) in intervals.items())
    assert held >= 95


def test_a_sample_adds_up_as_the_exact_values_do() -> None:
    game = random_game(2)
    for method in ("antithetic", "stratified"):
        found = study(game, method, noise=0.2)
        assert sum(found.values.values()) == found.whole - found.nobody


def test_a_sample_in_which_nobody_adds_anything_has_no_doubt() -> None:
    found = study(dict.fromkeys(all_coalitions(SIX), Fraction(7)), "antithetic")
    assert {summary.ci95 for summary in found.summaries.values()} == {(0.0, 0.0)}


def test_pay_is_compared_with_what_is_added_seed_by_seed() -> None:
    players = ("A", "B")
    played = {
        frozenset[str](): (Fraction(0), Fraction(0)),
        frozenset({"A"}): (Fraction(2), Fraction(4)),
        frozenset({"B"}): (Fraction(0), Fraction(0)),
        frozenset(players): (Fraction(6), Fraction(8)),
    }
    accounts = {
        "A": GroupAccount((0.0, 0.0), (1.0, 1.0), (1.0, 1.0)),
        "B": GroupAccount((6.0, 8.0), (-1.0, -1.0), (5.0, 7.0)),
    }
    kinds = {"A": ("cleaner", "idle"), "B": ("harvester", "idle")}
    found = Shapley("game", "none", "welfare", "idle", players, kinds, "exact", (), (0, 1), played, accounts)
    assert found.values == {"A": Fraction(5), "B": Fraction(2)}
    assert (found.gaps["A"].mean, found.gaps["B"].mean) == (-4, 4)
    assert found.gaps["A"].max == -3
    assert mean_of([sum(each, Fraction(0)) for each in zip(*played.values(), strict=True)]) == 10
    assert coalition_name(found, frozenset()) == "nobody"
    data = found.to_dict()
    assert [each["contribution_exact"] for each in data["players"]] == ["5", "2"]
    other = Shapley("game", "none", "steps", "idle", players, kinds, "exact", (), (0, 1), played, accounts)
    assert (other.gaps, other.to_dict()["players"][0]["payoff_less_contribution"]) == ({}, None)
