from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import ContractFormatError, EvaluationError, Expression
from contracts.expressions import MAX_MAGNITUDE

TABLE = {
    "Gizmo.items.raw_iron": Fraction(12),
    "Gizmo.value.raw_iron": Fraction(4),
    "Gizmo.mined.iron_ore": Fraction(12),
    "Gizmo.reward": Fraction(48),
    "chest.iron_pickaxe": Fraction(0),
    "Gizmo.items.huge": Fraction(10**9),
}


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("11", 11),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("0.5 * Gizmo.items.raw_iron * Gizmo.value.raw_iron", 24),
        ("Gizmo.items.raw_iron / 7", Fraction(12, 7)),
        ("-(3 - 5)", 2),
        ("+4", 4),
        ("min(Gizmo.reward, 30)", 30),
        ("max(1, 2, 3)", 3),
        ("round(7 / 2)", 4),
        ("1e3", 1000),
    ],
)
def test_amounts(source: str, value: Fraction | int) -> None:
    assert Expression(source).number(TABLE) == value


@pytest.mark.parametrize(
    ("source", "truth"),
    [
        ("True", True),
        ("Gizmo.mined.iron_ore == 12", True),
        ("Gizmo.mined.iron_ore != 12", False),
        ("1 < 2 <= 2", True),
        ("1 < 2 < 2", False),
        ("not chest.iron_pickaxe > 0", True),
        ('met("a") and not met("b")', True),
        ('met("b") or Gizmo.reward >= 49', False),
    ],
)
def test_conditions(source: str, truth: bool) -> None:
    assert Expression(source).truth(TABLE, {"a": True, "b": False}) is truth


@pytest.mark.parametrize(
    "source",
    [
        "",
        "   ",
        "1 +",
        "1or 2",
        "x",
        "Gizmo",
        "a.b.c.d",
        "Gizmo.items['raw_iron']",
        "__import__('os')",
        "().__class__",
        "(1).real.imag",
        "[1, 2]",
        "{'a': 1}",
        "'text'",
        "b'x'",
        "1j",
        "None",
        "2 ** 8",
        "7 // 2",
        "7 % 2",
        "1 << 9",
        "~1",
        "1 if True else 2",
        "lambda: 1",
        "(y := 1)",
        "f'{1}'",
        "max(1)",
        "round(1, 2)",
        "min(*[1, 2])",
        "max(1, key=2)",
        "abs(1)",
        "met(1)",
        'met("a", "b")',
        "met(Gizmo.reward)",
        "1 and 2",
        "not 1",
        "True + 1",
        "(1 < 2) < 3",
        "1 is 1",
        "1 in 2",
        "1e999",
        "10000000000",
        "1 + 1\x00",
        "1\n2",
        "Gizmo.items.raw_iron; 1",
        "\u0391.items.raw_iron",
        "\uff11",
        "(" * 300 + "1" + ")" * 300,
        "1+" * 240 + "1",
        "1" * 600,
    ],
)
def test_everything_else_is_refused_in_one_line(source: str) -> None:
    with pytest.raises(ContractFormatError) as caught:
        Expression(source)
    assert "\n" not in str(caught.value).replace("\\n", "")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("Gizmo.items.raw_irn", "unknown observable 'Gizmo.items.raw_irn'"),
        ("1 / chest.iron_pickaxe", "divides by zero"),
        ("Gizmo.items.huge * 2", "leaves the bound"),
        ("1e-300", "leaves the bound"),
    ],
)
def test_what_has_no_value_says_why(source: str, told: str) -> None:
    with pytest.raises(EvaluationError, match=told):
        Expression(source).number(TABLE)


def test_an_unknown_name_is_an_error_even_where_the_result_is_decided() -> None:
    with pytest.raises(EvaluationError, match="unknown observable"):
        Expression("True or Gizmo.items.nothing > 0").truth(TABLE)


def test_an_unknown_obligation_is_an_error() -> None:
    with pytest.raises(EvaluationError, match="unknown obligation 'c': known are a"):
        Expression('met("c")').truth(TABLE, {"a": True})


def test_kinds_do_not_mix() -> None:
    with pytest.raises(EvaluationError, match="truth value, not a number"):
        Expression("1 < 2").number(TABLE)
    with pytest.raises(EvaluationError, match="number, not a truth value"):
        Expression("1").truth(TABLE)


def test_what_it_reads_is_known_before_it_is_evaluated() -> None:
    expression = Expression('Gizmo.items.raw_iron * 2 > chest.diamond and met("x")')
    assert expression.names == {"Gizmo.items.raw_iron", "chest.diamond"}
    assert expression.obligations == {"x"}


LEAVES = st.sampled_from(
    ["1", "0.25", "3", "Gizmo.items.raw_iron", "Gizmo.reward", "chest.iron_pickaxe", "Gizmo.items.huge"]
)
AMOUNTS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
        inner.map(lambda text: f"round({text})"),
        inner.map(lambda text: f"-{text}"),
    ),
    max_leaves=12,
)


def evaluated(source: str) -> Fraction | None:
    try:
        return Expression(source).number(TABLE)
    except EvaluationError:
        return None


@given(AMOUNTS)
def test_a_value_is_exact_and_bounded_or_there_is_none(source: str) -> None:
    value = evaluated(source)
    assert value is None or (isinstance(value, Fraction) and abs(value) <= MAX_MAGNITUDE)


def accepted(source: str) -> bool:
    try:
        Expression(source)
    except ContractFormatError:
        return False
    return True


@given(st.text(max_size=80))
def test_any_text_is_an_expression_or_a_named_error(source: str) -> None:
    assert accepted(source) in (True, False)
