"""JSON schemas of expressions, for models that write under a schema.

Their patterns describe a part of the language of `contracts.expressions`: sums of products of numbers and observables,
and comparisons joined by `and` and `or`, with one level of parentheses. A text that matches always parses. The language
itself nests without limit, which a pattern cannot describe; endpoints that take no patterns leave the text free.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

_COUNT = "(0|[1-9][0-9]{0,2})"
_SHARE = "(0\\.[0-9]{1,2}|1)"


def amount_schema(observables: Sequence[str], most: Fraction | None = None) -> dict[str, Any]:
    """Return the schema of an amount: a number, or a sum of at most three shares of observables or of their products.

    Args:
        observables: Names that the amount may use, such as `Gizmo.items.raw_iron`.
        most: The only number that the clause names; None if it names none, and any count is legal.
    """
    name = _one_of(observables)
    share = rf"{_SHARE} \* {name}( \* {name})?"
    number = _COUNT if most is None else re.escape(f"{float(most):g}")
    return _text(rf"({number}|{share}( \+ {share}){{0,2}})")


def condition_schema(observables: Sequence[str]) -> dict[str, Any]:
    """Return the schema of a condition: True, or at most three parts joined by `and` and `or`.

    A part is a comparison, or two of them joined by `or` in parentheses. `met(...)` is no part, since a pattern cannot
    tell the ids of the answer's own obligations.

    Args:
        observables: Names that the condition may use.
    """
    name = _one_of(observables)
    comparison = rf"{name} (==|!=|>=|<=|>) ({_COUNT}|{name})"
    group = rf"({comparison}|\({comparison} or {comparison}\))"
    return _text(rf"(True|{group}( (and|or) {group}){{0,2}})")


def _one_of(names: Sequence[str]) -> str:
    return f"({'|'.join(re.escape(name) for name in names)})"


def _text(pattern: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^{pattern}$"}
