"""The log's verdict on a statement, and what all functions that find one share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from accord.analysis.words.facts import WorldFact

EQUAL = 1e-6
"""Maximum difference of two equal numbers."""
MAX_TOLD = 4
"""Maximum number of facts that a verdict names."""


@dataclass(frozen=True)
class StatementTruth:
    """The log's verdict on a statement."""

    holds: bool | None
    """None if the log does not show it."""
    known: bool = False
    """True if the log says that the speaker had seen the truth."""
    lines: tuple[int, ...] = ()
    """Lines of the log with the evidence."""
    why: str = ""
    """The evidence in words."""


def open_truth(why: str) -> StatementTruth:
    """Return the verdict on a statement that the log does not decide."""
    return StatementTruth(None, why=why)


def lines_of(facts: Iterable[WorldFact]) -> tuple[int, ...]:
    """Return the lines of facts, each once, in order."""
    return tuple(sorted({fact.line for fact in facts}))


def thing_names(said: str) -> frozenset[str]:
    """Return the names that words for a thing may stand for: `iron ores` is `iron_ores` or `iron_ore`."""
    name = "_".join(said.lower().replace("minecraft:", "").split())
    return frozenset({name, name.removesuffix("s"), name.removesuffix("es")})
