"""Findings on markets: measures of each condition, and one run of each in detail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.groups import GroupFindings, run_groups
from accord.analysis.report.model import ReportedRun
from dilemmas.scenarios.societies.markets import MarketHistory

MEASURES: Mapping[str, tuple[str, str]] = {
    "days": ("Market days", "a run"),
    "trades": ("Trades", "a run"),
    "volume": ("Items sold for money", "a run"),
    "spread": ("Spread of ask and bid, mean over items", "money"),
    "traders": ("People that traded", "a run"),
    "gini": ("Gini coefficient of wealth at the end", "0 to 1"),
    "refused": ("Acts that were refused", "a run"),
    "silent": ("Questions without a readable answer in time", "a run"),
    "undone": ("Trades undone, since the world showed too few items", "a run"),
}
"""Measure -> its title and unit."""


@dataclass(frozen=True)
class MarketRun:
    """One run's market."""

    run: ReportedRun
    market: MarketHistory

    @property
    def values(self) -> Mapping[str, float]:
        """See `accord.analysis.report.groups.MeasuredRun`; what a market without money lacks is left out."""
        market, tally = self.market, self.market.tally
        prices = tally.prices()
        spreads = [each["spread"] for each in prices.values() if "spread" in each]
        traders = {name for pair in tally.partners for name in pair}
        found = {
            "days": float(market.opened),
            "trades": float(sum(tally.trades.values())),
            "traders": float(len(traders)),
            "refused": float(tally.refused),
            "silent": float(market.silent),
            "undone": float(market.undone),
        }
        if prices:
            found["volume"] = sum(each["volume"] for each in prices.values())
        if spreads:
            found["spread"] = sum(spreads) / len(spreads)
        ends = [gini for _, _, gini in market.closes if gini is not None]
        return found | ({"gini": ends[-1]} if ends else {})


class MarketFindings(GroupFindings[MarketRun]):
    """Markets of all conditions that have one."""

    titles = MEASURES


def find_markets(comparison: Comparison) -> MarketFindings | None:
    """Return the markets in the scored runs of each condition, or None if there were none."""
    groups = run_groups(comparison, MEASURES, lambda run: None if run.market is None else MarketRun(run, run.market))
    return MarketFindings(groups) if groups else None
