"""Hypotheses about the world and other players, confirmed or retracted by counted evidence alone.

Code counts the evidence of a hypothesis with a `test`, from the agent's typed observations. Without a test the evidence
is the observations that the model cites for or against the hypothesis, each once. Support is the evidence for a
hypothesis less twice the evidence against it. A hypothesis is confirmed while its support is at least `confirmed_at`,
and retracted permanently once it is at most `RETRACTED_AT`.

To add a kind of test, write a class and register it in `TESTS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from pydantic import Field, ValidationError

from common.answers.reading import Strict, first_problem
from common.answers.schema import tagged_schema
from voyager_agents.commons_harvest import HarvestAct, Place
from voyager_agents.errors import ReplyError
from voyager_agents.generative.spatial import distance

AGAINST = 2
"""Weight of a contradiction relative to a confirmation."""
RETRACTED_AT = -2
"""Support at or below which a hypothesis is retracted."""
NEAR = 2
"""Maximum distance, in cells, at which one player can attack another."""


@dataclass(frozen=True)
class Glimpse:
    """Typed observations of one turn, the input of tests."""

    deeds: tuple[HarvestAct, ...] = ()
    grown: tuple[tuple[str, int], ...] = ()
    """(tree, apples known on it before) for each apple that has grown since it was last seen."""
    trees: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Tree visible both in the previous and in this turn -> its visible apples (previous, now)."""
    players: Mapping[str, Place] = field(default_factory=dict)
    """Positions of all visible players, the agent included."""


class Predicate(Strict):
    """Base class of tests of hypotheses."""

    kind: str

    def count(self, glimpse: Glimpse) -> tuple[int, int]:
        """Return the evidence of one turn as (for, against)."""
        raise NotImplementedError


class Spares(Predicate):
    """Test that a player leaves at least `apples` on a tree when it takes one."""

    player: str = Field(max_length=64)
    apples: int = Field(ge=1, le=100)
    summary: ClassVar[str] = (
        '{"kind": "spares", "player": P, "apples": k}: P leaves at least k apples when it takes one'
    )

    def count(self, glimpse: Glimpse) -> tuple[int, int]:
        """Count each take by the player: evidence for if it leaves enough apples, else against."""
        left = [deed.left for deed in glimpse.deeds if deed.kind == "take" and deed.player == self.player]
        spared = sum(each >= self.apples for each in left)
        return spared, len(left) - spared


class Aggressive(Predicate):
    """Test that a player attacks every player near it."""

    player: str = Field(max_length=64)
    summary: ClassVar[str] = '{"kind": "aggressive", "player": P}: P attacks players who are near it'

    def count(self, glimpse: Glimpse) -> tuple[int, int]:
        """Count each attack as evidence for, and a turn with a player near but no attack as evidence against."""
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
        """Count a visible turn without an attack as evidence for, and each attack as evidence against."""
        attacks = sum(deed.kind == "attack" and deed.player == self.player for deed in glimpse.deeds)
        return int(self.player in glimpse.players and not attacks), attacks


class Regrows(Predicate):
    """Test that apples grow only on trees with at least `apples` apples left."""

    apples: int = Field(ge=1, le=100)
    summary: ClassVar[str] = '{"kind": "regrows", "apples": k}: apples grow only on trees that have at least k left'

    def count(self, glimpse: Glimpse) -> tuple[int, int]:
        """Count each grown apple: evidence for if its tree had enough apples before, else against."""
        fitting = sum(before >= self.apples for _, before in glimpse.grown)
        return fitting, len(glimpse.grown) - fitting


class StaysBare(Predicate):
    """Test that a tree without apples stays bare."""

    summary: ClassVar[str] = '{"kind": "stays_bare"}: a tree without any apple gets none again'

    def count(self, glimpse: Glimpse) -> tuple[int, int]:
        """Count each tree without visible apples last turn: evidence for if it has none now, else against."""
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
"""Kind of test -> its class."""


def read_test(raw: Mapping[str, Any]) -> Predicate:
    """Parse a test. Raises ReplyError for an unknown kind or an illegal field."""
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in TESTS:
        raise ReplyError("test", f"test: kind: {kind!r} is unknown: choose one of {', '.join(TESTS)}, or give null")
    try:
        return TESTS[kind].model_validate(dict(raw))
    except ValidationError as error:
        raise ReplyError("test", f"test {kind}: {first_problem(error)}") from None


def test_schema(players: Sequence[str]) -> dict[str, Any]:
    """Return the JSON schema of a test about one of these players, or about the world."""
    return tagged_schema(TESTS, "kind", {"player": players})


def forms() -> str:
    """Return the JSON form of each kind of test, for prompts."""
    return "\n".join(f"- {each.summary}" for each in TESTS.values())


@dataclass
class Hypothesis:
    """Hypothesis with its counted evidence."""

    id: str
    text: str
    test: Predicate | None
    round: int
    counted: tuple[int, int] = (0, 0)
    """Evidence counted by the test: (for, against)."""
    cited: dict[int, bool] = field(default_factory=dict)
    """Memory id -> True for support, False for contradiction; only of a hypothesis without a test."""
    retracted: bool = False

    @property
    def evidence(self) -> tuple[int, int]:
        """Current evidence: (for, against)."""
        if self.test is not None:
            return self.counted
        supporting = sum(self.cited.values())
        return supporting, len(self.cited) - supporting

    @property
    def support(self) -> int:
        """Evidence for the hypothesis less twice the evidence against it."""
        found, against = self.evidence
        return found - AGAINST * against

    def see(self, glimpse: Glimpse) -> None:
        """Add the evidence of one turn if the hypothesis has a test."""
        if self.test is not None:
            more, less = self.test.count(glimpse)
            self.counted = (self.counted[0] + more, self.counted[1] + less)
        self.weigh()

    def cite(self, memory: int, supports: bool) -> None:
        """Add one cited observation; repeated citations are ignored."""
        self.cited.setdefault(memory, supports)
        self.weigh()

    def weigh(self) -> None:
        """Retract the hypothesis permanently if its support is too low."""
        self.retracted = self.retracted or self.support <= RETRACTED_AT

    def status(self, confirmed_at: int) -> Literal["open", "confirmed", "retracted"]:
        """Return the hypothesis's status at a confirmation threshold."""
        if self.retracted:
            return "retracted"
        return "confirmed" if self.support >= confirmed_at else "open"

    def to_dict(self, confirmed_at: int) -> dict[str, Any]:
        """Return the hypothesis as JSON-compatible data, for prompts and records."""
        found, against = self.evidence
        shown = {"id": self.id, "text": self.text, "test": self.test.model_dump() if self.test else None}
        return {**shown, "for": found, "against": against, "status": self.status(confirmed_at)}
