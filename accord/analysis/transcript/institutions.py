"""Sentences for steps of institutions, for pages, transcripts and reports. Names and reasons in them are untrusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.analysis.transcript.market_sentences import MARKET_SENTENCES
from accord.analysis.transcript.thought_texts import values

_TOLD = {
    **MARKET_SENTENCES,
    ("law", "law_in_force"): "the law is in force: {clauses}",
    ("law", "breach"): "{who} breaks the law {clause}, seen by {witnesses}",
    ("law", "motion"): "{who} moves {motion} {repeals}: {says}",
    ("law", "voted"): "the vote on {motion} {repeals} ({says}) {passed}: {votes}",
    ("law", "refused"): "a motion of {who} is refused: {why}",
    ("law", "frozen"): "the law is frozen and stays as it is",
    ("law", "no_motion"): "nobody moves to change the law",
    ("statute", "appointed"): "{who} appointed with the power to {powers}: {why}",
    ("statute", "law_in_force"): "the law is in force: {clauses}",
    ("statute", "breach"): "{who} breaks the law {clause}, seen by {witnesses}",
    ("statute", "feedback"): "{who} says what should change: {text}",
    ("statute", "amendment"): "{who} moves {motion} {repeals}: {says}",
    ("statute", "voted"): "the vote on {motion} {repeals} ({says}) {passed}: {votes}",
    ("statute", "draft"): "{who} words the amendments that passed ({why}): {clauses}",
    ("statute", "ratified"): "the vote on the draft of {who} {passed}: {votes}",
    ("statute", "refused"): "what {who} wrote is refused: {why}",
    ("statute", "frozen"): "the law is frozen and stays as it is",
    ("statute", "no_motion"): "nobody moves to change the law",
    ("treasury", "appointed"): "{who} appointed with the power to {powers}: {why}",
    ("treasury", "taxed"): "{who} sets a tax of {percent} %: {why}",
    ("treasury", "spending"): "{who} proposes to pay {amount} of the treasury to {to}, and it {passed}: {votes}",
    ("treasury", "nothing_spent"): "{who} spends nothing",
    ("elections", "elected"): "{who} elected {office} by {method} ({why}): {how}",
    ("elections", "cycle"): "the vote on the office {office} is a Condorcet cycle of {members}",
    ("elections", "recall"): "recall of {who} as {office}: {yes} votes, {needed} needed, so it {passed}",
    ("guards", "appointed"): "{who} appointed guard: {why}",
    ("guards", "bribe_offered"): "{who} offers the guard {guard} a bribe of {amount}",
    ("guards", "bribe_taken"): "the guard {who} takes a bribe of {amount} from {offender}",
    ("guards", "let_go"): "the guard {who} lets {offender} go: {why}",
    ("guards", "charged"): "{by} charges {who} under the law {clause}",
    (
        "guards",
        "sanctioned",
    ): "{by} sanctions {who} by the law {clause}: fined {fined}, held for {held} steps{banished}",
    ("guards", "unenforced"): "the sentence on {who} is not carried out: {why}",
    ("court", "appointed"): "{who} appointed judge: {why}",
    ("court", "charged"): "{by} charges {who} under the law {clause}",
    ("court", "tried"): "{who}, charged by {by}, is found {guilty} by {judge}: {why}",
    ("court", "unenforced"): "the sentence on {who} is not carried out: {why}",
}
"""(institution, step) -> its sentence."""
_SILENT = (("law", "breach"), ("statute", "breach"), ("guards", "audited"), ("court", "audited"), ("market", "quote"))
"""Steps that are no event among the people: nobody need have seen a breach, the record audits afterwards, and quotes
follow from orders."""
_WORDS: Mapping[str, tuple[str, str]] = {
    "passed": ("fails", "passes"),
    "repeals": ("to add", "to repeal"),
    "guilty": ("not guilty", "guilty"),
    "banished": ("", "; banished"),
}
"""Field -> its words for false and for true."""


def is_told(part: str, what: str) -> bool:
    """Return True if a step is told where it happens: people of the game took it."""
    return (part, what) not in _SILENT


def institution_sentence(part: str, what: str, who: str, why: str, data: Mapping[str, Any]) -> str:
    """Return a step of an institution in words.

    Args:
        part: The institution.
        what: Kind of the step.
        who: The person that acted or was acted on.
        why: Reason in words.
        data: Further plain data of the step.
    """
    if what == "payment":
        return f"{who} pays {data.get('paid', 0):g} of {data.get('due', 0):g} to {data.get('payee')}: {why}"
    if (part, what) == ("market", "trade") and "price" not in data:
        what = "barter"
    told = {"who": who, "why": why, **{key: _field(key, value) for key, value in data.items()}}
    try:
        return _TOLD[part, what].format(**told)
    except (KeyError, IndexError, ValueError):
        # Steps of unknown kinds or with other fields are shown field by field.
        rest = values(f"{key} {value}" for key, value in data.items())
        return ": ".join(each for each in (f"{part}: {what} {who}".strip(), why, rest) if each)


def _field(key: str, value: object) -> str:
    if key in _WORDS and isinstance(value, bool):
        return _WORDS[key][value]
    if key == "clauses" and isinstance(value, list):
        return "; ".join(str(each.get("says")) for each in value if isinstance(each, Mapping)) or "no clause"
    if key == "judge" and not value:
        return "the record"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {each}" for name, each in value.items()) or "no vote"
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(map(str, value)) or "nobody" if isinstance(value, list) else str(value)
