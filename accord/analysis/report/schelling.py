"""Files of a Schelling diagram: figure, table as CSV, data as JSON."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any, cast

from accord.analysis.measures import MeasureSummary
from accord.analysis.report import style
from accord.analysis.report.canvas import Figure, MaxNLocator, matplotlib
from accord.analysis.schelling import Schelling, Verdict
from dilemmas.records.record import to_json, write_atomically

SIZE_IN = (6.4, 3.8)
TITLES: dict[Verdict, str] = {
    "dilemma": "a social dilemma",
    "no dilemma": "no social dilemma",
    "undecided": "undecided whether a social dilemma",
}


def write_schelling(found: Schelling, directory: Path) -> tuple[Path, ...]:
    """Write schelling.svg, schelling.csv and schelling.json; return their paths."""
    texts = {"schelling.svg": draw(found), "schelling.csv": table(found), "schelling.json": to_json(found.to_dict())}
    for name, text in texts.items():
        write_atomically(directory / name, text)
    return tuple(directory / name for name in texts)


def table(found: Schelling) -> str:
    """Return the CSV table: a row per number of cooperators and kind of player."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["cooperators", "of", "mean", "se", "min", "max", "ci95_low", "ci95_high", "seeds"])
    for point in found.points:
        for kind, each in point.summaries(found.seed).items():
            low, high = each.ci95 or ("", "")
            row = [point.cooperators, kind, each.mean, each.se, each.min, each.max, low, high, each.n]
            writer.writerow(["" if value is None else value for value in row])
    return out.getvalue()


def draw(found: Schelling) -> str:
    """Return the diagram as SVG: payoffs of cooperating and of defecting over the number of other cooperators."""
    theme = style.LIGHT
    others = found.players - 1
    with matplotlib.rc_context(cast(Any, style.settings(theme))):
        figure = Figure(figsize=SIZE_IN, layout="constrained")
        panel = figure.subplots()
        told = [(point.cooperators, point.summaries(found.seed)) for point in found.points]
        cooperating = {count - 1: each["cooperator"] for count, each in told if "cooperator" in each}
        defecting = {count: each["defector"] for count, each in told if "defector" in each}
        for index, (label, summaries) in enumerate(((found.cooperate, cooperating), (found.defect, defecting))):
            means = [summary.mean for summary in summaries.values()]
            errors = [[each[side] for each in map(_reach, summaries.values())] for side in (0, 1)]
            panel.errorbar(
                list(summaries),
                means,
                yerr=errors,
                label=f"{label} ({'cooperates' if index == 0 else 'defects'})",
                color=theme.player(index),
                marker=style.MARKERS[index],
                linestyle=style.DASHES[index],
                capsize=3,
            )
        panel.set_title(f"{found.scenario}: {TITLES[found.verdict]}")
        panel.set_xlabel("others that cooperate")
        panel.set_ylabel("payoff of one player (emeralds)")
        panel.set_xlim(-0.2, others + 0.2)
        panel.set_ylim(bottom=min(0.0, panel.get_ylim()[0]))
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
        panel.legend(frameon=False)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue()


def _reach(summary: MeasureSummary) -> tuple[float, float]:
    """Return the distance of the interval's ends below and above the mean."""
    low, high = summary.ci95 or (summary.mean, summary.mean)
    return summary.mean - low, high - summary.mean
