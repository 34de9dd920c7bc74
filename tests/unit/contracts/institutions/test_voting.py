"""Counts of elections: known cases, and random ones against votelib."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from votelib import convert
from votelib.evaluate import condorcet

from contracts.institutions.voting import ElectionMethod, beat_cycle, count_election, pairwise, smith_set

PEOPLE = ("Ann", "Bob", "Cid", "Dan")
CYCLE = {"v1": ("Ann", "Bob", "Cid"), "v2": ("Bob", "Cid", "Ann"), "v3": ("Cid", "Ann", "Bob")}


def count(method: str, ballots: Mapping[str, Sequence[str]], seats: int = 1, seed: int = 0):  # noqa: ANN201
    return count_election(ElectionMethod(method), PEOPLE[:3], ballots, seats, random.Random(seed))


@pytest.mark.parametrize(
    ("method", "ballots", "winner"),
    [
        ("plurality", {"v1": ["Ann"], "v2": ["Ann"], "v3": ["Bob"]}, "Ann"),
        ("approval", {"v1": ["Ann", "Bob"], "v2": ["Bob"], "v3": ["Cid", "Bob"]}, "Bob"),
        # Bob wins the plurality, and Cid beats everybody pairwise.
        ("plurality", {"v1": ["Bob"], "v2": ["Bob"], "v3": ["Ann"], "v4": ["Cid"]}, "Bob"),
        (
            "condorcet",
            {"v1": ["Bob", "Cid"], "v2": ["Bob", "Cid"], "v3": ["Ann", "Cid"], "v4": ["Ann", "Cid"], "v5": ["Cid"]},
            "Cid",
        ),
    ],
)
def test_each_method_has_its_winner(method: str, ballots: Mapping[str, Sequence[str]], winner: str) -> None:
    found = count(method, ballots)
    assert (found.winners, found.cycle, found.tied) == ((winner,), (), ())


def test_a_cycle_is_told_with_its_members() -> None:
    found = count("condorcet", CYCLE)
    assert found.cycle == ("Ann", "Bob", "Cid")
    assert "no Condorcet winner: a cycle" in found.how
    assert found.pairs["Ann>Bob"] == 2


def test_a_pairwise_tie_is_no_cycle() -> None:
    found = count("condorcet", {"v1": ("Ann", "Bob", "Cid"), "v2": ("Bob", "Ann", "Cid")})
    assert (found.cycle, found.tied) == ((), ("Ann", "Bob"))
    assert "cycle" not in found.how


def test_a_tie_falls_to_the_lot_and_not_to_the_alphabet() -> None:
    drawn = {count("plurality", {"v1": ["Ann"], "v2": ["Cid"]}, seed=seed).winners for seed in range(20)}
    assert drawn == {("Ann",), ("Cid",)}


def test_abstentions_count_for_nobody() -> None:
    assert count("plurality", {"v1": ["Bob"], "v2": [], "v3": []}).tally == {"Ann": 0, "Bob": 1, "Cid": 0}


rankings = st.lists(st.permutations(PEOPLE).map(tuple), min_size=1, max_size=9)


@given(rankings)
def test_condorcet_counts_are_those_of_votelib(ballots: list[tuple[str, ...]]) -> None:
    votes = convert.RankedToCondorcetVotes().convert(Counter(ballots))
    given_ = {str(number): ballot for number, ballot in enumerate(ballots)}
    pairs = pairwise(PEOPLE, given_)
    assert pairs == {pair: votes.get(pair, 0) for pair in pairs}
    assert set(smith_set(PEOPLE, pairs)) == set(condorcet.SmithSet().evaluate(votes))
    found = count_election(ElectionMethod.CONDORCET, PEOPLE, given_, 1, random.Random(0))
    if winner := condorcet.CondorcetWinner().evaluate(votes):
        assert (list(found.winners), found.cycle) == (winner, ())
    else:
        assert found.winners[0] in condorcet.SmithSet().evaluate(votes)
        assert found.cycle or found.how.startswith("pairwise tie")


@given(rankings)
def test_a_cycle_is_a_chain_of_wins_back_to_its_start(ballots: list[tuple[str, ...]]) -> None:
    pairs = pairwise(PEOPLE, {str(number): ballot for number, ballot in enumerate(ballots)})
    cycle = beat_cycle(PEOPLE, pairs)
    for name in cycle:
        assert any(pairs[name, other] > pairs[other, name] for other in cycle if other != name)
        assert any(pairs[other, name] > pairs[name, other] for other in cycle if other != name)


@given(st.lists(st.lists(st.sampled_from(PEOPLE), unique=True), min_size=1, max_size=9), st.integers(1, 3))
def test_approval_elects_those_with_the_most_approvals(ballots: list[list[str]], seats: int) -> None:
    given_ = {str(number): ballot for number, ballot in enumerate(ballots)}
    found = count_election(ElectionMethod.APPROVAL, PEOPLE, given_, seats, random.Random(1))
    assert len(set(found.winners)) == seats
    assert min(found.tally[name] for name in found.winners) >= max(
        found.tally[name] for name in PEOPLE if name not in found.winners
    )
