"""Measures of a taxed society, from the log alone: tax by constituent and season, the law, votes against exposure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import StatisticsError, correlation
from typing import Any

from dilemmas.records.events import Event, LogLine
from dilemmas.scenarios.civic_measures import CivicTally
from dilemmas.scenarios.societies.lives import LifeHistories
from dilemmas.scenarios.societies.markets import MarketHistory
from dilemmas.scenarios.taxation.record import TaxRecord
from dilemmas.scenarios.village.measures import society_of


def measures(lines: Iterable[LogLine], players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value; a player without a value is left out."""
    tally = TaxTally(players)
    for line in lines:
        tally.add_event(line.event)
    return tally.measures()


def measures_of(found: TaxRecord, players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value from a tax record."""
    voters = [name for name in players if name in found.voters]
    by_player: dict[str, Mapping[str, float | None]] = {
        "tax_before_percent": {name: found.paid_by(name, after=False) for name in voters},
        "tax_after_percent": {name: found.paid_by(name, after=True) for name in voters},
        "exposure": {name: float(found.exposure(name)) for name in voters},
        "vote_lean": {name: found.lean(name) for name in voters},
    }
    return {
        name: {player: value for player, value in values.items() if value is not None}
        for name, values in by_player.items()
    }


def society(lines: Iterable[LogLine]) -> dict[str, Any]:
    """Return the measures of all together, for result.json; null if there was nothing to measure."""
    tally = TaxTally([])
    for line in lines:
        tally.add_event(line.event)
    return tally.society()


@dataclass
class TaxTally:
    """Measures of tax and lives, counted while a run is played (a `dilemmas.scenarios.protocol.MeasureTally`)."""

    players: Sequence[str]
    taxes: TaxRecord = field(default_factory=TaxRecord)
    lives: LifeHistories = field(default_factory=LifeHistories)
    market: MarketHistory = field(default_factory=MarketHistory)
    civics: CivicTally = field(default_factory=CivicTally)

    def add_event(self, event: Event) -> None:
        """Add an event of the log."""
        self.taxes.add_event(event)
        self.lives.add_event(event)
        self.market.add_event(event)
        self.civics.add_event(event)

    def measures(self) -> dict[str, dict[str, float]]:
        """Return the measures by player."""
        return {**measures_of(self.taxes, self.players), **self.civics.measures(self.players)}

    def society(self) -> dict[str, Any]:
        """Return the measures of all together."""
        traded = self.market.summary()
        market = {"market": traded} if traded else {}
        return {**society_of_taxes(self.taxes), "mind": society_of(self.lives)["mind"], **market}


def society_of_taxes(found: TaxRecord) -> dict[str, Any]:
    """Return tax before and after (percent), by season; the law; amendments; exposures and votes."""
    return {
        "tax_before_percent": found.paid(after=False),
        "tax_after_percent": found.paid(after=True),
        "law_kept_before_percent": found.kept(after=False),
        "law_kept_after_percent": found.kept(after=True),
        "seasons": [
            {
                "season": each.number,
                "closes_s": each.closes_s,
                "tax_percent": each.mean,
                "states": dict(sorted(Counter(each.state.values()).items())),
                "balanced": each.balanced,
            }
            for each in found.seasons
        ],
        "laws": [{"from_s": t_s, "terms": entry["terms"], "why": entry.get("why", "")} for t_s, entry in found.laws],
        "amendments": [
            {
                key: entry[key]
                for key in ("amendment", "clause", "value", "yes", "no", "abstain", "passed")
                if key in entry
            }
            | ({"overruled": found.overruled[name]} if name in found.overruled else {})
            for name, entry in found.amendments.items()
        ],
        "feedback": len(found.feedback),
        "ballots": len(found.ballots),
        "spoilt": len(found.spoilt),
        "refused": len(found.refused),
        "exposure_mean": exposure_mean(found),
        "exposure_lean_r": exposure_lean(found),
    }


def exposure_mean(found: TaxRecord) -> float | None:
    """Return the mean number of influencers' speeches that constituents heard before their vote."""
    return sum(map(found.exposure, found.voters)) / len(found.voters) if found.voters else None


def exposure_lean(found: TaxRecord) -> float | None:
    """Return Pearson's r of exposure and lean of the ballot, or None if one is constant or there are few votes."""
    pairs = [(found.exposure(name), lean) for name in found.voters if (lean := found.lean(name)) is not None]
    try:
        return correlation([float(one) for one, _ in pairs], [other for _, other in pairs])
    except StatisticsError:
        return None
