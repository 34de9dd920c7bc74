"""Options of a study's analysis, a group of `accord.studies.option_groups`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from accord.analysis.plan import AnalysisPlan
from accord.studies.option_definitions import CommandOption


@dataclass(frozen=True, kw_only=True)
class AnalysisOptions:
    """Analysis that a study declares before it is played."""

    primary: Annotated[
        tuple[str, ...],
        CommandOption(
            "--primary",
            "MEASURE",
            "A primary outcome, such as welfare or payoff.Gizmo; may be repeated.",
            repeated=True,
            more="Other outcomes are exploratory ([more](results.md#declared-comparisons)).",
        ),
    ] = ()
    """Primary outcomes, by the names of result.json; others are exploratory."""
    compare: Annotated[
        tuple[str, ...],
        CommandOption(
            "--compare",
            "A,B",
            "Two conditions to be compared; may be repeated.",
            repeated=True,
            more="Other pairs are exploratory ([more](results.md#declared-comparisons)).",
        ),
    ] = ()
    """Pairs of conditions (`A,B`) to be compared; others are exploratory."""
    paired: Annotated[
        bool,
        CommandOption(
            "--paired",
            "",
            "Test runs in pairs of equal seeds.",
            more="By default they count as independent ([more](results.md#paired-tests)).",
        ),
    ] = False
    """True to test runs in pairs of equal seeds; by default runs count as independent."""
    mixed: Annotated[
        bool,
        CommandOption(
            "--mixed",
            "",
            "Test runs of equal seeds by a mixed model (needs statsmodels).",
            more="A random intercept per seed, in place of the sign-flip test ([more](results.md#paired-tests)).",
        ),
    ] = False
    """True to test runs with equal seeds by a mixed model, in place of the sign-flip test."""

    @property
    def analysis_plan(self) -> AnalysisPlan:
        """The declared analysis."""
        return AnalysisPlan.from_settings(vars(self))
