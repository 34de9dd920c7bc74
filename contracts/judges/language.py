"""The language judge: asks a model for a verdict and books only what the contract allows.

Texts of players reach the model as JSON strings between two marks that cannot be known in advance, and the answer is
a typed form that is parsed strictly. Even a manipulated model cannot move more than `contracts.judges.bounds` allows;
an answer that is no verdict moves nothing and is recorded as such.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from common.answers.faults import FormAsker, TypedAnswer
from common.answers.form import AnswerForm
from common.answers.reading import MAX_ANSWER, Strict
from common.answers.schema import bounded_schema, limit_values, list_schema, text_schema
from common.untrusted_text import explain_document
from contracts.judges.bounds import Claim, admit
from contracts.judges.wording import read_clause
from contracts.loading import contract_as_mapping
from contracts.terms import Contract, ContractScope
from contracts.verdicts import Evidence, TermFinding, Verdict

MAX_CHAT = 200
"""Maximum chat lines shown to the model: the latest ones."""
MAX_REASON, MAX_CRITIQUE = 200, 600
"""Maximum characters of a reason and of the critique in the schema; the parser takes longer ones."""


class ClaimedTransfer(Strict):
    """A transfer that the model claims."""

    clause: str = Field(max_length=64)
    payer: str = Field(max_length=64)
    payee: str = Field(max_length=64)
    amount: float = Field(ge=0, allow_inf_nan=False)


class ClaimedFinding(Strict):
    """A finding of the model on one clause, the reason before the decision."""

    clause: str = Field(max_length=64)
    party: str = Field(max_length=64)
    reason: str = Field(max_length=600)
    kept: bool


class VerdictAnswer(Strict):
    """Answer with a verdict, the findings before the transfers that follow from them."""

    findings: list[ClaimedFinding] = Field(max_length=50)
    transfers: list[ClaimedTransfer] = Field(max_length=50)
    critique: str = Field(max_length=2000)


VERDICT = {
    "findings": [{"clause": "1", "party": "<name>", "reason": "<observables>", "kept": "<true or false>"}],
    "transfers": [{"clause": "1", "payer": "<name>", "payee": "<name>", "amount": 3.5}],
    "critique": "<for the players: what was kept, what was not, and what to do better next time>",
}
"""Verdict as prompts show it."""


def verdict_form(contract: Contract) -> AnswerForm[VerdictAnswer]:
    """Return the form of a verdict.

    Its schema has the clauses and parties of the contract. There is room for one finding on each typed term, or on each
    party by each clause of a text.
    """
    shown, parties = _clauses(contract), list(contract.parties)
    cite = list(shown["cite"])
    clauses = [*shown["duties"], *cite] if contract.typed else list(shown["clauses"])
    finding, transfer = bounded_schema(ClaimedFinding), bounded_schema(ClaimedTransfer)
    finding["properties"]["reason"] = text_schema(MAX_REASON)
    if clauses:
        limit_values(finding, {"clause": clauses, "party": parties})
    if cite:
        limit_values(transfer, {"clause": cite, "payer": parties, "payee": parties})
    narrowed = {
        "findings": list_schema(finding, 0, len(clauses) * (1 if contract.typed else len(parties))),
        "transfers": list_schema(transfer, 0, len(cite) * len(parties)),
        "critique": text_schema(MAX_CRITIQUE),
    }
    return AnswerForm("verdict", VerdictAnswer, VERDICT, narrowed=narrowed)


class LanguageJudge:
    """Judge by a model's reading of the text, within the bounds of the contract."""

    name = "language"

    def __init__(self, asker: FormAsker, *, instructions: str) -> None:
        """Create a judge; `instructions` is the system prompt without the form of the answer."""
        self.asker = asker
        self._instructions = instructions

    async def judge(self, contract: Contract, evidence: Evidence) -> Verdict:
        """Return the verdict; it is unreadable and has no awards if no answer was usable."""
        answer = await self.asker.ask(self._instructions, judge_question(contract, evidence), verdict_form(contract))
        if answer.value is not None:
            return self._verdict(contract, evidence, answer.value, answer)
        return Verdict(
            self.name,
            findings=(TermFinding("verdict", "verdict", False, "", answer.faults[-1].text),),
            critique="The judge's verdict could not be read, so no emeralds moved.",
            readable=False,
            raw=answer.raw[:MAX_ANSWER],
            faults=tuple(each.text for each in answer.faults),
            fault_kinds=tuple(each.kind for each in answer.faults),
        )

    def _verdict(
        self, contract: Contract, evidence: Evidence, claimed: VerdictAnswer, answer: TypedAnswer[VerdictAnswer]
    ) -> Verdict:
        claims = [Claim(each.clause, each.payer, each.payee, each.amount) for each in claimed.transfers]
        admitted = admit(contract, evidence, claims)
        said = [TermFinding(each.clause, "obligation", each.kept, each.party, each.reason) for each in claimed.findings]
        return Verdict(
            self.name,
            admitted.awards,
            (*said, *admitted.findings),
            claimed.critique,
            raw=answer.raw,
            faults=tuple(each.text for each in answer.faults),
            fault_kinds=tuple(each.kind for each in answer.faults),
            deviations=admitted.deviations,
        )


def judge_question(contract: Contract, evidence: Evidence) -> str:
    """Return the user message: one JSON document between two marks, with all texts of players inside."""
    document = {
        "contract": _clauses(contract),
        "observables": evidence.observables.to_dict(),
        "tasks": dict(evidence.tasks),
        "chat": [{"speaker": speaker, "text": text} for speaker, text in evidence.chat[-MAX_CHAT:]],
    }
    return explain_document(document, "evidence to judge", "Give your verdict as JSON.")


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
