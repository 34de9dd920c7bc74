"""The HTML page: one file, no outside resources, no scripts; every word of the record is escaped."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from dilemmas.measures import Summary
from dilemmas.report.comparison import Comparison, number
from dilemmas.report.text import visible

TEMPLATES = Path(__file__).parent / "templates"
CAPTIONS: Mapping[str, tuple[str, str]] = {
    "welfare": (
        "Welfare",
        "All players' emeralds together. Left: over game time, mean of the runs; the shade goes from the lowest to the "
        "highest run. Right: where it ends; one marker a run, the bar is the mean, the line its 95 % interval.",
    ),
    "resources": (
        "Resources",
        "Items that each player holds over game time, as the server says. Mean of the runs; the shade reaches from the "
        "lowest to the highest run.",
    ),
    "rewards": (
        "Rewards",
        "What the items are worth to who holds them, before transfers; the difference between the players is filled in "
        "red. Open markers: payoffs after the contract's transfers.",
    ),
}
"""Figure -> title and caption, in the page's order."""
NOTHING = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
MAX_REMARKS = 400
"""Entries of a timeline that the page shows; the rest is in events.jsonl."""


def page(comparison: Comparison, light: Mapping[str, str], dark: Mapping[str, str]) -> str:
    """The page as text. `light` and `dark` are the figures' SVG texts by name."""
    figures = [
        {"title": title, "caption": caption, "light": _data_uri(light[name]), "dark": _data_uri(dark[name])}
        for name, (title, caption) in CAPTIONS.items()
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


def _interval(summary: Summary, digits: int = 2) -> str:
    """The 95 % interval of the mean."""
    low, high = summary.ci95 or (summary.mean, summary.mean)
    return f"[{_digits(low, digits)}, {_digits(high, digits)}]"


def _digits(value: float, digits: int) -> str:
    """At most that many decimals, none that say nothing."""
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(value: float) -> str:
    return f"+{number(value)}" if value > 0 else number(value).replace("-", MINUS)


def _words(item: str) -> str:
    return item.replace("_", " ")


FILTERS: Mapping[str, Callable[..., str]] = {
    "figure": number,
    "mean": _mean,
    "interval": _interval,
    "shown": visible,
    "signed": _signed,
    "words": _words,
}
"""The template's filters; `shown` goes over every word that came from a record."""
