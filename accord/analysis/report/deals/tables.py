"""Tables of talks and deals as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accord.analysis.report.deals.findings import BargainingRun, DealFindings
from accord.analysis.report.tables import text_of

DEALS = (
    "condition", "run", "seed", "deal", "parties", "by", "force", "deposit", "secret", "replaces", "counter_offer",
    "period", "what", "told",
)  # fmt: skip
ESCROW = ("condition", "run", "seed", "player", "deposited", "forfeited")
TABLES = ("deals.csv", "escrow.csv")


def deal_tables(findings: DealFindings) -> dict[str, str]:
    """Return the tables by file name; deposits only where there were some."""
    runs = [run for group in findings.groups for run in group.runs]
    tables = {TABLES[0]: text_of(DEALS, (row for run in runs for row in _marks(run)))}
    if findings.has_escrow:
        tables[TABLES[1]] = text_of(ESCROW, (row for run in runs for row in _escrow(run)))
    return tables


def _marks(each: BargainingRun) -> Iterator[Sequence[object]]:
    """Yield a row for each mark of each deal."""
    for deal in each.bargains.deals.values():
        head = [*_run(each), deal.number, " ".join(deal.parties), deal.by, deal.force, deal.deposit, deal.secret]
        for mark in deal.marks:
            yield [*head, deal.replaces or "", deal.answered, mark.period, mark.what, mark.told]


def _escrow(each: BargainingRun) -> Iterator[Sequence[object]]:
    """Yield a row for each player with a deposit."""
    for player, amount in each.bargains.deposited.items():
        yield [*_run(each), player, amount, each.bargains.forfeited[player]]


def _run(each: BargainingRun) -> list[object]:
    return [each.run.condition, each.run.name, each.run.seed]
