"""Measures of a run: welfare, inequality, curves, and summaries over runs. Pure functions that never return NaN.

Inequality
    `gini` is the sample-corrected coefficient that the papers use, G = sum_ij |ri - rj|
(2 n^2 mean) * n
(n - 1); for two players it is |r1 - r2|
(r1 + r2). `gini_plain` lacks the correction. Both raise MeasureError when the rewards have no positive sum or are not
finite, since the coefficient has no meaning then. A single negative payoff with a positive sum is legal; G may then
exceed 1.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction

from accord.analysis.intervals import Interval, cut, mean_interval
from dilemmas.errors import MeasureError
from dilemmas.records.events import EndStateRead, EpisodeStarted, LogLine, TransferBooked
from dilemmas.records.states import WholeStates

LISTED = 12
"""Maximum number of payoffs in an error message."""


def welfare(payoffs: Iterable[float]) -> float:
    """Return the sum of all players' payoffs in emeralds. Transfers are zero-sum and do not change it."""
    return math.fsum(payoffs)


def gini(payoffs: Sequence[float]) -> float:
    """Return the sample-corrected Gini coefficient (see the module's docstring). Raises MeasureError."""
    if len(payoffs) < 2:
        raise MeasureError(f"the corrected Gini coefficient needs two or more players, not {len(payoffs)}")
    return float(_gini(payoffs) * Fraction(len(payoffs), len(payoffs) - 1))


def gini_plain(payoffs: Sequence[float]) -> float:
    """Return the Gini coefficient without sample correction (see the module's docstring). Raises MeasureError."""
    return float(_gini(payoffs))


def _gini(payoffs: Sequence[float]) -> Fraction:
    """Compute in the payoffs' shortest decimals, so that shares of 45 and 55 per cent give exactly 0.10."""
    if not payoffs:
        raise MeasureError("the Gini coefficient of nobody is not defined")
    if not all(math.isfinite(payoff) for payoff in payoffs):
        raise MeasureError(f"the Gini coefficient needs finite payoffs, not {_listed(payoffs)}")
    exact = [_decimal(payoff) for payoff in payoffs]
    total = sum(exact, Fraction(0))
    if total <= 0:
        sum_ = f"their sum is {float(total):g}"
        raise MeasureError(f"the Gini coefficient is not defined for payoffs {_listed(payoffs)}: {sum_}")
    differences = sum((abs(one - other) for one in exact for other in exact), Fraction(0))
    return differences / (2 * len(exact) * total)


def _listed(payoffs: Sequence[float]) -> str:
    """Return the payoffs for a message; of many only the first."""
    if len(payoffs) <= LISTED:
        return str(list(payoffs))
    return f"[{', '.join(map(str, payoffs[:LISTED]))}, ... {len(payoffs)} in all]"


@dataclass(frozen=True)
class MeasureSummary:
    """Summary of one measure over runs."""

    n: int
    mean: float
    se: float | None
    """Standard error of the mean; None for a single run."""
    min: float
    max: float
    ci95: Interval | None
    """Interval of the mean; None if no honest one exists (`accord.analysis.intervals.mean_interval`)."""

    @property
    def uncertain(self) -> bool:
        """Return whether the mean has no interval for want of values; equal values of several runs need none."""
        return self.ci95 is None and (self.n == 1 or self.min < self.max)

    def cut_to(self, bounds: Interval) -> MeasureSummary:
        """Return the summary with its interval cut to the possible values of the measure."""
        return replace(self, ci95=cut(self.ci95, bounds))

    def to_dict(self) -> dict[str, object]:
        """Return the summary for JSON."""
        return {**asdict(self), "ci95": None if self.ci95 is None else list(self.ci95)}


def summarize(values: Sequence[float], seed: int = 0) -> MeasureSummary:
    """Return mean, standard error, extremes and a 95 % interval. Raises MeasureError for no or non-finite values."""
    if not values or not all(math.isfinite(value) for value in values):
        raise MeasureError(f"a summary needs one or more finite values, not {list(values)}")
    mean = statistics.fmean(values)
    if len(values) == 1:
        return MeasureSummary(1, mean, None, values[0], values[0], None)
    error = statistics.stdev(values) / math.sqrt(len(values))
    return MeasureSummary(len(values), mean, error, min(values), max(values), mean_interval(values, seed))


@dataclass(frozen=True)
class PlayerSample:
    """State of a player at one moment of an episode."""

    t_s: float
    items: dict[str, int]
    reward: float


def curves(lines: Iterable[LogLine], episode: int) -> dict[str, list[PlayerSample]]:
    """Return resources and reward of each player over time. Of a repeated episode the last attempt counts."""
    found: dict[str, list[PlayerSample]] = {}
    states = WholeStates()
    for line in lines:
        if line.episode != episode:
            continue
        if isinstance(line.event, EpisodeStarted):
            found = {}
        if (state := states.full_state_of(line.event)) is not None:
            for name, holding in state.players.items():
                found.setdefault(name, []).append(PlayerSample(state.t_s, holding.items, holding.reward))
    return found


@dataclass(frozen=True)
class Account:
    """Reward of a player, transfers from the ledger, and the resulting payoff."""

    reward: float
    transfer: float

    @property
    def payoff(self) -> float:
        """Reward after transfers, in emeralds."""
        return float(_decimal(self.reward) + _decimal(self.transfer))


def accounts(lines: Iterable[LogLine]) -> dict[str, Account]:
    """Return the players' accounts of the last finished episode, recomputed from end state and bookings alone.

    Raises:
        MeasureError: The events hold no end state.
    """
    rewards: dict[str, float] = {}
    moved = transfers = dict[str, Fraction]()
    for line in lines:
        match line.event:
            case EpisodeStarted():
                moved = {}
            case EndStateRead(players=players):
                rewards = {name: holding.reward for name, holding in players.items()}
                # Deals are paid between rounds, before the end, as well as after it.
                transfers = moved
            case TransferBooked(payer=payer, payee=payee, amount=amount):
                # Sum in whole cents like the ledger, so that the number of bookings causes no rounding error.
                moved[payer] = moved.get(payer, Fraction(0)) - _decimal(amount)
                moved[payee] = moved.get(payee, Fraction(0)) + _decimal(amount)
    if not rewards:
        raise MeasureError("the events hold no end state: no episode of this run was finished")
    return {name: Account(earned, float(transfers.get(name, 0))) for name, earned in rewards.items()}


def _decimal(value: float) -> Fraction:
    """Return the number as it is written, not its nearest binary value."""
    return Fraction(repr(float(value)))
