"""What the wording of a clause fixes beyond doubt: who pays, and how many emeralds at most.

A language judge reads the clauses; this is what it cannot be talked out of. Where a clause is open (shares, prices for
each piece, both sides paying), nothing is fixed here, and the payer's reward is the bound.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

_AMOUNT = re.compile(r"(?<![\w.,%-])(\d{1,9}(?:\.\d{1,6})?)\s+emeralds?\b", re.IGNORECASE)
_OPEN = re.compile(
    r"%|\b(?:percent|per|each|every|apiece|times|twice|double|half|third|quarter|value|worth|share|split|equal\w*|"
    r"divid\w*|rest|remaining|all (?:of )?(?:his|her|their|its)|emeralds?\s+an?)\b",
    re.IGNORECASE,
)
_PAYMENT = re.compile(
    r"emerald|%|\b(?:pay|paid|transfer|ow[ei]|receiv|get|give|send|shar|split|divid|compensat|reward|refund|fine)",
    re.IGNORECASE,
)
_MODAL = r"(?:(?:will|must|shall|then|also|has to|is to|agrees to|should)\s+){0,2}"
_VERB = r"(?:pays?|transfers?|gives?|sends?|owes?)\b"
_MUTUAL = re.compile(r"\b(?:each other|vice versa|both|either|whoever)\b", re.IGNORECASE)


_MOVES = re.compile(r"emerald|%|\b(?:pay|pays|paid|payment|ow[ei]\w*|transfers?|compensat\w*|refund\w*|fined?)\b", re.I)


def speaks_of_payment(clause: str) -> bool:
    """Whether the clause moves emeralds, or may be read so; giving and sharing things and signals is no payment."""
    return bool(_MOVES.search(clause))


def fixed_amount(clause: str) -> Fraction | None:
    """The most that the clause moves, when it names numbers of emeralds and nothing that they depend on.

    A clause that speaks of no payment at all moves nothing; None where the wording does not fix it.
    """
    if not _PAYMENT.search(clause):
        return Fraction(0)
    amounts = [Fraction(number) for number in _AMOUNT.findall(clause)]
    return None if not amounts or _OPEN.search(clause) else sum(amounts, Fraction(0))


def fixed_payer(clause: str, parties: Sequence[str]) -> str | None:
    """The only party of whom the clause says that it pays; None where it says so of nobody, or of several."""
    if _MUTUAL.search(clause):
        return None
    names = "|".join(re.escape(name) for name in parties)
    found = set(re.findall(rf"\b({names})\s+{_MODAL}{_VERB}", clause))
    return found.pop() if len(found) == 1 else None
