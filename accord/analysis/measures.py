"""What is measured: welfare, inequality, curves, and summaries over runs. Pure functions; never NaN.

Inequality
    `gini` is the sample-corrected coefficient that the papers use, G = sum_ij |ri - rj| / (2 n^2 mean) * n / (n - 1);
    for two players that is |r1 - r2| / (r1 + r2). `gini_plain` is the one without the correction. Both are
    refused (MeasureError) when the rewards sum to nothing positive or are not finite: the coefficient has no meaning
    there. A single negative payoff with a positive sum is legal; G may then exceed 1.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from dilemmas.errors import MeasureError
from dilemmas.records.events import EndStateRead, EpisodeStarted, LogLine, TransferBooked
from dilemmas.records.states import WholeStates

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BOOTSTRAP_SAMPLES = 10_000
LISTED = 12
"""Payoffs that a message lists at most."""


def welfare(payoffs: Iterable[float]) -> float:
    """Emeralds of all players together; transfers are zero-sum, so it is the same before and after them."""
    return math.fsum(payoffs)


def gini(payoffs: Sequence[float]) -> float:
    """The sample-corrected Gini coefficient; see the module's head. Raises MeasureError."""
    if len(payoffs) < 2:
        raise MeasureError(f"the corrected Gini coefficient needs two or more players, not {len(payoffs)}")
    return float(_gini(payoffs) * Fraction(len(payoffs), len(payoffs) - 1))


def gini_plain(payoffs: Sequence[float]) -> float:
    """The Gini coefficient without the sample correction; see the module's head. Raises MeasureError."""
    return float(_gini(payoffs))


def _gini(payoffs: Sequence[float]) -> Fraction:
    """Exact in the payoffs' shortest decimals, so that 45 to 55 per cent of anything is 0.10 and not nearly so."""
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
    """The payoffs for a message: of a crowd's the first few."""
    if len(payoffs) <= LISTED:
        return str(list(payoffs))
    return f"[{', '.join(map(str, payoffs[:LISTED]))}, ... {len(payoffs)} in all]"


@dataclass(frozen=True)
class MeasureSummary:
    """One measure over runs."""

    n: int
    mean: float
    se: float | None
    """Standard error of the mean; None for a single run."""
    min: float
    max: float
    ci95: tuple[float, float] | None
    """95 % interval of the mean by the percentile bootstrap, seeded; None for a single run."""

    def plain(self) -> dict[str, object]:
        """For JSON."""
        return {**asdict(self), "ci95": None if self.ci95 is None else list(self.ci95)}


def summarize(values: Sequence[float], seed: int = 0) -> MeasureSummary:
    """Mean, standard error, extremes and a 95 % interval. Raises MeasureError for no or non-finite values."""
    if not values or not all(math.isfinite(value) for value in values):
        raise MeasureError(f"a summary needs one or more finite values, not {list(values)}")
    mean = statistics.fmean(values)
    if len(values) == 1:
        return MeasureSummary(1, mean, None, values[0], values[0], None)
    error = statistics.stdev(values) / math.sqrt(len(values))
    return MeasureSummary(len(values), mean, error, min(values), max(values), bootstrap(values, seed))


def bootstrap(values: Sequence[float], seed: int = 0, samples: int = BOOTSTRAP_SAMPLES) -> tuple[float, float]:
    """The 95 % percentile interval of the mean, from `samples` resamples; the same seed gives the same interval."""
    return percentiles(resampled_means(values, seed, samples))


def resampled_means(values: Sequence[float], seed: int, samples: int = BOOTSTRAP_SAMPLES) -> NDArray[np.float64]:
    """Means of `samples` samples of the values, each as large as they are, drawn with replacement."""
    # Loaded here, since every command loads this module, and few need this.
    import numpy as np

    generator = np.random.default_rng(abs(seed))
    given = np.asarray(values, dtype=np.float64)
    # A few million draws at a time: the room that they take does not grow with the sample.
    rows = max(1, 4_000_000 // len(given))
    sizes = [min(rows, samples - start) for start in range(0, samples, rows)]
    # A mean of equal numbers can differ from them in the last bit; no interval reaches beyond the values.
    drawn = [given[generator.integers(len(given), size=(size, len(given)))].mean(axis=1) for size in sizes]
    means: NDArray[np.float64] = np.concatenate(drawn).clip(given.min(), given.max())
    return means


def percentiles(means: NDArray[np.float64]) -> tuple[float, float]:
    """The middle 95 % of them."""
    ordered = means.copy()
    ordered.sort()
    return float(ordered[int(0.025 * len(ordered))]), float(ordered[int(0.975 * len(ordered)) - 1])


@dataclass(frozen=True)
class PlayerSample:
    """A player at one moment of an episode."""

    t_s: float
    items: dict[str, int]
    reward: float


def curves(lines: Iterable[LogLine], episode: int) -> dict[str, list[PlayerSample]]:
    """Resources and reward over time per player, from the events; of a repeated episode, the last attempt."""
    found: dict[str, list[PlayerSample]] = {}
    states = WholeStates()
    for line in lines:
        if line.episode != episode:
            continue
        if isinstance(line.event, EpisodeStarted):
            found = {}
        if (state := states.take(line.event)) is not None:
            for name, holding in state.players.items():
                found.setdefault(name, []).append(PlayerSample(state.t_s, holding.items, holding.reward))
    return found


@dataclass(frozen=True)
class Account:
    """A player's reward, what the ledger moved, and what is left."""

    reward: float
    transfer: float

    @property
    def payoff(self) -> float:
        """Reward after transfers."""
        return float(_decimal(self.reward) + _decimal(self.transfer))


def accounts(lines: Iterable[LogLine]) -> dict[str, Account]:
    """The players' accounts of the last finished episode, recomputed from end state and bookings alone.

    Raises MeasureError when the events hold no end state.
    """
    rewards: dict[str, float] = {}
    transfers: dict[str, Fraction] = {}
    for line in lines:
        match line.event:
            case EndStateRead(players=players):
                rewards = {name: holding.reward for name, holding in players.items()}
                transfers = dict.fromkeys(rewards, Fraction(0))
            case TransferBooked(payer=payer, payee=payee, amount=amount):
                # As the ledger adds: whole cents, however many of them meet in one account.
                moved = _decimal(amount)
                transfers[payer] -= moved
                transfers[payee] += moved
    if not rewards:
        raise MeasureError("the events hold no end state: no episode of this run was finished")
    return {name: Account(earned, float(transfers[name])) for name, earned in rewards.items()}


def _decimal(value: float) -> Fraction:
    """The number that is written so, not the nearest one that the machine has."""
    return Fraction(repr(float(value)))
