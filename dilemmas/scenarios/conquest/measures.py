"""Measures of a conquest, from the events of the last episode alone.

won             1 for a player that reached its objective, else 0
territories     territories held at the end
attacks         attacks on territories of others
captures        territories captured
lost            territories lost
support_given   troops given to others
support_got     troops got from others
faults          orders that were unusable, illegal or failed
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dilemmas.records.events import (
    BattleFought,
    EpisodeStarted,
    Event,
    LogLine,
    MapDrawn,
    ObjectiveReached,
    OrderGiven,
    SupportGiven,
)

MEASURES = ("won", "territories", "attacks", "captures", "lost", "support_given", "support_got", "faults")


def measures(lines: Iterable[LogLine], players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value of the last attempt at the last episode in these lines."""
    counts: Counter[tuple[str, str]] = Counter()
    owners: dict[str, str] = {}
    for line in lines:
        match line.event:
            case EpisodeStarted():
                counts.clear()
                owners.clear()
            case MapDrawn(territories=territories):
                owners |= {name: state.owner for name, state in territories.items()}
            case event:
                counts.update(_counted(event))
    counts.update(("territories", owner) for owner in owners.values())
    return {name: {player: float(counts[name, player]) for player in players} for name in MEASURES}


def _counted(event: Event) -> Iterator[tuple[str, str]]:
    """Yield (measure, player) for each unit that an event adds."""
    match event:
        case BattleFought(defender=defender, attackers=attackers, owner=owner):
            yield from (("attacks", player) for player in attackers)
            if owner != defender:
                yield ("captures", owner)
                yield ("lost", defender)
        case SupportGiven(player=player, receiver=receiver, troops=troops):
            yield from [("support_given", player), ("support_got", receiver)] * troops
        case ObjectiveReached(players=winners):
            yield from (("won", player) for player in winners)
        case OrderGiven(player=player, fault=fault) if fault:
            yield ("faults", player)
        case _:
            pass
