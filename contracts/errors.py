"""Errors of the contracts room, by audience.

ContractError
    ContractFormatError   whoever wrote the contract: file, key, value and the legal set, in one line
    EvaluationError       a term that cannot be evaluated; the judge records it and nothing moves for that term
    VerdictError          a judge's answer that cannot be read, or a verdict that breaks the rules of the ledger
    MessageError          a negotiator's message that is not of the agreed form; `code` names what is wrong
    Refused               an act that an institution does not take; `code` names what is wrong
    IllegalTransition     a step that the contract's life cycle does not know (a bug in the caller)
"""

from __future__ import annotations


class ContractError(Exception):
    """Base of everything that the contracts room raises."""


class ContractFormatError(ContractError):
    """A contract file or mapping is wrong; `str(error)` is one line: source, key, value, what is legal."""


class EvaluationError(ContractError):
    """An expression has no value over these observables (unknown name, division by zero, out of bounds)."""


class VerdictError(ContractError):
    """A judge's answer is not a verdict, or a verdict cannot be settled."""


class MessageError(ContractError):
    """A negotiation message is malformed; `code` is a short name, the text tells the writer what to change."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Refused(ContractError):
    """An institution does not take an act, and nothing has changed; the text tells who acted what to change."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class IllegalTransition(ContractError):
    """A contract was asked to take a step that its state does not allow."""
