"""CSV tables of a taxed society, one for each measure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from accord.analysis.report.tables import text_of
from accord.analysis.report.taxation.findings import MEASURES, TaxedRun, TaxFindings

HEAD = ("condition", "run", "seed")


def tax_tables(found: TaxFindings) -> dict[str, str]:
    """Return the tables by file name."""
    return {
        "tax_paid.csv": text_of((*HEAD, "season", "player", "paid", "held", "percent", "state"), _paid(found)),
        "tax_seasons.csv": text_of(
            ("condition", "season", "n", "mean_percent", "ci95_low", "ci95_high"), _seasons(found)
        ),
        "tax_places.csv": text_of((*HEAD, "game_s", "player", "x", "z", "in_season"), _places(found)),
        "tax_measures.csv": text_of((*HEAD, "measure", "value"), _measures(found)),
        "tax_summary.csv": text_of(
            ("condition", "measure", "n", "mean", "se", "min", "max", "ci95_low", "ci95_high"), _summary(found)
        ),
        **law_tables(found),
    }


def law_tables(found: TaxFindings) -> dict[str, str]:
    """Return the tables on the law and its making by file name."""
    return {
        "laws.csv": text_of((*HEAD, "from_s", "why", "text"), _laws(found)),
        "amendments.csv": text_of(
            (*HEAD, "amendment", "says", "by", "yes", "no", "abstain", "passed", "overruled_by"), _amendments(found)
        ),
        "votes.csv": text_of((*HEAD, "player", "exposure", "lean", "votes", "feedback"), _votes(found)),
    }


def _runs(found: TaxFindings) -> Iterator[tuple[list[object], TaxedRun]]:
    for run in (run for society in found.societies for run in society.runs):
        yield [run.run.condition, run.run.name, run.run.seed], run


def _paid(found: TaxFindings) -> Iterable[Sequence[object]]:
    for head, run in _runs(found):
        for season in run.record.seasons:
            for player, held in season.held.items():
                share = season.shares.get(player)
                yield [*head, season.number, player, season.paid[player], held, share, season.state[player]]


def _seasons(found: TaxFindings) -> Iterable[Sequence[object]]:
    for society in found.societies:
        for season, each in society.seasons:
            low, high = each.ci95 or (None, None)
            yield [society.name, season, each.n, each.mean, low, high]


def _places(found: TaxFindings) -> Iterable[Sequence[object]]:
    for head, run in _runs(found):
        for t_s, at in run.record.places:
            inside = any(season.opens_s <= t_s <= season.closes_s for season in run.record.seasons)
            for name, (x, z) in at.items():
                yield [*head, t_s, name, x, z, int(inside)]


def _measures(found: TaxFindings) -> Iterable[Sequence[object]]:
    for head, run in _runs(found):
        for measure, value in run.values.items():
            yield [*head, measure, value]


def _summary(found: TaxFindings) -> Iterable[Sequence[object]]:
    for society in found.societies:
        for name in MEASURES:
            if (each := society.measure(name)) is not None:
                low, high = each.ci95 or (None, None)
                yield [society.name, name, each.n, each.mean, each.se, each.min, each.max, low, high]


def _laws(found: TaxFindings) -> Iterable[Sequence[object]]:
    for head, run in _runs(found):
        for since, entry in run.record.laws:
            yield [*head, since, entry.get("why", "at first"), entry["text"]]


def _amendments(found: TaxFindings) -> Iterable[Sequence[object]]:
    for head, run in _runs(found):
        for name, entry in run.record.amendments.items():
            counted = [entry.get(key) for key in ("yes", "no", "abstain", "passed")]
            yield [*head, name, entry["says"], " ".join(entry["by"]), *counted, run.record.overruled.get(name, "")]


def _votes(found: TaxFindings) -> Iterable[Sequence[object]]:
    for head, run in _runs(found):
        record = run.record
        for player in record.voters:
            votes = record.ballots.get(player, (0.0, {}))[1]
            told = " ".join(f"{name}={vote}" for name, vote in votes.items())
            yield [*head, player, record.exposure(player), record.lean(player), told, record.feedback.get(player, "")]
