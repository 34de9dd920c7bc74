"""The formula language of payoffs: the arithmetic of contract terms over a player's choice and the group's.

`endowment - own + multiplier * total / n` is a payoff. Numbers are exact and bounded. As in contracts the text is
parsed with `ast`, every node is checked against an allow-list, and nothing is ever executed.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from contracts.errors import ContractError
from contracts.expressions import ExpressionChecker, ExpressionEvaluator, Kind, Value, parse_source

COUNT = "count"
"""Function that counts the players with an option: `count(volunteer)`."""
GROUP_NAMES: Mapping[str, str] = {
    "own": "the player's own number",
    "total": "the sum of all players' numbers",
    "others": "the sum of the other players' numbers",
    "lowest": "the lowest number of all players",
    "highest": "the highest number of all players",
    "before": "the sum of the numbers chosen before the player's turn in this round",
    "received": "the number of the player before it in the circle of players",
    "n": "the number of players",
}
"""Name in a formula -> its meaning, in words."""
ORDERED = frozenset(("before", "received"))
"""Names that depend on who chose a number, and not only on the numbers."""
LANGUAGE = (
    "numbers, names of the game, + - * / ( ), == != < <= > >=, and or not, A if TEST else B, min max round, "
    "count(option)"
)
"""The language in one line, for error messages."""


@dataclass(frozen=True)
class Formula:
    """A payoff as a checked formula. Raises ValueError for an illegal one."""

    source: str
    known: frozenset[str]
    """Legal names."""
    options: frozenset[str] = frozenset()
    """Legal options in `count(...)`."""
    names: frozenset[str] = field(init=False, compare=False)
    """Names that the formula reads, `count(option)` included."""
    tree: ast.expr = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        try:
            tree = parse_source(self.source, LANGUAGE)
            checker = _FormulaChecker(self.source, self.known, self.options)
            if checker.kind(tree) is not Kind.NUMBER:
                raise ValueError(f"{self.source!r} is a truth value; a payoff is a number: write 1 if ... else 0")
        except ContractError as error:
            raise ValueError(str(error)) from None
        object.__setattr__(self, "tree", tree)
        object.__setattr__(self, "names", frozenset(checker.names))

    def number(self, values: Mapping[str, Fraction]) -> Fraction:
        """Return the formula's value. Raises ValueError if it has none, such as a division by zero."""
        try:
            found = _FormulaEvaluator(self.source, values, {}).value(self.tree)
        except ContractError as error:
            raise ValueError(str(error)) from None
        assert not isinstance(found, bool), "checked to be a number"
        return found


class _FormulaChecker(ExpressionChecker):
    """Checker of a formula's nodes: bare names, conditional numbers and counts beside the arithmetic."""

    legal = LANGUAGE

    def __init__(self, source: str, known: frozenset[str], options: frozenset[str]) -> None:
        super().__init__(source)
        self._known, self._options = known, options

    def kind(self, node: ast.expr) -> Kind:
        match node:
            case ast.Name(id=name):
                if name not in self._known:
                    raise self.illegal(f"{name} (names: {', '.join(sorted(self._known))})")
                self.names.add(name)
                return Kind.NUMBER
            case ast.IfExp(test=test, body=body, orelse=other):
                self.check_all([test], Kind.TRUTH, Kind.NUMBER)
                return self.check_all([body, other], Kind.NUMBER, Kind.NUMBER)
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(id=option)]) if name == COUNT:
                if option not in self._options:
                    raise self.illegal(f"count({option}) (options: {', '.join(sorted(self._options))})")
                self.names.add(counted(option))
                return Kind.NUMBER
            case ast.Attribute() | ast.Call(func=ast.Name(id="met")):
                raise self.illegal(ast.unparse(node))
        return super().kind(node)


class _FormulaEvaluator(ExpressionEvaluator):
    """Evaluator of a checked formula."""

    def value(self, node: ast.expr) -> Value:
        match node:
            case ast.Name(id=name):
                return self.observable(name)
            case ast.IfExp(test=test, body=body, orelse=other):
                return self.value(body if self.value(test) else other)
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(id=option)]) if name == COUNT:
                return self.observable(counted(option))
        return super().value(node)


def counted(option: str) -> str:
    """Return the name of the number of players with an option."""
    return f"{COUNT}({option})"


def counted_option(name: str) -> str:
    """Return the option whose players a name made by `counted` counts."""
    return name.removeprefix(f"{COUNT}(").removesuffix(")")
