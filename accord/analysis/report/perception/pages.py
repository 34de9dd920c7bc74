"""The page of an experiment on perception; no scripts, every word of the record escaped."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.page import environment, framed
from accord.analysis.report.perception.figures import FIGURES
from accord.analysis.report.perception.findings import Perceptions, sentence
from accord.analysis.report.perception.published import SOURCE, TABLES, TOLD
from accord.analysis.report.phone import labelled
from accord.analysis.report.society.findings import Findings
from accord.analysis.report.society.pages import file_of
from dilemmas.scenarios.perception.measures import people, table


def perception_page(found: Perceptions, lives: Findings | None, dresses: Mapping[str, Mapping[str, str]]) -> str:
    """The report's page. `dresses` are the figures' SVG texts: light, dark, and both for phones; `lives` are the runs
    whose agents have pages."""
    template = environment().get_template("perception.html.j2")
    town = found.study == "town"
    tables = [(group.name, table(people(group.runs[0].perceived))) for group in found.groups] if town else []
    return labelled(
        template.render(
            found=found, comparison=found.comparison, figures=framed(FIGURES[found.study], dresses),
            measures=found.measures, sentence=sentence(found), told=TOLD[found.study], source=SOURCE,
            tables=tables, printed=TABLES, lives=lives, file_of=file_of,
        )
    )  # fmt: skip
