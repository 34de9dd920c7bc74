"""The page of Voyager's benchmark; no scripts, every word of the record escaped."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.minds import Links
from accord.analysis.report.page import environment, framed
from accord.analysis.report.phone import labelled
from accord.analysis.report.trials import published
from accord.analysis.report.trials.figures import FIGURES
from accord.analysis.report.trials.findings import MEASURES, Trials, sentence
from dilemmas.scenarios.voyager_progress.measures import LEVELS


def trials_page(found: Trials, dresses: Mapping[str, Mapping[str, str]], minds: Links) -> str:
    """The report's page. `dresses` are the figures' SVG texts: light, dark, and both for phones; `minds` are the
    transcripts' pages."""
    template = environment().get_template("trials.html.j2")
    return labelled(
        template.render(
            found=found, comparison=found.comparison, figures=framed(FIGURES, dresses), measures=MEASURES,
            levels=LEVELS, sentence=sentence(found), published=published, minds=minds,
        )
    )  # fmt: skip
