"""Counts of elections with several candidates: plurality, approval and Condorcet. Code counts, never a model.

No library is used: the one that is kept up (pref_voting) brings numba, OR-Tools and seaborn along, and the light one
(votelib) has had no release since 2021; the tests compare these counts with it. A Condorcet cycle is
told as such, with its members (the Smith set), before a rule picks one of them.

Sources: Smith (1973), "Aggregation of preferences with variable electorate"; Simpson (1969) and Kramer (1977) for
minimax; Brams and Fishburn (1978), "Approval voting".
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class ElectionMethod(StrEnum):
    """Method by which votes become winners."""

    PLURALITY = "plurality"
    """Each voter names one candidate; the most votes win."""
    APPROVAL = "approval"
    """Each voter names any number of candidates; the most approvals win."""
    CONDORCET = "condorcet"
    """Each voter ranks candidates; who beats every other one pairwise wins."""
    LOT = "lot"
    """Nobody votes; chance picks."""


@dataclass(frozen=True)
class ElectionCount:
    """Result of a count."""

    winners: tuple[str, ...]
    """Winners, one for each seat, the first one first."""
    tally: Mapping[str, int]
    """Candidate -> votes or approvals; for Condorcet, the number of others that it beats pairwise."""
    how: str
    """Reason for which they won, in words."""
    pairs: Mapping[str, int]
    """For Condorcet: `A>B` -> number of ballots that rank A above B; else empty."""
    cycle: tuple[str, ...] = ()
    """Members of the Condorcet cycle that stood in the way of a winner for the first seat; empty without one."""
    tied: tuple[str, ...] = ()
    """Candidates between which the lot decided about the last seat; empty if it was not needed."""


def count_election(
    method: ElectionMethod,
    candidates: Sequence[str],
    ballots: Mapping[str, Sequence[str]],
    seats: int,
    lot: random.Random,
) -> ElectionCount:
    """Count an election; ties are decided by lot.

    Args:
        method: Method of the count.
        candidates: All candidates.
        ballots: Voter -> its candidates: one (plurality), any (approval), or a ranking, best first (Condorcet). A
            candidate that a ranking leaves out stands below all that it names. An empty ballot is an abstention.
        seats: Number of seats; with fewer candidates, all of them win.
        lot: Source of chance for ties.
    """
    names = sorted(candidates)
    drawn = lot.sample(names, len(names))
    if method is ElectionMethod.CONDORCET:
        return _condorcet(names, ballots, seats, drawn)
    if method is ElectionMethod.LOT:
        return ElectionCount(tuple(drawn[:seats]), dict.fromkeys(names, 0), "drawn by lot", {})
    votes = [name for ballot in ballots.values() for name in ballot]
    tally = {name: votes.count(name) for name in names}
    ranked = sorted(names, key=lambda name: (-tally[name], drawn.index(name)))
    edge = tally[ranked[min(seats, len(ranked)) - 1]] if ranked else 0
    level = tuple(name for name in names if tally[name] == edge)
    tied = level if sum(tally[name] >= edge for name in names) > seats else ()
    what = "most votes" if method is ElectionMethod.PLURALITY else "most approvals"
    return ElectionCount(tuple(ranked[:seats]), tally, f"{what}{', tie by lot' if tied else ''}", {}, (), tied)


def pairwise(candidates: Sequence[str], ballots: Mapping[str, Sequence[str]]) -> dict[tuple[str, str], int]:
    """Return (A, B) -> number of ballots that rank A above B, for all pairs."""
    found = {(one, other): 0 for one in candidates for other in candidates if one != other}
    for ballot in ballots.values():
        place = {name: number for number, name in enumerate(ballot)}
        for one, other in found:
            found[one, other] += place.get(one, len(candidates)) < place.get(other, len(candidates))
    return found


def smith_set(candidates: Sequence[str], pairs: Mapping[tuple[str, str], int]) -> tuple[str, ...]:
    """Return the smallest set of candidates that each beat everybody outside of it, in the order given.

    A candidate belongs to it if it reaches every other one over a chain of wins and draws.
    """

    links = {(one, two) for one, two in pairs if pairs[one, two] >= pairs[two, one]}
    return tuple(name for name in candidates if len(_reached(name, candidates, links) | {name}) == len(candidates))


def beat_cycle(candidates: Sequence[str], pairs: Mapping[tuple[str, str], int]) -> tuple[str, ...]:
    """Return the candidates that beat themselves over a chain of strict pairwise wins; empty without a cycle."""
    links = {(one, two) for one, two in pairs if pairs[one, two] > pairs[two, one]}
    return tuple(name for name in candidates if name in _reached(name, candidates, links))


def _reached(start: str, candidates: Sequence[str], links: Collection[tuple[str, str]]) -> set[str]:
    """Return the candidates to which a chain of one link or more leads."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        here = waiting.pop()
        new = [other for other in candidates if other not in found and (here, other) in links]
        found.update(new)
        waiting += new
    return found


def _condorcet(
    names: Sequence[str], ballots: Mapping[str, Sequence[str]], seats: int, drawn: Sequence[str]
) -> ElectionCount:
    pairs = pairwise(names, ballots)
    tally = {one: sum(pairs[one, two] > pairs[two, one] for two in names if two != one) for one in names}
    winners: list[str] = []
    cycle: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    how = "beats every other candidate pairwise"
    while len(winners) < min(seats, len(names)):
        left = [name for name in names if name not in winners]
        top = smith_set(left, pairs)
        worst = {
            name: max((pairs[other, name] - pairs[name, other] for other in top if other != name), default=0)
            for name in top
        }
        best = [name for name in top if worst[name] == min(worst.values())]
        if not winners and len(top) > 1:
            cycle = beat_cycle(top, pairs)
            how = "no Condorcet winner: a cycle, decided by the smallest worst defeat" if cycle else "pairwise tie"
            how += ", then by lot" if len(best) > 1 else ""
        tied = tuple(best) if len(best) > 1 else ()
        winners.append(min(best, key=drawn.index))
    plain = {f"{one}>{two}": number for (one, two), number in pairs.items()}
    return ElectionCount(tuple(winners), tally, how, plain, cycle, tied)
