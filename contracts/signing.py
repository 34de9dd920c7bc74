"""Signing: the agreed text is typed, the terms are shown to every party with what they would move, each ratifies.

Terms that cannot be typed, or that somebody does not ratify, are typed once more; after that there is no contract. The
text stays what it was: a judge is bounded by the ratified terms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from contracts.errors import ContractFormatError
from contracts.judges.formal import assess
from contracts.observables import Observables
from contracts.terms import Contract
from contracts.typist import Typed, Typist

TRIES = 2
"""Typings at most."""


@dataclass(frozen=True)
class Sheet:
    """What a party is asked to ratify."""

    terms: Contract
    payments: Mapping[str, tuple[str, ...]]
    """Example outcome -> the payments that would follow from it, in words."""

    @classmethod
    def of(cls, terms: Contract, examples: Mapping[str, Observables]) -> Sheet:
        """The sheet of those terms over these example outcomes (name -> end of an episode)."""
        return cls(terms, {name: _payments(terms, ended) for name, ended in examples.items()})

    @property
    def text(self) -> str:
        """The sheet as it is read."""
        return "\n".join([*spelled(self.terms), "", *self._outcomes()])

    def _outcomes(self) -> list[str]:
        return [f"If {name}: {'; '.join(lines) or 'nobody pays anything'}." for name, lines in self.payments.items()]


@dataclass(frozen=True)
class Ratification:
    """One party's answer to a sheet."""

    player: str
    ratified: bool
    reason: str = ""
    raw: str = ""
    """A model's answer as it came, for the record."""


class Signer(Protocol):
    """A party that signs."""

    name: str

    async def ratify(self, sheet: Sheet) -> Ratification:
        """Whether it takes these terms for what was agreed."""


@dataclass(frozen=True)
class Try:
    """One typing and what the parties said to it."""

    number: int
    """From 1."""
    typed: Typed
    sheet: Sheet | None
    """None when there were no terms to show."""
    ratifications: tuple[Ratification, ...] = ()


@dataclass(frozen=True)
class Signing:
    """How the signing ended."""

    contract: Contract | None
    """The ratified contract, text and terms; None when there is no contract."""
    tries: tuple[Try, ...]


async def sign(
    contract: Contract, typist: Typist | None, signers: Sequence[Signer], examples: Mapping[str, Observables]
) -> Signing:
    """Types the contract where it is text only, and lets every signer ratify it, in their order.

    A contract whose terms a party wrote itself is put to the vote once. Raises ContractFormatError for a text without a
    typist.
    """
    if typist is None and not contract.typed:
        raise ContractFormatError(f"contract {contract.name!r} is text only, and there is no model to type its terms")
    tries: list[Try] = []
    fault = ""
    for number in range(1, (1 if contract.typed else TRIES) + 1):
        typed = Typed(contract) if contract.typed or typist is None else await typist.type_terms(contract, fault)
        if typed.terms is None:
            tries.append(Try(number, typed, None))
            fault = typed.fault
            continue
        sheet = Sheet.of(typed.terms, examples)
        answers = tuple([await signer.ratify(sheet) for signer in signers])
        tries.append(Try(number, typed, sheet, answers))
        refused = [each for each in answers if not each.ratified]
        if not refused:
            return Signing(typed.terms, tuple(tries))
        fault = "; ".join(f"{each.player} did not ratify: {each.reason or 'no reason given'}" for each in refused)
    return Signing(None, tuple(tries))


def spelled(terms: Contract) -> list[str]:
    """The typed terms in words, one a line; what a duty or a payment depends on stays as it is judged."""
    duties = [f"Duty {each.id}: {each.party} keeps it if {each.condition}." for each in terms.obligations]
    payments = []
    for each in terms.transfers:
        condition = "" if each.condition.source == "True" else f" if {each.condition}"
        payments.append(f"Payment {each.id}: {each.payer} pays {each.payee} {each.amount} emeralds{condition}.")
    return [*duties, *payments]


def _payments(terms: Contract, ended: Observables) -> tuple[str, ...]:
    awards = assess(terms, ended).awards
    return tuple(f"{each.payer} pays {each.payee} {float(each.amount):g}" for each in awards if each.amount)
