"""What the report is made from: runs as frozen views of their records. Text in them is hostile until it is shown."""

from __future__ import annotations

from dataclasses import dataclass, field

Amounts = dict[str, float]
Counts = dict[str, dict[str, int]]


@dataclass(frozen=True)
class Account:
    """How one player came out."""

    items: dict[str, int]
    reward: float
    """Emeralds for what it held."""
    transfer: float
    """Emeralds that the contract moved to it (negative: from it)."""
    payoff: float


@dataclass(frozen=True)
class Sample:
    """What the players held at one time."""

    game_s: float
    items: Counts
    rewards: Amounts
    """Emeralds that the items are worth to who holds them, before transfers."""


@dataclass(frozen=True)
class Remark:
    """One entry of the timeline: something said, signalled or printed."""

    game_s: float | None
    kind: str
    """chat | signal | log"""
    who: str
    text: str
    to: str = ""


@dataclass(frozen=True)
class Policy:
    """One player's program and what became of it."""

    player: str
    author: str
    source: str
    outcome: str = "not run"
    error: str = ""
    """One line with the place in the program; empty when nothing went wrong."""
    wall_s: float | None = None


@dataclass(frozen=True)
class Finding:
    """What the judge found about one term."""

    subject: str
    kind: str
    ok: bool
    party: str
    reason: str
    values: Amounts = field(default_factory=dict)


@dataclass(frozen=True)
class Movement:
    """Emeralds that the ledger moved."""

    payer: str
    payee: str
    amount: float
    term: str


@dataclass(frozen=True)
class Verdict:
    """What the judge decided."""

    judge: str
    readable: bool
    critique: str
    findings: tuple[Finding, ...]
    raw: str = ""


@dataclass(frozen=True)
class Critique:
    """What a critic told a player."""

    player: str
    text: str
    success: bool | None


@dataclass(frozen=True)
class Move:
    """One turn of the negotiation."""

    turn: int
    player: str
    text: str
    thought: str = ""
    offer: str = ""
    """What the offered contract moves, in words; empty when the turn offers nothing."""
    accepts: bool = False
    faults: tuple[str, ...] = ()
    """What was wrong with malformed tries of this turn."""


@dataclass(frozen=True)
class Term:
    """One typed term of a contract, ready to be read."""

    kind: str
    """obligation | transfer | step"""
    id: str
    party: str
    amount: str
    condition: str
    text: str


@dataclass(frozen=True)
class Contract:
    """What was agreed."""

    name: str
    text: str
    phase: str
    terms: tuple[Term, ...]


@dataclass(frozen=True)
class Episode:
    """One scored episode."""

    number: int
    samples: tuple[Sample, ...] = ()
    timeline: tuple[Remark, ...] = ()
    policies: tuple[Policy, ...] = ()
    verdict: Verdict | None = None
    movements: tuple[Movement, ...] = ()
    critiques: tuple[Critique, ...] = ()
    reason: str = ""
    """By which rule it ended."""
    game_s: float | None = None
    broken: tuple[str, ...] = ()
    """Why attempts before this one were repeated."""


@dataclass(frozen=True)
class Run:
    """One run of one condition."""

    name: str
    """Its directory, as short as it is unambiguous."""
    scenario: str
    version: int
    world: str
    condition: str
    seed: int
    status: str
    reason: str
    prices: dict[str, Amounts]
    accounts: dict[str, Account]
    """Empty for a run without a result."""
    measures: Amounts
    """welfare, gini, gini_plain, game_s, wall_s: those that the result has."""
    calls: int
    """How often a model was called."""
    tokens: int
    negotiation: tuple[Move, ...]
    contract: Contract | None
    episodes: tuple[Episode, ...]

    @property
    def scored(self) -> bool:
        """Whether its figures count."""
        return self.status == "complete" and bool(self.accounts)

    @property
    def players(self) -> tuple[str, ...]:
        """In the order of the scenario."""
        return tuple(self.prices)

    @property
    def paying_items(self) -> tuple[str, ...]:
        """Items that are worth something to somebody, in the order of the scenario."""
        return tuple(dict.fromkeys(item for prices in self.prices.values() for item, price in prices.items() if price))
