"""Figures 11 and 12 of Project Sid from a record: memes by place and time; a faith over time, space and its chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from accord.analysis.report.canvas import Axes, Circle, Figure, LineCollection, Patch, PolyCollection
from accord.analysis.report.drawing import TIME, label_of, new_figure, note_datum, panel_grid
from accord.analysis.report.group_bars import draw_group_measures
from accord.analysis.report.section import GroupMeasures, SectionFigure
from accord.analysis.report.style import Theme
from accord.analysis.report.towns.findings import COLOURS, MEASURES, SpreadingRun, TownFindings
from dilemmas.scenarios.societies.exposures import NOBODY, PRIEST, edges
from dilemmas.scenarios.societies.memes import LAND

TOPICS = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#e08214", "#8073ac", "#5aae61", "#b35806",
    "#44aa99", "#999933",
)  # fmt: skip
"""Colours of memes, the commonest first."""
MAX_TOPICS = 12
NAMES_ABOVE = 5
"""Map layer of towns' names, above people and lines."""
MAX_TOWNS = 3
"""Maximum number of towns whose memes are shown over time, those with most memes first."""


def _panels(found: TownFindings, theme: Theme, height: float) -> tuple[Figure, list[Axes]]:
    """Return a panel for the first run of every condition; a single one has the whole width."""
    columns = theme.columns(min(2, len(found.groups)))
    figure = new_figure(theme, 0.6 + height * -(-len(found.groups) // columns))
    return figure, panel_grid(figure, len(found.groups), columns)


def draw_levels(found: TownFindings, theme: Theme) -> Figure:
    """Draw a strip per person: its level over time; speeches with a word of the faith as dots."""
    figure, panels = _panels(found, theme, 0.8 + min(4.0, 0.05 * found.people))
    for panel, group in zip(panels, found.groups, strict=True):
        _levels(panel, group.runs[0])
        panel.set_title(label_of(group.name))
    _legend(figure)
    return figure


def _levels(panel: Axes, run: SpreadingRun) -> None:
    people, until = run.spreading.exposures.people, run.spreading.until
    rank = {PRIEST: 0, "direct": 1, "indirect": 2, NOBODY: 3}
    began = {name: each.rises[0].t_s if each.rises else until for name, each in people.items()}
    order = sorted(people, key=lambda name: (rank[people[name].group], began[name], name))
    rows = {name: row for row, name in enumerate(order)}
    boxes: list[list[tuple[float, float]]] = []
    colours: list[str] = []
    for name, row in rows.items():
        each = people[name]
        starts = [(0.0, PRIEST)] if each.role == PRIEST else [(r.t_s, _name(r.level)) for r in each.rises]
        ends = [start for start, _ in starts[1:]] + [until]
        for (start, group), end in zip(starts, ends, strict=False):
            low, high = row - 0.5, row + 0.5
            boxes.append([(start, low), (end, low), (end, high), (start, high)])
            colours.append(COLOURS[group])
            note_datum(panel, name, group, row, start, low=start, high=end)
    panel.add_collection(PolyCollection(boxes, facecolors=colours, linewidths=0))
    chats = [chat for chat in run.spreading.chats if chat.player in rows]
    panel.plot([chat.t_s for chat in chats], [rows[chat.player] for chat in chats], linestyle="none", marker=".",
               markersize=0.7, color="#1d2327", alpha=0.5, rasterized=True)  # fmt: skip
    panel.set_xlim(0, until or 1)
    panel.set_ylim(len(rows) - 0.5, -0.5)
    panel.set_yticks([])
    panel.set_ylabel(f"{len(rows)} people")
    panel.set_xlabel(TIME)
    panel.grid(visible=False)


def _name(level: int) -> str:
    return "direct" if level > 1 else "indirect"


def _legend(figure: Figure) -> None:
    shown = {PRIEST: "priests", "direct": "direct converts", "indirect": "indirect converts"}
    patches = [Patch(color=COLOURS[group]) for group in shown]
    figure.legend(patches, list(shown.values()), loc="outside upper center", ncols=3, fontsize="small")


def draw_counts(found: TownFindings, theme: Theme) -> Figure:
    """Draw the number of people at each level over time, a line for each run."""
    return _curves(found, theme, lambda run, t_s, _: _counted(run, t_s), "people", ("indirect", "direct"))


def _counted(run: SpreadingRun, t_s: float) -> Mapping[str, float]:
    return {name: float(count) for name, count in run.spreading.exposures.counts_at(t_s).items()}


def draw_area(found: TownFindings, theme: Theme) -> Figure:
    """Draw the square blocks within hearing of converts over time, a line for each run."""

    def areas(run: SpreadingRun, t_s: float, place: int) -> Mapping[str, float]:
        return run.areas[place]

    return _curves(found, theme, areas, "square blocks", ("indirect", "direct", "both"))


def _curves(
    found: TownFindings,
    theme: Theme,
    values: Callable[[SpreadingRun, float, int], Mapping[str, float]],
    unit: str,
    shown: Sequence[str],
) -> Figure:
    figure, panels = _panels(found, theme, 2.1)
    for panel, group in zip(panels, found.groups, strict=True):
        for run in group.runs:
            times = [sample.t_s for sample in run.spreading.samples]
            told = [values(run, t_s, place) for place, t_s in enumerate(times)]
            for name in shown:
                ys = [each[name] for each in told]
                for x, y in zip(times, ys, strict=True):
                    note_datum(panel, name, "run", x, y)
                panel.plot(times, ys, color=COLOURS.get(name, theme.ink), label=name if run is group.runs[0] else None)
        panel.set_title(label_of(group.name))
        panel.set_ylabel(unit)
        panel.set_xlabel(TIME)
        panel.set_ylim(bottom=0)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, fontsize="small")
    return figure


def draw_graph(found: TownFindings, theme: Theme) -> Figure:
    """Draw conversions as a graph: people at their places at the map's time, critical exposures as lines."""
    figure, panels = _panels(found, theme, 3.4)
    for panel, group in zip(panels, found.groups, strict=True):
        run = group.runs[0]
        _towns(panel, run, theme)
        at = {name: (spot[0], spot[2]) for name, spot in run.spreading.map_at.items()}
        told = [each for each in edges(run.spreading.exposures)
                if each.critical and each.speaker in at and each.hearer in at]  # fmt: skip
        lines = [(at[each.speaker], at[each.hearer]) for each in told]
        panel.add_collection(LineCollection(lines, colors=theme.faint, linewidths=0.5, alpha=0.7))
        for each in told:
            note_datum(panel, each.speaker, each.hearer, *at[each.hearer])
        people = run.spreading.exposures.people
        for group_name in (NOBODY, "indirect", "direct", PRIEST):
            spots = [at[name] for name, each in people.items() if each.group == group_name and name in at]
            panel.plot([x for x, _ in spots], [z for _, z in spots], linestyle="none", marker="o",
                       markersize=1.5 if group_name == NOBODY else 3, color=COLOURS[group_name])  # fmt: skip
        panel.set_title(label_of(group.name))
    _legend(figure)
    return figure


def _towns(panel: Axes, run: SpreadingRun, theme: Theme) -> None:
    """Draw the land with its towns; north is up."""
    settled = run.spreading.settled
    assert settled is not None
    x0, z0, x1, z1 = settled.field
    for name, town in settled.towns.items():
        panel.add_patch(Circle(town.at, town.radius, fill=False, edgecolor=theme.faint, linewidth=0.8))
        panel.annotate(label_of(name), (town.at[0], town.at[1] - town.radius), (0, 2), textcoords="offset points",
                       ha="center", fontsize=6, color=theme.ink, zorder=NAMES_ABOVE)  # fmt: skip
    panel.set_xlim(x0, x1)
    panel.set_ylim(z1, z0)
    panel.set_aspect("equal")
    panel.set_xticks([])
    panel.set_yticks([])
    panel.grid(visible=False)


def topics_of(found: TownFindings) -> list[str]:
    """Return the memes of all people, the commonest first."""
    counts: Counter[str] = Counter()
    for run in found.runs:
        for each in run.spreading.memes.times.values():
            counts.update(each)
    return [name for name, _ in sorted(counts.items(), key=lambda each: (-each[1], each[0]))][:MAX_TOPICS]


def _colours(found: TownFindings) -> dict[str, str]:
    return {name: TOPICS[place % len(TOPICS)] for place, name in enumerate(topics_of(found))}


def draw_map(found: TownFindings, theme: Theme) -> Figure:
    """Draw people at their places, coloured by the meme that they mentioned in the last two minutes."""
    figure, panels = _panels(found, theme, 3.4)
    colours = _colours(found)
    for panel, group in zip(panels, found.groups, strict=True):
        run = group.runs[0]
        _towns(panel, run, theme)
        for topic in ("", *colours):
            at = {name: (spot[0], spot[2]) for name, spot in run.spreading.map_at.items()
                  if run.spreading.map_of.get(name, "") == topic}  # fmt: skip
            spots = list(at.values())
            panel.plot([x for x, _ in spots], [z for _, z in spots], linestyle="none", marker="o",
                       markersize=3 if topic else 1.5, color=colours.get(topic, theme.grid))  # fmt: skip
            for name, (x, z) in at.items():
                note_datum(panel, name, topic or "none", x, z)
        panel.set_title(f"{label_of(group.name)}, {run.spreading.map_s:.0f} s")
    _topic_legend(figure, colours, theme)
    return figure


def _topic_legend(figure: Figure, colours: Mapping[str, str], theme: Theme) -> None:
    if colours:
        patches = [Patch(color=colour) for colour in colours.values()]
        figure.legend(patches, [label_of(name) for name in colours], loc="outside upper center",
                      ncols=3 if theme.narrow else 6, fontsize="small", handlelength=1.1)  # fmt: skip


def draw_places(found: TownFindings, theme: Theme) -> Figure:
    """Draw memes per person in each town and on the land."""
    figure, panels = _panels(found, theme, 2.4)
    for panel, group in zip(panels, found.groups, strict=True):
        names = list(group.runs[0].recomputed["memes"].get("places", {}))
        for place, name in enumerate(names):
            found_there = [run.recomputed["memes"]["places"][name]["per_head"] for run in group.runs]
            for value in found_there:
                if value is not None:
                    note_datum(panel, name, "run", place, value)
            known = [value for value in found_there if value is not None]
            mean = sum(known) / len(known) if known else 0.0
            colour = COLOURS[NOBODY] if name == LAND else theme.player(0)
            panel.bar(place, mean, width=0.7, color=colour, alpha=0.75, linewidth=0)
            panel.plot([place] * len(known), known, linestyle="none", marker=".", color=theme.ink, markersize=3)
        panel.set_xticks(range(len(names)), [label_of(name) for name in names], rotation=30, ha="right",
                         rotation_mode="anchor")  # fmt: skip
        panel.set_title(label_of(group.name))
        panel.set_ylabel("memes a head")
        panel.grid(axis="x", visible=False)
    return figure


def draw_times(found: TownFindings, theme: Theme) -> Figure:
    """Draw memes over time in the towns with most of them, in the first run of the first condition."""
    run = found.groups[0].runs[0]
    samples, colours = run.spreading.samples, _colours(found)
    towns = list(run.spreading.settled.towns) if run.spreading.settled else []
    whole = {name: sum(each.moment.places[name].count for each in samples) for name in towns}
    shown = sorted(towns, key=lambda name: (-whole[name], name))[:MAX_TOWNS]
    columns = theme.columns(MAX_TOWNS)
    figure = new_figure(theme, 0.6 + 2.2 * -(-len(shown) // columns))
    for panel, town in zip(panel_grid(figure, len(shown), columns, sharey=True), shown, strict=True):
        for topic, colour in colours.items():
            ys = [float(each.moment.places[town].memes.get(topic, 0)) for each in samples]
            if any(ys):
                panel.plot([each.t_s for each in samples], ys, color=colour, linewidth=1.2)
                for each, y in zip(samples, ys, strict=True):
                    note_datum(panel, topic, town, each.t_s, y)
        panel.set_title(label_of(town))
        panel.set_xlabel(TIME)
        panel.set_ylabel("people with that goal")
    _topic_legend(figure, colours, theme)
    return figure


def draw_measures(found: TownFindings, theme: Theme) -> Figure:
    """Draw the measures of each condition."""
    return draw_group_measures(GroupMeasures(MEASURES, found.groups), theme)


FIGURES: Mapping[str, SectionFigure[TownFindings]] = {
    "levels": SectionFigure(
        "Levels over time",
        "A strip per person of the first run of each condition: its level from what it said itself; dots are speeches "
        "with a word of the faith. Levels only rise; priests are a group of their own. As figure 12 A and B of Project "
        "Sid.",
        draw_levels,
        tables=("levels.csv",),
        like=("sid 12 A", "sid 12 B"),
    ),
    "converts": SectionFigure(
        "Converts over time",
        "How many people are at each level. A line for each run. As figure 12 C.",
        draw_counts,
        tables=("converts.csv",),
        like=("sid 12 C",),
    ),
    "area": SectionFigure(
        "Area of influence",
        "The union of the discs within which converts are heard: of each level, and of both together. As figure 12 D.",
        draw_area,
        tables=("areas.csv",),
        like=("sid 12 D",),
    ),
    "conversions": SectionFigure(
        "Who told whom",
        "A line from whoever spoke the first word of the faith that a convert heard, to that convert, in the first run "
        "of each condition. Other exposures are in exposures.csv and in the GraphML files. As figure 12 E.",
        draw_graph,
        tables=("critical.csv", "meme_map.csv"),
        like=("sid 12 E",),
    ),
    "meme-map": SectionFigure(
        "Memes on the map",
        "People, coloured by the topic that they spoke of in the last two minutes; pale where none. As figure 11 A.",
        draw_map,
        tables=("meme_map.csv",),
        like=("sid 11 A",),
    ),
    "memes-by-place": SectionFigure(
        "Memes a head",
        "Goals about a topic for each of the people at a place, mean over time: towns, and the land outside. One dot a "
        "run. As figure 11 B.",
        draw_places,
        tables=("memes_by_place.csv",),
        like=("sid 11 B",),
    ),
    "memes-over-time": SectionFigure(
        "Memes over time",
        "People whose goal is about a topic, in the towns with most of them. As figure 11 C to E.",
        draw_times,
        tables=("memes.csv",),
        like=("sid 11 C", "sid 11 D", "sid 11 E"),
    ),
    "town-measures": SectionFigure(
        "Conditions beside each other",
        "One marker a run, the bar is the mean, the line its 95 % interval, if it has one.",
        draw_measures,
        tables=("town_measures.csv", "town_summary.csv"),
    ),
}
"""File name without its ending -> figure, in the page's order."""
