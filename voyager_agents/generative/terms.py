"""Typed terms of promises and rules, whose fulfilment the world's record shows, never words.

A kind of term is one class and its line in `TERMS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field, ValidationError

from contracts.answers import first_problem
from contracts.errors import Refused
from contracts.institutions import Norm
from voyager_agents.commons_harvest import HarvestAct

EVERY = "*"
"""Instead of a tree's or a player's name: each of them."""


@dataclass(frozen=True)
class TermScope:
    """Whom and what a term may name."""

    players: tuple[str, ...]
    trees: tuple[str, ...]

    def tree(self, name: str) -> None:
        """Raise Refused for a tree that is not there."""
        if name != EVERY and name not in self.trees:
            raise Refused("tree", f"tree: {name!r} is not there: name {_either(self.trees)} or {EVERY!r}")

    def player(self, name: str) -> None:
        """Raise Refused for a player who is not there."""
        if name != EVERY and name not in self.players:
            raise Refused("player", f"player: {name!r} is not there: name {_either(self.players)} or {EVERY!r}")


class HarvestTerm(Norm):
    """One thing to do or to leave in a commons that is harvested."""

    def check(self, scope: TermScope) -> None:
        """Raise Refused when it names what is not there."""


class Leave(HarvestTerm):
    """Leave at least so many apples on the tree: a take after which fewer are left breaks it."""

    tree: str = Field(max_length=64)
    apples: int = Field(ge=1, le=100)
    summary: ClassVar[str] = (
        '{"kind": "leave", "tree": T, "apples": k}: never take an apple so that fewer than k are left'
    )

    def check(self, scope: TermScope) -> None:
        """Check that the tree exists."""
        scope.tree(self.tree)

    def breaks(self, deed: HarvestAct, count: int) -> bool:
        """Return a take from the tree that leaves fewer."""
        return deed.kind == "take" and self.tree in (EVERY, deed.tree) and deed.left < self.apples

    def says(self) -> str:
        """In words."""
        return f"leave at least {self.apples} apples on {_tree(self.tree)}"


class Avoid(HarvestTerm):
    """Take nothing from the tree."""

    tree: str = Field(max_length=64)
    summary: ClassVar[str] = '{"kind": "avoid", "tree": T}: take no apple from that tree'

    def check(self, scope: TermScope) -> None:
        """Check that the tree exists."""
        scope.tree(self.tree)

    def breaks(self, deed: HarvestAct, count: int) -> bool:
        """Return a take from the tree."""
        return deed.kind == "take" and self.tree in (EVERY, deed.tree)

    def says(self) -> str:
        """In words."""
        return f"take no apple from {_tree(self.tree)}"


class Peace(HarvestTerm):
    """Do not attack that player: one that misses breaks it too. It asks nothing of the player whom it protects."""

    player: str = Field(max_length=64)
    summary: ClassVar[str] = '{"kind": "peace", "player": P}: do not try to immobilize that player'

    def check(self, scope: TermScope) -> None:
        """Check that the player exists."""
        scope.player(self.player)

    def binds(self, player: str) -> bool:
        """Everybody but the protected one."""
        return player != self.player

    def breaks(self, deed: HarvestAct, count: int) -> bool:
        """Return an attack on that player."""
        return deed.kind == "attack" and self.player in (EVERY, deed.target)

    def says(self) -> str:
        """In words."""
        return f"do not attack {'anybody' if self.player == EVERY else self.player}"


class Limit(HarvestTerm):
    """Take at most so many apples in the time that the term binds (a rule: in each of its periods)."""

    apples: int = Field(ge=0, le=1000)
    summary: ClassVar[str] = '{"kind": "limit", "apples": k}: take at most k apples in all while it binds'

    def counts(self, deed: HarvestAct) -> int:
        """Return the number of apples taken."""
        return int(deed.kind == "take")

    def breaks(self, deed: HarvestAct, count: int) -> bool:
        """Return the first take above the limit, and every one after it."""
        return deed.kind == "take" and count > self.apples

    def says(self) -> str:
        """In words."""
        return f"take at most {self.apples} apples"


TERMS: dict[str, type[Leave] | type[Avoid] | type[Peace] | type[Limit]] = {
    "leave": Leave,
    "avoid": Avoid,
    "peace": Peace,
    "limit": Limit,
}
"""Every kind of term."""


def read_term(raw: Mapping[str, Any], scope: TermScope | None = None) -> HarvestTerm:
    """Return the term in this mapping, checked against what is there. Raises Refused."""
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


def forms() -> str:
    """Return the form of each kind of term, for prompts."""
    return "\n".join(f"- {each.summary}" for each in TERMS.values())


def _tree(name: str) -> str:
    return "every tree" if name == EVERY else name


def _either(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "(none)"
