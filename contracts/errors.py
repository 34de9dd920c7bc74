"""Errors of the contracts room, by audience.

ContractError
    ContractFormatError   for the author of a contract: file, key, value and the legal set, in one line
    EvaluationError       a term that cannot be evaluated; the judge records it and nothing moves for that term
    VerdictError          a judge's answer that cannot be read, or a verdict that breaks the rules of the ledger
    MessageError          a negotiator's message of the wrong form; `code` names the fault
    Refused               an act that an institution refuses; `code` names the fault
    IllegalTransition     a step that the contract's life cycle does not have (a bug in the caller)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from common.answers.faults import FaultKind


class ContractError(Exception):
    """Base class of errors of contracts."""


class ContractFormatError(ContractError):
    """A wrong contract file or mapping; `str(error)` is one line: source, key, value, legal values."""


class EvaluationError(ContractError):
    """An expression has no value over these observables (unknown name, division by zero, out of bounds)."""


class VerdictError(ContractError):
    """A judge's answer is not a verdict, or a verdict cannot be settled."""


class MessageError(ContractError):
    """A negotiation message is malformed; `code` is a short name, the text tells the writer what to change.

    Attributes:
        kind: Kind of the fault.
        raw: Text of the malformed message; empty if it is known to the caller.
    """

    def __init__(self, code: str, text: str, *, kind: FaultKind = "unreadable", raw: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.kind = kind
        self.raw = raw


class Refused(ContractError):
    """An act refused by an institution, which stays unchanged; the text tells the actor what to change."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class IllegalTransition(ContractError):
    """A step that the contract's state does not allow."""
