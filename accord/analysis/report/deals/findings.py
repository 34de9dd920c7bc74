"""Findings on talks and deals: measures of each condition, and one run of each in detail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.deals.record import BargainRecord
from accord.analysis.report.groups import GroupFindings, run_groups
from accord.analysis.report.model import ReportedRun
from dilemmas.records.events import TalkMessageSent

MEASURES: Mapping[str, tuple[str, str]] = {
    "messages": ("Messages on channels", "a run"),
    "private": ("Messages in private, of all", "share"),
    "offers": ("Deals offered", "a run"),
    "agreed": ("Deals agreed", "a run"),
    "clauses": ("Clauses of an agreed deal", "clauses"),
    "words": ("Words of an agreed deal", "words"),
    "direct": ("Deals agreed without a counter-offer, of all agreed", "share"),
    "kept": ("Promises of deals kept, of those due", "share"),
    "forfeited": ("Deposits forfeited", "a run"),
}
"""Measure -> its title and unit."""


@dataclass(frozen=True)
class BargainingRun:
    """One run's bargaining."""

    run: ReportedRun
    bargains: BargainRecord

    @property
    def values(self) -> Mapping[str, float]:
        """See `accord.analysis.report.groups.MeasuredRun`; a share of nothing is left out."""
        found, said = self.bargains, self.bargains.messages.total()
        agreed = [deal for deal in found.deals.values() if deal.agreed]
        values: dict[str, float] = {"messages": said, "offers": len(found.deals), "agreed": len(agreed)}
        if said:
            values["private"] = 1 - found.messages["public"] / said
        if agreed:
            values["clauses"] = sum(deal.clauses for deal in agreed) / len(agreed)
            values["words"] = sum(len(deal.text.split()) for deal in agreed) / len(agreed)
            values["direct"] = sum(not deal.answered for deal in agreed) / len(agreed)
        if found.promises:
            values["kept"] = 1 - found.breaches / found.promises
        if found.deposited:
            values["forfeited"] = sum(found.forfeited.values())
        return values


class DealFindings(GroupFindings[BargainingRun]):
    """Bargaining of all conditions in which players talked on channels."""

    titles = MEASURES

    @property
    def has_escrow(self) -> bool:
        """True if players put deposits in escrow."""
        return any(run.bargains.deposited for group in self.groups for run in group.runs)


def find_deals(comparison: Comparison) -> DealFindings | None:
    """Return the bargaining in the scored runs of each condition, or None if nobody talked on channels."""
    groups = run_groups(
        comparison, MEASURES, lambda run: None if run.bargains is None else BargainingRun(run, run.bargains)
    )
    return DealFindings(groups) if groups else None


def conversations(bargains: BargainRecord) -> Iterator[tuple[str, str, list[tuple[int, TalkMessageSent]]]]:
    """Yield (members, kind of channel, messages with the period that follows) for each channel."""
    found: dict[tuple[str, str], list[tuple[int, TalkMessageSent]]] = {}
    for period, message in bargains.said:
        members = "all" if message.channel == "public" else ", ".join(sorted(message.members))
        found.setdefault((members, message.channel), []).append((period, message))
    for (members, channel), messages in found.items():
        yield members, channel, messages
