"""CSV tables of Voyager's benchmark, one for each measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accord.analysis.report.tables import text_of
from accord.analysis.report.trials.findings import MEASURES, TrialFindings, TrialRun

HEAD = ("condition", "run", "seed", "player")


def trial_tables(found: TrialFindings) -> dict[str, str]:
    """Return the tables by file name."""
    return {
        "trial_measures.csv": text_of((*HEAD, "measure", "value"), _measures(found)),
        "trial_summary.csv": text_of(
            ("condition", "measure", "trials", "reached", "mean", "se", "min", "max", "ci95_low", "ci95_high"),
            _summary(found),
        ),
        "trial_items.csv": text_of((*HEAD, "item", "iteration", "first_s"), _items(found)),
        "trial_curves.csv": text_of((*HEAD, "iteration", "items", "distance_blocks", "chunks_seen"), _curves(found)),
    }


def _head(each: TrialRun) -> list[object]:
    return [each.run.condition, each.run.name, each.run.seed, each.player]


def _measures(found: TrialFindings) -> Iterable[Sequence[object]]:
    for each in found.attempts:
        for measure, value in each.values.items():
            yield [*_head(each), measure, value]


def _summary(found: TrialFindings) -> Iterable[Sequence[object]]:
    for group in found.groups:
        for name in MEASURES:
            if (each := group.measure(name)) is not None:
                low, high = each.ci95 or (None, None)
                row = [group.name, name, len(group.runs), each.n, each.mean, each.se, each.min, each.max, low, high]
                yield row


def _items(found: TrialFindings) -> Iterable[Sequence[object]]:
    for each in found.attempts:
        for item, (number, t_s) in sorted(each.own.firsts.items(), key=lambda pair: (pair[1], pair[0])):
            yield [*_head(each), item, number, t_s]


def _curves(found: TrialFindings) -> Iterable[Sequence[object]]:
    for each in found.attempts:
        counts = each.own.curve()
        for number, walked, seen in each.own.covered:
            yield [*_head(each), number, counts[number - 1], walked, seen]
