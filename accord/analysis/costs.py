"""Model costs of several runs: rows by role and player, and their total."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from accord.analysis.model_rows import sum_by_role
from dilemmas.records.costs import RoleCost


@dataclass(frozen=True)
class CostRow:
    """One row of the table of costs."""

    role: str
    player: str
    model: str
    calls: int = 0
    tokens: int = 0
    usd: float | None = 0.0
    """Dollars; None if any call has no known price."""
    retries: int = 0
    limited: int = 0
    """Retries after a 429 response."""
    waited_s: float = 0.0
    unanswered: int = 0
    faults: int = 0
    cached: int = 0
    """Answers from the cache, which are not in `calls`."""
    escalated: int = 0
    """Answers of a cascade's later stages, cached ones too."""

    def plus(self, other: RoleCost | CostRow) -> CostRow:
        """Return this row with the numbers of another added."""
        known = self.usd is not None and other.usd is not None
        return CostRow(
            self.role,
            self.player,
            self.model,
            self.calls + other.calls,
            self.tokens + other.tokens,
            (self.usd or 0.0) + (other.usd or 0.0) if known else None,
            self.retries + other.retries,
            self.limited + other.limited,
            self.waited_s + other.waited_s,
            self.unanswered + other.unanswered,
            self.faults + other.faults,
            self.cached + other.cached,
            self.escalated + other.escalated,
        )


def rows(costs: Iterable[RoleCost]) -> list[CostRow]:
    """Return rows by role, player and model in the order of the roles; with many players by role and model."""
    return sum_by_role(costs, CostRow, CostRow.plus)


def total(costs: Iterable[RoleCost | CostRow]) -> CostRow:
    """Return the sum of all rows."""
    found = CostRow("all", "", "")
    for each in costs:
        found = found.plus(each)
    return found
