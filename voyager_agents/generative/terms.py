"""Typed terms of promises and rules. Compliance follows from recorded actions, never from messages.

To add a kind of term, write a class and register it in `TERMS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field, ValidationError

from common.answers.reading import first_problem
from common.answers.schema import tagged_schema
from contracts.errors import Refused
from contracts.institutions import Norm
from voyager_agents.commons_harvest import HarvestAct

EVERY = "*"
"""Wildcard for the name of a tree or a player: applies to each of them."""


@dataclass(frozen=True)
class TermScope:
    """Names of players and trees that a term may use."""

    players: tuple[str, ...]
    trees: tuple[str, ...]

    def tree(self, name: str) -> None:
        """Check that a tree exists. Raises Refused."""
        if name != EVERY and name not in self.trees:
            raise Refused("tree", f"tree: {name!r} is not there: name {_either(self.trees)} or {EVERY!r}")

    def player(self, name: str) -> None:
        """Check that a player exists. Raises Refused."""
        if name != EVERY and name not in self.players:
            raise Refused("player", f"player: {name!r} is not there: name {_either(self.players)} or {EVERY!r}")


class HarvestTerm(Norm):
    """Obligation or prohibition in a harvested commons."""

    def check(self, scope: TermScope) -> None:
        """Check that the named trees and players exist. Raises Refused."""


class Leave(HarvestTerm):
    """Obligation to leave at least `apples` apples on a tree; a take that leaves fewer breaks it."""

    tree: str = Field(max_length=64)
    apples: int = Field(ge=1, le=100)
    summary: ClassVar[str] = (
        '{"kind": "leave", "tree": T, "apples": k}: never take an apple so that fewer than k are left'
    )

    def check(self, scope: TermScope) -> None:
        """Check that the tree exists. Raises Refused."""
        scope.tree(self.tree)

    def breaks(self, deed: HarvestAct, count: int) -> bool:
        """Return True for a take from the tree that leaves fewer apples."""
        return deed.kind == "take" and self.tree in (EVERY, deed.tree) and deed.left < self.apples

    def says(self) -> str:
        """Return the term in words."""
        return f"leave at least {self.apples} apples on {_tree(self.tree)}"


class Avoid(HarvestTerm):
    """Prohibition of taking apples from a tree."""

    tree: str = Field(max_length=64)
    summary: ClassVar[str] = '{"kind": "avoid", "tree": T}: take no apple from that tree'

    def check(self, scope: TermScope) -> None:
        """Check that the tree exists. Raises Refused."""
        scope.tree(self.tree)

    def breaks(self, deed: HarvestAct, count: int) -> bool:
        """Return True for a take from the tree."""
        return deed.kind == "take" and self.tree in (EVERY, deed.tree)

    def says(self) -> str:
        """Return the term in words."""
        return f"take no apple from {_tree(self.tree)}"


class Peace(HarvestTerm):
    """Prohibition of attacking a player, even without a hit. The protected player itself is not bound."""

    player: str = Field(max_length=64)
    summary: ClassVar[str] = '{"kind": "peace", "player": P}: do not try to immobilize that player'

    def check(self, scope: TermScope) -> None:
        """Check that the player exists. Raises Refused."""
        scope.player(self.player)

    def binds(self, player: str) -> bool:
        """Return True for every player except the protected one."""
        return player != self.player

    def breaks(self, deed: HarvestAct, count: int) -> bool:
        """Return True for an attack on the protected player."""
        return deed.kind == "attack" and self.player in (EVERY, deed.target)

    def says(self) -> str:
        """Return the term in words."""
        return f"do not attack {'anybody' if self.player == EVERY else self.player}"


class Limit(HarvestTerm):
    """Limit of `apples` takes while the term binds; for a rule, in each of its periods."""

    apples: int = Field(ge=0, le=1000)
    summary: ClassVar[str] = '{"kind": "limit", "apples": k}: take at most k apples in all while it binds'

    def counts(self, deed: HarvestAct) -> int:
        """Return 1 for a take, 0 for any other action."""
        return int(deed.kind == "take")

    def breaks(self, deed: HarvestAct, count: int) -> bool:
        """Return True for every take above the limit."""
        return deed.kind == "take" and count > self.apples

    def says(self) -> str:
        """Return the term in words."""
        return f"take at most {self.apples} apples"


TERMS: dict[str, type[Leave] | type[Avoid] | type[Peace] | type[Limit]] = {
    "leave": Leave,
    "avoid": Avoid,
    "peace": Peace,
    "limit": Limit,
}
"""Kind of term -> its class."""


def read_term(raw: Mapping[str, Any], scope: TermScope | None = None) -> HarvestTerm:
    """Parse a term, and check its names if a scope is given. Raises Refused."""
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in TERMS:
        raise Refused("term", f"term: kind: {kind!r} is unknown: choose one of {', '.join(TERMS)}")
    try:
        term = TERMS[kind].model_validate(dict(raw))
    except ValidationError as error:
        raise Refused("term", f"term {kind}: {first_problem(error)}") from None
    if scope is not None:
        term.check(scope)
    return term


def term_schema() -> dict[str, Any]:
    """Return the JSON schema of a term."""
    return tagged_schema(TERMS, "kind")


def forms() -> str:
    """Return the JSON form of each kind of term, for prompts."""
    return "\n".join(f"- {each.summary}" for each in TERMS.values())


def _tree(name: str) -> str:
    return "every tree" if name == EVERY else name


def _either(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "(none)"
