"""Settings of institutions, checked when created."""

from __future__ import annotations

from dataclasses import dataclass, fields

from contracts.errors import ContractFormatError
from contracts.institutions.ballots import VotingRule


@dataclass(frozen=True)
class InstitutionSettings:
    """Settings of institutions. Raises ContractFormatError for an illegal value."""

    agreement_rounds: int = 3
    """Minimum rounds of an agreement: a promise that costs nothing earns no reputation."""
    longest_agreement: int = 50
    open_proposals: int = 3
    """Maximum agreements and motions that one member may have open at a time."""
    proposal_rounds: int = 6
    """Rounds after which an undecided proposal or motion lapses."""
    voting: VotingRule = VotingRule.MAJORITY
    """Condition under which a motion passes."""
    rules: int = 5
    """Maximum number of rules in force."""
    rule_period: int = 10
    """Rounds of a period, after which rewards are settled and keeping is counted."""
    highest_penalty: int = 10
    """Maximum penalty and reward, in units of what is earned."""
    unit: str = "emeralds"
    """Name of the unit in which members earn and pay."""
    reputation: bool = True
    """True if standings are public."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in ("voting", "unit", "reputation"):
                continue
            least = 0 if each.name == "highest_penalty" else 1
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= 10_000:
                raise ContractFormatError(f"{each.name}: {value!r}: give a whole number from {least} to 10000")
        if self.longest_agreement < self.agreement_rounds:
            raise ContractFormatError(
                f"longest_agreement: {self.longest_agreement}: give agreement_rounds ({self.agreement_rounds}) or more"
            )
