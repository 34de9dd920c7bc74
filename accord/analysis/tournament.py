"""Results of a tournament: scores, the ranking, and the certainty of its order. Pure functions over `Bout`s.

A score is the mean payoff of a round over the games against all others (games against the own kind do not count, as in
Axelrod's ranking). Each seed gives one score; intervals are of their mean. Two players are compared within each seed,
so that chance that both shared does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

from accord.analysis.intervals import UNBOUNDED, Interval
from accord.analysis.measures import MeasureSummary, summarize
from voyager_agents.stage_games.tournament import Bout, Pair

NEARLY = 1e-9
"""Scores that differ by less are equal."""


@dataclass(frozen=True)
class TournamentStanding:
    """One row of the ranking."""

    place: int
    """Rank from 1; equal scores share one."""
    name: str
    score: MeasureSummary
    won: int
    """Games with a higher payoff than the other player's."""
    games: int
    cooperation: float | None
    ahead: bool | None
    """True if the 95 % interval of the difference to the next in the ranking lies above 0.

    None for the last player, and with a single seed.
    """
    gap: float | None = None
    """Mean gain of a best response to the others' choices; None for games without it."""
    exploitability: float | None = None
    """Mean gain of the others' best responses over their maximin value; None for games without it."""


@dataclass(frozen=True)
class Tournament:
    """All games of all pairs."""

    scenario: str
    names: tuple[str, ...]
    seed: int
    """First seed."""
    bouts: tuple[Bout, ...]
    noise: float = 0.0
    world: str = "none"
    payoffs: Interval = UNBOUNDED
    """Lowest and highest payoff of a round, to which intervals of payoffs are cut."""

    @cached_property
    def standings(self) -> list[TournamentStanding]:
        """The ranking, best first; players with equal scores in the order in which they were named."""
        scores = {name: self.scores(name) for name in self.names}
        means = {name: fmean(each) for name, each in scores.items()}
        order = sorted(self.names, key=lambda name: -round(means[name] / NEARLY))
        found = []
        for number, name in enumerate(order):
            place = 1 + sum(means[other] > means[name] + NEARLY for other in order)
            after = order[number + 1] if number + 1 < len(order) else None
            ahead = None if after is None else self._above(scores[name], scores[after])
            own = [each for each in self._of(name) if each[1] != name]
            rates = [rate for _, _, _, _, rate in own if rate is not None]
            won = sum(mine > theirs + NEARLY for _, _, mine, theirs, _ in own)
            rate = fmean(rates) if rates else None
            gap, exploitability = (
                self._mean(name, lambda each: each.gaps),
                self._mean(name, lambda each: each.exploitability),
            )
            score = self._payoff(scores[name])
            found.append(TournamentStanding(place, name, score, won, len(own), rate, ahead, gap, exploitability))
        return found

    def _mean(self, name: str, values: Callable[[Bout], Sequence[float | None]]) -> float | None:
        """Return the mean of a value of the player over its games against others; None without any."""
        found = [
            value
            for each in self.bouts
            for seat in (0, 1)
            if each.pair[seat] == name != each.pair[1 - seat] and (value := values(each)[seat]) is not None
        ]
        return fmean(found) if found else None

    def scores(self, name: str) -> list[float]:
        """Return the player's score with each seed, in the order of the seeds."""
        by_seed: dict[int, list[float]] = {}
        for seed, other, mine, _, _ in self._of(name):
            if other != name:
                by_seed.setdefault(seed, []).append(mine)
        return [fmean(by_seed[seed]) for seed in sorted(by_seed)]

    def against(self, name: str, other: str) -> MeasureSummary | None:
        """Return the player's payoff of a round against `other`, or None if they did not meet."""
        by_seed: dict[int, list[float]] = {}
        for seed, whom, mine, _, _ in self._of(name):
            if whom == other:
                by_seed.setdefault(seed, []).append(mine)
        return self._payoff([fmean(each) for each in by_seed.values()]) if by_seed else None

    def _payoff(self, values: Sequence[float]) -> MeasureSummary:
        """Return the summary of mean payoffs of a round over the seeds."""
        return summarize(values, self.seed).cut_to(self.payoffs)

    @property
    def met(self) -> list[Pair]:
        """Return all pairs that met, each once, in the order of their games."""
        return list(dict.fromkeys(each.pair for each in self.bouts))

    @property
    def invalid(self) -> list[Bout]:
        """Games in which a stand-in played for a player whose model gave too few usable answers."""
        return [each for each in self.bouts if each.invalid]

    def sentence(self) -> str:
        """Return the ranking in a sentence, with the number of invalid games."""
        told = self._order()
        if not self.invalid:
            return told
        count = f"{len(self.invalid)} of {len(self.bouts)} games"
        return f"{told} To be known: stand-ins played in {count}, since a model gave too few usable answers."

    def _order(self) -> str:
        best = [each.name for each in self.standings if each.place == 1]
        if any(each.score.uncertain for each in self.standings):
            have = f"{_all(best)} {'has' if len(best) == 1 else 'share'} the highest score"
            return f"{have}. So few seeds have no interval: play more (--seeds 10)."
        near = self._near(best)
        if near:
            lead = f"Who is first is open: {_all(best)} before {_all(near)} is no more than the seeds may bring about."
        else:
            lead = f"{best[0]} is first." if len(best) == 1 else f"{_all(best)} are first, with equal scores."
        open_ = [
            f"{each.name} and {after.name}"
            for each, after in zip(self.standings, self.standings[1:], strict=False)
            if each.ahead is False and each.place != after.place and not (each.place == 1 and near)
        ]
        told = (
            f" The order of {'; '.join(open_)} is open, too." if near else f" The order of {'; '.join(open_)} is open."
        )
        return f"{lead}{told if open_ else ''}{' Play more seeds.' if near or open_ else ''}"

    def _near(self, best: Sequence[str]) -> list[str]:
        """Return the players that are not certainly apart from one of the best, in their order."""
        return [
            each.name
            for each in self.standings
            if each.name not in best
            and not all(self._above(self.scores(name), self.scores(each.name)) for name in best)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the tournament for JSON."""
        ranking = [
            {
                "place": each.place,
                "name": each.name,
                "score": each.score.to_dict(),
                "won": each.won,
                "games": each.games,
                "cooperation": each.cooperation,
                "ahead": each.ahead,
                "best_response_gap": each.gap,
                "exploitability": each.exploitability,
            }
            for each in self.standings
        ]
        games = [
            {
                "players": list(each.pair),
                "seed": each.seed,
                "rounds": each.rounds,
                "scores": list(each.scores),
                "cooperation": list(each.cooperation),
                **({"invalid": True} if each.invalid else {}),
            }
            for each in self.bouts
        ]
        head = {"scenario": self.scenario, "world": self.world, "noise": self.noise, "seed": self.seed}
        return {**head, "ranking": ranking, "games": games}

    def _of(self, name: str) -> Iterable[tuple[int, str, float, float, float | None]]:
        """Yield (seed, the other, own score, the other's score, own cooperation) of each game, for both sides."""
        for each in self.bouts:
            for seat in (0, 1):
                if each.pair[seat] == name:
                    other = 1 - seat
                    yield each.seed, each.pair[other], each.scores[seat], each.scores[other], each.cooperation[seat]

    def _above(self, one: Sequence[float], two: Sequence[float]) -> bool | None:
        if len(one) < 2:
            return None
        differences = [mine - theirs for mine, theirs in zip(one, two, strict=True)]
        gap = summarize(differences, self.seed)
        if gap.uncertain:
            return False
        return (gap.mean if gap.ci95 is None else gap.ci95[0]) > NEARLY


def _all(names: Sequence[str]) -> str:
    """Join names for a sentence."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
