"""The language of payoff formulas: values, types, and what is refused."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from voyager_agents.stage_games.formulas import Formula

KNOWN = frozenset(("own", "total", "n", "lowest"))


def formula(source: str) -> Formula:
    return Formula(source, KNOWN, frozenset(("volunteer", "wait")))


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("10 - own + 1.6 * total / n", F(14)),
        ("1 if total >= 20 and not own == 20 else 0", F(1)),
        ("max(own, lowest) - min(own, total)", F(0)),
        ("count(volunteer) * 0.1", F(3, 10)),
        ("-own / 4", F(-5, 2)),
        # The branch that is not taken has no value and needs none.
        ("0 if lowest == 0 else own / lowest", F(0)),
    ],
)
def test_a_formula_has_an_exact_value(source: str, value: F) -> None:
    values = {"own": F(10), "total": F(35), "n": F(4), "lowest": F(0), "count(volunteer)": F(3)}
    assert formula(source).number(values) == value


def test_a_formula_knows_the_names_that_it_reads() -> None:
    assert formula("own * count(wait) + n").names == {"own", "n", "count(wait)"}


@pytest.mark.parametrize(
    "source",
    [
        "__import__('os').system('true')", "own.real", "total[0]", "lambda: 1", "(own := 3)", "own ** 999999",
        "9 ** 9 ** 9", "open('x')", "f'{own}'", "[own for own in (1, 2)]", "met('x')", "Gizmo.items.emerald",
        "count(own)", "count(volunteer, wait)", "price + 1", "own if total else 1", "own >= 3", "own + (total > 2)",
        "", "1 1", "0x10", "own" + " + own" * 200,
    ],
)  # fmt: skip
def test_whatever_is_no_formula_is_refused_before_it_counts(source: str) -> None:
    with pytest.raises(ValueError, match=r"write|a payoff is a number|at most"):
        formula(source)


def test_a_division_by_zero_is_an_error_in_words() -> None:
    with pytest.raises(ValueError, match="divides by zero"):
        formula("own / lowest").number({"own": F(1), "lowest": F(0)})
