"""The expression language of contract terms: arithmetic and logic over observables.

`0.5 * Gizmo.items.raw_iron * Gizmo.value.raw_iron` is an amount; `Glitch.mined.iron_ore == 0 and met("returns")` is a
condition. Values are exact fractions and truth values, never floats, so that settlements sum to zero exactly. The
text is parsed with `ast` and every node is checked against an allow-list; nothing is ever executed.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from contracts.errors import ContractFormatError, EvaluationError

Value = Fraction | bool
"""Value of an expression."""

MAX_LENGTH = 500
"""Maximum characters of an expression."""
MAX_NODES = 120
"""Maximum syntax nodes of an expression."""
MAX_MAGNITUDE = Fraction(10**9)
"""Bound of all intermediate numbers and their denominators."""
_PLAIN = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
"""A decimal number: not 0x10, and not 1_000, which some parsers read as 1."""
LEGAL = (
    "numbers, observables (Gizmo.items.raw_iron, Gizmo.mined.iron_ore, Gizmo.value.raw_iron, chest.iron_pickaxe), "
    '+ - * / ( ), == != < <= > >=, and or not, True False, min max round, met("obligation-id")'
)
"""The language in one line, for error messages."""


class Kind(StrEnum):
    """Type of an expression, known before evaluation."""

    NUMBER = "number"
    TRUTH = "truth value"


_ARITHMETIC: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARISON: dict[type[ast.cmpop], Callable[[Fraction, Fraction], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS = ("min", "max", "round")


@dataclass(frozen=True)
class Expression:
    """A parsed expression. Equal when its source is; `kind` says whether it is a number or a truth value."""

    source: str
    kind: Kind = field(init=False, compare=False)
    names: frozenset[str] = field(init=False, compare=False)
    """Dotted names of the observables that it reads."""
    obligations: frozenset[str] = field(init=False, compare=False)
    """Ids of obligations in `met(...)`."""
    tree: ast.expr = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        tree = parse_source(self.source)
        checker = ExpressionChecker(self.source)
        object.__setattr__(self, "kind", checker.kind(tree))
        object.__setattr__(self, "names", frozenset(checker.names))
        object.__setattr__(self, "obligations", frozenset(checker.obligations))
        object.__setattr__(self, "tree", tree)

    def with_obligations(self, replacement: Callable[[str], str]) -> Expression:
        """Return the expression with each `met("id")` replaced by the source that `replacement` returns for the id."""
        if not self.obligations:
            return self

        class Replaced(ast.NodeTransformer):
            def visit_Call(self, node: ast.Call) -> ast.AST:
                match node:
                    case ast.Call(func=ast.Name(id="met"), args=[ast.Constant(value=str() as identifier)]):
                        return ast.parse(replacement(identifier), mode="eval").body
                return self.generic_visit(node)

        return Expression(ast.unparse(Replaced().visit(ast.parse(self.source.strip(), mode="eval").body)))

    def number(self, observables: Mapping[str, Fraction], met: Mapping[str, bool] | None = None) -> Fraction:
        """Return the value as a number. Raises EvaluationError if there is none."""
        value = ExpressionEvaluator(self.source, observables, met or {}).value(self.tree)
        if isinstance(value, bool):
            raise EvaluationError(f"{self.source!r} is a truth value, not a number")
        return value

    def truth(self, observables: Mapping[str, Fraction], met: Mapping[str, bool] | None = None) -> bool:
        """Return the value as a truth value. Raises EvaluationError if there is none."""
        value = ExpressionEvaluator(self.source, observables, met or {}).value(self.tree)
        if not isinstance(value, bool):
            raise EvaluationError(f"{self.source!r} is a number, not a truth value")
        return value

    @property
    def product(self) -> tuple[Fraction, tuple[str, ...]]:
        """Return (factor, observables) of a plain product such as `0.5 * Gizmo.reward`, or (1, ())."""
        factor, names = Fraction(1), []
        for node in _factors(self.tree):
            if (name := dotted(node)) is not None:
                names.append(name)
            elif isinstance(node, ast.Constant) and not isinstance(node.value, bool):
                factor *= Fraction(repr(node.value))
            else:
                return Fraction(1), ()
        return factor, tuple(names)

    @property
    def hopeless(self) -> bool:
        """True if it requires a count or value below zero, which never occurs: `Laura.mined.poppy <= -5`, alone or
        among other conditions."""
        return any(_below_zero(part) for part in conjuncts(self.tree))

    def __str__(self) -> str:
        return self.source


def _factors(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return [*_factors(left), *_factors(right)]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return [ast.Constant(-1), *_factors(operand)]
    return [node]


def conjuncts(node: ast.expr) -> list[ast.expr]:
    """Return the operands of a conjunction, or the node itself."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [part for value in node.values for part in conjuncts(value)]
    return [node]


def _below_zero(node: ast.expr) -> bool:
    """Return whether a node is `observable <= number`, `<` or `==` with a number below all observables."""
    if not (isinstance(node, ast.Compare) and len(node.ops) == 1 and dotted(node.left) is not None):
        return False
    bound = Expression(ast.unparse(node.comparators[0]))
    if bound.names or bound.kind is not Kind.NUMBER:
        return False
    limit = bound.number({})
    match node.ops[0]:
        case ast.LtE() | ast.Eq():
            return limit < 0
        case ast.Lt():
            return limit <= 0
    return False


def dotted(node: ast.expr) -> str | None:
    """Return the dotted name of a node, such as `Gizmo.items.raw_iron`, or None."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or not parts:
        return None
    return ".".join([node.id, *reversed(parts)])


def parse_source(source: object, legal: str = LEGAL) -> ast.expr:
    """Return the unchecked syntax tree of an expression. Raises ContractFormatError; `legal` ends its messages."""
    if not isinstance(source, str) or not source.strip():
        raise ContractFormatError(f"{source!r} is not an expression: write {legal}")
    if len(source) > MAX_LENGTH:
        raise ContractFormatError(f"expression of {len(source)} characters: at most {MAX_LENGTH} are legal")
    if not source.isascii():
        raise ContractFormatError(f"{source!r} has characters outside ASCII: write {legal}")
    try:
        with warnings.catch_warnings():
            # Python only warns about odd literals such as `1or 2`; in a contract they are errors.
            warnings.simplefilter("error")
            tree = ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError, Warning) as error:
        raise ContractFormatError(f"{source!r} does not parse ({_brief(error)}): write {legal}") from None
    if sum(1 for _ in ast.walk(tree)) > MAX_NODES:
        raise ContractFormatError(f"{source!r} is too long: at most {MAX_NODES} terms and operators are legal")
    return tree


def _brief(error: BaseException) -> str:
    return (error.msg if isinstance(error, SyntaxError) else str(error)).splitlines()[0] or type(error).__name__


class ExpressionChecker:
    """Checker of a syntax tree: legal nodes and operand types; collects the names read."""

    legal: ClassVar[str] = LEGAL
    """The language in one line, for error messages."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.names: set[str] = set()
        self.obligations: set[str] = set()

    def kind(self, node: ast.expr) -> Kind:
        """Return the type of a node. Raises ContractFormatError for one that is not legal."""
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Attribute():
                return self._observable(node)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                return self.check_all([operand], Kind.NUMBER, Kind.NUMBER)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.check_all([operand], Kind.TRUTH, Kind.TRUTH)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                return self.check_all([left, right], Kind.NUMBER, Kind.NUMBER)
            case ast.BoolOp(values=values):
                return self.check_all(values, Kind.TRUTH, Kind.TRUTH)
            case ast.Compare(left=left, ops=ops, comparators=others) if all(type(o) in _COMPARISON for o in ops):
                return self.check_all([left, *others], Kind.NUMBER, Kind.TRUTH)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self._call(name, args)
        raise self.illegal(ast.unparse(node))

    def check_all(self, nodes: list[ast.expr], needed: Kind, result: Kind) -> Kind:
        """Return `result` if all nodes are of the type `needed`. Raises ContractFormatError."""
        for node in nodes:
            if self.kind(node) is not needed:
                raise ContractFormatError(
                    f"{self.source!r}: {ast.unparse(node)!r} is not a {needed}: write {self.legal}"
                )
        return result

    def _constant(self, node: ast.Constant) -> Kind:
        if isinstance(node.value, bool):
            return Kind.TRUTH
        written = ast.get_source_segment(self.source.strip(), node) or ""
        if isinstance(node.value, int | float) and abs(node.value) <= MAX_MAGNITUDE and _PLAIN.fullmatch(written):
            return Kind.NUMBER
        raise self.illegal((written or ast.unparse(node))[:40])

    def _observable(self, node: ast.Attribute) -> Kind:
        name = dotted(node)
        if name is None or not 2 <= name.count(".") + 1 <= 3:
            raise self.illegal(ast.unparse(node))
        self.names.add(name)
        return Kind.NUMBER

    def _call(self, name: str, args: list[ast.expr]) -> Kind:
        if name == "met":
            match args:
                case [ast.Constant(value=str() as obligation)]:
                    self.obligations.add(obligation)
                    return Kind.TRUTH
            raise ContractFormatError(
                f'{self.source!r}: met takes one obligation id in quotes, e.g. met("returns-pickaxe")'
            )
        if name not in _FUNCTIONS:
            raise self.illegal(f"{name}(...)")
        if not args or (name == "round" and len(args) != 1) or (name != "round" and len(args) < 2):
            raise ContractFormatError(
                f"{self.source!r}: {name} takes {'one number' if name == 'round' else 'two or more'}"
            )
        return self.check_all(args, Kind.NUMBER, Kind.NUMBER)

    def illegal(self, what: str) -> ContractFormatError:
        """Return the error for a part of the source that is not legal."""
        return ContractFormatError(f"{self.source!r}: {what!r} is not legal here: write {self.legal}")


@lru_cache(maxsize=1024)
def _written(literal: str) -> Fraction:
    """Return a decimal number exactly; reading one takes longer than all else that an evaluation does with it."""
    return Fraction(literal)


class ExpressionEvaluator:
    """Evaluator of a checked tree with exact, bounded numbers."""

    def __init__(self, source: str, observables: Mapping[str, Fraction], met: Mapping[str, bool]) -> None:
        self.source = source
        self.observables = observables
        self.met = met

    def value(self, node: ast.expr) -> Value:
        """Return the value of a node. Raises EvaluationError if it has none."""
        match node:
            case ast.Constant(value=bool() as truth):
                return truth
            case ast.Constant(value=int() | float() as literal):
                return self._bounded(_written(repr(literal)))
            case ast.Attribute():
                return self.observable(str(dotted(node)))
            case ast.UnaryOp(op=op, operand=operand):
                return self._unary(op, operand)
            case ast.BinOp(left=left, op=op, right=right):
                return self._arithmetic(op, self._number(left), self._number(right))
            case ast.BoolOp(op=op, values=values):
                # All operands are evaluated: an unknown name is an error even if the result is already decided.
                truths = [bool(self.value(each)) for each in values]
                return all(truths) if isinstance(op, ast.And) else any(truths)
            case ast.Compare(left=left, ops=ops, comparators=others):
                numbers = [self._number(each) for each in [left, *others]]
                return all(_COMPARISON[type(op)](numbers[i], numbers[i + 1]) for i, op in enumerate(ops))
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._call(name, args)
        raise EvaluationError(f"{self.source!r} cannot be evaluated")

    def _unary(self, op: ast.unaryop, operand: ast.expr) -> Value:
        if isinstance(op, ast.Not):
            return not self.value(operand)
        return -self._number(operand) if isinstance(op, ast.USub) else self._number(operand)

    def _number(self, node: ast.expr) -> Fraction:
        value = self.value(node)
        if isinstance(value, bool):
            raise EvaluationError(f"{self.source!r}: {ast.unparse(node)!r} is not a number")
        return value

    def _arithmetic(self, op: ast.operator, left: Fraction, right: Fraction) -> Fraction:
        if isinstance(op, ast.Div) and right == 0:
            raise EvaluationError(f"{self.source!r} divides by zero")
        return self._bounded(_ARITHMETIC[type(op)](left, right))

    def _call(self, name: str, args: list[ast.expr]) -> Value:
        if name == "met":
            return self._obligation(args[0])
        numbers = [self._number(each) for each in args]
        if name == "round":
            return Fraction(round(numbers[0]))
        return min(numbers) if name == "min" else max(numbers)

    def _obligation(self, node: ast.expr) -> bool:
        identifier = ast.literal_eval(node)
        if identifier not in self.met:
            known = ", ".join(sorted(self.met)) or "none"
            raise EvaluationError(f"{self.source!r}: unknown obligation {identifier!r}: known are {known}")
        return self.met[identifier]

    def observable(self, name: str) -> Fraction:
        """Return the value of a name. Raises EvaluationError if there is none."""
        if name not in self.observables:
            raise EvaluationError(f"{self.source!r}: unknown observable {name!r}")
        return self._bounded(self.observables[name])

    def _bounded(self, value: Fraction) -> Fraction:
        if abs(value) > MAX_MAGNITUDE or value.denominator > MAX_MAGNITUDE:
            raise EvaluationError(f"{self.source!r} leaves the bound of {MAX_MAGNITUDE}")
        return value
