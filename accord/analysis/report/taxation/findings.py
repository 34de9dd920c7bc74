"""Findings on taxed societies: runs by condition, summaries, and published results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from accord.analysis.claims import number
from accord.analysis.intervals import NON_NEGATIVE
from accord.analysis.measures import MeasureSummary, summarize
from accord.analysis.report.groups import RunGroup
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.society.findings import SocietyFindings
from dilemmas.scenarios.taxation.measures import exposure_lean, exposure_mean
from dilemmas.scenarios.taxation.record import TaxRecord

MEASURES: Mapping[str, tuple[str, str]] = {
    "tax_before_percent": ("Tax before", "% of what was held"),
    "tax_after_percent": ("Tax after", "% of what was held"),
    "law_after_percent": ("Law after", "%, middle of its range"),
    "law_kept_percent": ("Law kept", "% of constituents and seasons"),
    "exposure_mean": ("Arguments heard", "of influencers, before the vote"),
    "exposure_lean_r": ("Exposure and vote", "Pearson's r in a run"),
}
"""Measure of a run -> its title and unit."""
PUBLISHED: Mapping[str, str] = {
    "anti-amendable": "20 to 9 % in the run that is shown, where the law became 5 to 10 % (figure 10 D)",
    "pro-amendable": "about 20 %, then more (figure 10 E, F)",
    "anti-frozen": "about 20 %, no change (figure 10 G)",
    "pro-frozen": "about 20 %, no change (figure 10 G)",
    "anti-baseline": "about 20 %, then more (figure 10 H)",
    "pro-baseline": "about 20 %, then more (figure 10 H)",
}
"""Condition -> tax before and after, as the paper states it."""
PUBLISHED_PERCENT: Mapping[str, tuple[float, float | None]] = {
    "anti-amendable": (20, 9), "pro-amendable": (20, None), "anti-frozen": (20, 20), "pro-frozen": (20, 20),
    "anti-baseline": (20, None), "pro-baseline": (20, None),
}  # fmt: skip
"""Condition -> percent before and after, if the paper's text gives a number; other values are only in a figure."""
SOURCE = "Project Sid, sections 5.2 and 8.3, figure 10: 4 runs of each condition"


@dataclass(frozen=True)
class TaxedRun:
    """One run with its tax record."""

    run: ReportedRun
    record: TaxRecord

    @cached_property
    def values(self) -> Mapping[str, float]:
        """Measure -> value; undefined measures are left out."""
        record = self.record
        rate = record.laws[-1][1]["terms"].get("rate") if record.laws else None
        kept = [value for value in (record.kept(after=False), record.kept(after=True)) if value is not None]
        found = {
            "tax_before_percent": record.paid(after=False),
            "tax_after_percent": record.paid(after=True),
            "law_after_percent": sum(rate) / 2 if rate and record.adopted_s is not None else None,
            "law_kept_percent": sum(kept) / len(kept) if kept else None,
            "exposure_mean": exposure_mean(record) if record.asked_s is not None else None,
            "exposure_lean_r": exposure_lean(record),
        }
        return {name: value for name, value in found.items() if value is not None}

    @property
    def leans(self) -> Mapping[str, float]:
        """Voter -> direction of its ballot; voters without a direction are left out."""
        return {name: lean for name in self.record.voters if (lean := self.record.lean(name)) is not None}


@dataclass(frozen=True)
class TaxedSociety(RunGroup[TaxedRun]):
    """All runs of one condition."""

    @cached_property
    def seasons(self) -> Sequence[tuple[int, MeasureSummary]]:
        """(season, tax in percent over the runs)."""
        numbers = dict.fromkeys(season.number for run in self.runs for season in run.record.seasons)
        found = []
        for each in numbers:
            means = [s.mean for run in self.runs for s in run.record.seasons if s.number == each and s.mean is not None]
            if means:
                found.append((each, summarize(means, each).cut_to(NON_NEGATIVE)))
        return found

    @property
    def kind(self) -> str:
        """Treatment of the constitution: `amendable`, `frozen`, `baseline`, or the condition's whole name."""
        return self.name.partition("-")[2] if self.side else self.name

    @property
    def side(self) -> str:
        """`pro` or `anti`, or empty."""
        head = self.name.partition("-")[0]
        return head if head in ("pro", "anti") else ""


@dataclass(frozen=True)
class TaxFindings:
    """All societies with a law."""

    societies: tuple[TaxedSociety, ...]

    @property
    def adopted_after(self) -> int:
        """Last season before a law was adopted; 0 without one."""
        found = [
            len(run.record.part(after=False)) for each in self.societies for run in each.runs if run.record.adopted_s
        ]
        return max(found, default=0)

    @property
    def kinds(self) -> Mapping[str, Sequence[TaxedSociety]]:
        """Kind of condition -> its societies, in the page's order."""
        found: dict[str, list[TaxedSociety]] = {}
        for each in self.societies:
            found.setdefault(each.kind, []).append(each)
        return found


def find_taxes(found: SocietyFindings) -> TaxFindings | None:
    """Return the societies that paid tax, or None without any."""
    societies = []
    for each in found.societies:
        taxed = tuple(TaxedRun(run.run, run.run.taxes) for run in each.runs if run.run.taxes and run.run.taxes.seasons)
        if taxed:
            societies.append(TaxedSociety(each.name, taxed))
    return TaxFindings(tuple(societies)) if societies else None


def find_laws(found: SocietyFindings) -> TaxFindings | None:
    """Return the societies whose law taxes nobody, such as one that asks for work, or None without any."""
    societies = []
    for each in found.societies:
        runs = tuple(
            TaxedRun(run.run, run.run.taxes) for run in each.runs if run.run.taxes and not run.run.taxes.seasons
        )
        if runs:
            societies.append(TaxedSociety(each.name, runs))
    return TaxFindings(tuple(societies)) if societies else None


def law_sentence(found: TaxFindings) -> str:
    """Return the votes' effect on the law in a sentence."""
    told = []
    for society in found.societies:
        voted = [run.record.laws for run in society.runs if run.record.adopted_s is not None]
        changed = sum(laws[0][1]["terms"] != laws[-1][1]["terms"] for laws in voted)
        unvoted = len(society.runs) - len(voted)
        without = f", {unvoted} of them without a vote" if unvoted else ""
        told.append(f"{society.name}: changed in {changed} of {len(society.runs)}{without}")
    return f"Votes that changed the law in these runs: {'; '.join(told)}."


def tax_sentence(found: TaxFindings) -> str:
    """Return the tax before and after the vote in a sentence."""
    told = []
    for society in found.societies:
        before, after = society.measure("tax_before_percent"), society.measure("tax_after_percent")
        if before and after:
            told.append(f"{society.name} {number(before.mean)} to {number(after.mean)} %")
        elif before:
            voted = any(run.record.adopted_s is not None for run in society.runs)
            told.append(f"{society.name} {number(before.mean)} %, {'no season after the vote' if voted else 'no vote'}")
        elif after:
            told.append(f"{society.name} {number(after.mean)} % after the vote, no season before it")
    if not told:
        return "Nobody had anything to be taxed: nothing can be said of the tax that was paid."
    return f"Tax paid before and after the law was voted on, in these runs: {'; '.join(told)}."
