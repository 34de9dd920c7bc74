"""Reputation: a score for each player from promises and rules kept and broken alone, unless a judge gives the scores.

score = (kept + 1) / (kept + broken + 2): the mean of a Beta distribution with a uniform prior (Josang and Ismail, 2002,
"The beta reputation system"). A player without promises stands at 0.5. The score is visible to all and a function of
the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ReputationStanding:
    """Number of promises and rules that a player kept and broke."""

    kept: int = 0
    broken: int = 0

    @property
    def score(self) -> float:
        """Between 0 and 1, both excluded."""
        return (self.kept + 1) / (self.kept + self.broken + 2)

    def after(self, what: str) -> ReputationStanding:
        """Return the standing after one more promise kept or broken."""
        return ReputationStanding(self.kept + (what == "kept"), self.broken + (what == "broken"))


def standings(entries: Iterable[Mapping[str, Any]]) -> dict[str, ReputationStanding]:
    """Return each member's standing, from a council's entries (see `entries_of`)."""
    found: dict[str, ReputationStanding] = {}
    for entry in entries:
        if entry["what"] == "council":
            found = {str(name): ReputationStanding() for name in entry["members"]}
        elif entry["what"] in ("kept", "broken"):
            player = str(entry["player"])
            found[player] = found.get(player, ReputationStanding()).after(str(entry["what"]))
    return found


def ratings(entries: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return each judged member's last score by a judge, from a council's entries; empty if reputation is counted."""
    found: dict[str, float] = {}
    for entry in entries:
        if entry["what"] == "council":
            found = {}
        elif entry["what"] == "judged":
            found[str(entry["player"])] = float(entry["score"])
    return found


def scores(events: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return each member's score, from the lines of an events.jsonl or from a council's entries.

    If a judge gave the scores, members that it has not judged have none.
    """
    entries = entries_of(events)
    return ratings(entries) or {name: standing.score for name, standing in standings(entries).items()}


def entries_of(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the council's entries among lines of an events.jsonl; bare entries are returned unchanged."""
    found = []
    for line in events:
        if "what" in line:
            found.append(dict(line))
        elif line.get("kind") == "council":
            found.append(dict(line["data"]["entry"]))
    return found
