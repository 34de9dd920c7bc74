"""Contract terms, negotiation, judges, and the ledger of emerald transfers.

A contract goes proposed -> agreed -> judged -> settled (`ContractState`, `Agreement`). Nothing here knows a scenario
or a model: observables come in as a table of numbers, a model as one async function.
"""

from __future__ import annotations

from contracts.errors import (
    ContractError,
    ContractFormatError,
    EvaluationError,
    IllegalTransition,
    MessageError,
    VerdictError,
)
from contracts.expressions import Expression
from contracts.judges import Ask, FormalJudge, LanguageJudge
from contracts.ledger import Settlement, settle
from contracts.lifecycle import Agreement, ContractState
from contracts.loading import contract_as_mapping, library_contract, load_contract
from contracts.messages import Turn
from contracts.negotiation import Negotiator, Outcome, View, negotiate
from contracts.observables import Observables, PlayerFacts
from contracts.terms import Contract, Deed, Obligation, Step, Transfer
from contracts.verdicts import Award, Evidence, Finding, Judge, Verdict

__all__ = [
    "Agreement",
    "Ask",
    "Award",
    "Contract",
    "ContractError",
    "ContractFormatError",
    "ContractState",
    "Deed",
    "EvaluationError",
    "Evidence",
    "Expression",
    "Finding",
    "FormalJudge",
    "IllegalTransition",
    "Judge",
    "LanguageJudge",
    "MessageError",
    "Negotiator",
    "Obligation",
    "Observables",
    "Outcome",
    "PlayerFacts",
    "Settlement",
    "Step",
    "Transfer",
    "Turn",
    "Verdict",
    "VerdictError",
    "View",
    "contract_as_mapping",
    "library_contract",
    "load_contract",
    "negotiate",
    "settle",
]
