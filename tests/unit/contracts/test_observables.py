from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from contracts import ContractFormatError, Observables, PlayerFacts


def test_the_vocabulary_is_complete_and_absent_counts_are_zero() -> None:
    table = Observables.collect(
        {"Ada": PlayerFacts({"coal": 3, "dirt": 9}, {"coal_ore": 3}, {"coal": 0.1}, 7.5)},
        {"torch": 2},
        items=["coal", "torch"],
        blocks=["coal_ore", "stone"],
    )
    assert dict(table) == {
        "Ada.items.coal": 3,
        "Ada.items.torch": 0,
        "Ada.items.dirt": 9,
        "Ada.mined.coal_ore": 3,
        "Ada.mined.stone": 0,
        "Ada.value.coal": Fraction(1, 10),
        "Ada.value.torch": 0,
        "Ada.reward": Fraction(15, 2),
        "chest.coal": 0,
        "chest.torch": 2,
    }
    assert table.to_dict()["Ada.value.coal"] == 0.1


@pytest.mark.parametrize("value", [float("nan"), float("inf"), Decimal("NaN"), "3", None, True])
def test_only_finite_numbers_are_observed(value: object) -> None:
    with pytest.raises(ContractFormatError, match=r"Ada\.items\.coal"):
        Observables({"Ada.items.coal": value})  # type: ignore[dict-item]


def test_it_cannot_be_changed() -> None:
    source = {"Ada.reward": Fraction(1)}
    table = Observables(source)
    source["Ada.reward"] = Fraction(2)
    assert table["Ada.reward"] == 1
