"""The chapter of a society's page that tells of tax and law; every word of the record is escaped."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from accord.analysis.report.page import environment, framed
from accord.analysis.report.society.tax_figures import FIGURES
from accord.analysis.report.society.taxes import (
    MEASURES,
    PUBLISHED,
    SOURCE,
    TaxFindings,
    law_sentence,
)


def tax_chapter(found: TaxFindings, dresses: Mapping[str, Mapping[str, str]]) -> Markup:
    """The chapter. `dresses` are the figures' SVG texts: light, dark, and both for phones."""
    template = environment().get_template("taxation.html.j2")
    told = template.render(
        taxes=found,
        figures=framed(FIGURES, dresses),
        measures=MEASURES,
        published=PUBLISHED,
        source=SOURCE,
    )
    return Markup(told)


def law_chapter(found: TaxFindings, dresses: Mapping[str, Mapping[str, str]]) -> Markup:
    """The chapter of a society whose law taxes nobody: the law before and after, ballots, how it was made."""
    template = environment().get_template("law.html.j2")
    return Markup(template.render(lawful=found, figures=framed(FIGURES, dresses), sentence=law_sentence(found)))
