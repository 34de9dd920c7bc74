"""The numbers of institutions, in one place, checked when made."""

from __future__ import annotations

from dataclasses import dataclass, fields

from contracts.errors import ContractFormatError
from contracts.institutions.ballots import VotingRule


@dataclass(frozen=True)
class InstitutionSettings:
    """Raises ContractFormatError for a value that is not legal."""

    agreement_rounds: int = 3
    """Rounds that an agreement has to bind at least: a promise that costs nothing earns no reputation."""
    longest_agreement: int = 50
    open_proposals: int = 3
    """Agreements and motions that one member may have open at a time."""
    proposal_rounds: int = 6
    """Rounds after which a proposal or motion that was not settled lapses."""
    voting: VotingRule = VotingRule.MAJORITY
    """What passes a motion."""
    rules: int = 5
    """Rules in force at a time, at most."""
    rule_period: int = 10
    """Rounds after which a rule's rewards are settled and its keeping is counted."""
    highest_penalty: int = 10
    """Units of what is earned, of penalties and rewards."""
    unit: str = "emeralds"
    """What is earned, and so paid."""
    reputation: bool = True
    """Whether standings are public."""

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
