"""Frozen views of runs, from which reports are made. Their text is untrusted until it is made visible and escaped.

Where an event holds what the report needs, the event itself is used (`dilemmas.records.events`); the classes of this
file combine several events, or are a part of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from accord.analysis.plan import AnalysisPlan
from accord.analysis.replication import SentCalls
from accord.analysis.report.setups import Setup
from accord.analysis.savings import RunSavings
from accord.analysis.validity import APART, WORDS, Treatment, Verdicts

if TYPE_CHECKING:
    from accord.analysis.agreement_scores import AgreementScore
    from accord.analysis.figures import Key
    from accord.analysis.intervals import Interval
    from accord.analysis.ratings import Rater
    from accord.analysis.report.deals.record import BargainRecord
    from accord.analysis.report.grid.play import GridPlay
    from accord.analysis.report.institutions.record import InstitutionRecord
    from accord.analysis.words.monitors import RunWords
    from dilemmas.records.answers import RoleAnswers
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
    from dilemmas.scenarios.societies.drives import DriveHistory
    from dilemmas.scenarios.societies.labels import Labels, Question
    from dilemmas.scenarios.societies.lives import LifeHistories
    from dilemmas.scenarios.societies.markets import MarketHistory
    from dilemmas.scenarios.societies.perceiving import PerceptionHistory
    from dilemmas.scenarios.societies.topics import TopicUse
    from dilemmas.scenarios.taxation.record import TaxRecord
    from dilemmas.scenarios.voyager_progress.measures import TrialMeasures

Amounts = dict[str, float]
Step = tuple[float, float, float]
"""Seconds of game time (or the round), x and z of a player in blocks of the world."""
Way = tuple[tuple[Step, ...], ...]
"""Path of a player in parts; between two parts it was absent or was moved."""


@dataclass(frozen=True)
class TimelineEntry:
    """Entry of the timeline: an action, words, a signal or printed text."""

    game_s: float | None
    """Time in seconds of game time; of an action its end."""
    kind: str
    """chat | signal | log | action | deed | attack | bot"""
    who: str
    text: str
    to: str = ""
    ok: bool = True
    """True if the action succeeded."""
    times: int = 1
    """Number of consecutive repetitions."""
    until: float | None = None
    """Time of the last repetition."""


@dataclass(frozen=True)
class ReportedPolicy:
    """Program of one player, and its outcome."""

    player: str
    author: str
    source: str
    outcome: str = "not run"
    error: str = ""
    """Error in one line with its place in the program; empty without an error."""
    game_s: float | None = None
    """Duration in game time, or None if unknown."""


@dataclass(frozen=True)
class ReportedTermFinding:
    """Judge's finding on one term."""

    subject: str
    kind: str
    ok: bool
    party: str
    reason: str
    values: Amounts = field(default_factory=dict)


@dataclass(frozen=True)
class ReportedVerdict:
    """Judge's decision."""

    judge: str
    readable: bool
    critique: str
    findings: tuple[ReportedTermFinding, ...]
    raw: str = ""
    agreement: Json | None = None
    """Agreement with a second judge (`contracts.agreement`), or None with one judge."""


@dataclass(frozen=True)
class ReportedTerm:
    """Typed term of a contract in readable form."""

    kind: str
    """obligation | transfer | step"""
    id: str
    party: str
    amount: str
    condition: str
    text: str


@dataclass(frozen=True)
class ReportedContract:
    """Agreed contract."""

    name: str
    text: str
    phase: str
    terms: tuple[ReportedTerm, ...]


@dataclass(frozen=True)
class Talk:
    """One negotiation, its signing, and the contract."""

    episode: int
    """Episode that follows the negotiation."""
    turns: tuple[NegotiationTurn, ...] = ()
    signing: tuple[TermsTyped | TermsRatified, ...] = ()
    contract: ReportedContract | None = None


@dataclass(frozen=True)
class ReportedEpisode:
    """One scored episode."""

    number: int
    samples: tuple[StateSeen, ...] = ()
    """States that the server reported, in order of time; the last one is the end state. Episodes before the last keep
    only their end state."""
    timeline: tuple[TimelineEntry, ...] = ()
    ground: GroundLaid | None = None
    """Ground as it was built, seen from above."""
    ways: dict[str, Way] = field(default_factory=dict)
    """Player -> its path."""
    in_rounds: bool = False
    """True if players decided in rounds; times are rounds then."""
    policies: tuple[ReportedPolicy, ...] = ()
    verdict: ReportedVerdict | None = None
    movements: tuple[TransferBooked, ...] = ()
    critiques: tuple[Critique, ...] = ()
    council: tuple[CouncilEntry, ...] = ()
    """Agreements, rules and judgements between the rounds."""
    reason: str = ""
    """Rule that ended the episode."""
    game_s: float | None = None
    broken: tuple[str, ...] = ()
    """Reasons for which earlier attempts were repeated."""


@dataclass(frozen=True)
class ReportedRun:
    """One run of one condition."""

    name: str
    """Shortest unambiguous end of the run's directory."""
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
    """Player -> its prices, author and group, in the order of the scenario."""
    accounts: dict[str, PlayerAccount]
    """Accounts of the players; empty for a run without a result."""
    figures: dict[Key, float]
    """All measures of the result."""
    bounds: Mapping[Key, Interval]
    """Least and most possible value of each of them."""
    calls: int
    """Number of model calls."""
    tokens: int
    talks: tuple[Talk, ...]
    """Negotiations and contracts, in order."""
    duties: dict[str, AgreementScore]
    """Player -> number of its duties under contracts, and of those kept."""
    episodes: tuple[ReportedEpisode, ...]
    lives: LifeHistories | None = None
    """Lives of the last episode, if agents lived in real time."""
    taxes: TaxRecord | None = None
    """Seasons, law and votes of the last episode, if people paid tax."""
    grid: GridPlay | None = None
    """Game of the last episode, if it was played on a grid."""
    game: LastGame | None = None
    """Rounds of the last episode, if a repeated game was played."""
    spreading: Spreading | None = None
    """Spread of ideas by words in the last episode, if people settled in towns."""
    progress: ItemProgress | None = None
    """Items that agents obtained in the last episode, if they were counted."""
    trial: TrialMeasures | None = None
    """Items by iteration, if one program after the other was played on one land."""
    perceived: PerceptionHistory | None = None
    """Sentiments between agents in the last episode, if they were measured."""
    bargains: BargainRecord | None = None
    """Talks and deals of all episodes, if players bargained on channels."""
    words: RunWords | None = None
    """Words of all episodes matched to deeds, if players said anything."""
    institutions: InstitutionRecord | None = None
    """Steps of institutions in the last episode, if the scenario has some."""
    market: MarketHistory | None = None
    """Trades, prices and wealth in the last episode, if there was a market day."""
    drives: DriveHistory | None = None
    """Drives of villagers in the last episode, if they have some."""
    labels: Mapping[Question, Mapping[str, Labels]] = field(default_factory=dict)
    """Question -> name of a rater -> its labels, if models have rated the finished record."""
    topics: Mapping[str, Sequence[TopicUse]] = field(default_factory=dict)
    """Name of a rater -> the topics that it named."""
    raters: tuple[Rater, ...] = ()
    """Models that have rated the finished record, the one whose values the measures have first."""
    gathered: dict[str, str] = field(default_factory=dict)
    """Own measure -> way to aggregate it (`accord.analysis.figures.gathered_as`); sums are not named."""
    invalid: str = ""
    """Reason for which the run is invalid (`accord.analysis.validity`); empty for a valid run."""
    verdicts: Verdicts = field(default_factory=Verdicts)
    """Quality of the verdicts of a model as judge."""
    sent_calls: SentCalls = field(default_factory=SentCalls)
    """Hashes of the calls to models."""
    setup: Setup = field(default_factory=Setup)
    """Models and their sampling settings."""
    policy: Treatment = APART
    """Treatment of invalid runs."""
    plan: AnalysisPlan = field(default_factory=AnalysisPlan)
    """Analysis that the run's study declared."""
    costs: tuple[RoleCost, ...] = ()
    """Costs of models by player, role and model."""
    saved: RunSavings = field(default_factory=RunSavings)
    """Calls that the run saved."""
    answers: tuple[RoleAnswers, ...] | None = ()
    """Answers of models by player, role and model; None if the run's version recorded no kinds of answers."""

    @property
    def scored(self) -> bool:
        """Return whether the run's measures count."""
        if self.invalid:
            return self.policy == "zero" and bool(self.accounts)
        return self.status == "complete" and bool(self.accounts)

    @property
    def why(self) -> str:
        """Objections to the run's measures, in words; empty without any."""
        ended = "" if self.status == "complete" else f"{self.status}: {self.reason}" if self.reason else self.status
        unread = (
            f"{self.verdicts.invalid} of {self.verdicts.given} verdicts unreadable" if self.verdicts.invalid else ""
        )
        return "; ".join(part for part in (WORDS.get(self.invalid, ""), unread, ended) if part)

    @property
    def players(self) -> tuple[str, ...]:
        """Players in the order of the scenario."""
        return tuple(self.terms)

    @property
    def prices(self) -> dict[str, Amounts]:
        """Player -> item -> emeralds."""
        return {player: terms.prices for player, terms in self.terms.items()}

    @property
    def paying_items(self) -> tuple[str, ...]:
        """Items of value to any player, in the order of the scenario."""
        return tuple(dict.fromkeys(item for prices in self.prices.values() for item, price in prices.items() if price))

    @property
    def blocks(self) -> tuple[str, ...]:
        """Blocks of the world that the scenario counts."""
        states = (state for episode in self.episodes for state in episode.samples)
        return tuple(dict.fromkeys(block for state in states for block in state.world))

    def figure(self, measure: str, player: str = "") -> float | None:
        """Return one measure of the result, or None without it."""
        return self.figures.get((measure, player))
