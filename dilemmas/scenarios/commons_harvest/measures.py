"""Measures of a harvested commons, from the events of the last episode alone.

    takes              apples taken
    attacks            attempts to immobilize another player
    hits               successful attempts
    hits_on_NAME       hits on that player, by attacker
    trees_depleted     trees whose last apple this player took
    last_apple_near    decisions at which the nearest apple in sight was the last of its tree (rounds only)
    last_apple_moves   decisions of that kind after which the player was nearer to the apple
    out_steps          steps for which the player was out

Under institutions there are those of `dilemmas.scenarios.civic_measures`, too.

Source: the indicators of the paper on generative agents in Melting Pot, section 4.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from dilemmas.records.events import (
    ActionEvent,
    Decided,
    DeedSeen,
    EpisodeStarted,
    Event,
    FieldStepped,
    InstitutionActed,
    LogLine,
)
from dilemmas.scenarios.civic_measures import CIVIC_MEASURES, civic_counts

MEASURES = (
    "takes", "attacks", "hits", "trees_depleted", "last_apple_near", "last_apple_moves", "out_steps",
)  # fmt: skip
"""Measures that every player has."""


def measures(lines: Iterable[LogLine], players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value of the last attempt at the last episode in these lines."""
    counts: dict[tuple[str, str], float] = defaultdict(float)
    civic = False
    for line in lines:
        if isinstance(line.event, EpisodeStarted):
            counts.clear()
        civic |= isinstance(line.event, InstitutionActed)
        for key, amount in _counted(line.event).items():
            counts[key] += amount
    for player in players:
        # A program attacks by a call of `immobilize`, or hits without one; both count as attempts.
        counts["attacks", player] = max(counts["attacks", player], counts["calls", player])
    return {name: {player: float(counts[name, player]) for player in players} for name in names(players, civic=civic)}


def names(players: Iterable[str], *, civic: bool) -> list[str]:
    """Return the names of all measures, which are counts; `civic` adds those of life under institutions."""
    return [*MEASURES, *(f"hits_on_{player.lower()}" for player in players), *(CIVIC_MEASURES if civic else ())]


def _counted(event: Event) -> Mapping[tuple[str, str], float]:
    """Yield (measure, player) and the amount that an event adds."""
    match event:
        case DeedSeen(deed="take", player=player, left=left):
            return {("takes", player): 1, ("trees_depleted", player): int(left == 0)}
        case DeedSeen(player=player, target=target, hit=hit):
            return {("attacks", player): 1, ("hits", player): int(hit), (f"hits_on_{target.lower()}", player): int(hit)}
        case ActionEvent(name="immobilize", bot=player):
            return {("calls", player): 1}
        case Decided(player=player, last_apple=True, closer=closer):
            return {("last_apple_near", player): 1, ("last_apple_moves", player): int(closer)}
        case FieldStepped(out=out):
            return {("out_steps", player): 1 for player in out}
        case InstitutionActed():
            return civic_counts(event)
    return {}
