"""Plan of a study's analysis: primary outcomes and comparisons that were declared before anything was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

SEPARATOR = ","
"""Separator of the two conditions in a declared comparison."""


@dataclass(frozen=True)
class AnalysisPlan:
    """Declared analysis. Declared comparisons are one family for Holm's correction; all others are exploratory."""

    primary: tuple[str, ...] = ()
    """Primary outcomes, by the names of result.json (`welfare`, `payoff.Gizmo`); empty for every measure."""
    compare: tuple[tuple[str, str], ...] = ()
    """Pairs of conditions; empty for every pair."""
    paired: bool = False
    """True to test pairs of runs with equal seeds instead of independent runs."""
    mixed: bool = False
    """True to test runs with equal seeds by a mixed model (`accord.analysis.mixed_model`)."""

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> AnalysisPlan:
        """Return the plan in the settings of a record; what cannot be read counts as not declared."""
        texts = [text for text in settings.get("compare") or () if isinstance(text, str)]
        pairs = [text.split(SEPARATOR) for text in texts]
        primary = [text for text in settings.get("primary") or () if isinstance(text, str)]
        return cls(
            tuple(primary),
            tuple((each[0].strip(), each[1].strip()) for each in pairs if len(each) == 2),
        ).tested_by(paired=settings.get("paired") is True, mixed=settings.get("mixed") is True)

    def tested_by(self, *, paired: bool, mixed: bool) -> AnalysisPlan:
        """Return the plan with these tests beside its own; a mixed model is a test of runs with equal seeds."""
        mixed = mixed or self.mixed
        return replace(self, paired=paired or self.paired or mixed, mixed=mixed)

    @property
    def test(self) -> str:
        """Name of the test behind verdicts."""
        if self.mixed:
            return "mixed model with a random intercept per seed"
        return "sign-flip test of pairs of equal seeds" if self.paired else "permutation test"

    @property
    def declares(self) -> bool:
        """Return whether anything was declared."""
        return bool(self.primary or self.compare)

    def covers(self, of: Sequence[str], measure: str) -> bool:
        """Return whether a comparison was declared.

        Args:
            of: The two conditions, in any order.
            measure: Name of the measure, as in result.json.
        """
        fits = not self.compare or any({*of} == {*pair} for pair in self.compare)
        return self.declares and fits and (not self.primary or measure in self.primary)
