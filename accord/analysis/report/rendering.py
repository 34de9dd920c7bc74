"""Rendering of the report's page: one file, no outside resources, no scripts; every word of a record is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from accord.analysis.report.cell_labels import label_cells
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.section import TranscriptLinks
from accord.analysis.report.sections import FoundSection
from accord.analysis.report.templating import data_uri, environment

Dresses = Mapping[str, Mapping[str, str]]
"""Dress (`light`, `dark`, `light-phone`, `dark-phone`) -> figure -> SVG text."""


def render_page(
    comparison: Comparison, found: Sequence[FoundSection], drawn: Sequence[Dresses], links: TranscriptLinks
) -> str:
    """Return the report's page as HTML.

    Args:
        comparison: The runs.
        found: The leading section, then its parts.
        drawn: The figures of each section.
        links: Addresses of the transcripts' pages.
    """
    lead, *parts = found
    framed = [_frame(each, dresses) for each, dresses in zip(found, drawn, strict=True)]
    shared = {"comparison": comparison, "minds": links}
    chapters: list[Markup] = []
    closing: list[Markup] = []
    for each, own in zip(parts, framed[1:], strict=True):
        rendered = _render(each, {**shared, "figures": own}, links)
        (closing if each.section.closes_page else chapters).append(rendered)
    figures = [figure for each in framed for figure in each] if lead.section.gathers_figures else framed[0]
    joined = {"chapters": Markup().join(chapters), "closing": Markup().join(closing)}
    return label_cells(_render(lead, {**shared, "figures": figures, **joined}, links))


def _render(found: FoundSection, shared: Mapping[str, object], links: TranscriptLinks) -> Markup:
    section, findings = found.section, found.findings
    if not section.template:
        return Markup()
    values = section.values(findings, links)
    template = environment().get_template(section.template)
    # The template escapes every word of the record.
    return Markup(template.render(findings=findings, sentence=section.sentence(findings), **shared, **values))


def _frame(found: FoundSection, dresses: Dresses) -> list[dict[str, Any]]:
    """Return what templates show of figures: name, title, caption, and the image by dress."""
    figures = found.section.figures(found.findings) if dresses["light"] else {}
    return [
        {
            "name": name,
            "title": figures[name].title,
            "caption": figures[name].caption,
            "dresses": {dress: data_uri(drawn[name]) for dress, drawn in dresses.items()},
        }
        for name in dresses["light"]
    ]
