"""The typist: turns an agreed text into typed terms and cannot add to the text.

A model proposes the terms; they are parsed strictly and bounded by the wording of the clause that each one cites
(`contracts.judges.wording`): who pays whom and how many emeralds where the clause fixes that, else the payer's reward,
which every party has to ratify. A clause that speaks of no payment gives no transfer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, permutations
from typing import Any, Protocol

from pydantic import Field

from common.answers.faults import AnswerFault, FormAsker
from common.answers.form import AnswerForm
from common.answers.reading import MAX_ANSWER, Strict
from common.answers.schema import bounded_schema, limit_values, list_schema
from common.untrusted_text import explain_document
from contracts.errors import ContractFormatError
from contracts.expression_schema import amount_schema, condition_schema
from contracts.expressions import LEGAL, Expression
from contracts.judges.wording import fixed_payer, read_clause
from contracts.terms import Contract, ContractScope, Obligation, Transfer


@dataclass(frozen=True)
class Typed:
    """Result of typing a text."""

    terms: Contract | None
    """The same contract, name and text unchanged, with typed terms; None when it could not be typed."""
    fault: str = ""
    """Reason for a failure, in one line."""
    raw: str = ""
    """Raw answer of the model, for the record."""
    faults: tuple[AnswerFault, ...] = ()
    """Faults of the model's unusable answers, oldest first."""


class Typist(Protocol):
    """Converter of contract texts into terms."""

    async def type_terms(self, contract: Contract, fault: str) -> Typed:
        """Return the terms; `fault` says why they were not ratified before, and is empty at first."""


class TransferTerm(Strict):
    """A transfer as the model types it."""

    id: str = Field(max_length=64)
    clause: str = Field(max_length=8)
    payer: str = Field(max_length=64)
    payee: str = Field(max_length=64)
    amount: str = Field(max_length=500)
    condition: str = Field(max_length=500)


class ObligationTerm(Strict):
    """An obligation as the model types it."""

    id: str = Field(max_length=64)
    clause: str = Field(max_length=8)
    party: str = Field(max_length=64)
    condition: str = Field(max_length=500)


class TermsAnswer(Strict):
    """Answer with the terms of a text."""

    obligations: list[ObligationTerm] = Field(max_length=50)
    transfers: list[TransferTerm] = Field(max_length=50)


_ID = {"type": "string", "pattern": "^[a-z]{1,12}(-[a-z0-9]{1,12}){0,4}$"}
"""Schema of a term's id."""
_OBLIGATION = {"id": "bob-returns-hoe", "clause": "1", "party": "Bob", "condition": "chest.stone_hoe == 1"}
_TRANSFER = {
    "id": "ada-pays-bob",
    "clause": "2",
    "payer": "Ada",
    "payee": "Bob",
    "amount": "0.5 * Ada.items.wheat",
    "condition": 'met("bob-returns-hoe")',
}


def terms_form(contract: Contract, observables: Sequence[str]) -> AnswerForm[TermsAnswer]:
    """Return the form of an answer with terms that cite the contract's clauses.

    Its schema allows the payments that `read_clause` allows, and the expressions of `contracts.expression_schema`.

    Args:
        contract: Contract whose text is typed.
        observables: Names that expressions may use.
    """
    clauses, parties = [str(number) for number in contract.clauses], list(contract.parties)
    choices = {"obligations.clause": clauses, "transfers.clause": clauses}
    payments = [] if contract.scope is ContractScope.COORDINATION else list(_legal_payments(contract))
    obligation = limit_values(bounded_schema(ObligationTerm), {"party": parties, "clause": clauses})
    obligation["properties"] |= {"id": _ID, "condition": condition_schema(observables)}
    duties = 0 if contract.scope is ContractScope.TRANSFERS else len(clauses) * len(parties)
    narrowed = {
        # One term is needed; a clause with a legal payment has one.
        "obligations": list_schema(obligation, int(duties > 0 and not payments), duties),
        "transfers": list_schema(
            {"anyOf": [_transfer_schema(*each, observables) for each in payments]}
            if payments
            else bounded_schema(TransferTerm),
            int(bool(payments)),
            len(payments),
        ),
    }
    example = {"obligations": [_OBLIGATION], "transfers": [_TRANSFER]}
    return AnswerForm("terms", TermsAnswer, example, choices=choices, narrowed=narrowed)


def _legal_payments(contract: Contract) -> Iterator[tuple[str, str, str, Fraction | None]]:
    """Yield clause, payer, payee and maximum amount of every payment that a clause may be typed as."""
    for number, text in contract.clauses.items():
        reading, fixed = read_clause(text, contract.parties), fixed_payer(text, contract.parties)
        for payer, payee in permutations(contract.parties, 2):
            said = not reading.certain or (payer, payee) in reading.payments
            if not reading.silent and said and fixed in (None, payer):
                yield str(number), payer, payee, reading.payments.get((payer, payee))


def _transfer_schema(
    clause: str, payer: str, payee: str, most: Fraction | None, observables: Sequence[str]
) -> dict[str, Any]:
    schema = limit_values(bounded_schema(TransferTerm), {"clause": [clause], "payer": [payer], "payee": [payee]})
    schema["properties"] |= {
        "id": _ID,
        "amount": amount_schema(observables, most),
        "condition": condition_schema(observables),
    }
    return schema


class LanguageTypist:
    """Typist that asks a model."""

    def __init__(self, asker: FormAsker, *, instructions: str, observables: Sequence[str]) -> None:
        """Create a typist; `observables` are the scenario's names that terms may use."""
        self._asker = asker
        self._instructions = instructions
        self._observables = frozenset(observables)

    async def type_terms(self, contract: Contract, fault: str) -> Typed:
        """Return the terms in the model's answer, or the reason for none."""
        document = {
            "clauses": {str(number): text for number, text in contract.clauses.items()},
            "parties": list(contract.parties),
            "scope": str(contract.scope),
            "observables": sorted(self._observables),
            "language": LEGAL,
            "fault": fault,
        }
        question = explain_document(document, "a text to type", "Give the terms as JSON.")
        answer = await self._asker.ask(
            self._instructions,
            question,
            terms_form(contract, sorted(self._observables)),
            lambda given: self._bounded(contract, given),
            part="typist",
        )
        if answer.value is None:
            return Typed(None, answer.faults[-1].text, answer.raw[:MAX_ANSWER], answer.faults)
        return Typed(self._bounded(contract, answer.value), raw=answer.raw, faults=answer.faults)

    def _bounded(self, contract: Contract, answer: TermsAnswer) -> Contract:
        clauses = {str(number): text for number, text in contract.clauses.items()}
        paid = [(each.clause, each.payer, each.payee) for each in answer.transfers]
        if twice := [each for each in paid if paid.count(each) > 1]:
            clause, payer, payee = twice[0]
            raise ContractFormatError(f"clause {clause}: {payer} pays {payee} twice by it: make one transfer of them")
        obligations = [
            Obligation(each.id, each.party, Expression(each.condition), clauses[each.clause])
            for each in answer.obligations
        ]
        transfers = [_transfer(each, clauses[each.clause], contract) for each in answer.transfers]
        named = [each.id for each in obligations] + [each.id for each in transfers]
        ids = _distinct_ids(named, _required_ids(transfers))
        obligations = [replace(each, id=next(ids)) for each in obligations]
        transfers = [replace(each, id=next(ids)) for each in transfers]
        terms = replace(contract, obligations=tuple(obligations), transfers=tuple(transfers))
        if not terms.typed:
            raise ContractFormatError("there are no terms: type every line that can be decided from the observables")
        self._known(terms)
        return terms

    def _known(self, terms: Contract) -> None:
        used = [each.condition for each in terms.obligations]
        used += [part for each in terms.transfers for part in (each.amount, each.condition)]
        for name in sorted({name for each in used for name in each.names} - self._observables):
            raise ContractFormatError(f"{name!r} is not seen in this scenario: use the observables of the list")


def _required_ids(transfers: Sequence[Transfer]) -> set[str]:
    """Return the ids of the obligations on which the transfers depend."""
    return {used for each in transfers for part in (each.amount, each.condition) for used in part.obligations}


def _distinct_ids(ids: Sequence[str], required: Collection[str]) -> Iterator[str]:
    """Yield the ids, a repeated one with a number as in `pays-2`; ids on which a transfer depends stay as they are."""
    given: set[str] = set()
    for each in ids:
        names = chain([each], (f"{each}-{number}" for number in range(2, len(ids) + 1)))
        found = each if each in required else next(name for name in names if name not in given)
        given.add(found)
        yield found


def _transfer(said: TransferTerm, clause: str, contract: Contract) -> Transfer:
    reading, pair = read_clause(clause, contract.parties), (said.payer, said.payee)
    payer = fixed_payer(clause, contract.parties)
    where = f"transfer {said.id!r}"
    if reading.silent:
        raise ContractFormatError(f"{where}: clause {said.clause} names no payment of emeralds")
    if payer is not None and said.payer != payer:
        raise ContractFormatError(f"{where}: payer: {said.payer!r}, but by clause {said.clause} {payer!r}")
    if reading.certain and pair not in reading.payments and set(pair) <= set(contract.parties):
        raise ContractFormatError(f"{where}: clause {said.clause} does not say that {pair[0]!r} pays {pair[1]!r}")
    amount, most = Expression(said.amount), reading.payments.get(pair)
    made = Transfer(said.id, said.payer, said.payee, amount, Expression(said.condition), clause)
    bound = f"{said.payer}.reward" if most is None else f"{float(most):g}"
    if most is not None and not amount.names and not amount.obligations:
        if amount.number({}) > most:
            raise ContractFormatError(f"{where}: amount: {amount}: clause {said.clause} says {bound}")
        return made
    return replace(made, amount=Expression(f"min({bound}, {amount})"))
