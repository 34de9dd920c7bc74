"""Market of a society in the log: the entries of the institution `market` in the last attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from contracts.markets.measures import MarketTally
from dilemmas.records.events import EpisodeStarted, Event, InstitutionActed

MARKET = "market"


@dataclass
class MarketHistory:
    """Trades, prices and wealth over time."""

    tally: MarketTally = field(default_factory=MarketTally)
    opened: int = 0
    """Number of market days."""
    sales: list[tuple[float, str, int, int]] = field(default_factory=list)
    """(seconds, item, price, count) of each sale for money that was not undone."""
    closes: list[tuple[float, Mapping[str, float], float | None]] = field(default_factory=list)
    """(seconds, person -> wealth, Gini coefficient) at the end of each market day."""
    silent: int = 0
    """Number of questions without a readable answer in time."""
    undone: int = 0
    monies: set[str] = field(default_factory=set)
    """Items that were the money of a sale."""

    @property
    def any(self) -> bool:
        """True if there was a market day."""
        return self.opened > 0

    def add_event(self, event: Event) -> None:
        """Add an event of the log."""
        match event:
            case EpisodeStarted():
                self.__dict__.update(MarketHistory().__dict__)
            case InstitutionActed(part=part) if part == MARKET:
                self._add(event)
            case _:
                pass

    def _add(self, event: InstitutionActed) -> None:
        entry = {**event.data, "what": event.what, "member": event.who}
        self.tally.add(entry)
        match event.what:
            case "market_opened":
                self.opened += 1
            case "market_closed":
                self.closes.append((event.t_s, event.data["wealth"], event.data["gini"]))
            case "no_answer":
                self.silent += 1
            case "trade" if "price" in entry:
                self.monies.add(str(entry.get("money", "")))
                self.sales.append((event.t_s, entry["item"], entry["price"], entry["count"]))
            case "undone":
                self.undone += 1
                sale = (event.t_s, entry.get("item"), entry.get("price"), entry.get("count"))
                if sale in self.sales:
                    self.sales.remove(sale)

    def summary(self) -> dict[str, Any]:
        """Return the measures for result.json; empty without a market day."""
        if not self.any:
            return {}
        tally, pairs = self.tally, sorted(self.tally.partners.items())
        return {
            "days": self.opened,
            "trades": dict(sorted(tally.trades.items())),
            "undone": self.undone,
            "refused": tally.refused,
            "silent": self.silent,
            "prices": tally.prices(),
            "issued": tally.issued,
            "taxes": tally.taxes,
            "premiums": tally.premiums,
            "payouts": tally.payouts,
            "gini": self.closes[-1][2] if self.closes else None,
            "partners": [[one, other, count] for (one, other), count in pairs],
            "flows": [[*way, count] for way, count in sorted(tally.flows.items())],
        }
