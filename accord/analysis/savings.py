"""Savings of runs: answers from the cache, cascades of models and skipped calls, and what they would have cost.

What was never asked has no price of its own: it is told at the mean price of the calls that the same role made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dilemmas.records.answers import RoleAnswers
from dilemmas.records.costs import RoleCost


@dataclass(frozen=True)
class RunSavings:
    """Savings of one run."""

    cached: int = 0
    """Answers from the cache."""
    cached_usd: float | None = 0.0
    """Their price in dollars; None if it is unknown."""
    cascade: Mapping[str, int] = field(default_factory=dict)
    """Counts of cascades (`usage.cascade` in result.json); empty without one."""
    questions: Mapping[str, int] = field(default_factory=dict)
    """Role with a cascade -> questions."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """Module -> calls skipped because nothing had changed."""

    @classmethod
    def of(
        cls,
        usage: Mapping[str, Any],
        answers: Iterable[RoleAnswers],
        costs: Iterable[RoleCost],
        modules: Iterable[Mapping[str, Mapping[str, float]]],
    ) -> RunSavings:
        """Return the savings of a run.

        Args:
            usage: Usage in its result.
            answers: Answers by player, role and model.
            costs: Costs by player, role and model.
            modules: Counts by module of each life.
        """
        cached = usage.get("cached") or {}
        escalated = {each.role for each in costs if each.escalated}
        questions: Counter[str] = Counter()
        for each in answers:
            if each.role in escalated:
                questions[each.role] += each.questions
        skipped: Counter[str] = Counter()
        for life in modules:
            skipped.update({name: int(counts["skipped"]) for name, counts in life.items() if counts.get("skipped")})
        return cls(
            int(cached.get("calls") or 0),
            cached.get("usd", 0.0),
            {str(name): int(count) for name, count in (usage.get("cascade") or {}).items()},
            questions,
            skipped,
        )


def told_savings(saved: Iterable[RunSavings], costs: Iterable[RoleCost]) -> list[str]:
    """Return one sentence for each kind of saving over several runs; none for those that were not used."""
    runs, prices = list(saved), list(costs)
    return [line for line in (_cascades(runs, prices), _skipped(runs, prices), _cached(runs)) if line]


def _cached(runs: list[RunSavings]) -> str:
    calls = sum(each.cached for each in runs)
    known = [each.cached_usd for each in runs if each.cached_usd is not None]
    price = f"{sum(known):.4f} USD" if len(known) == len(runs) else "an unknown price"
    return f"Answers from the cache: {calls:,}, which would have cost {price}." if calls else ""


def _cascades(runs: list[RunSavings], costs: list[RoleCost]) -> str:
    counts, questions = Counter[str](), Counter[str]()
    for each in runs:
        counts.update(each.cascade)
        questions.update(each.questions)
    if not counts["questions"]:
        return ""
    further = counts["unreadable"] + counts["unsure"]
    told = (
        f"Of {counts['questions']:,} questions to cascades, {further:,} answers were not enough "
        f"({counts['unreadable']:,} unreadable, {counts['unsure']:,} unsure), and a later stage was asked."
    )
    if counts["sampled"]:
        told += f" {counts['sampled']:,} answers were second samples."
    alone = [_mean_usd(costs, role, lambda each: each.escalated > 0) for role in questions]
    spent = [each.usd for each in costs if each.role in questions]
    if not questions or None in alone or None in spent:
        return told
    dollars = sum((price or 0.0) * questions[role] for role, price in zip(questions, alone, strict=True))
    paid = sum(each or 0.0 for each in spent)
    return (
        f"{told} Roles in which one was asked cost {paid:.4f} USD; the later stages alone would have cost about "
        f"{dollars:.4f} USD."
    )


def _skipped(runs: list[RunSavings], costs: list[RoleCost]) -> str:
    skipped = Counter[str]()
    for each in runs:
        skipped.update(each.skipped)
    if not skipped:
        return ""
    named = ", ".join(f"{name} {count:,}" for name, count in skipped.most_common())
    prices = [_mean_usd(costs, name, lambda _: True) for name in skipped]
    told = f"Calls skipped because nothing had changed: {skipped.total():,} ({named})"
    if None in prices:
        return f"{told}."
    dollars = sum((price or 0.0) * count for price, count in zip(prices, skipped.values(), strict=True))
    return f"{told}, which would have cost about {dollars:.4f} USD."


def _mean_usd(costs: list[RoleCost], role: str, wanted: Callable[[RoleCost], bool]) -> float | None:
    """Return the mean price of a role's calls in dollars; None if there are none, or a price is unknown."""
    found = [each for each in costs if each.role == role and each.calls and wanted(each)]
    calls = sum(each.calls for each in found)
    if not calls or any(each.usd is None for each in found):
        return None
    return sum(each.usd or 0.0 for each in found) / calls
