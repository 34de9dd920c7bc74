"""The chapter of a society's page that tells what agents came by; every word of the record is escaped."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from accord.analysis.report.page import data_uri, environment
from accord.analysis.report.progress.figures import FIGURES
from accord.analysis.report.progress.findings import MEASURES, PUBLISHED, SOURCE, ProgressFindings, rows
from dilemmas.scenarios.progression.tree import unreached

MOST_REASONS = 40


def progress_chapter(found: ProgressFindings, dresses: Mapping[str, Mapping[str, str]]) -> Markup:
    """The chapter. `dresses` are the figures' SVG texts: light, dark, and both for phones."""
    figures = [
        {
            "title": FIGURES[name].title,
            "caption": FIGURES[name].caption,
            "dresses": {dress: data_uri(drawn[name]) for dress, drawn in dresses.items()},
        }
        for name in dresses["light"]
    ]
    reasons = list(unreached(found.reached).items())
    template = environment().get_template("progress.html.j2")
    told = template.render(
        found=found,
        figures=figures,
        measures=MEASURES,
        published=PUBLISHED,
        source=SOURCE,
        firsts=rows(found),
        reasons=reasons[:MOST_REASONS],
        rest=sum(len(items) for _, items in reasons[MOST_REASONS:]),
    )
    return Markup(told)
