"""Figures of markets: prices over time, wealth over time, who trades with whom, and flows of goods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import cos, pi, sin

from accord.analysis.report.canvas import Axes, FancyArrowPatch, Figure
from accord.analysis.report.drawing import draw_legend, label_of, new_figure, note_datum, panel_grid
from accord.analysis.report.markets.findings import MarketFindings, MarketRun
from accord.analysis.report.markets.tables import TABLES
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import Theme

MAX_RUNS = 6
"""Maximum number of conditions in a figure."""
MAX_ITEMS = 6
"""Maximum number of items whose prices are drawn: those sold most."""
MAX_FLOWS = 60
"""Maximum number of flows of goods in a panel: the largest ones."""
Places = Mapping[str, tuple[float, float]]
"""Person -> place in a circle of radius 1."""


def draw_prices(findings: MarketFindings, theme: Theme) -> Figure:
    """Draw each sale of the most traded items at its price and time, in the first run of each condition."""
    samples = [each for each in findings.samples if each.market.sales][:MAX_RUNS]
    names = _most_sold(samples)
    figure = new_figure(theme, 0.7 + 1.7 * len(samples))
    panels = panel_grid(figure, len(samples), 1, sharex=True)
    for panel, sample in zip(panels, samples, strict=True):
        for place, item in enumerate(names):
            sales = Counter[tuple[float, int]]()
            for time, each, price, count in sample.market.sales:
                if each == item:
                    sales[time, price] += count
            # Sales of one market day lie beside each other, item by item.
            times = [time + 5 * (place - len(names) / 2) for time, _ in sales]
            sizes = [6 + 4 * count for count in sales.values()]
            prices = [price for _, price in sales]
            panel.scatter(times, prices, s=sizes, color=theme.condition(place), label=label_of(item))
            for time, price in sales:
                note_datum(panel, item, "price", time, price)
        panel.set_title(f"{label_of(sample.run.condition)}, seed {sample.run.seed}")
        panel.set_ylabel("price")
        highest = max(price for _, item, price, _ in sample.market.sales if item in names)
        panel.set_ylim(0, 1.2 * highest)
    panels[-1].set_xlabel("seconds")
    draw_legend(figure, panels[0])
    return figure


def _most_sold(samples: Sequence[MarketRun]) -> list[str]:
    sold: dict[str, int] = {}
    for sample in samples:
        for _, item, _, count in sample.market.sales:
            sold[item] = sold.get(item, 0) + count
    return sorted(sold, key=lambda item: (-sold[item], item))[:MAX_ITEMS]


def draw_wealth(findings: MarketFindings, theme: Theme) -> Figure:
    """Draw each person's wealth after each market day, in the first run of each condition."""
    samples = [each for each in findings.samples if _wealthy(each)][:MAX_RUNS]
    figure = new_figure(theme, 0.6 + 1.7 * len(samples))
    panels = panel_grid(figure, len(samples), 1, sharex=True)
    for panel, sample in zip(panels, samples, strict=True):
        closes = sample.market.closes
        times = [time for time, _, _ in closes]
        for person in closes[-1][1]:
            amounts = [wealth.get(person, 0) for _, wealth, _ in closes]
            panel.plot(times, amounts, color=theme.condition(0), linewidth=0.8, alpha=0.6, marker=".", markersize=3)
            for time, amount in zip(times, amounts, strict=True):
                note_datum(panel, person, "wealth", time, amount)
        ginis = ", ".join(f"{gini:.2f}" for _, _, gini in closes if gini is not None)
        panel.set_title(f"{label_of(sample.run.condition)}, seed {sample.run.seed}: Gini {ginis}")
        panel.set_ylabel("wealth")
    panels[-1].set_xlabel("seconds")
    return figure


def _wealthy(sample: MarketRun) -> bool:
    return any(wealth for _, wealth, _ in sample.market.closes)


def draw_partners(findings: MarketFindings, theme: Theme) -> Figure:
    """Draw people in a circle, with a line between partners that is the wider the more they traded."""
    samples = [each for each in findings.samples if each.market.tally.partners][:MAX_RUNS]
    columns = min(2, len(samples))
    figure = new_figure(theme, 0.4 + 3.2 * -(-len(samples) // columns))
    for panel, sample in zip(panel_grid(figure, len(samples), columns), samples, strict=True):
        _draw_circle(panel, sample, theme)
    return figure


def _draw_circle(panel: Axes, sample: MarketRun, theme: Theme) -> None:
    partners = sample.market.tally.partners
    at = _circle({name for pair in partners for name in pair})
    most = max(partners.values())
    for (one, other), count in sorted(partners.items()):
        (x0, y0), (x1, y1) = at[one], at[other]
        panel.plot([x0, x1], [y0, y1], color=theme.condition(0), linewidth=0.4 + 2 * count / most, alpha=0.6)
        note_datum(panel, f"{one} and {other}", "trades", 0, count)
    _label_circle(panel, at, sample)


def _circle(names: Iterable[str]) -> Places:
    """Return places for people in a circle, sorted by name."""
    found = sorted(names)
    angles = {name: 2 * pi * place / len(found) for place, name in enumerate(found)}
    return {name: (cos(angle), sin(angle)) for name, angle in angles.items()}


def _label_circle(panel: Axes, at: Places, sample: MarketRun) -> None:
    for name, (x, y) in at.items():
        panel.text(1.12 * x, 1.12 * y, label_of(name), ha="center", va="center", fontsize="x-small")
    panel.set_xlim(-1.35, 1.35)
    panel.set_ylim(-1.25, 1.25)
    panel.set_axis_off()
    panel.set_title(f"{label_of(sample.run.condition)}, seed {sample.run.seed}")


def draw_flows(findings: MarketFindings, theme: Theme) -> Figure:
    """Draw people in a circle, with an arrow from giver to taker for each item, wider the more of it moved."""
    samples = [each for each in findings.samples if _goods(each)][:MAX_RUNS]
    moved = Counter[str]()
    for sample in samples:
        for (_, _, item), count in _goods(sample).items():
            moved[item] += count
    items = sorted(moved, key=lambda item: (-moved[item], item))[:MAX_ITEMS]
    columns = min(2, len(samples))
    figure = new_figure(theme, 0.8 + 3.2 * -(-len(samples) // columns))
    panels = panel_grid(figure, len(samples), columns)
    for panel, sample in zip(panels, samples, strict=True):
        _draw_arrows(panel, sample, items, theme)
    for place, item in enumerate(items):
        panels[0].plot([], [], color=theme.condition(place), label=label_of(item))
    draw_legend(figure, panels[0])
    return figure


def _goods(sample: MarketRun) -> dict[tuple[str, str, str], int]:
    """Return (giver, taker, item) -> count of the goods that moved, without the money that paid for them."""
    flows = sample.market.tally.flows
    return {way: count for way, count in flows.items() if count > 0 and way[2] not in sample.market.monies}


def _draw_arrows(panel: Axes, sample: MarketRun, items: Sequence[str], theme: Theme) -> None:
    flows = {way: count for way, count in _goods(sample).items() if way[2] in items}
    at = _circle({name for giver, taker, _ in flows for name in (giver, taker)})
    largest = sorted(flows, key=lambda way: (-flows[way], way))[:MAX_FLOWS]
    most = max(flows.values(), default=1)
    for giver, taker, item in largest:
        count = flows[giver, taker, item]
        panel.add_patch(
            FancyArrowPatch(
                at[giver], at[taker], arrowstyle="-|>", mutation_scale=7, shrinkA=0, shrinkB=2,
                # Each item bends differently, so that arrows between the same two people lie apart.
                connectionstyle=f"arc3,rad={0.1 + 0.06 * items.index(item)}", color=theme.condition(items.index(item)),
                linewidth=0.4 + 2 * count / most, alpha=0.7,
            )
        )  # fmt: skip
        note_datum(panel, f"{giver} to {taker}", item, 0, count)
    _label_circle(panel, at, sample)


FIGURES: Mapping[str, SectionFigure[MarketFindings]] = {
    "market_prices": SectionFigure(
        "Prices",
        "Sales for money in the first run of each condition, of the items sold most; larger marks are larger sales.",
        draw_prices,
        applies=lambda findings: any(each.market.sales for each in findings.samples),
        tables=TABLES[:1],
    ),
    "market_wealth": SectionFigure(
        "Wealth over time",
        "Each person's money and items after each market day, at the last price of each item; items without a price "
        "count as nothing. The title has the Gini coefficient after each day.",
        draw_wealth,
        applies=lambda findings: any(_wealthy(each) for each in findings.samples),
        tables=TABLES[2:],
    ),
    "market_partners": SectionFigure(
        "Who trades with whom",
        "Lines between people that traded with each other, in the first runs; the more often, the wider.",
        draw_partners,
        applies=lambda findings: any(each.market.tally.partners for each in findings.samples),
        tables=TABLES[1:2],
    ),
    "market_flows": SectionFigure(
        "Flows of goods",
        "Arrows from giver to taker in the first runs, one for each item, the wider the more of it moved, of the items "
        f"that moved most and at most {MAX_FLOWS} flows. Payments are left out.",
        draw_flows,
        applies=lambda findings: any(_goods(each) for each in findings.samples),
        tables=TABLES[1:2],
    ),
}
