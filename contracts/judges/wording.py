"""Payments that the wording of a clause fixes beyond doubt: who pays whom, and how many emeralds at most.

This bounds a language judge. Only one strict form is read, a sentence such as `If Glitch mined no iron, Gizmo pays
Glitch 11 emeralds.` A clause in another form, or with words that could change the amount, is in doubt and moves nothing
unless all parties have ratified typed terms.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

_PAYMENT = re.compile(
    r"emerald|%|\b(?:pay|paid|transfer|ow[ei]|receiv|get|give|send|shar|split|divid|compensat|reward|refund|fine)",
    re.IGNORECASE,
)
_MOVES = re.compile(r"emerald|%|\b(?:pay|pays|paid|payment|ow[ei]\w*|transfers?|compensat\w*|refund\w*|fined?)\b", re.I)
_DENIAL = re.compile(r"\b(?:never|not|nothing|nobody|none|neither)\b|n['\u2019]t\b", re.IGNORECASE)
_YET = re.compile(r"[0-9%]|\b(?:unless|except|until|but|only|if|when|less|more|all|every\w*)\b", re.IGNORECASE)
_WORDS = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    "eighteen|nineteen|twenty"
)
_COUNTED = {word: Fraction(count) for count, word in enumerate(_WORDS.split("|"))}
_CHANGES = re.compile(
    r"emerald|%|[*\u00d7/]|\b(?:percent|per|each|every\w*|for any|apiece|x|times|twice|thrice|double\w*|triple\w*|"
    r"half|thirds?|quarters?|values?|worth|prices?|shar\w*|split\w*|equal\w*|divid\w*|rest|remain\w*|plus|minus|"
    r"less|extra|addition\w*|bonus|another|again|repeat\w*|often|whenever|instead|otherwise|else|rather|multipl\w*|"
    r"add\w*|pay|pays|paid|paying|payments?|transfer\w*|gives?|gave|sends?|sent|owes?|owed|receiv\w*|refund\w*|"
    r"compensat\w*|rewards?|amounts?|sums?|numbers?|void|cancel\w*|read|means?|meant)\b|"
    rf"\bor\s+(?:[0-9]|(?:{_WORDS}|a|an)\b)",
    re.IGNORECASE,
)
"""Words that could change the amount of a payment in the same clause."""
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n+")
_START = (
    r"if|when|once|after|as soon as|provided|upon|in case|at the (?:very )?end|finally|in total|in exchange|in return"
)
_MODAL = r"(?:(?i:will|must|shall|then|also|has to|is to|agrees to|should|hereby)\s+){0,2}"
_PAYS = r"(?i:pays?|transfers?|gives?|sends?|owes?)"
_GETS = r"(?i:gets?|receives?|is paid)"
_DIGITS = r"(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{1,2})?"
_NUMBER = rf"(?:exactly\s+)?(?P<amount>{_DIGITS}|(?i:{_WORDS}))\s+(?i:emeralds?)"
_FOR = r"for\s+\w+ing|for\s+(?:the|his|her|its|their)"
_REST = rf"(?P<after>,?\s+(?i:only\s+)?(?i:{_START}|unless|because|{_FOR})\b.*)?"
_VERB = r"(?:pays?|transfers?|gives?|sends?|owes?)\b"
_MUTUAL = re.compile(r"\b(?:each other|vice versa|both|either|whoever)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """Payments authorised by the wording of a clause."""

    payments: Mapping[tuple[str, str], Fraction] = field(default_factory=dict)
    """(payer, payee) -> maximum emeralds."""
    silent: bool = False
    """True if the clause mentions no payment or denies one, so that no transfer can be typed from it either."""
    certain: bool = True
    """False if the clause mentions a payment that cannot be read with certainty; then `payments` is empty."""


_DOUBT = Reading(certain=False)


def speaks_of_payment(clause: str) -> bool:
    """Return whether the clause may move emeralds; giving or sharing items and signals is no payment."""
    return bool(_MOVES.search(clause))


def read_clause(clause: str, parties: Sequence[str]) -> Reading:
    """Return the payments fixed by a clause whose sentences are all payments in the strict form or irrelevant.

    Two payments of one pair in one clause are in doubt: they may be a sum or a repetition.
    """
    if not _PAYMENT.search(clause):
        return Reading(silent=True)
    if _odd_characters(clause):
        return _DOUBT
    if _DENIAL.search(clause) and not _YET.search(clause):
        return Reading(silent=True)
    payments: dict[tuple[str, str], Fraction] = {}
    for sentence in filter(None, _SENTENCE.split(clause.strip())):
        found = _payment(sentence.strip().rstrip(".;!"), parties)
        if found is None and _CHANGES.search(sentence):
            return _DOUBT
        if found is not None:
            pair, amount = found
            if pair in payments:
                return _DOUBT
            payments[pair] = amount
    return Reading(payments) if payments else _DOUBT


def fixed_payer(clause: str, parties: Sequence[str]) -> str | None:
    """Return the single payer that the clause names, or None if it names none or several."""
    if _MUTUAL.search(clause):
        return None
    names = "|".join(re.escape(name) for name in parties)
    found = set(re.findall(rf"\b({names})\s+{_MODAL}{_VERB}", clause))
    return found.pop() if len(found) == 1 else None


def _odd_characters(clause: str) -> bool:
    """Return whether the text has invisible characters, changes of reading direction, or digits of other scripts."""
    kinds = {unicodedata.category(each) for each in clause if each not in "\n\t" and not each.isascii()}
    controls = any(ord(each) < 32 and each not in "\n\t" for each in clause)
    return controls or bool(kinds & {"Cc", "Cf", "Co", "Cs", "Cn", "Nd", "Nl", "No", "Zl", "Zp"})


def _payment(sentence: str, parties: Sequence[str]) -> tuple[tuple[str, str], Fraction] | None:
    """Return ((payer, payee), amount) of a sentence in the strict form, or None."""
    for form in _forms(tuple(parties)):
        if (found := form.fullmatch(sentence)) is None:
            continue
        beside = f"{found['before'] or ''} {found['after'] or ''}"
        pair = found["payer"], found["payee"]
        if pair[0] == pair[1] or _CHANGES.search(beside):
            return None
        words = found["amount"].lower()
        return pair, _COUNTED[words] if words in _COUNTED else Fraction(words)
    return None


@lru_cache(maxsize=64)
def _forms(parties: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """Return the strict forms for these parties."""
    names = "|".join(re.escape(name) for name in sorted(parties, key=len, reverse=True))
    payer, payee = rf"(?P<payer>{names})", rf"(?P<payee>{names})"
    before = rf"(?:[-*]\s+)?(?:(?P<before>(?i:{_START})\b.*?),\s+)?(?i:then\s+)?"
    middles = (
        rf"{payer}\s+{_MODAL}{_PAYS}\s+{payee}\s+{_NUMBER}",
        rf"{payer}\s+{_MODAL}{_PAYS}\s+{_NUMBER}\s+to\s+{payee}",
        rf"{payee}\s+{_MODAL}{_GETS}\s+{_NUMBER}\s+from\s+{payer}",
    )
    return tuple(re.compile(rf"{before}{middle}{_REST}", re.DOTALL) for middle in middles)
