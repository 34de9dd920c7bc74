"""Contract terms, negotiation, judges, and the ledger of emerald transfers.

A contract goes proposed -> agreed -> judged -> settled (`ContractState`, `Agreement`). This room knows
no scenario and no model: observables come in as a table of numbers, and a model as one async function.
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
from contracts.judges import Ask, FormalJudge, LanguageJudge, Panel
from contracts.ledger import Settlement, settle
from contracts.lifecycle import Agreement, ContractState
from contracts.loading import contract_as_mapping, library_contract, load_contract
from contracts.messages import Speech
from contracts.negotiation import Experience, Negotiated, Negotiator, Table, View, negotiate
from contracts.observables import Observables, PlayerFacts
from contracts.scopes import confine
from contracts.signing import Ratification, Sheet, Signer, Signing, sign
from contracts.terms import Contract, Deed, Obligation, Scope, Step, Transfer
from contracts.typist import LanguageTypist, Typed, Typist
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
    "Experience",
    "Expression",
    "Finding",
    "FormalJudge",
    "IllegalTransition",
    "Judge",
    "LanguageJudge",
    "LanguageTypist",
    "MessageError",
    "Negotiated",
    "Negotiator",
    "Obligation",
    "Observables",
    "Panel",
    "PlayerFacts",
    "Ratification",
    "Scope",
    "Settlement",
    "Sheet",
    "Signer",
    "Signing",
    "Speech",
    "Step",
    "Table",
    "Transfer",
    "Typed",
    "Typist",
    "Verdict",
    "VerdictError",
    "View",
    "confine",
    "contract_as_mapping",
    "library_contract",
    "load_contract",
    "negotiate",
    "settle",
    "sign",
]
