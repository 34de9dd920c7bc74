"""Report of a sweep from its table (`results.csv`): each measure against each parameter, with intervals."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from accord.analysis.figures import bounds, figure_name
from accord.analysis.intervals import UNBOUNDED, Interval
from accord.analysis.measures import MeasureSummary, summarize
from accord.analysis.report.canvas import Figure
from accord.analysis.report.drawing import draw_legend, label_of, new_figure, svg_of
from accord.analysis.report.setups import read_setup
from accord.analysis.report.style import DASHES, LIGHT, MARKERS, Theme, on_dark_ground
from accord.analysis.report.templating import data_uri, environment
from common.plain_files import is_folder, make_folder, read_text
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.folders import check_places, task_folder
from dilemmas.records.record import write_atomically
from dilemmas.records.results import read_result

TABLE = "results.csv"
LABELS = ("scenario", "condition", "world", "model")
"""Columns of text that split a figure's lines if they vary."""
NOT_MEASURED = ("task", "id", "seed", "status", "reason", "end", "repeats", "wall_s", *LABELS)
FIRST_MEASURE = "status"
"""First column of results; the columns before it are parameters."""
MAX_TABLE = 1 << 30
"""Maximum size of the table in bytes."""
MAX_LINES = 12
"""Maximum number of distinguishable lines in a panel."""

TASK_ID = re.compile(r"[0-9a-f]+")
Row = Mapping[str, str]
Bounds = Mapping[str, Interval]
"""Column of a measure -> its least and most possible value."""


@dataclass(frozen=True)
class SweepPoint:
    """One measure at one value of one parameter."""

    value: str
    line: str
    summary: MeasureSummary
    """Summary over the seeds."""


@dataclass(frozen=True)
class SweepPanel:
    """One measure against one parameter."""

    measure: str
    parameter: str
    points: tuple[SweepPoint, ...]

    @property
    def lines(self) -> list[str]:
        """Names of the lines."""
        return list(dict.fromkeys(point.line for point in self.points))[:MAX_LINES]

    @property
    def values(self) -> list[str]:
        """Values of the parameter, numbers in ascending order."""
        found = list(dict.fromkeys(point.value for point in self.points))
        return sorted(found, key=float) if self.is_numeric else found

    @property
    def is_numeric(self) -> bool:
        """Return whether the parameter is a number."""
        return all(_number(point.value) is not None for point in self.points)


def write_sweep_report(folder: Path) -> Path:
    """Write report.html and plots/ beside the table; return the page.

    Raises:
        RecordError: The table cannot be read.
        UsageError: The folder is not writable.
    """
    rows = _read(folder / TABLE)
    played = [row for row in rows if row["status"] == "complete"]
    panels = list(_panels(folder, rows[0], played)) if played else []
    try:
        check_places(folder, ["plots"])
        make_folder(folder / "plots", folder)
        figures = []
        for panel in panels:
            light = svg_of(partial(_draw, panel, LIGHT), LIGHT)
            write_atomically(folder / "plots" / f"{panel.measure}-by-{panel.parameter}.svg".replace("/", "-"), light)
            figures.append({"panel": panel, "light": data_uri(light), "dark": data_uri(on_dark_ground(light))})
        page = environment().get_template("sweep.html.j2")
        counts = Counter(row["status"] for row in rows)
        write_atomically(folder / "report.html", page.render(name=folder.name, counts=counts, figures=figures))
    except OSError as error:
        raise UsageError(f"cannot write the report to {folder}: {error.strerror}; make room there") from None
    return folder / "report.html"


def _read(path: Path) -> list[dict[str, str]]:
    try:
        rows = list(csv.DictReader(io.StringIO(read_text(path, MAX_TABLE), newline="")))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RecordError(f"cannot read {path} ({error}); write it with: accord sweep {path.parent}") from None
    if not rows or not {"status", "task", "seed", *LABELS} <= set(rows[0]):
        raise RecordError(f"{path}: is no table of a sweep; write it with: accord sweep {path.parent}")
    return rows


def _panels(folder: Path, first: Row, played: Sequence[Row]) -> Iterator[SweepPanel]:
    columns = list(first)
    asked, came = columns[: columns.index(FIRST_MEASURE)], columns[columns.index(FIRST_MEASURE) :]
    varied = [name for name in asked if name not in ("task", "id", "seed") and len({row[name] for row in played}) > 1]
    measures = [name for name in came if name not in NOT_MEASURED and _is_measure(name, played)]
    possible = _possible_values(folder, played, varied)
    for measure in measures:
        for parameter in varied or ["condition"]:
            parts = [name for name in varied if name in LABELS and name != parameter]
            yield SweepPanel(measure, parameter, tuple(_points(played, possible, measure, parameter, parts)))


def _possible_values(folder: Path, played: Sequence[Row], varied: Sequence[str]) -> list[Bounds]:
    """Return the bounds of each run's measures, read from the record of one run of each combination of parameters."""
    found: dict[tuple[str, ...], Bounds] = {}
    for row in played:
        combination = tuple(row[name] for name in varied)
        if combination not in found:
            found[combination] = _recorded_bounds(folder, row)
    return [found[tuple(row[name] for name in varied)] for row in played]


def _recorded_bounds(folder: Path, row: Row) -> Bounds:
    """Return the bounds in the record of a row's run; empty where the sweep's folder has none."""
    if not TASK_ID.fullmatch(row["id"]):
        return {}
    record = task_folder(folder, row["id"])
    if not all(map(is_folder, (record.parent.parent, record.parent, record))):
        return {}
    try:
        told = bounds(read_result(record / "result.json"), read_setup(record, row["condition"]).bounds)
    except (RecordError, ValueError, TypeError, AttributeError):
        return {}
    return {figure_name(key): ends for key, ends in told.items()}


def _is_measure(name: str, played: Sequence[Row]) -> bool:
    """Return whether the column holds numbers that are not all equal."""
    values = {_number(row[name]) for row in played if row[name]}
    return None not in values and len(values) > 1


def _points(
    played: Sequence[Row], possible: Sequence[Bounds], measure: str, parameter: str, parts: Sequence[str]
) -> Iterator[SweepPoint]:
    """Yield the points of a panel. Runs of one seed are not independent: a seed counts once, with their mean."""
    groups: dict[tuple[str, str], dict[str, list[float]]] = {}
    ends: dict[tuple[str, str], list[Interval]] = {}
    for row, bounds_of_run in zip(played, possible, strict=True):
        value = _number(row[measure])
        if value is not None:
            line = ", ".join(row[name] or "no model" for name in parts)
            point = row[parameter] or "none", line
            groups.setdefault(point, {}).setdefault(row["seed"], []).append(value)
            low, high = bounds_of_run.get(measure, UNBOUNDED)
            ends.setdefault(point, []).append((low, high) if low <= value <= high else UNBOUNDED)
    for (at, line), by_seed in groups.items():
        summary = summarize([fmean(values) for values in by_seed.values()])
        lows, highs = zip(*ends[at, line], strict=True)
        yield SweepPoint(at, line, summary.cut_to((min(lows), max(highs))))


def _draw(panel: SweepPanel, theme: Theme) -> Figure:
    """Draw means as lines over a number or as marks over words, and 95 % intervals as bars."""
    figure = new_figure(theme, 3.2)
    axes = figure.subplots()
    values = panel.values
    for index, name in enumerate(panel.lines):
        mine = {point.value: point.summary for point in panel.points if point.line == name}
        at = [value for value in values if value in mine]
        x = [float(value) if panel.is_numeric else values.index(value) + 0.08 * index for value in at]
        means = [mine[value].mean for value in at]
        ranges = _ranges(mine, at)
        error = [
            [max(0.0, mean - low) for mean, (low, _) in ranges],
            [max(0.0, high - mean) for mean, (_, high) in ranges],
        ]
        axes.errorbar(
            x, means, yerr=error, color=theme.condition(index), label=label_of(name) or None, capsize=3, markersize=5,
            marker=MARKERS[index % len(MARKERS)], linestyle=DASHES[index % len(DASHES)] if panel.is_numeric else "none",
        )  # fmt: skip
    if not panel.is_numeric:
        axes.set_xticks(range(len(values)), [label_of(value) for value in values])
    axes.set_xlabel(label_of(panel.parameter))
    axes.set_ylabel(label_of(panel.measure))
    if len(panel.lines) > 1:
        draw_legend(figure, axes)
    return figure


def _ranges(mine: Mapping[str, MeasureSummary], at: Sequence[str]) -> list[tuple[float, tuple[float, float]]]:
    found: list[Any] = [(mine[value].mean, mine[value].ci95 or (mine[value].mean, mine[value].mean)) for value in at]
    return found


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
