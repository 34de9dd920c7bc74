"""Patterns of expressions for schemas: all that matches them is legal in the language."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.expression_schema import amount_schema, condition_schema
from contracts.expressions import Expression, Kind
from contracts.terms import Obligation, Transfer

NAMES = ("Gizmo.items.raw_iron", "Gizmo.mined.iron_ore", "Gizmo.value.raw_iron", "Gizmo.reward", "chest.iron_pickaxe")
AMOUNT = amount_schema(NAMES)["pattern"]
CONDITION = condition_schema(NAMES)["pattern"]


@given(st.from_regex(AMOUNT, fullmatch=True, alphabet=st.characters(codec="ascii")))
def test_each_amount_of_the_pattern_is_one_that_a_transfer_can_have(text: str) -> None:
    amount = Expression(text.strip())
    assert amount.kind is Kind.NUMBER
    assert amount.names <= set(NAMES)
    Transfer("t", "Gizmo", "Glitch", amount)


@given(st.from_regex(CONDITION, fullmatch=True, alphabet=st.characters(codec="ascii")))
def test_each_condition_of_the_pattern_is_one_that_an_obligation_can_have(text: str) -> None:
    condition = Expression(text.strip())
    assert condition.kind is Kind.TRUTH
    assert condition.names <= set(NAMES)
    Obligation("o", "Gizmo", condition)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (AMOUNT, "11"),
        (AMOUNT, "0.5 * Gizmo.items.raw_iron * Gizmo.value.raw_iron"),
        (AMOUNT, "1 * Gizmo.reward + 0.25 * Gizmo.reward"),
        (CONDITION, "True"),
        (CONDITION, "Gizmo.mined.iron_ore >= 12 and chest.iron_pickaxe == 1"),
        (CONDITION, "Gizmo.mined.iron_ore == 0 and (chest.iron_pickaxe == 1 or Gizmo.reward > 3)"),
    ],
)
def test_common_terms_match_the_patterns(pattern: str, text: str) -> None:
    assert re.fullmatch(pattern, text)


def test_the_number_of_a_clause_is_the_only_one() -> None:
    pattern = amount_schema(NAMES, Fraction("2.5"))["pattern"]
    assert re.fullmatch(pattern, "2.5")
    assert not re.fullmatch(pattern, "3")
    assert re.fullmatch(pattern, "0.5 * Gizmo.reward")
