"""Conditional commitments: published programs that choose an option and may read each other.

    cooperate if plays(others, cooperate) else defect     cooperate with whoever is sure to cooperate
    cooperate if same(others) else defect                 cooperate with whoever published the same program
    defect                                                an unconditional commitment

`plays(WHO, OPTION)` is true if it can be proved that WHO chooses the option, and `same(WHO)` if WHO's program is the
same text up to spaces. WHO is a player or `others`, who must then all do so. The outcome of programs that read each
other is that of provability logic: they are evaluated in a chain of worlds, and `plays` is true in a world if it is so
in all worlds before it. In the first world every `plays` is true; once false it stays false, so that after at most as
many worlds as there are `plays` nothing changes any more. There is no recursion, and nothing is ever executed.

Sources: Tennenholtz (2004), "Program equilibrium"; Barasz et al. (2014), "Robust Cooperation in the Prisoner's Dilemma:
Program Equilibrium via Provability Logic" (arXiv 1401.5577).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from contracts.errors import ContractFormatError
from contracts.expressions import parse_source

OTHERS = "others"
LANGUAGE = "an option, A if TEST else B, plays(WHO, OPTION), same(WHO), and or not, with WHO a player or others"
"""The language in one line, for error messages."""


@dataclass(frozen=True)
class Commitment:
    """A program as a checked expression. Raises ContractFormatError for one that is not legal."""

    source: str
    options: tuple[str, ...]
    """Options that the program may choose or name."""
    players: tuple[str, ...]
    """Players that the program may name."""
    tree: ast.expr = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        tree = parse_source(self.source, LANGUAGE)
        self._check_choice(tree)
        object.__setattr__(self, "tree", tree)

    @property
    def text(self) -> str:
        """The program with plain spaces; programs with equal texts are the same."""
        return ast.unparse(self.tree)

    def _check_choice(self, node: ast.expr) -> None:
        match node:
            case ast.Name(id=name):
                if name not in self.options:
                    raise self._illegal(f"{name} (options: {', '.join(self.options)})")
            case ast.IfExp(test=test, body=body, orelse=other):
                self._check_test(test)
                self._check_choice(body)
                self._check_choice(other)
            case _:
                raise self._illegal(ast.unparse(node))

    def _check_test(self, node: ast.expr) -> None:
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self._check_test(operand)
            case ast.BoolOp(values=values):
                for each in values:
                    self._check_test(each)
            case ast.Call(func=ast.Name(id="plays"), args=[ast.Name(id=who), ast.Name(id=option)], keywords=[]):
                self._check_who(who)
                if option not in self.options:
                    raise self._illegal(f"{option} (options: {', '.join(self.options)})")
            case ast.Call(func=ast.Name(id="same"), args=[ast.Name(id=who)], keywords=[]):
                self._check_who(who)
            case _:
                raise self._illegal(ast.unparse(node))

    def _check_who(self, who: str) -> None:
        if who != OTHERS and who not in self.players:
            raise self._illegal(f"{who} (players: {', '.join((OTHERS, *self.players))})")

    def _illegal(self, what: str) -> ContractFormatError:
        return ContractFormatError(f"{self.source!r}: {what} is not legal here: write {LANGUAGE}")


def run_commitments(published: Mapping[str, Commitment]) -> dict[str, str]:
    """Return the option that each player's program chooses, given all published programs."""
    texts = {player: each.text for player, each in published.items()}
    proved = dict.fromkeys(_claims(published), True)
    while True:
        chosen = {player: _choice(player, each.tree, texts, proved) for player, each in published.items()}
        still = {claim: true and chosen[claim[0]] == claim[1] for claim, true in proved.items()}
        if still == proved:
            return chosen
        proved = still


def _claims(published: Mapping[str, Commitment]) -> Iterator[tuple[str, str]]:
    """Yield (player, option) for each `plays` in the programs."""
    for player, commitment in published.items():
        for node in ast.walk(commitment.tree):
            match node:
                case ast.Call(func=ast.Name(id="plays"), args=[ast.Name(id=who), ast.Name(id=option)]):
                    for each in _named(who, player, list(published)):
                        yield each, option


def _named(who: str, player: str, players: Sequence[str]) -> list[str]:
    return [each for each in players if each != player] if who == OTHERS else [who]


def _choice(player: str, node: ast.expr, texts: Mapping[str, str], proved: Mapping[tuple[str, str], bool]) -> str:
    while isinstance(node, ast.IfExp):
        node = node.body if _truth(player, node.test, texts, proved) else node.orelse
    assert isinstance(node, ast.Name), "checked"
    return node.id


def _truth(player: str, node: ast.expr, texts: Mapping[str, str], proved: Mapping[tuple[str, str], bool]) -> bool:
    match node:
        case ast.UnaryOp(operand=operand):
            return not _truth(player, operand, texts, proved)
        case ast.BoolOp(op=op, values=values):
            truths = [_truth(player, each, texts, proved) for each in values]
            return all(truths) if isinstance(op, ast.And) else any(truths)
        case ast.Call(args=[ast.Name(id=who), ast.Name(id=option)]):
            return all(proved[each, option] for each in _named(who, player, list(texts)))
        case ast.Call(args=[ast.Name(id=who)]):
            return all(texts[each] == texts[player] for each in _named(who, player, list(texts)))
    raise AssertionError("checked")
