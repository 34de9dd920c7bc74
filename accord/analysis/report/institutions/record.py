"""Steps of institutions in the last episode of a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dilemmas.records import events as log
from dilemmas.scenarios.compliance import ComplianceRecord
from dilemmas.scenarios.societies.markets import MARKET

MAX_STEPS = 5000
"""Maximum number of steps of a run that are kept for the page; the log has all."""


@dataclass
class InstitutionRecord:
    """All steps of institutions since the last episode began, without those of a market, which has its own section."""

    steps: list[log.InstitutionActed] = field(default_factory=list)
    total: int = 0
    unit: str = "round"
    """Unit of the times of steps: `round`, or `second` where programs run or agents live."""
    law: ComplianceRecord = field(default_factory=ComplianceRecord)
    """Clauses of the law in words, and what people did under them."""

    def add_event(self, event: object) -> None:
        """Handle the next event of the log."""
        self.law.add_event(event)
        match event:
            case log.EpisodeStarted():
                self.steps, self.total = [], 0
            case log.PolicyWritten() | log.LifeBegan():
                self.unit = "second"
            case log.InstitutionActed() if event.part != MARKET:
                self.total += 1
                if len(self.steps) < MAX_STEPS:
                    self.steps.append(event)
            case _:
                pass

    def of(self, *whats: str) -> Iterator[log.InstitutionActed]:
        """Yield the steps of these kinds."""
        return (step for step in self.steps if step.what in whats)
