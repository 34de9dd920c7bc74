"""Hypotheses about the world and about others: evidence is counted, and the count alone makes them rules or ends them.

A hypothesis with a `test` is counted by code, from what the agent saw; one in words only by the observations that the
model cites for or against it, each once. Support is the evidence for it less twice the evidence against it. From
`confirmed_at` on a hypothesis is confirmed, it stops being so when contradictions bring it below, and at -2 it is
retracted for good.
A kind of test is one class and its line in `TESTS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from pydantic import Field, ValidationError

from contracts.answers import Strict, first_problem
from voyager_agents.commons_harvest import HarvestAct, Place
from voyager_agents.errors import ReplyError
from voyager_agents.generative.spatial import distance

AGAINST = 2
"""A contradiction weighs so many confirmations."""
RETRACTED_AT = -2
NEAR = 2
"""Steps within which a player could have attacked another."""


@dataclass(frozen=True)
class Glimpse:
    """Typed facts of one turn, on which tests count."""

    deeds: tuple[HarvestAct, ...] = ()
    grown: tuple[tuple[str, int], ...] = ()
    """(tree, apples known on it before) for each apple that has grown."""
    trees: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Tree in sight in this turn and the one before -> its apples in sight (before, now)."""
    players: Mapping[str, Place] = field(default_factory=dict)
    """All players in sight, the agent itself too."""


class Predicate(Strict):
    """Test of a hypothesis."""

    kind: str

    def count(self, glimpse: Glimpse) -> tuple[int, int]:
        """(evidence for, evidence against) in what one turn showed."""
        raise NotImplementedError


class Spares(Predicate):
    """Test that a player leaves at least `apples` on a tree when it takes one."""

    player: str = Field(max_length=64)
    apples: int = Field(ge=1, le=100)
    summary: ClassVar[str] = (
        '{"kind": "spares", "player": P, "apples": k}: P leaves at least k apples when it takes one'
    )

    def count(self, glimpse: Glimpse) -> tuple[int, int]:
        """Return each take by that player."""
        left = [deed.left for deed in glimpse.deeds if deed.kind == "take" and deed.player == self.player]
        spared = sum(each >= self.apples for each in left)
        return spared, len(left) - spared


class Aggressive(Predicate):
    """Test that a player attacks anybody who comes near."""

    player: str = Field(max_length=64)
    summary: ClassVar[str] = '{"kind": "aggressive", "player": P}: P attacks players who are near it'

    def count(self, glimpse: Glimpse) -> tuple[int, int]:
        """For: each attack. Against: a turn without one while somebody was near."""
        attacks = sum(deed.kind == "attack" and deed.player == self.player for deed in glimpse.deeds)
        here = glimpse.players.get(self.player)
        near = here is not None and any(
            distance(here, at) <= NEAR for name, at in glimpse.players.items() if name != self.player
        )
        return attacks, int(near and not attacks)


class Peaceful(Predicate):
    """Test that a player attacks nobody."""

    player: str = Field(max_length=64)
    summary: ClassVar[str] = '{"kind": "peaceful", "player": P}: P attacks nobody'

    def count(self, glimpse: Glimpse) -> tuple[int, int]:
        """For: a turn in which it was in sight and attacked nobody. Against: each attack."""
        attacks = sum(deed.kind == "attack" and deed.player == self.player for deed in glimpse.deeds)
        return int(self.player in glimpse.players and not attacks), attacks


class Regrows(Predicate):
    """Apples grow again on trees that have at least so many left."""

    apples: int = Field(ge=1, le=100)
    summary: ClassVar[str] = '{"kind": "regrows", "apples": k}: apples grow only on trees that have at least k left'

    def count(self, glimpse: Glimpse) -> tuple[int, int]:
        """Return each apple seen to have grown."""
        fitting = sum(before >= self.apples for _, before in glimpse.grown)
        return fitting, len(glimpse.grown) - fitting


class StaysBare(Predicate):
    """A tree without apples stays without."""

    summary: ClassVar[str] = '{"kind": "stays_bare"}: a tree without any apple gets none again'

    def count(self, glimpse: Glimpse) -> tuple[int, int]:
        """Return each tree that was bare, as far as it was in sight, a turn before."""
        now = [after for before, after in glimpse.trees.values() if before == 0]
        still = sum(after == 0 for after in now)
        return still, len(now) - still


TESTS: dict[str, type[Spares] | type[Aggressive] | type[Peaceful] | type[Regrows] | type[StaysBare]] = {
    "spares": Spares,
    "aggressive": Aggressive,
    "peaceful": Peaceful,
    "regrows": Regrows,
    "stays_bare": StaysBare,
}
"""Every kind of test."""


def read_test(raw: Mapping[str, Any]) -> Predicate:
    """Return the test in this mapping. Raises ReplyError."""
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in TESTS:
        raise ReplyError("test", f"test: kind: {kind!r} is unknown: choose one of {', '.join(TESTS)}, or give null")
    try:
        return TESTS[kind].model_validate(dict(raw))
    except ValidationError as error:
        raise ReplyError("test", f"test {kind}: {first_problem(error)}") from None


def forms() -> str:
    """Return the form of each kind of test."""
    return "\n".join(f"- {each.summary}" for each in TESTS.values())


@dataclass
class Hypothesis:
    """One hypothesis and what speaks for and against it."""

    id: str
    text: str
    test: Predicate | None
    round: int
    counted: tuple[int, int] = (0, 0)
    """By its test: (for, against)."""
    cited: dict[int, bool] = field(default_factory=dict)
    """Memory id -> whether it supports; of a hypothesis without a test."""
    retracted: bool = False

    @property
    def evidence(self) -> tuple[int, int]:
        """(for, against)."""
        if self.test is not None:
            return self.counted
        supporting = sum(self.cited.values())
        return supporting, len(self.cited) - supporting

    @property
    def support(self) -> int:
        """The evidence for it less twice the evidence against it."""
        found, against = self.evidence
        return found - AGAINST * against

    def see(self, glimpse: Glimpse) -> None:
        """Count one turn by the test, if there is one."""
        if self.test is not None:
            more, less = self.test.count(glimpse)
            self.counted = (self.counted[0] + more, self.counted[1] + less)
        self.weigh()

    def cite(self, memory: int, supports: bool) -> None:
        """Count one observation, once."""
        self.cited.setdefault(memory, supports)
        self.weigh()

    def weigh(self) -> None:
        """Retract hypotheses that are contradicted too often, for good."""
        self.retracted = self.retracted or self.support <= RETRACTED_AT

    def status(self, confirmed_at: int) -> Literal["open", "confirmed", "retracted"]:
        """Return the hypothesis' state."""
        if self.retracted:
            return "retracted"
        return "confirmed" if self.support >= confirmed_at else "open"

    def plain(self, confirmed_at: int) -> dict[str, Any]:
        """For prompts and records."""
        found, against = self.evidence
        shown = {"id": self.id, "text": self.text, "test": self.test.model_dump() if self.test else None}
        return {**shown, "for": found, "against": against, "status": self.status(confirmed_at)}
