"""What is measured in a commons that is harvested, from the events of the last episode alone.

    takes              apples taken
    attacks            attempts to immobilize somebody
    hits               those that hit
    hits_on_NAME       hits on that player, by whom
    trees_depleted     trees whose last apple this player took
    last_apple_near    decisions at which the nearest apple in sight was the last of its tree (rounds only)
    last_apple_moves   those after which the player was nearer to it
    out_steps          steps for which the player was out

Source: the indicators of the paper on generative agents in Melting Pot, section 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from dilemmas.records.events import ActionEvent, Decided, DeedSeen, EpisodeStarted, Event, FieldStepped, LogLine

MEASURES = (
    "takes", "attacks", "hits", "trees_depleted", "last_apple_near", "last_apple_moves", "out_steps",
)  # fmt: skip
"""Those that each player has."""


def measures(lines: Iterable[LogLine], players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Measure -> player -> value, of the last episode in these lines (of a repeated one, of its last attempt)."""
    counts: Counter[tuple[str, str]] = Counter()
    for line in lines:
        if isinstance(line.event, EpisodeStarted):
            counts.clear()
        counts.update(_counted(line.event))
    for player in players:
        # Programs try to immobilize by calling it; what they hit otherwise was tried as well.
        counts["attacks", player] = max(counts["attacks", player], counts["calls", player])
    names = [*MEASURES, *(f"hits_on_{player.lower()}" for player in players)]
    return {name: {player: float(counts[name, player]) for player in players} for name in names}


def _counted(event: Event) -> dict[tuple[str, str], int]:
    """What an event adds to: (measure, player) -> how much."""
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
    return {}
