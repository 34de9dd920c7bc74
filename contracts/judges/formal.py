"""The formal judge: evaluates typed terms over the observables and reads no text of players."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from contracts.errors import EvaluationError
from contracts.expressions import Expression
from contracts.observables import Observables
from contracts.terms import Contract, Obligation, Transfer
from contracts.verdicts import Award, Evidence, TermFinding, Verdict


class FormalJudge:
    """Judge that moves exactly what the terms say; a term without a value moves nothing, with a finding."""

    name = "formal"

    async def judge(self, contract: Contract, evidence: Evidence) -> Verdict:
        """Return the verdict on the typed terms; a contract of text alone moves nothing here."""
        return assess(contract, evidence.observables, self.name)


def assess(contract: Contract, observables: Observables, judge: str = FormalJudge.name) -> Verdict:
    """Evaluate all obligations, then all transfers, in the contract's order."""
    if not contract.typed:
        reason = "the contract has no typed terms: only a language judge can read its text"
        return Verdict(judge, findings=(TermFinding("verdict", "verdict", False, "", reason),), critique=reason)
    kept = [_obligation(each, observables) for each in contract.obligations]
    met = {each.subject: each.ok for each in kept}
    results = [_transfer(each, observables, met) for each in contract.transfers]
    findings = (*kept, *(finding for finding, _ in results))
    awards = tuple(award for _, award in results if award is not None)
    return Verdict(judge, awards, findings, _critique(findings))


def _obligation(obligation: Obligation, observables: Observables) -> TermFinding:
    condition = obligation.condition
    try:
        ok = condition.truth(observables)
    except EvaluationError as error:
        return TermFinding(obligation.id, "obligation", False, obligation.party, f"has no value: {error}")
    values = _values(condition, observables)
    outcome = "kept" if ok else "not kept"
    reason = f"{obligation.text or condition.source}: {outcome} ({condition.source}{_shown(values)})"
    return TermFinding(obligation.id, "obligation", ok, obligation.party, reason, values)


def _transfer(
    transfer: Transfer, observables: Observables, met: Mapping[str, bool]
) -> tuple[TermFinding, Award | None]:
    def finding(ok: bool, reason: str) -> TermFinding:
        return TermFinding(transfer.id, "transfer", ok, transfer.payer, reason, values)

    values: dict[str, float] = {}
    try:
        due = transfer.condition.truth(observables, met)
        amount = transfer.amount.number(observables, met)
    except EvaluationError as error:
        return finding(False, f"has no value, nothing moves: {error}"), None
    values = _values(transfer.condition, observables) | _values(transfer.amount, observables)
    if not due:
        failed = [name for name in sorted(transfer.condition.obligations) if not met[name]]
        because = f"; not kept: {', '.join(failed)}" if failed else ""
        return finding(False, f"not due: {transfer.condition.source} is false{_shown(values)}{because}"), None
    if amount < 0:
        return finding(False, f"nothing moves: {transfer.amount.source} is negative{_shown(values)}"), None
    who = f"{transfer.payer} pays {transfer.payee} {_number(amount)}"
    award = Award(transfer.id, transfer.payer, transfer.payee, amount)
    return finding(True, f"{who} = {transfer.amount.source}{_shown(values)}"), award


def _values(expression: Expression, observables: Observables) -> dict[str, float]:
    return {name: float(observables[name]) for name in sorted(expression.names) if name in observables}


def _shown(values: Mapping[str, float]) -> str:
    return "; " + ", ".join(f"{name} = {value:g}" for name, value in values.items()) if values else ""


def _number(value: Fraction) -> str:
    return f"{float(value):g}"


def _critique(findings: tuple[TermFinding, ...]) -> str:
    """Return the text shown to players: breaches first, then payments."""
    breaches = [
        f"{each.party} did not keep {each.subject!r}: {each.reason}"
        for each in findings
        if each.kind == "obligation" and not each.ok
    ]
    payments = [f"{each.subject}: {each.reason}" for each in findings if each.kind == "transfer"]
    return "\n".join([*(breaches or ["Every obligation was kept."]), *payments])
