from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import Award, Verdict, VerdictError, settle
from contracts.observables import exact

NAMES = ["Ada", "Bob", "Cleo"]
PAIRS = [(a, b) for a in NAMES for b in NAMES if a != b]
AWARDS = st.builds(
    lambda pair, amount: Award("t", pair[0], pair[1], amount),
    st.sampled_from(PAIRS),
    st.fractions(min_value=0, max_value=10**6),
)
REWARDS = st.fixed_dictionaries({name: st.floats(0, 1e6, allow_nan=False) for name in NAMES})


@given(REWARDS, st.lists(AWARDS, max_size=12))
def test_transfers_sum_to_zero_and_payoffs_to_rewards_exactly(rewards: dict[str, float], awards: list[Award]) -> None:
    settled = settle(rewards, Verdict("test", tuple(awards)))
    assert sum(settled.transfers.values()) == 0
    assert sum(settled.payoffs.values()) == sum(exact(value, "reward") for value in rewards.values())
    assert len(settled.entries) == len(awards)
    assert all((entry.amount * 100).denominator == 1 for entry in settled.entries)


@pytest.mark.parametrize(
    ("amount", "booked"),
    [
        (Fraction(11), 11),
        (Fraction(1, 3), Fraction(33, 100)),
        (Fraction(1, 200), 0),
        (Fraction(3, 200), Fraction(2, 100)),
        (Fraction(0), 0),
    ],
)
def test_amounts_are_rounded_to_cents_halves_to_even(amount: Fraction, booked: Fraction | int) -> None:
    settled = settle({"Ada": 48, "Bob": 30}, Verdict("test", (Award("t", "Ada", "Bob", amount),)))
    assert settled.transfers == {"Ada": -booked, "Bob": booked}


def test_no_contract_moves_nothing() -> None:
    settled = settle({"Ada": 48.0, "Bob": 30}, None)
    assert settled.to_dict()["payoffs"] == {"Ada": 48.0, "Bob": 30.0}
    assert settled.entries == ()


@pytest.mark.parametrize(("payer", "payee"), [("Judy", "Ada"), ("Ada", "Judy")])
def test_an_award_to_or_from_a_stranger_is_refused(payer: str, payee: str) -> None:
    with pytest.raises(VerdictError, match="'Judy' has no account: players are Ada, Bob"):
        settle({"Ada": 1, "Bob": 1}, Verdict("test", (Award("t", payer, payee, Fraction(1)),)))


def test_awards_are_never_negative_nor_to_oneself_nor_of_an_unreadable_verdict() -> None:
    with pytest.raises(VerdictError, match="negative"):
        Award("t", "Ada", "Bob", Fraction(-1))
    with pytest.raises(VerdictError, match="cannot pay itself"):
        Award("t", "Ada", "Ada", Fraction(1))
    with pytest.raises(VerdictError, match="moves nothing"):
        Verdict("test", (Award("t", "Ada", "Bob", Fraction(1)),), readable=False)
