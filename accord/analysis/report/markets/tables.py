"""Tables of markets as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accord.analysis.report.markets.findings import MarketFindings, MarketRun
from accord.analysis.report.tables import text_of

SALES = ("condition", "run", "seed", "time_s", "item", "price", "count")
FLOWS = ("condition", "run", "seed", "from", "to", "item", "count")
WEALTH = ("condition", "run", "seed", "time_s", "person", "wealth")
TABLES = ("market_sales.csv", "market_flows.csv", "market_wealth.csv")


def market_tables(findings: MarketFindings) -> dict[str, str]:
    """Return the tables by file name."""
    runs = [run for group in findings.groups for run in group.runs]
    return {
        TABLES[0]: text_of(SALES, (row for run in runs for row in _sales(run))),
        TABLES[1]: text_of(FLOWS, (row for run in runs for row in _flows(run))),
        TABLES[2]: text_of(WEALTH, (row for run in runs for row in _wealth(run))),
    }


def _sales(each: MarketRun) -> Iterator[Sequence[object]]:
    for sale in each.market.sales:
        yield [*_run(each), *sale]


def _flows(each: MarketRun) -> Iterator[Sequence[object]]:
    for way, count in sorted(each.market.tally.flows.items()):
        yield [*_run(each), *way, count]


def _wealth(each: MarketRun) -> Iterator[Sequence[object]]:
    for time, wealth, _ in each.market.closes:
        for person, amount in wealth.items():
            yield [*_run(each), time, person, amount]


def _run(each: MarketRun) -> list[object]:
    return [each.run.condition, each.run.name, each.run.seed]
