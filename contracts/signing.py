"""Signing: the agreed text is typed, each party is shown the terms with example payments, and each ratifies.

Terms that a party rejects are typed once more; after that there is no contract, and none where the text cannot be
typed. The text stays unchanged, and a judge is bounded by the ratified terms.
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
"""Maximum number of typings."""


@dataclass(frozen=True)
class Sheet:
    """Terms that a party is asked to ratify."""

    terms: Contract
    payments: Mapping[str, tuple[str, ...]]
    """Example outcome -> payments that would follow, in words."""

    @classmethod
    def of(cls, terms: Contract, examples: Mapping[str, Observables]) -> Sheet:
        """Return the sheet of these terms for example outcomes (name -> observables at the end of an episode)."""
        return cls(terms, {name: _payments(terms, ended) for name, ended in examples.items()})

    @property
    def text(self) -> str:
        """Text of the sheet."""
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
        """Return whether the party accepts the terms as what was agreed."""


@dataclass(frozen=True)
class Try:
    """One attempt to sign: typed terms and the parties' answers to them."""

    number: int
    """Number of the attempt, from 1."""
    typed: Typed
    sheet: Sheet | None
    """None when there were no terms to show."""
    ratifications: tuple[Ratification, ...] = ()


@dataclass(frozen=True)
class Signing:
    """Result of a signing."""

    contract: Contract | None
    """The ratified contract, text and terms; None when there is no contract."""
    tries: tuple[Try, ...]


async def sign(
    contract: Contract, typist: Typist | None, signers: Sequence[Signer], examples: Mapping[str, Observables]
) -> Signing:
    """Type a contract of text and let every signer ratify it, in order.

    A contract whose terms a party wrote itself is put to the vote once.

    Args:
        contract: The agreed contract.
        signers: The parties in the order in which they ratify.
        typist: Turns text into terms; needed for a contract of text.
        examples: Example outcomes for the sheets: name -> observables.

    Raises:
        ContractFormatError: For a text without a typist.
    """
    if typist is None and not contract.typed:
        raise ContractFormatError(f"contract {contract.name!r} is text only, and there is no model to type its terms")
    tries: list[Try] = []
    fault = ""
    for number in range(1, (1 if contract.typed else TRIES) + 1):
        typed = Typed(contract) if contract.typed or typist is None else await typist.type_terms(contract, fault)
        if typed.terms is None:
            tries.append(Try(number, typed, None))
            break
        sheet = Sheet.of(typed.terms, examples)
        answers = tuple([await signer.ratify(sheet) for signer in signers])
        tries.append(Try(number, typed, sheet, answers))
        refused = [each for each in answers if not each.ratified]
        if not refused:
            return Signing(typed.terms, tuple(tries))
        fault = "; ".join(f"{each.player} did not ratify: {each.reason or 'no reason given'}" for each in refused)
    return Signing(None, tuple(tries))


def spelled(terms: Contract) -> list[str]:
    """Return the typed terms in words, one a line; conditions stay in the form in which they are judged."""
    duties = [f"Duty {each.id}: {each.party} keeps it if {each.condition}." for each in terms.obligations]
    payments = []
    for each in terms.transfers:
        condition = "" if each.condition.source == "True" else f" if {each.condition}"
        payments.append(f"Payment {each.id}: {each.payer} pays {each.payee} {each.amount} emeralds{condition}.")
    return [*duties, *payments]


def _payments(terms: Contract, ended: Observables) -> tuple[str, ...]:
    awards = assess(terms, ended).awards
    return tuple(f"{each.payer} pays {each.payee} {float(each.amount):g}" for each in awards if each.amount)
