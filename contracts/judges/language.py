"""The language judge: asks a model for a verdict and books only what the contract allows.

Texts of players reach the model as JSON strings between two marks that cannot be known in advance, and the answer is
parsed strictly. Even a manipulated model cannot move more than `contracts.judges.bounds` allows; an answer that is no
verdict moves nothing and is recorded as such.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from common.answers.reading import MAX_ANSWER, Strict
from common.untrusted_text import explain_document
from contracts.answers import Ask, read_strictly
from contracts.errors import VerdictError
from contracts.judges.bounds import Claim, admit
from contracts.judges.wording import read_clause
from contracts.loading import contract_as_mapping
from contracts.terms import Contract, ContractScope
from contracts.verdicts import Evidence, TermFinding, Verdict

MAX_CHAT = 200
"""Maximum chat lines shown to the model: the latest ones."""
TRIES = 3
"""Maximum answers asked for until one is a verdict; the same number as for a program."""
MAX_FAULT = 300
"""Maximum characters of a fault that the model is shown."""


class _Transfer(Strict):
    clause: str = Field(max_length=64)
    payer: str = Field(max_length=64)
    payee: str = Field(max_length=64)
    amount: float = Field(ge=0, allow_inf_nan=False)


class _Finding(Strict):
    clause: str = Field(max_length=64)
    party: str = Field(max_length=64)
    kept: bool
    reason: str = Field(max_length=2000)


class _Answer(Strict):
    """Form of a verdict."""

    transfers: list[_Transfer] = Field(max_length=50)
    findings: list[_Finding] = Field(max_length=100)
    critique: str = Field(max_length=4000)


class LanguageJudge:
    """Judge by a model's reading of the text, within the bounds of the contract."""

    name = "language"

    def __init__(self, ask: Ask, *, instructions: str) -> None:
        """Create a judge; `instructions` is the system prompt, which must ask for the JSON form of `_Answer`."""
        self.ask = ask
        self._instructions = instructions

    async def judge(self, contract: Contract, evidence: Evidence) -> Verdict:
        """Return the verdict.

        After an answer that is no verdict, a refusal included, the model is asked again with the fault; after the last
        try the verdict is unreadable and has no awards.
        """
        faults: list[str] = []
        answer = ""
        while len(faults) < TRIES:
            question = judge_question(contract, evidence, faults[-1] if faults else "")
            try:
                answer = await self.ask(self._instructions, question)
                parsed = parse_answer(answer)
            except VerdictError as error:
                faults.append(str(error))
                continue
            return self._verdict(contract, evidence, parsed, answer, faults)
        finding = TermFinding("verdict", "verdict", False, "", faults[-1])
        critique = "The judge's verdict could not be read, so no emeralds moved."
        raw = answer[:MAX_ANSWER]
        return Verdict(self.name, (), (finding,), critique, readable=False, raw=raw, faults=tuple(faults))

    def _verdict(
        self, contract: Contract, evidence: Evidence, parsed: _Answer, answer: str, faults: Sequence[str]
    ) -> Verdict:
        claims = [Claim(each.clause, each.payer, each.payee, each.amount) for each in parsed.transfers]
        admitted = admit(contract, evidence, claims)
        said = [TermFinding(each.clause, "obligation", each.kept, each.party, each.reason) for each in parsed.findings]
        return Verdict(
            self.name,
            admitted.awards,
            (*said, *admitted.findings),
            parsed.critique,
            raw=answer,
            faults=tuple(faults),
            deviations=admitted.deviations,
        )


def judge_question(contract: Contract, evidence: Evidence, fault: str = "") -> str:
    """Return the user message: one JSON document between two marks, with all texts of players inside.

    Args:
        contract: The contract to judge.
        evidence: The record of the episode.
        fault: Fault of the previous answer; it may quote that answer and so stands inside the marks.
    """
    again = {"fault": fault[:MAX_FAULT]} if fault else {}
    request = "Give your verdict as JSON."
    if fault:
        request = f"Your last answer was no verdict; `fault` tells why. {request}"
    document = again | {
        "contract": _clauses(contract),
        "observables": evidence.observables.to_dict(),
        "tasks": dict(evidence.tasks),
        "chat": [{"speaker": speaker, "text": text} for speaker, text in evidence.chat[-MAX_CHAT:]],
    }
    return explain_document(document, "evidence to judge", request)


def _clauses(contract: Contract) -> dict[str, Any]:
    """Return the contract with the ids by which its clauses are cited."""
    if contract.typed:
        cite = [each.id for each in contract.transfers]
        return contract_as_mapping(contract) | {"cite": cite, "duties": [each.id for each in contract.obligations]}
    numbered = {str(number): text for number, text in contract.clauses.items()}
    cite = [] if contract.scope is ContractScope.COORDINATION else list(numbered)
    readings = {number: read_clause(text, contract.parties).payments for number, text in numbered.items()}
    most = {
        number: [
            {"payer": payer, "payee": payee, "amount": float(amount)} for (payer, payee), amount in payments.items()
        ]
        for number, payments in readings.items()
        if number in cite
    }
    preamble = {"preamble": contract.preamble} if contract.preamble else {}
    named = {"parties": list(contract.parties), "scope": contract.scope}
    return named | preamble | {"clauses": numbered, "cite": cite, "most": most}


def parse_answer(answer: str) -> _Answer:
    """Parse a verdict from an answer: one JSON object, bare or in one code fence. Raises VerdictError."""
    return read_strictly(answer, _Answer, "judge", "verdict")
