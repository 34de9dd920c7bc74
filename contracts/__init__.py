"""Contract terms, negotiation, judges, and the ledger of emerald transfers.

A contract goes proposed -> agreed -> judged -> settled (`ContractState`). This room knows
no scenario and no model: observables come in as a table of numbers, and a model as one async function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.lazy_imports import lazy_names

if TYPE_CHECKING:
    from contracts.errors import (
        ContractError,
        ContractFormatError,
        EvaluationError,
        IllegalTransition,
        MessageError,
        VerdictError,
    )
    from contracts.expressions import Expression
    from contracts.judges import FormalJudge, JudgePanel, LanguageJudge
    from contracts.ledger import Settlement, settle
    from contracts.lifecycle import ContractState
    from contracts.loading import contract_as_mapping, library_contract, load_contract
    from contracts.messages import NegotiationMessage
    from contracts.negotiation import Experience, Negotiated, NegotiationRules, Negotiator, NegotiatorView, negotiate
    from contracts.observables import Observables, PlayerFacts
    from contracts.scopes import confine
    from contracts.signing import Ratification, Sheet, Signer, Signing, sign
    from contracts.terms import Contract, ContractScope, Obligation, ScheduledAct, ScheduleStep, Transfer
    from contracts.typist import LanguageTypist, Typed, Typist
    from contracts.verdicts import Award, Evidence, Judge, TermFinding, Verdict

__all__ = [
    "Award",
    "Contract",
    "ContractError",
    "ContractFormatError",
    "ContractScope",
    "ContractState",
    "EvaluationError",
    "Evidence",
    "Experience",
    "Expression",
    "FormalJudge",
    "IllegalTransition",
    "Judge",
    "JudgePanel",
    "LanguageJudge",
    "LanguageTypist",
    "MessageError",
    "Negotiated",
    "NegotiationMessage",
    "NegotiationRules",
    "Negotiator",
    "NegotiatorView",
    "Obligation",
    "Observables",
    "PlayerFacts",
    "Ratification",
    "ScheduleStep",
    "ScheduledAct",
    "Settlement",
    "Sheet",
    "Signer",
    "Signing",
    "TermFinding",
    "Transfer",
    "Typed",
    "Typist",
    "Verdict",
    "VerdictError",
    "confine",
    "contract_as_mapping",
    "library_contract",
    "load_contract",
    "negotiate",
    "settle",
    "sign",
]

__getattr__ = lazy_names(
    __name__,
    {
        "contracts.errors": (
            "ContractError",
            "ContractFormatError",
            "EvaluationError",
            "IllegalTransition",
            "MessageError",
            "VerdictError",
        ),
        "contracts.expressions": ("Expression",),
        "contracts.judges": ("FormalJudge", "JudgePanel", "LanguageJudge"),
        "contracts.ledger": ("Settlement", "settle"),
        "contracts.lifecycle": ("ContractState",),
        "contracts.loading": ("contract_as_mapping", "library_contract", "load_contract"),
        "contracts.messages": ("NegotiationMessage",),
        "contracts.negotiation": (
            "Experience",
            "Negotiated",
            "NegotiationRules",
            "Negotiator",
            "NegotiatorView",
            "negotiate",
        ),
        "contracts.observables": ("Observables", "PlayerFacts"),
        "contracts.scopes": ("confine",),
        "contracts.signing": ("Ratification", "Sheet", "Signer", "Signing", "sign"),
        "contracts.terms": ("Contract", "ContractScope", "Obligation", "ScheduledAct", "ScheduleStep", "Transfer"),
        "contracts.typist": ("LanguageTypist", "Typed", "Typist"),
        "contracts.verdicts": ("Award", "Evidence", "Judge", "TermFinding", "Verdict"),
    },
)
