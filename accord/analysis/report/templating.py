"""Templates of the HTML pages and their filters; every word of a record is escaped."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from accord.analysis.answers import answer_rows, answer_total, percent
from accord.analysis.claims import number
from accord.analysis.costs import CostRow, rows, total
from accord.analysis.effects import Effect
from accord.analysis.intervals import Interval
from accord.analysis.measures import MeasureSummary
from accord.analysis.report import wording
from accord.analysis.report.cache_folders import cache_folder
from accord.analysis.report.comparison import title
from accord.analysis.report.lanes import KINDS, timeline_of
from accord.analysis.report.maps import map_of
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.sentences import council_sentence
from accord.analysis.report.text import dollars, visible
from accord.analysis.savings import told_savings
from accord.analysis.statistics import SampleComparison
from dilemmas.records.events import CouncilEntry

TEMPLATES = Path(__file__).parent / "templates"
NOTHING = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"


@cache
def environment() -> Environment:
    """Return the environment that finds and fills templates; it escapes all that they show."""
    # Compiled templates are cached: compiling takes 0.2 s, a third of a small report's time.
    compiled = cache_folder("templates")
    made = Environment(
        bytecode_cache=FileSystemBytecodeCache(str(compiled)) if compiled is not None else None,
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(FILTERS)
    made.globals.update(kind_names=KINDS, map_of=map_of, timeline_of=timeline_of, terms_of=wording.terms_of)
    return made


def data_uri(svg: str) -> str:
    """Return the SVG as a data URI, which isolates it from the page whatever names it contains."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _mean(summary: MeasureSummary | None, digits: int = 2) -> str:
    """Return the mean of the runs, or a dash if no run has the measure."""
    return _digits(summary.mean, digits).replace("-", MINUS) if summary else NOTHING


def _interval(found: MeasureSummary | SampleComparison | Effect, digits: int = 2) -> str:
    """Return the 95 % interval, or an empty text without one."""
    return _ends(found.ci95, digits)


def _ends(interval: Interval | None, digits: int = 2) -> str:
    return f"[{', '.join(_digits(end, digits).replace('-', MINUS) for end in interval)}]" if interval else ""


def _digits(value: float, digits: int) -> str:
    """Return the value with at most `digits` decimals and without trailing zeros."""
    text = f"{round(value, digits) or 0:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(value: float, digits: int = 2) -> str:
    text = _digits(value, digits).replace("-", MINUS)
    return f"+{text}" if value > 0 else text


def _offered(offer: Mapping[str, Any] | None) -> str:
    """Return the transfers of an offered contract in words; empty without an offer."""
    transfers = (offer or {}).get("transfers") or ()
    return "; ".join(f"{each.get('payer')} pays {each.get('payee')} {each.get('amount')}" for each in transfers)


def _breakable(name: str) -> Markup:
    """Return a condition's name with places at which a narrow column may break it."""
    return Markup("<wbr>").join(re.split(r"(?<=[+=/])", visible(name)))


def _noted(entries: Sequence[CouncilEntry]) -> list[tuple[str, str]]:
    """Return (round, sentence) of every entry that has a sentence."""
    told = ((str(each.entry.get("round", NOTHING)), council_sentence(each.entry)) for each in entries)
    return [(number, sentence) for number, sentence in told if sentence]


def _probability(value: float | None) -> str:
    """Return a p-value as it is printed: never 0, and a dash without a test."""
    if value is None:
        return NOTHING
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _words(item: str) -> str:
    return item.replace("_", " ")


def _costs(runs: Iterable[ReportedRun]) -> list[CostRow]:
    return rows(cost for run in runs for cost in run.costs)


def _savings(runs: Sequence[ReportedRun]) -> list[str]:
    return told_savings([run.saved for run in runs], [cost for run in runs for cost in run.costs])


FILTERS: Mapping[str, Callable[..., Any]] = {
    "answer_rows": answer_rows,
    "answer_total": answer_total,
    "breakable": _breakable,
    "costs": _costs,
    "dollars": dollars,
    "figure": number,
    "critique": wording.critique,
    "interval": _interval,
    "mean": _mean,
    "noted": _noted,
    "offered": _offered,
    "percent": percent,
    "probability": _probability,
    "ends": _ends,
    "proposal": wording.proposal,
    "prose": wording.prose,
    "shown": visible,
    "signed": _signed,
    "signed_text": wording.signed_text,
    "title": title,
    "savings": _savings,
    "total": total,
    "values": wording.values,
    "why": wording.why,
    "words": _words,
}
"""Filters of templates; `shown` makes untrusted text safe to display."""
