"""CSV tables of progression, one for each measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accord.analysis.report.progress.findings import MEASURES, ProgressFindings, rows
from accord.analysis.report.tables import text_of
from dilemmas.scenarios.progression.tree import depths, unreached

HEAD = ("condition", "run", "seed")


def progress_tables(found: ProgressFindings) -> dict[str, str]:
    """Return the tables by file name."""
    return {
        "item_firsts.csv": text_of((*HEAD, "player", "item", "first_s"), _firsts(found)),
        "item_counts.csv": text_of((*HEAD, "game_s", "player", "items"), _counts(found)),
        "items_together.csv": text_of((*HEAD, "game_s", "items"), _together(found)),
        "item_summary.csv": text_of(
            ("condition", "measure", "n", "mean", "se", "min", "max", "ci95_low", "ci95_high"), _summary(found)
        ),
        "items.csv": text_of(("condition", "item", "steps", "first_s", "player", "seed", "agents"), _items(found)),
        "items_unreached.csv": text_of(("item", "why"), _unreached(found)),
    }


def _firsts(found: ProgressFindings) -> Iterable[Sequence[object]]:
    for run in (run for group in found.groups for run in group.runs):
        for player, items in run.progress.firsts.items():
            for item, t_s in items.items():
                yield [run.run.condition, run.run.name, run.run.seed, player, item, t_s]


def _counts(found: ProgressFindings) -> Iterable[Sequence[object]]:
    for run in (run for group in found.groups for run in group.runs):
        for player, counts in run.curves.items():
            for t_s, count in zip(run.progress.times, counts, strict=True):
                yield [run.run.condition, run.run.name, run.run.seed, t_s, player, count]


def _together(found: ProgressFindings) -> Iterable[Sequence[object]]:
    for run in (run for group in found.groups for run in group.runs):
        for t_s, count in zip(run.progress.times, run.progress.together_counts(run.progress.times), strict=True):
            yield [run.run.condition, run.run.name, run.run.seed, t_s, count]


def _summary(found: ProgressFindings) -> Iterable[Sequence[object]]:
    for group in found.groups:
        for name in MEASURES:
            if (each := group.measure(name)) is not None:
                low, high = each.ci95 or (None, None)
                yield [group.name, name, each.n, each.mean, each.se, each.min, each.max, low, high]


def _items(found: ProgressFindings) -> Iterable[Sequence[object]]:
    deep = depths()
    for condition, items in rows(found):
        for item, t_s, player, seed, agents in items:
            yield [condition, item, deep.get(item, ""), t_s, player, seed, agents]


def _unreached(found: ProgressFindings) -> Iterable[Sequence[object]]:
    for why, items in unreached(found.reached).items():
        for item in items:
            yield [item, why]
