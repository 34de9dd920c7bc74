"""What the report is made from: runs as frozen views of their records. Text in them is hostile until it is shown.

Where an event says it as the report needs it, the event itself stands here (`dilemmas.records.events`); classes of
this file are made of several events, or of a part of one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from accord.analysis.agreement_scores import AgreementScore
from accord.analysis.figures import Key
from accord.analysis.replication import Sent
from accord.analysis.report.grid.play import GridPlay
from accord.analysis.report.setups import Setup
from accord.analysis.validity import APART, WORDS, Treatment, Verdicts
from dilemmas.records.costs import RoleCost
from dilemmas.records.events import (
    CouncilEntry,
    Critique,
    GroundLaid,
    Json,
    NegotiationTurn,
    PlayerAccount,
    PlayerTerms,
    StateSeen,
    TermsRatified,
    TermsTyped,
    TransferBooked,
)
from dilemmas.scenarios.progression.measures import ItemProgress
from dilemmas.scenarios.religion.measures import Spreading
from dilemmas.scenarios.repeated_game.measures import LastGame
from dilemmas.scenarios.societies.lives import LifeHistories
from dilemmas.scenarios.societies.perceiving import PerceptionHistory
from dilemmas.scenarios.taxation.record import TaxRecord
from dilemmas.scenarios.voyager_progress.measures import TrialMeasures

Amounts = dict[str, float]
Step = tuple[float, float, float]
"""Seconds of game time (or the round), x and z of a player in blocks of the world."""
Way = tuple[tuple[Step, ...], ...]
"""Where a player went, in parts: between two of them it was not there, or was moved."""


@dataclass(frozen=True)
class Remark:
    """One entry of the timeline: something done, said, signalled or printed."""

    game_s: float | None
    """When; of what takes time, when it ended."""
    kind: str
    """chat | signal | log | action | deed | attack | bot"""
    who: str
    text: str
    to: str = ""
    ok: bool = True
    """Whether what was done came about."""
    times: int = 1
    """How often, where the player did the same again and again."""
    until: float | None = None
    """When it was done for the last time, of several times."""


@dataclass(frozen=True)
class ReportedPolicy:
    """One player's program and what became of it."""

    player: str
    author: str
    source: str
    outcome: str = "not run"
    error: str = ""
    """One line with the place in the program; empty when nothing went wrong."""
    game_s: float | None = None
    """How long it ran, in game time; None where that is not known."""


@dataclass(frozen=True)
class ReportedTermFinding:
    """What the judge found about one term."""

    subject: str
    kind: str
    ok: bool
    party: str
    reason: str
    values: Amounts = field(default_factory=dict)


@dataclass(frozen=True)
class ReportedVerdict:
    """What the judge decided."""

    judge: str
    readable: bool
    critique: str
    findings: tuple[ReportedTermFinding, ...]
    raw: str = ""
    agreement: Json | None = None
    """How far a second judge agrees (`contracts.agreement`); None where there was one judge."""


@dataclass(frozen=True)
class ReportedTerm:
    """One typed term of a contract, ready to be read."""

    kind: str
    """obligation | transfer | step"""
    id: str
    party: str
    amount: str
    condition: str
    text: str


@dataclass(frozen=True)
class ReportedContract:
    """What was agreed."""

    name: str
    text: str
    phase: str
    terms: tuple[ReportedTerm, ...]


@dataclass(frozen=True)
class Talk:
    """One negotiation, with what was signed."""

    episode: int
    """The episode that follows it."""
    turns: tuple[NegotiationTurn, ...] = ()
    signing: tuple[TermsTyped | TermsRatified, ...] = ()
    contract: ReportedContract | None = None


@dataclass(frozen=True)
class ReportedEpisode:
    """One scored episode."""

    number: int
    samples: tuple[StateSeen, ...] = ()
    """What the server said, in order; times never run back, and the last one is the end state. Of an episode before the
    last one only that is kept."""
    timeline: tuple[Remark, ...] = ()
    ground: GroundLaid | None = None
    """What was built, seen from above."""
    ways: dict[str, Way] = field(default_factory=dict)
    """Player -> where it went."""
    in_rounds: bool = False
    """Whether players decided in rounds; times are rounds then."""
    policies: tuple[ReportedPolicy, ...] = ()
    verdict: ReportedVerdict | None = None
    movements: tuple[TransferBooked, ...] = ()
    critiques: tuple[Critique, ...] = ()
    council: tuple[CouncilEntry, ...] = ()
    """What was agreed, ruled and judged between its rounds."""
    reason: str = ""
    """By which rule it ended."""
    game_s: float | None = None
    broken: tuple[str, ...] = ()
    """Why attempts before this one were repeated."""


@dataclass(frozen=True)
class ReportedRun:
    """One run of one condition."""

    name: str
    """Its directory, as short as it is unambiguous."""
    scenario: str
    version: int
    world: str
    condition: str
    contract_kind: str
    """none | given | negotiated"""
    seed: int
    status: str
    reason: str
    terms: dict[str, PlayerTerms]
    """Player -> what counts for it, in the order of the scenario."""
    accounts: dict[str, PlayerAccount]
    """Empty for a run without a result."""
    figures: dict[Key, float]
    """All figures that the result has."""
    calls: int
    """How often a model was called."""
    tokens: int
    talks: tuple[Talk, ...]
    """Negotiations and contracts, in order."""
    duties: dict[str, AgreementScore]
    """Player -> how many duties it had under its contracts, and kept."""
    episodes: tuple[ReportedEpisode, ...]
    lives: LifeHistories | None = None
    """The lives of the last episode, where agents lived."""
    taxes: TaxRecord | None = None
    """The seasons, the law and the votes of the last episode, where people paid tax."""
    grid: GridPlay | None = None
    """The game of the last episode, where it was played on a grid."""
    game: LastGame | None = None
    """The rounds of the last episode, where a repeated game was played."""
    spreading: Spreading | None = None
    """What spread by words in the last episode, where a people had settled in towns."""
    progress: ItemProgress | None = None
    """What everybody came by in the last episode, where that is counted."""
    trial: TrialMeasures | None = None
    """Which item in which iteration, where one program after the other was played on one land."""
    perceived: PerceptionHistory | None = None
    """What agents thought of each other in the last episode, where that is measured."""
    gathered: dict[str, str] = field(default_factory=dict)
    """Own measure -> what it says of all together (`accord.analysis.figures.gathered_as`); sums are not named."""
    invalid: str = ""
    """Why its figures tell nothing about the players (`accord.analysis.validity`); empty where they do."""
    verdicts: Verdicts = field(default_factory=Verdicts)
    """How its verdicts came out, of a model as judge."""
    sent: Sent = field(default_factory=Sent)
    """What its models were asked, by hash."""
    setup: Setup = field(default_factory=Setup)
    """With which models, asked how."""
    policy: Treatment = APART
    """What becomes of invalid runs."""
    costs: tuple[RoleCost, ...] = ()
    """What its models cost, by player, role and model."""

    @property
    def scored(self) -> bool:
        """Whether its figures count."""
        if self.invalid:
            return self.policy == "zero" and bool(self.accounts)
        return self.status == "complete" and bool(self.accounts)

    @property
    def why(self) -> str:
        """What its figures are worth, in words; empty where there is nothing against them."""
        ended = "" if self.status == "complete" else f"{self.status}: {self.reason}" if self.reason else self.status
        unread = (
            f"{self.verdicts.invalid} of {self.verdicts.given} verdicts unreadable" if self.verdicts.invalid else ""
        )
        return "; ".join(part for part in (WORDS.get(self.invalid, ""), unread, ended) if part)

    @property
    def players(self) -> tuple[str, ...]:
        """In the order of the scenario."""
        return tuple(self.terms)

    @property
    def prices(self) -> dict[str, Amounts]:
        """Player -> item -> emeralds."""
        return {player: terms.prices for player, terms in self.terms.items()}

    @property
    def paying_items(self) -> tuple[str, ...]:
        """Items that are worth something to somebody, in the order of the scenario."""
        return tuple(dict.fromkeys(item for prices in self.prices.values() for item, price in prices.items() if price))

    @property
    def blocks(self) -> tuple[str, ...]:
        """Blocks of the world that the scenario counts."""
        states = (state for episode in self.episodes for state in episode.samples)
        return tuple(dict.fromkeys(block for state in states for block in state.world))

    def figure(self, measure: str, player: str = "") -> float | None:
        """One figure of the result; None where it has none."""
        return self.figures.get((measure, player))
