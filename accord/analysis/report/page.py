"""The HTML page: one file, no outside resources, no scripts; every word of the record is escaped."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from accord.analysis.costs import CostRow, rows, total
from accord.analysis.effects import Effect
from accord.analysis.measures import MeasureSummary
from accord.analysis.report import wording
from accord.analysis.report.comparison import Comparison, number, title
from accord.analysis.report.games import findings as games
from accord.analysis.report.grid import findings, published
from accord.analysis.report.lanes import KINDS, timeline_of
from accord.analysis.report.maps import map_of
from accord.analysis.report.minds import Links
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.phone import labelled
from accord.analysis.report.plots import PLOTS
from accord.analysis.report.sentences import noted
from accord.analysis.report.text import dollars, visible
from accord.analysis.statistics import Compared
from dilemmas.records.events import CouncilEntry

TEMPLATES = Path(__file__).parent / "templates"
NOTHING = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
MAX_REMARKS = 400
"""Entries of a timeline that the page shows; the rest is in events.jsonl."""


def page(comparison: Comparison, dresses: Mapping[str, Mapping[str, str]], minds: Links | None = None) -> str:
    """The page as text. `dresses` are the figures' SVG texts by name: `light` and `dark`, `light-phone` and
    `dark-phone`; `minds` are the transcripts' pages."""
    template = environment().get_template("report.html.j2")
    shown = {
        "comparison": comparison,
        "figures": framed(PLOTS, dresses),
        "max_remarks": MAX_REMARKS,
        "minds": minds or {},
    }
    return labelled(template.render(**shown))


class Titled(Protocol):
    """A figure as the page heads it."""

    @property
    def title(self) -> str:
        """Its heading."""

    @property
    def caption(self) -> str:
        """What it shows, in a sentence or two."""


def framed(plots: Mapping[str, Titled], dresses: Mapping[str, Mapping[str, str]]) -> list[dict[str, Any]]:
    """What templates show of figures: name, title, caption, and by dress the image. `dresses` are SVG texts by name."""
    return [
        {
            "name": name,
            "title": plots[name].title,
            "caption": plots[name].caption,
            "dresses": {dress: data_uri(drawn[name]) for dress, drawn in dresses.items()},
        }
        for name in dresses["light"]
    ]


def environment() -> Environment:
    """Where templates are found and filled; all that they show is escaped."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(FILTERS)
    made.globals.update(
        grid_game=findings.game_of, grid_begun=findings.begun, grid_rows=findings.rows, grid_scores=findings.scores,
        published=published,
    )  # fmt: skip
    made.globals.update(
        repeated_game=games.begun, repeated_facts=games.facts, repeated_measures=games.measures,
    )  # fmt: skip
    made.globals.update(kind_names=KINDS, map_of=map_of, timeline_of=timeline_of, terms_of=wording.terms_of)
    return made


def data_uri(svg: str) -> str:
    """An image of its own: nothing in it can reach the page, whatever names it holds."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _mean(summary: MeasureSummary | None, digits: int = 2) -> str:
    """The mean of the runs; a dash where no run has the figure."""
    return _digits(summary.mean, digits) if summary else NOTHING


def _interval(found: MeasureSummary | Compared | Effect, digits: int = 2) -> str:
    """The 95 % interval; empty where there is none."""
    return f"[{', '.join(_digits(end, digits).replace('-', MINUS) for end in found.ci95)}]" if found.ci95 else ""


def _digits(value: float, digits: int) -> str:
    """At most that many decimals, none that say nothing."""
    text = f"{round(value, digits) or 0:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(value: float, digits: int = 2) -> str:
    text = _digits(value, digits).replace("-", MINUS)
    return f"+{text}" if value > 0 else text


def _offered(offer: Mapping[str, Any] | None) -> str:
    """What an offered contract moves, in words; empty when nothing is offered."""
    transfers = (offer or {}).get("transfers") or ()
    return "; ".join(f"{each.get('payer')} pays {each.get('payee')} {each.get('amount')}" for each in transfers)


def _breakable(name: str) -> Markup:
    """A condition's name that a narrow column breaks between its parts rather than inside a word."""
    return Markup("<wbr>").join(re.split(r"(?<=[+=/])", visible(name)))


def _noted(entries: Sequence[CouncilEntry]) -> list[tuple[str, str]]:
    """(round, sentence) of every entry that tells something."""
    told = ((str(each.entry.get("round", NOTHING)), noted(each.entry)) for each in entries)
    return [(number, sentence) for number, sentence in told if sentence]


def _probability(value: float) -> str:
    """A p-value as it is printed: never 0."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _words(item: str) -> str:
    return item.replace("_", " ")


def _costs(runs: Iterable[ReportedRun]) -> list[CostRow]:
    return rows(cost for run in runs for cost in run.costs)


FILTERS: Mapping[str, Callable[..., Any]] = {
    "breakable": _breakable,
    "costs": _costs,
    "dollars": dollars,
    "figure": number,
    "critique": wording.critique,
    "interval": _interval,
    "mean": _mean,
    "noted": _noted,
    "offered": _offered,
    "probability": _probability,
    "proposal": wording.proposal,
    "prose": wording.prose,
    "shown": visible,
    "signed": _signed,
    "signed_text": wording.signed_text,
    "title": title,
    "total": total,
    "values": wording.values,
    "why": wording.why,
    "words": _words,
}
"""The template's filters; `shown` goes over every word that came from a record."""
