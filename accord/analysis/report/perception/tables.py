"""CSV tables of experiments on perception, one for each measure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from accord.analysis.report.perception.findings import PerceptionFindings, PerceptionRun
from accord.analysis.report.perception.published import TABLES
from accord.analysis.report.tables import text_of
from dilemmas.scenarios.perception.measures import degrees, differences, people, table
from dilemmas.scenarios.societies.regression import LEVELS, Fit

HEAD = ("condition", "run", "seed")
LINE = ("n", "r", "r_ci95_low", "r_ci95_high", "slope", "intercept",
        *(f"slope_ci{100 * level:.0f}_{end}" for level in LEVELS for end in ("low", "high")))  # fmt: skip
PRINTED = ("published_n", "published_r", "published_slope", "published_intercept")
Rows = Iterable[Sequence[object]]


def perception_tables(found: PerceptionFindings) -> dict[str, str]:
    """Return the tables by file name."""
    own = {"room": _room_tables, "chef": _chef_tables, "town": _town_tables}[found.study](found)
    return {
        **own,
        "perception_measures.csv": text_of((*HEAD, "measure", "value"), _measures(found)),
        "perception_summary.csv": text_of(
            ("condition", "measure", "n", "mean", "se", "min", "max", "ci95_low", "ci95_high"), _summary(found)
        ),
    }


def _each(found: PerceptionFindings) -> Iterator[tuple[list[object], PerceptionRun]]:
    for run in found.runs:
        yield [run.run.condition, run.run.name, run.run.seed], run


def _room_tables(found: PerceptionFindings) -> dict[str, str]:
    rows = ([*head, *row] for head, run in _each(found) for row in run.recomputed["curve"]["rows"])
    speakers = (
        [*head, name, *((told["perception"] or {}).get(key) for key in ("n", "r", "slope", "intercept")),
         told["mean_absolute_error"], told["mean_error"]]
        for head, run in _each(found)
        for name, told in run.recomputed["speakers"].items()
    )  # fmt: skip
    columns = ("n", "r", "slope", "intercept", "mean_absolute_error", "mean_error")
    return {
        "sentiments.csv": text_of((*HEAD, "speaker", "game_s", "true", "perceived"), rows),
        "speakers.csv": text_of((*HEAD, "speaker", *columns), speakers),
    }


def _chef_tables(found: PerceptionFindings) -> dict[str, str]:
    rows = ([*head, *row] for head, run in _each(found) for row in run.recomputed["guests"]["rows"])
    lines = ([group.name, what, *_line(each)] for group in found.groups for what, each in group.pooled.items())
    return {
        "food.csv": text_of((*HEAD, "guest", "true", "perceived", "food"), rows),
        "regressions.csv": text_of(("condition", "line", *LINE), lines),
    }


def _town_tables(found: PerceptionFindings) -> dict[str, str]:
    return {
        "likeability.csv": text_of((*HEAD, "player", "true", "perceived", "observers", "extroversion"), _people(found)),
        "regressions.csv": text_of((*HEAD, "min_observers", *LINE, *PRINTED), _regressions(found)),
        "slopes.csv": text_of((*HEAD, "game_s", "slope", "n"), _slopes(found)),
        "ties.csv": text_of((*HEAD, "observer", "of", "sentiment", "spoken"), _ties(found)),
        "degrees.csv": text_of((*HEAD, "player", "extroversion", "in_degree"), _degrees(found)),
        "differences.csv": text_of((*HEAD, "difference"), _differences(found)),
    }


def _line(found: Fit | None) -> list[object]:
    if found is None:
        return [None] * len(LINE)
    low, high = found.r95 or (None, None)
    ends = [end for level in LEVELS for end in found.slopes[level]]
    return [found.n, found.r, low, high, found.slope, found.intercept, *ends]


def _people(found: PerceptionFindings) -> Rows:
    for head, run in _each(found):
        for each in people(run.perceived):
            yield [*head, each.name, each.true, each.felt, each.observers, each.extroversion]


def _regressions(found: PerceptionFindings) -> Rows:
    for head, run in _each(found):
        printed = TABLES.get(run.run.condition, {})
        for least, each in table(people(run.perceived)).items():
            row = printed.get(least)
            told = [None] * len(PRINTED) if row is None else [row.n, row.r, row.slope, row.intercept]
            yield [*head, least, *_line(each), *told]


def _slopes(found: PerceptionFindings) -> Rows:
    for head, run in _each(found):
        for row in run.recomputed["slope_over_time"]["rows"]:
            yield [*head, *row]


def _ties(found: PerceptionFindings) -> Rows:
    for head, run in _each(found):
        for (observer, other), felt in sorted(run.perceived.felt.items()):
            yield [*head, observer, other, round(felt, 3), run.perceived.spoken[observer, other]]


def _degrees(found: PerceptionFindings) -> Rows:
    for head, run in _each(found):
        for row in degrees(run.perceived):
            yield [*head, *row]


def _differences(found: PerceptionFindings) -> Rows:
    for head, run in _each(found):
        for each in differences(run.perceived):
            yield [*head, round(each, 3)]


def _measures(found: PerceptionFindings) -> Rows:
    for head, run in _each(found):
        for measure, value in run.values.items():
            yield [*head, measure, value]


def _summary(found: PerceptionFindings) -> Rows:
    for group in found.groups:
        for name in found.measures:
            if (each := group.measure(name)) is not None:
                low, high = each.ci95 or (None, None)
                yield [group.name, name, each.n, each.mean, each.se, each.min, each.max, low, high]
