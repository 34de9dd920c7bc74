"""Judges' findings and negotiators' messages in words, without repeated formulas and machine-readable marks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from accord.analysis.report.model import ReportedRun, ReportedTerm, ReportedTermFinding, ReportedVerdict, Talk

_COUNTED = {"mined": "mined", "items": "holds", "placed": "placed"}
_CONTRACT = re.compile(r"\[\s*contract\s*\]\s*(.*?)\s*(?:\[\s*contract\s+end\s*\]|$)", re.DOTALL | re.IGNORECASE)
_ACCEPT = re.compile(r"\s*\[\s*accept(?:\s+\d{1,4})?\s*\]\s*", re.IGNORECASE)


def terms_of(run: ReportedRun) -> dict[str, ReportedTerm]:
    """Return the typed terms of a run's contracts by name; later contracts override earlier ones."""
    return {term.id: term for talk in run.talks if talk.contract for term in talk.contract.terms}


def why(finding: ReportedTermFinding, terms: Mapping[str, ReportedTerm]) -> str:
    """Return the judge's reason without formula and values, which stand beside it."""
    text, term = finding.reason, terms.get(finding.subject)
    if term is not None:
        for formula in filter(None, (term.condition, term.amount)):
            text = text.replace(f" ({formula}{_shown(finding)})", "").replace(f" = {formula}{_shown(finding)}", "")
            text = text.replace(f": {formula} is false{_shown(finding)}", "")
    for said in (": kept", ": not kept"):
        text = text.removesuffix(said)
    return text


def critique(verdict: ReportedVerdict) -> str:
    """Return the judge's words beyond its findings; empty if it only repeats them."""
    reasons = [finding.reason for finding in verdict.findings if finding.reason]
    lines = [line for line in verdict.critique.split("\n") if not any(reason in line for reason in reasons)]
    return "\n".join(lines)


def values(finding: ReportedTermFinding) -> str:
    """Return the values behind the finding in words: `Gizmo mined 12 iron ore`."""
    return ", ".join(_value(name, value) for name, value in sorted(finding.values.items()))


def prose(message: str) -> str:
    """Return a negotiator's words without the proposed contract."""
    return _ACCEPT.sub("", _CONTRACT.sub("", message)).strip()


def proposal(message: str) -> str:
    """Return the contract that a message proposes, or an empty text."""
    found = _CONTRACT.search(message)
    return found[1] if found else ""


def signed_text(talk: Talk) -> bool:
    """Return True if the contract's text equals the last proposal, which the page already shows."""
    proposals: Sequence[str] = [text for move in talk.turns if (text := proposal(move.message))]
    return bool(talk.contract and proposals and _squeezed(proposals[-1]) == _squeezed(talk.contract.text))


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _shown(finding: ReportedTermFinding) -> str:
    """Return the values as the formal judge writes them after a formula."""
    listed = ", ".join(f"{name} = {value:g}" for name, value in finding.values.items())
    return f"; {listed}" if listed else ""


def _value(name: str, value: float) -> str:
    player, _, rest = name.partition(".")
    kind, _, item = rest.partition(".")
    if kind in _COUNTED and item:
        return f"{player} {_COUNTED[kind]} {value:g} {item.replace('_', ' ')}"
    return f"{name} = {value:g}"
