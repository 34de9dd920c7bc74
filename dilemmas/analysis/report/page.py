"""The HTML page: one file, no outside resources, no scripts; every word of the record is escaped."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from dilemmas.analysis.effects import Effect
from dilemmas.analysis.measures import Summary
from dilemmas.analysis.report.comparison import Comparison, number, title
from dilemmas.analysis.report.plots import PLOTS
from dilemmas.analysis.report.text import visible
from dilemmas.analysis.statistics import Compared

TEMPLATES = Path(__file__).parent / "templates"
NOTHING = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
MAX_REMARKS = 400
"""Entries of a timeline that the page shows; the rest is in events.jsonl."""


def page(comparison: Comparison, light: Mapping[str, str], dark: Mapping[str, str]) -> str:
    """The page as text. `light` and `dark` are the figures' SVG texts by name."""
    figures = [
        {
            "title": PLOTS[name].title,
            "caption": PLOTS[name].caption,
            "light": _data_uri(light[name]),
            "dark": _data_uri(dark[name]),
        }
        for name in light
    ]
    template = _environment().get_template("report.html.j2")
    return template.render(comparison=comparison, figures=figures, max_remarks=MAX_REMARKS)


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    return environment


def _data_uri(svg: str) -> str:
    """An image of its own: nothing in it can reach the page, whatever names it holds."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _mean(summary: Summary | None, digits: int = 2) -> str:
    """The mean of the runs; a dash where no run has the figure."""
    return _digits(summary.mean, digits) if summary else NOTHING


def _interval(found: Summary | Compared | Effect, digits: int = 2) -> str:
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


def _told(entry: Mapping[str, Any]) -> str:
    """A council's entry in words: what it says of itself, key by key, and who."""
    shown = {key: value for key, value in entry.items() if key not in ("what", "round") and value not in (None, "")}
    return "; ".join(f"{key} {_plain(value)}" for key, value in shown.items())


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_plain(each) for each in value)
    return number(value) if isinstance(value, float) else str(value)


def _probability(value: float) -> str:
    """A p-value as it is printed: never 0."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _words(item: str) -> str:
    return item.replace("_", " ")


FILTERS: Mapping[str, Callable[..., str]] = {
    "figure": number,
    "interval": _interval,
    "mean": _mean,
    "offered": _offered,
    "probability": _probability,
    "shown": visible,
    "signed": _signed,
    "title": title,
    "told": _told,
    "words": _words,
}
"""The template's filters; `shown` goes over every word that came from a record."""
