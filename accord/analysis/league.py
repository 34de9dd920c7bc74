"""Results of a league: ratings, normalized returns and rank correlations. Pure functions over `LeagueGame`s.

A contest is one scenario with one seed, which every focal player plays in the same seats against the same background. A
focal player wins against another if its focal per-capita return is higher. Ratings are those of the Bradley-Terry model
for all pairs of all contests, on the scale of Elo: 400 points are odds of ten to one.

Scenarios, focal per-capita return and its normalization are those of Melting Pot (Agapiou et al., Melting Pot 2.0,
arXiv 2211.13746).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from accord.analysis.intervals import MIN_RUNS, Interval
from accord.analysis.measures import MeasureSummary, summarize

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Yardstick = tuple[Floats, Floats]

NEARLY = 1e-9
"""Returns that differ by less are equal."""
RESAMPLES = 1000
"""Number of resamples of an interval."""
MIN_SCENARIOS = 5
"""Minimum number of scenarios for an interval over scenarios."""
CENTRE, SCALE = 1500.0, 400.0
"""Mean rating, and the lead with odds of ten to one."""
DRAWS = 1.0
"""Number of drawn contests that each pair gets beside those that were played, so that all ratings are finite."""
TOLERANCE = 1e-6
"""Mean change of a strength at which the estimation ends: a ten-thousandth of a point is 6e-7."""
TAILS = (2.5, 97.5)
DIGITS = 3
"""Decimals of ratings in results. Fewer than a float has, so that they are the same on every machine."""


@dataclass(frozen=True)
class LeagueScenario:
    """Scenario of a league: a game and a background population."""

    name: str
    game: str
    mode: str
    """`visitor` (focal players are the minority), `resident` (the majority) or `universal` (nobody else plays)."""
    focal: int
    """Number of focal seats."""
    players: int
    background: tuple[str, ...]
    """Population of the other seats."""
    world: str
    about: str = ""


@dataclass(frozen=True)
class LeagueGame:
    """One game of a league."""

    scenario: str
    seed: int
    player: str
    """The focal player."""
    seats: tuple[str, ...]
    """Its seats."""
    focal: float
    """Focal per-capita return: mean return of the focal seats."""
    background: float | None
    """Mean return of the other seats; None if there are none."""
    welfare: float
    """Sum of all returns."""
    gini: float | None
    """Gini coefficient of all returns; None where it is not defined."""
    exploitability: float | None
    """Mean exploitability of the focal seats; None for games without it."""
    record: str
    """Path of the game's record in the league's folder."""
    invalid: bool = False
    """True if the run is invalid (`accord.analysis.validity`); such games count nowhere."""


@dataclass(frozen=True)
class LeagueStanding:
    """One row of the ranking."""

    place: int
    """Rank from 1; equal ratings share one."""
    name: str
    rating: float
    interval: Interval | None
    """95 % interval of the rating over seeds, for these scenarios."""
    wide: Interval | None
    """95 % interval of the rating over scenarios and seeds."""
    ahead: bool | None
    """True if the interval over seeds of the lead over the next lies above 0; None without an interval or a next."""
    normalized: float | None
    """Focal per-capita return between the worst (0) and the best (1) baseline, mean over scenarios."""
    normalized_interval: Interval | None
    """Its 95 % interval over seeds, with the returns of the baselines as they are."""
    welfare: float | None
    """Welfare between that of the games of the baselines with the least (0) and the most (1), mean over scenarios."""
    gini: float | None
    exploitability: float | None
    games: int
    """Number of valid games."""


@dataclass(frozen=True)
class Stability:
    """Rank correlation between the ratings of two halves of the seeds; None where it is not defined."""

    kendall: float | None
    """Kendall's tau-b."""
    spearman: float | None
    seeds: tuple[int, int]
    """Number of seeds in the two halves."""


@dataclass(frozen=True)
class _Resamples:
    """Results of all resamples, each of shape (resamples, players)."""

    ratings: Floats
    normalized: Floats
    widening: float
    """Factor by which an interval is widened."""

    def interval(self, drawn: Floats, point: float) -> Interval | None:
        """Return the widened percentile interval around a value; None if the resampled values never differ."""
        import numpy as np

        own = drawn[np.isfinite(drawn)]
        if not len(own) or float(np.ptp(own)) <= NEARLY:
            return None
        ends = (point + (float(end) - point) * self.widening for end in np.percentile(own, TAILS))
        low, high = (round(end, DIGITS) for end in ends)
        return low, high

    def ahead(self, player: int, after: int, ratings: Sequence[float]) -> bool:
        """Return whether the interval of the lead of a player over another lies above 0."""
        lead = ratings[player] - ratings[after]
        gaps = self.ratings[:, player] - self.ratings[:, after]
        found = self.interval(gaps, lead)
        return lead > NEARLY and (found is None or found[0] > 0)


@dataclass(frozen=True)
class League:
    """All games of a league."""

    name: str
    players: tuple[str, ...]
    """Focal players."""
    baselines: tuple[str, ...]
    """Players that fix 0 and 1 of normalized returns."""
    scenarios: tuple[LeagueScenario, ...]
    seeds: tuple[int, ...]
    games: tuple[LeagueGame, ...]
    held_out: str = ""
    """SHA-256 of the file of the scenarios."""
    about: str = ""
    training: bool = False
    """True if the scenarios are those of training, and not held out."""

    @cached_property
    def by_place(self) -> dict[tuple[str, int, str], LeagueGame]:
        """The games by scenario, seed and player."""
        return {(each.scenario, each.seed, each.player): each for each in self.games}

    def values(self, value: Callable[[LeagueGame], float | None]) -> Floats:
        """Return a value of all games, shape (scenarios, seeds, players); nan for invalid games and missing values."""
        import numpy as np

        found = np.full((len(self.scenarios), len(self.seeds), len(self.players)), np.nan)
        for k, scenario in enumerate(self.scenarios):
            for s, seed in enumerate(self.seeds):
                for p, player in enumerate(self.players):
                    game = self.by_place.get((scenario.name, seed, player))
                    told = None if game is None or game.invalid else value(game)
                    found[k, s, p] = np.nan if told is None else told
        return found

    @cached_property
    def standings(self) -> list[LeagueStanding]:
        """The ranking, best first; players with equal ratings in the order in which they were named."""
        import numpy as np

        returns = self.values(lambda game: game.focal)
        base = [self.players.index(name) for name in self.baselines]
        even = np.ones(returns.shape[:2])
        ratings = _rounded(ratings_of(_tally(_wins(returns), even)))
        bounds = yardstick(returns, base)
        normalized = normalized_mean(returns, bounds, even)
        welfares = self.values(lambda game: game.welfare)
        welfare = normalized_mean(welfares, yardstick(welfares, base), even)
        narrow = self._resampled(returns, bounds, over_scenarios=False)
        wide = self._resampled(returns, bounds, over_scenarios=True)
        order = sorted(range(len(self.players)), key=lambda p: -ratings[p])
        found = []
        for number, p in enumerate(order):
            after = order[number + 1] if number + 1 < len(order) else None
            found.append(
                LeagueStanding(
                    place=1 + sum(each > ratings[p] for each in ratings),
                    name=self.players[p],
                    rating=ratings[p],
                    interval=None if narrow is None else narrow.interval(narrow.ratings[:, p], ratings[p]),
                    wide=None if wide is None else wide.interval(wide.ratings[:, p], ratings[p]),
                    ahead=None if narrow is None or after is None else narrow.ahead(p, after, ratings),
                    normalized=_or_none(normalized[p]),
                    normalized_interval=None
                    if narrow is None
                    else narrow.interval(narrow.normalized[:, p], float(normalized[p])),
                    welfare=_or_none(welfare[p]),
                    gini=self._mean(p, lambda game: game.gini),
                    exploitability=self._mean(p, lambda game: game.exploitability),
                    games=int(np.isfinite(returns[:, :, p]).sum()),
                )
            )
        return found

    def _resampled(self, returns: Floats, bounds: Yardstick, *, over_scenarios: bool) -> _Resamples | None:
        """Return ratings and normalized returns of each resample.

        Seeds are drawn anew within each scenario, and with `over_scenarios` the scenarios before them. All focal
        players keep their games of a drawn seed, since they shared its chance. None with too few seeds or scenarios.
        """
        import numpy as np
        from scipy.stats import norm, t

        if len(self.seeds) < MIN_RUNS or (over_scenarios and len(self.scenarios) < MIN_SCENARIOS):
            return None
        # `random()` gives the same numbers in every version, so that published intervals can be verified.
        draw = random.Random(f"league:{over_scenarios}")
        scenarios, seeds = returns.shape[:2]
        wins = _wins(returns)
        ratings, normalized = [], []
        for _ in range(RESAMPLES):
            times = _drawn(draw, scenarios, scenarios) if over_scenarios else [1] * scenarios
            drawn = np.array([_drawn(draw, seeds, seeds * each) for each in times], dtype=np.float64)
            ratings.append(ratings_of(_tally(wins, drawn)))
            normalized.append(normalized_mean(returns, bounds, drawn))
        # A resample of n values varies (n - 1) / n as much as n new values, and few of them have heavier tails.
        count, freedom = (scenarios, scenarios - 1) if over_scenarios else (seeds, scenarios * (seeds - 1))
        widening = math.sqrt(count / (count - 1)) * float(t.ppf(0.975, freedom) / norm.ppf(0.975))
        return _Resamples(np.array(ratings), np.array(normalized), widening)

    @cached_property
    def stability(self) -> Stability:
        """Rank correlation between the ratings of the first, third, ... and of the second, fourth, ... seeds."""
        import numpy as np
        from scipy.stats import kendalltau, spearmanr

        wins = _wins(self.values(lambda game: game.focal))
        sizes = ((len(self.seeds) + 1) // 2, len(self.seeds) // 2)
        if not sizes[1]:
            return Stability(None, None, sizes)
        halves = [
            _rounded(ratings_of(_tally(wins[:, start::2], np.ones(wins[:, start::2].shape[:2])))) for start in (0, 1)
        ]
        if any(len(set(half)) == 1 for half in halves):
            return Stability(None, None, sizes)
        tau, rho = (float(found(*halves).statistic) for found in (kendalltau, spearmanr))
        return Stability(round(tau, DIGITS), round(rho, DIGITS), sizes)

    def summary(
        self, scenario: str, player: str, value: Callable[[LeagueGame], float | None] = lambda game: game.focal
    ) -> MeasureSummary | None:
        """Return a value of a player in a scenario over the seeds, or None without any valid game."""
        games = (self.by_place.get((scenario, seed, player)) for seed in self.seeds)
        told = [value(game) for game in games if game is not None and not game.invalid]
        known = [each for each in told if each is not None]
        return summarize(known) if known else None

    def normalized_in(self, scenario: str, player: str) -> float | None:
        """Return the mean return of a player in a scenario, 0 for the worst baseline's and 1 for the best one's."""
        low, high = self.bounds(scenario)
        own = self.summary(scenario, player)
        if low is None or high is None or own is None or high - low <= NEARLY:
            return None
        return (own.mean - low) / (high - low)

    def bounds(self, scenario: str) -> tuple[float | None, float | None]:
        """Return the mean returns of the worst and the best baseline in a scenario."""
        means = [found.mean for name in self.baselines if (found := self.summary(scenario, name)) is not None]
        return (min(means), max(means)) if means else (None, None)

    @property
    def flat(self) -> list[str]:
        """Scenarios in which all baselines have equal returns, so that nothing can be normalized."""
        bounds = {each.name: self.bounds(each.name) for each in self.scenarios}
        return [name for name, (low, high) in bounds.items() if low is None or high is None or high - low <= NEARLY]

    @property
    def invalid(self) -> int:
        """Number of invalid games."""
        return sum(each.invalid for each in self.games)

    def sentence(self) -> str:
        """Return the ranking in words, with its stability and the games that do not count."""
        first, *rest = self.standings
        best = [each.name for each in self.standings if each.place == 1]
        if len(best) > 1:
            lead = f"{_listed(best)} have the highest rating, {first.rating:.0f}."
        elif not rest:
            lead = f"{first.name} is the only player."
        else:
            apart = {True: "surely ahead of", False: "not surely ahead of", None: "ahead of"}[first.ahead]
            lead = f"{first.name} has the highest rating, {first.rating:.0f}, and is {apart} {rest[0].name}."
        told = [lead, self._stability()]
        if len(self.seeds) < MIN_RUNS:
            told.append(f"So few seeds have no interval: play {MIN_RUNS} or more.")
        if self.invalid:
            told.append(f"{self.invalid} of {len(self.games)} games are invalid and count nowhere.")
        if self.flat:
            told.append(f"All baselines have equal returns in {_listed(self.flat)}, so nothing is normalized there.")
        return " ".join(told)

    def _stability(self) -> str:
        found = self.stability
        if found.kendall is None or found.spearman is None:
            return "Two halves of the seeds cannot be compared."
        return (
            f"Rank correlation between two halves of the seeds ({found.seeds[0]} and {found.seeds[1]}): Kendall's tau "
            f"{found.kendall:.2f}, Spearman's rho {found.spearman:.2f}."
        )

    def _mean(self, player: int, value: Callable[[LeagueGame], float | None]) -> float | None:
        """Return the mean over scenarios of a value's mean over seeds; scenarios without any are left out."""
        name = self.players[player]
        means = [found.mean for each in self.scenarios if (found := self.summary(each.name, name, value)) is not None]
        return math.fsum(means) / len(means) if means else None

    def to_dict(self) -> dict[str, Any]:
        """Return ranking, scenarios and stability for JSON; games are in the file of games."""
        scenarios = []
        for each in self.scenarios:
            low, high = self.bounds(each.name)
            returns = {
                name: None if (found := self.summary(each.name, name)) is None else found.to_dict()
                for name in self.players
            }
            scenarios.append({**asdict(each), "worst": low, "best": high, "returns": returns})
        return {
            "name": self.name,
            "about": self.about,
            "held_out": self.held_out,
            "training": self.training,
            "seeds": list(self.seeds),
            "baselines": list(self.baselines),
            "sentence": self.sentence(),
            "ranking": [asdict(each) for each in self.standings],
            "stability": asdict(self.stability),
            "invalid": self.invalid,
            "games": len(self.games),
            "scenarios": scenarios,
        }


def ratings_of(tally: Floats) -> Floats:
    """Return Bradley-Terry ratings with the mean `CENTRE`, on the scale of Elo.

    Each pair also gets `DRAWS` drawn contests. Estimated by iterative Luce spectral ranking (Maystre and Grossglauser
    2015), which converges to the maximum of the likelihood.

    Args:
        tally: Contests that a player (row) won against another (column); a draw is half a win for both.
    """
    import choix
    import numpy as np

    wins = tally + DRAWS / 2
    np.fill_diagonal(wins, 0)
    if len(wins) == 1:
        return np.array([CENTRE])
    strengths = np.asarray(choix.ilsr_pairwise_dense(wins, tol=TOLERANCE), dtype=np.float64)
    found: Floats = CENTRE + (strengths - strengths.mean()) * SCALE / math.log(10)
    return found


def yardstick(returns: Floats, baselines: Sequence[int]) -> Yardstick:
    """Return the worst mean return of the baselines in each scenario, and the best one's lead over it.

    Args:
        returns: Returns, shape (scenarios, seeds, players); nan where there is none.
        baselines: Places of the baselines among the players.

    Returns:
        Two arrays of shape (scenarios, 1); nan where no baseline has a return, and where all have the same.
    """
    import numpy as np

    own = _means(returns, np.ones(returns.shape[:2]))[:, list(baselines)]
    low = np.where(np.isfinite(own), own, np.inf).min(axis=1, keepdims=True)
    high = np.where(np.isfinite(own), own, -np.inf).max(axis=1, keepdims=True)
    apart = high - low > NEARLY
    return np.where(apart, low, np.nan), np.where(apart, high - low, np.nan)


def normalized_mean(returns: Floats, bounds: Yardstick, times: Floats) -> Floats:
    """Return each player's normalized return, mean over scenarios; nan for a player without any.

    Args:
        returns: Returns, shape (scenarios, seeds, players); nan where there is none.
        bounds: Return of `yardstick`.
        times: How often each game counts, shape (scenarios, seeds).
    """
    import numpy as np

    low, spread = bounds
    scores = (_means(returns, times) - low) / spread
    shares = np.where(np.isfinite(scores), times.sum(axis=1)[:, None], 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = (np.nan_to_num(scores) * shares).sum(axis=0) / shares.sum(axis=0)
    return found


def _means(returns: Floats, times: Floats) -> Floats:
    """Return mean returns over seeds, shape (scenarios, players); nan where there is none."""
    import numpy as np

    weights = np.where(np.isfinite(returns), times[:, :, None], 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = (np.nan_to_num(returns) * weights).sum(axis=1) / weights.sum(axis=1)
    return found


def _drawn(draw: random.Random, count: int, times: int) -> list[int]:
    """Return how often each of `count` things is drawn, in `times` draws with replacement."""
    found = [0] * count
    for _ in range(times):
        found[int(draw.random() * count)] += 1
    return found


def _wins(returns: Floats) -> Floats:
    """Return wins of each player against each other in every contest, shape (scenarios, seeds, players, players)."""
    import numpy as np

    with np.errstate(invalid="ignore"):
        gap = returns[:, :, :, None] - returns[:, :, None, :]
        found: Floats = np.where(gap > NEARLY, 1.0, np.where(np.abs(gap) <= NEARLY, 0.5, 0.0))
    return found


def _tally(wins: Floats, times: Floats) -> Floats:
    import numpy as np

    found: Floats = np.tensordot(times, wins, axes=2)
    return found


def _rounded(values: Floats) -> list[float]:
    return [round(float(each), DIGITS) for each in values]


def _or_none(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
