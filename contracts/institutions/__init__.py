"""Institutions made by players during play: agreements, a constitution, ballots, accounts, a court, reputation.

They use the parts of contracts: norms that code can judge, the life cycle of `contracts.lifecycle`, and the ledger for
penalties and rewards. They know no scenario and no model: a `Norm` defines its own text and breaches, and the caller of
the court says what an act earns.
"""

from __future__ import annotations

from contracts.institutions.accounts import Accounts
from contracts.institutions.acts import Accept, Amend, Decline, InstitutionAct, Propose, Repeal, Rule, Vote
from contracts.institutions.agreements import CouncilAgreements, MutualAgreement
from contracts.institutions.ballots import BallotChoice, VotingRule, outcome
from contracts.institutions.constitution import Constitution, LawInForce, Motion
from contracts.institutions.courts import Court
from contracts.institutions.norms import Entry, Norm, ObservedAct, ReadNorm
from contracts.institutions.reputation import ReputationStanding, entries_of, scores, standings
from contracts.institutions.settings import InstitutionSettings

__all__ = [
    "Accept",
    "Accounts",
    "Amend",
    "BallotChoice",
    "Constitution",
    "CouncilAgreements",
    "Court",
    "Decline",
    "Entry",
    "InstitutionAct",
    "InstitutionSettings",
    "LawInForce",
    "Motion",
    "MutualAgreement",
    "Norm",
    "ObservedAct",
    "Propose",
    "ReadNorm",
    "Repeal",
    "ReputationStanding",
    "Rule",
    "Vote",
    "VotingRule",
    "entries_of",
    "outcome",
    "scores",
    "standings",
]
