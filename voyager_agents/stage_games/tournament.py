"""Round-robin tournaments of strategies without a world: each pair plays one repeated game for each seed.

A pair's choices equal those of `accord run --agents ONE,TWO --seed SEED` in the world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.match import PlayedRound, RepeatedMatch, cooperation
from voyager_agents.stage_games.play import play
from voyager_agents.stage_games.played import play_measures
from voyager_agents.stage_games.tables import Matrix

Pair = tuple[str, str]
"""Strategies of the first and the second player."""
USUAL = (
    "always-cooperate", "always-defect", "tit-for-tat", "suspicious-tit-for-tat", "generous-tit-for-tat",
    "tit-for-two-tats", "grim", "win-stay-lose-shift", "alternator", "random",
)  # fmt: skip
"""Default participants: strategies for any two-player game."""


@dataclass(frozen=True)
class Bout:
    """Result of one repeated game between two strategies."""

    pair: Pair
    seed: int
    rounds: int
    scores: tuple[float, float]
    """Mean payoff of each player per round, in the game's units."""
    cooperation: tuple[float | None, float | None]
    """Mean cooperation rate of each player, from 0 to 1; None without rated choices."""
    invalid: bool = False
    """True if a player's model gave too few usable answers, so that a stand-in played for it."""
    gaps: tuple[float | None, float | None] = (None, None)
    """`best_response_gap` of each player (`voyager_agents.stage_games.played`); None for games without it."""
    exploitability: tuple[float | None, float | None] = (None, None)
    """`exploitability` of each player; None for games without it."""


def alike(law: StageLaw) -> bool:
    """Return True if both seats are equivalent, and one game of a pair is enough."""
    return isinstance(law, Matrix) and law.symmetric


def pairings(names: Sequence[str], *, both_seats: bool, itself: bool) -> list[Pair]:
    """Return all pairs of strategies.

    `both_seats` adds each pair in reversed seats; `itself` adds each strategy against itself.
    """
    found = [(name, name) for name in names] if itself else []
    for one, two in combinations(names, 2):
        found += [(one, two), (two, one)] if both_seats else [(one, two)]
    return found


def bouts(match_of: Callable[[int], RepeatedMatch], pairs: Sequence[Pair], seeds: Sequence[int]) -> Iterator[Bout]:
    """Yield the result of every pair for every seed; `match_of` returns a new match for a seed."""
    for pair in pairs:
        for seed in seeds:
            yield bout(match_of(seed), pair, seed)


def bout(match: RepeatedMatch, pair: Pair, seed: int) -> Bout:
    """Play a match between two strategies, and return its result."""
    one, two = match.law.players
    paid = play(match, dict(zip((one, two), pair, strict=True)), seed)
    rounds = len(match.history)
    scores = (float(paid[one] / rounds), float(paid[two] / rounds))
    found = play_measures(match.law, [_own_choices(played) for played in match.history])
    gaps, exploitability = (found.get(name, {}) for name in ("best_response_gap", "exploitability"))
    return Bout(
        pair,
        seed,
        rounds,
        scores,
        (_rate(match, one), _rate(match, two)),
        gaps=(gaps.get(one), gaps.get(two)),
        exploitability=(exploitability.get(one), exploitability.get(two)),
    )


def _own_choices(played: PlayedRound) -> dict[str, str]:
    """Return player -> its last choice of a round."""
    found: dict[str, str] = {}
    for stage in range(len(played.choices)):
        found |= played.own_choices(stage)
    return found


def _rate(match: RepeatedMatch, player: str) -> float | None:
    """Return the player's mean cooperation rate over rounds with rated choices; None without any."""
    told = (cooperation(match.law, played) for played in match.history)
    rates = [each[player] for each in told if player in each]
    return fmean(rates) if rates else None
