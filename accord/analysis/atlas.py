"""Results of an atlas: what agents chose, expected and answered in each of the 144 games. Pure functions over plays.

Every agent is seen as the row player: what it did as the column player of a game counts for the mirrored game. A value
is a mean over the plays of one seed; means and intervals are over the seeds.

    cooperation   share of own choices that allow the partner's best outcome
    own_best      share of own choices that lead to the own best outcome
    equilibrium   share of rounds whose outcome is a pure Nash equilibrium; missing in games without one
    consistency   share of choices that are the same in a relabelled game or a story as in the plain one, over the
                  rounds before which both games went the same way
    foresight     share of rounds in which the partner did what the player expected
    reflection    share of rounds in which the partner expected of the player what the player thought it expects

Measures of TMGBench (arXiv 2410.10479) where agents named the pure equilibria; a grid has the share of answers that
name each of the four outcomes, and the right grid has 1 for each equilibrium and 0 elsewhere:

    perfect accuracy rate   share of answers that name exactly the pure equilibria
    inconsistency degree    mean squared difference of the grid from the right one
    bias degree             mean squared difference of the grid from the mirrored game's, with the players exchanged

Grids are averaged over their four cells and over all games, so that both degrees lie between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import product
from statistics import fmean
from typing import Any

from accord.analysis.intervals import SHARES, Interval
from accord.analysis.measures import MeasureSummary, summarize
from voyager_agents.stage_games.atlas import OrdinalGame, Outcome, game_of, games

MEASURES = ("cooperation", "own_best", "equilibrium", "consistency", "foresight", "reflection")
"""Measures of the maps."""
CELLS: tuple[Outcome, ...] = tuple(product((0, 1), (0, 1)))


@dataclass(frozen=True)
class SeatRound:
    """One player's part of a round, with options by their place in the presentation of the atlas."""

    choice: int | None
    """None if the player made no choice, so that a stand-in chose."""
    expects: int | None = None
    """Option that it expected of the partner; None without a belief."""
    expected: int | None = None
    """Option that, as it thought, the partner expected of it; None without a belief."""
    equilibria: frozenset[Outcome] | None = None
    """Outcomes that it named as pure equilibria; None if it was not asked."""


AtlasRound = tuple[SeatRound, SeatRound]
"""A round: the row player's part and the column player's."""


@dataclass(frozen=True)
class Presentation:
    """Form in which a game was shown."""

    labels: int = 0
    """Number of the labelling; 0 for none."""
    story: str = ""

    @property
    def plain(self) -> bool:
        """True if the game was shown as it stands in the atlas."""
        return not self.labels and not self.story


@dataclass(frozen=True)
class AtlasPlay:
    """One repeated game between two agents."""

    game: str
    """Id of the game."""
    pair: tuple[str, str]
    """Agents of the row player and the column player."""
    seed: int
    presentation: Presentation
    rounds: tuple[AtlasRound, ...]
    scores: tuple[float, float]
    """Mean payoff of each player per round."""
    invalid: bool = False
    """True if a player's model gave too few usable answers, so that a stand-in played for it."""


@dataclass(frozen=True)
class EquilibriumAnswers:
    """TMGBench's measures of one agent."""

    agent: str
    asked: int
    """Number of answers."""
    perfect: MeasureSummary
    """Perfect accuracy rate over the games."""
    by_count: Mapping[int, MeasureSummary]
    """Number of pure equilibria -> perfect accuracy rate over the games that have as many."""
    inconsistency: MeasureSummary
    """Inconsistency degree over the games."""
    bias: MeasureSummary | None
    """Bias degree over the games; None if no game was asked in both positions."""


@dataclass
class _Values:
    """Values of one agent: measure -> game -> seed -> values."""

    found: dict[str, dict[str, dict[int, list[float]]]] = field(default_factory=dict)

    def add(self, measure: str, game: str, seed: int, value: float) -> None:
        by_game = self.found.setdefault(measure, {})
        by_game.setdefault(game, {}).setdefault(seed, []).append(value)


@dataclass(frozen=True)
class Atlas:
    """All games of all pairs in all presentations."""

    names: tuple[str, ...]
    """Agents, those that are asked in several ways once for each."""
    seed: int
    """First seed."""
    rounds: int
    plays: tuple[AtlasPlay, ...] = field(repr=False)
    world: str = "none"
    untold: tuple[str, ...] = ()
    """Games for which the model wrote no usable story, so that one that comes with Accord was told."""

    @cached_property
    def _values(self) -> Mapping[str, _Values]:
        found = {name: _Values() for name in self.names}
        for play in self.plays:
            for seat in (0, 1):
                game = seen_game(play.game, seat)
                for measure, value in _of_rounds(game, play.rounds, seat):
                    found[play.pair[seat]].add(measure, game.id, play.seed, value)
        for first, other in self._presented_again():
            for seat in (0, 1):
                for value in _same_choices(first.rounds, other.rounds, seat):
                    game = seen_game(first.game, seat)
                    found[first.pair[seat]].add("consistency", game.id, first.seed, value)
        return found

    def _presented_again(self) -> Iterator[tuple[AtlasPlay, AtlasPlay]]:
        """Yield each plain play with the same play in each other presentation."""
        plain = {(each.game, each.pair, each.seed): each for each in self.plays if each.presentation.plain}
        for each in self.plays:
            if not each.presentation.plain and (first := plain.get((each.game, each.pair, each.seed))) is not None:
                yield first, each

    def has(self, measure: str) -> bool:
        """Return True if an agent has a value of the measure in a game."""
        return any(measure in each.found for each in self._values.values())

    @cached_property
    def _cells(self) -> dict[tuple[str, str, str], MeasureSummary | None]:
        return {}

    def cell(self, agent: str, measure: str, game: str) -> MeasureSummary | None:
        """Return a measure of an agent as row player of a game; None without a value."""
        key = agent, measure, game
        if key not in self._cells:
            by_seed = self._values[agent].found.get(measure, {}).get(game)
            self._cells[key] = None if by_seed is None else self._over_seeds([by_seed], SHARES)
        return self._cells[key]

    def whole(self, agent: str, measure: str) -> MeasureSummary | None:
        """Return a measure of an agent over all games, in which every game counts the same; None without a value."""
        by_game = self._values[agent].found.get(measure)
        return None if by_game is None else self._over_seeds(list(by_game.values()), SHARES)

    def _over_seeds(self, by_game: Sequence[Mapping[int, Sequence[float]]], bounds: Interval) -> MeasureSummary:
        seeds = sorted({seed for each in by_game for seed in each})
        means = [fmean(fmean(each[seed]) for each in by_game if seed in each) for seed in seeds]
        return _summary(tuple(means), self.seed).cut_to(bounds)

    def score(self, agent: str) -> MeasureSummary:
        """Return an agent's payoff per round over all games, 1 to 4."""
        by_seed: dict[int, list[float]] = {}
        for play in self.plays:
            for seat in (0, 1):
                if play.pair[seat] == agent:
                    by_seed.setdefault(play.seed, []).append(play.scores[seat])
        return self._over_seeds([by_seed], (1, 4))

    @property
    def invalid(self) -> int:
        """Number of plays in which stand-ins played, since a model gave too few usable answers."""
        return sum(each.invalid for each in self.plays)

    @cached_property
    def answers(self) -> list[EquilibriumAnswers]:
        """TMGBench's measures of each agent that was asked for equilibria."""
        grids: dict[str, dict[str, list[frozenset[Outcome]]]] = {}
        for play in self.plays:
            for seat in (0, 1):
                named = [found for each in play.rounds if (found := each[seat].equilibria) is not None]
                if named:
                    game = seen_game(play.game, seat).id
                    seen = [frozenset(seen_outcome(cell, seat) for cell in found) for found in named]
                    grids.setdefault(play.pair[seat], {}).setdefault(game, []).extend(seen)
        return [_graded(name, grids[name], self.seed) for name in self.names if name in grids]

    def sentence(self) -> str:
        """Return how often each agent's rounds ended in an equilibrium, and the number of invalid games."""
        shares = [(name, found) for name in self.names if (found := self.whole(name, "equilibrium"))]
        told = "No game was played that has a pure equilibrium."
        if shares:
            parts = [f"{name} {_percent(found)}" for name, found in sorted(shares, key=lambda each: -each[1].mean)]
            told = f"Rounds that ended in a pure equilibrium, in games that have one: {', '.join(parts)}."
        if self.untold:
            told += f" The model wrote no usable story for {', '.join(self.untold)}; Accord's own was told there."
        if not self.invalid:
            return told
        count = f"{self.invalid} of {len(self.plays)} games"
        return f"{told} To be known: stand-ins played in {count}, since a model gave too few usable answers."

    def to_dict(self) -> dict[str, Any]:
        """Return the results over all games for JSON; single games are in games.csv and plays.csv."""
        agents = [
            {
                "name": name,
                "score": self.score(name).to_dict(),
                **{measure: found.to_dict() for measure in MEASURES if (found := self.whole(name, measure))},
            }
            for name in self.names
        ]
        asked = [
            {
                "name": each.agent,
                "answers": each.asked,
                "perfect_accuracy_rate": each.perfect.to_dict(),
                "perfect_by_equilibria": {str(count): rate.to_dict() for count, rate in each.by_count.items()},
                "inconsistency_degree": each.inconsistency.to_dict(),
                "bias_degree": None if each.bias is None else each.bias.to_dict(),
            }
            for each in self.answers
        ]
        head = {"world": self.world, "seed": self.seed, "rounds": self.rounds, "plays": len(self.plays)}
        return {**head, "invalid": self.invalid, "agents": agents, "equilibria": asked}


@lru_cache(maxsize=100_000)
def _percent(found: MeasureSummary) -> str:
    """Return a mean in percent, with its interval in brackets where there is one."""
    ends = "" if found.ci95 is None else f" [{100 * found.ci95[0]:.0f}, {100 * found.ci95[1]:.0f}]"
    return f"{100 * found.mean:.0f} %{ends}"


def _summary(values: tuple[float, ...], seed: int) -> MeasureSummary:
    """Return the summary of values; strategies play many games alike, and intervals take time."""
    return summarize(values, seed)


def _rate(values: Sequence[float], seed: int) -> MeasureSummary:
    """Return the summary of values from 0 to 1."""
    return summarize(values, seed).cut_to(SHARES)


@cache
def seen_game(game: str, seat: int) -> OrdinalGame:
    """Return a game as the player in a seat sees it if it takes itself for the row player."""
    return game_of(game).mirror if seat else game_of(game)


def seen_outcome(cell: Outcome, seat: int) -> Outcome:
    """Return an outcome as the player in a seat sees it if it takes itself for the row player."""
    return (cell[1], cell[0]) if seat else cell


def _of_rounds(game: OrdinalGame, rounds: Iterable[AtlasRound], seat: int) -> Iterator[tuple[str, float]]:
    """Yield measures of single rounds; `game` is the game as the player sees it."""
    for each in rounds:
        mine, theirs = each[seat], each[1 - seat]
        if mine.choice is not None:
            yield "cooperation", float(mine.choice == 0)
            yield "own_best", float(mine.choice == game.best_option(0))
        if mine.choice is not None and theirs.choice is not None and game.equilibria:
            yield "equilibrium", float((mine.choice, theirs.choice) in game.equilibria)
        if mine.expects is not None and theirs.choice is not None:
            yield "foresight", float(mine.expects == theirs.choice)
        if mine.expected is not None and theirs.expects is not None:
            yield "reflection", float(mine.expected == theirs.expects)


def _same_choices(plain: Sequence[AtlasRound], other: Sequence[AtlasRound], seat: int) -> Iterator[float]:
    """Yield 1 for each same choice and 0 for each other one, until the games have gone different ways."""
    for one, two in zip(plain, other, strict=False):
        first, second = one[seat].choice, two[seat].choice
        if first is not None and second is not None:
            yield float(first == second)
        if any(before.choice is None or before.choice != after.choice for before, after in zip(one, two, strict=True)):
            return


def _graded(agent: str, answers: Mapping[str, Sequence[frozenset[Outcome]]], seed: int) -> EquilibriumAnswers:
    grids = {game: {cell: fmean(cell in each for each in named) for cell in CELLS} for game, named in answers.items()}
    right = {game: frozenset(game_of(game).equilibria) for game in answers}
    perfect = {game: fmean(each == right[game] for each in named) for game, named in answers.items()}
    gaps = [fmean((grids[game][cell] - (cell in right[game])) ** 2 for cell in CELLS) for game in grids]
    mirrored = [
        fmean((grid[cell] - grids[other][cell[1], cell[0]]) ** 2 for cell in CELLS)
        for game, grid in grids.items()
        if (other := game_of(game).mirror.id) in grids
    ]
    counts = {count: [rate for game, rate in perfect.items() if len(right[game]) == count] for count in (0, 1, 2)}
    return EquilibriumAnswers(
        agent,
        sum(map(len, answers.values())),
        _rate(list(perfect.values()), seed),
        {count: _rate(rates, seed) for count, rates in counts.items() if rates},
        _rate(gaps, seed),
        _rate(mirrored, seed) if mirrored else None,
    )


def map_order() -> list[list[OrdinalGame]]:
    """Return the games in the rows of the map: the row player's patterns across, the column player's from below."""
    by_place = {(game.column.place, game.row.place): game for game in games()}
    size = len({game.row.place for game in games()})
    return [[by_place[row, column] for column in range(size)] for row in reversed(range(size))]
