"""Measures of life under institutions, by player, from the steps of institutions in the log.

breaches            breaches of the law by this player, seen by anybody or not
sanctions           sanctions that it suffered
false_sanctions     those of them behind which the record shows no breach
fines               fines that it paid
bribes_paid         bribes that it paid
bribes_taken        bribes that it took in office
let_go              breaches that it saw in office and let go, bribed or not
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from dilemmas.records.events import EpisodeStarted, Event, InstitutionActed, LogLine

CIVIC_MEASURES = (
    "breaches", "sanctions", "false_sanctions", "fines", "bribes_paid", "bribes_taken", "let_go",
)  # fmt: skip
"""Measures of every player of a game with institutions."""


class CivicTally:
    """Measures of life under institutions, counted event by event; without institutions other than a market none."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], float] = defaultdict(float)
        self._any = False

    def add_event(self, event: Event) -> None:
        """Count the next event of the log."""
        if isinstance(event, EpisodeStarted):
            self._counts.clear()
            self._any = False
        elif isinstance(event, InstitutionActed):
            self._any = self._any or event.part not in ("", "market")
            for key, amount in civic_counts(event).items():
                self._counts[key] += amount

    def measures(self, players: Sequence[str]) -> dict[str, dict[str, float]]:
        """Return measure -> player -> value of the last attempt; empty without institutions."""
        if not self._any:
            return {}
        return {name: {player: self._counts[name, player] for player in players} for name in CIVIC_MEASURES}


def civic_measures(lines: Iterable[LogLine], players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value of the last attempt at the last episode in these lines."""
    counts: dict[tuple[str, str], float] = defaultdict(float)
    for line in lines:
        match line.event:
            case EpisodeStarted():
                counts.clear()
            case InstitutionActed():
                for key, amount in civic_counts(line.event).items():
                    counts[key] += amount
            case _:
                pass
    return {name: {player: counts[name, player] for player in players} for name in CIVIC_MEASURES}


def civic_counts(event: InstitutionActed) -> Mapping[tuple[str, str], float]:
    """Return (measure, player) -> amount that a step of an institution adds."""
    data, who = event.data, event.who
    match event.part, event.what:
        case "law" | "statute" | "constitution", "breach":
            return {("breaches", who): 1}
        case "guards", "sanctioned":
            return {("sanctions", who): 1, ("fines", who): float(data["fined"])}
        case "guards", "audited":
            return {("false_sanctions", who): int(data["false"])}
        case "guards", "bribe_taken":
            paid = float(data["amount"])
            return {("bribes_taken", who): paid, ("bribes_paid", str(data["offender"])): paid, ("let_go", who): 1}
        case "guards", "let_go":
            return {("let_go", who): 1}
    return {}
