"""Claims of reports: what a sentence says about a difference, and the test behind it.

A difference is claimed only where the test, corrected for the number of comparisons, rejects its absence. Otherwise the
sentence says that it is open, or that it holds for these runs alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from accord.analysis.intervals import Interval
from accord.analysis.statistics import LEVEL

Verdict = Literal["shown", "open", "untested"]
WHOLE_FROM = 1000
"""Displayed numbers from here on have no decimals."""


@dataclass(frozen=True)
class DifferenceClaim:
    """Claim about the means of one measure in two conditions or levels of a factor, with its evidence."""

    measure: str
    """Title of the measure, such as `welfare`."""
    names: tuple[str, str]
    """The condition that is spoken of, and the one that it is compared with."""
    means: tuple[float, float]
    difference: float
    """First mean minus second, or the main effect of a factor."""
    ci95: Interval | None = None
    p: float | None = None
    """p-value after Holm; None without a test."""
    n: tuple[int, int] = (1, 1)
    paired: bool = False
    """True if the test compares runs in pairs of equal seeds."""
    mixed: bool = False
    """True if that test is a mixed model, which also counts the runs without a pair."""
    problem: str = ""
    """Reason for which a test gave no p; empty for the usual ones."""
    repeated: bool = False
    """True if runs repeat each other whole, so that the test counts copies as independent runs."""
    exploratory: bool = False
    """True if the study declared other comparisons beforehand."""
    unit: str = ""

    @property
    def verdict(self) -> Verdict:
        """Verdict that the evidence carries."""
        if self.p is None or self.repeated:
            return "untested"
        return "shown" if self.p < LEVEL else "open"

    @property
    def sentence(self) -> str:
        """The claim in one sentence."""
        first, second = self.names
        one, other = (number(mean) for mean in self.means)
        if self.verdict == "untested":
            return _in_these_runs([self])
        if self.verdict == "open":
            head = f"Whether {self.measure} differs between {first} ({one}{self.unit_after}) and {second} ({other})"
            return f"{head} is open: {self._evidence}."
        verb = "Higher" if self.difference > 0 else "Lower"
        head = f"{verb} {self.measure} under {first} ({one}{self.unit_after}) than under {second} ({other})"
        return f"{head}: {self._evidence}."

    @property
    def unit_after(self) -> str:
        """Unit with a space before it; empty without a unit."""
        return f" {self.unit}" if self.unit else ""

    @property
    def _evidence(self) -> str:
        interval = f" [{number(self.ci95[0])}, {number(self.ci95[1])}]" if self.ci95 else ""
        runs = f"{self.n[0]} pairs" if self.paired and not self.mixed else f"{self.n[0]} and {self.n[1]} runs"
        p = "p < 0.001" if (self.p or 0) < 0.001 else f"p = {self.p:.3f}"
        return (
            f"difference {number(self.difference)}{interval}, {p}, {runs}{', mixed model' if self.mixed else ''}"
            f"{', exploratory' if self.exploratory else ''}"
        )

    @property
    def why(self) -> str:
        """Reason for which there is no test; empty with one."""
        if self.verdict != "untested":
            return ""
        if self.repeated:
            return "runs repeat each other whole, so no test"
        if self.problem:
            return f"mixed model: {self.problem}, so no test"
        if min(self.n) < 2:
            return "a single run has no test" if max(self.n) == 1 else f"{self.n[0]} and {self.n[1]} runs, no test"
        return "no run differs from another of its condition, so no test"


def sentences(claims: Sequence[DifferenceClaim]) -> list[str]:
    """Return the claims' sentences; claims about one measure without a test for the same reason share one."""
    found: list[str] = []
    merged: set[tuple[str, str]] = set()
    for claim in claims:
        alike = (claim.measure, claim.why)
        if not claim.why:
            found.append(claim.sentence)
        elif alike not in merged:
            merged.add(alike)
            found.append(_in_these_runs([each for each in claims if (each.measure, each.why) == alike]))
    return found


def _in_these_runs(claims: Sequence[DifferenceClaim]) -> str:
    """Return the means of claims without a test: the conditions that others are compared with come first."""
    means = {name: each.means[place] for place in (1, 0) for each in claims for name in [each.names[place]]}
    unit = claims[0].unit_after
    told = [
        f"{number(mean)}{unit if place == 0 else ''} under {name}" for place, (name, mean) in enumerate(means.items())
    ]
    return f"In these runs {claims[0].measure} was {joined(told)} ({claims[0].why})."


def number(value: float) -> str:
    """Return a number for display: at most two decimals, no trailing zeros, no decimals from a thousand on."""
    if abs(value) >= WHOLE_FROM:
        return f"{value:.0f}"
    return f"{value:.2f}".rstrip("0").rstrip(".") if round(value, 2) else "0"


def joined(parts: Sequence[str]) -> str:
    """Return the parts as a list in words."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)
