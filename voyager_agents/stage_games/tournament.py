"""Round-robin tournaments: every two meet in a repeated game, once for each seed. Without a world.

The game of a pair is the one that `accord run --agents ONE,TWO --seed SEED` plays in the world, choice for choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.match import RepeatedMatch, cooperation
from voyager_agents.stage_games.play import play
from voyager_agents.stage_games.tables import Matrix

Pair = tuple[str, str]
"""Players in the first and the second seat."""
USUAL = (
    "always-cooperate", "always-defect", "tit-for-tat", "suspicious-tit-for-tat", "generous-tit-for-tat",
    "tit-for-two-tats", "grim", "win-stay-lose-shift", "alternator", "random",
)  # fmt: skip
"""Strategies for any game of two, which play where nobody is named."""


@dataclass(frozen=True)
class Bout:
    """A repeated game between two, played to its end."""

    pair: Pair
    seed: int
    rounds: int
    scores: tuple[float, float]
    """Mean payoff of each player in a round, in the game's units."""
    cooperation: tuple[float | None, float | None]
    """Cooperativeness of each player, from 0 to 1; None for one whose choices say nothing of it."""


def alike(law: StageLaw) -> bool:
    """Return whether the two seats of a game are the same, so that one game of a pair tells all."""
    return isinstance(law, Matrix) and law.symmetric


def pairings(names: Sequence[str], *, both_seats: bool, itself: bool) -> list[Pair]:
    """Return the pairings: every two once, or once in each seat; `itself`: each also meets one of its own kind."""
    found = [(name, name) for name in names] if itself else []
    for one, two in combinations(names, 2):
        found += [(one, two), (two, one)] if both_seats else [(one, two)]
    return found


def bouts(match_of: Callable[[int], RepeatedMatch], pairs: Sequence[Pair], seeds: Sequence[int]) -> Iterator[Bout]:
    """Yield every pair's game with every seed; `match_of` makes the game of a seed."""
    for pair in pairs:
        for seed in seeds:
            yield bout(match_of(seed), pair, seed)


def bout(match: RepeatedMatch, pair: Pair, seed: int) -> Bout:
    """Return the game of two strategies."""
    one, two = match.law.players
    paid = play(match, dict(zip((one, two), pair, strict=True)), seed)
    rounds = len(match.history)
    scores = (float(paid[one] / rounds), float(paid[two] / rounds))
    return Bout(pair, seed, rounds, scores, (_rate(match, one), _rate(match, two)))


def _rate(match: RepeatedMatch, player: str) -> float | None:
    """Return the mean over the rounds in which its choices say something of it."""
    told = (cooperation(match.law, played) for played in match.history)
    rates = [each[player] for each in told if player in each]
    return fmean(rates) if rates else None
