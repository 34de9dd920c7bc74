"""Figures of a society, after figures 8 and 9 of Project Sid: roles over time, their distribution and entropy, and
deeds by role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from accord.analysis.report.canvas import Axes, Figure, Patch
from accord.analysis.report.drawing import label_of, new_figure, note_datum, panel_grid
from accord.analysis.report.group_bars import draw_group_measures
from accord.analysis.report.section import GroupMeasures, SectionFigure
from accord.analysis.report.society.findings import MEASURES, SocietyFindings, SocietyRun, colour_of, usual_role
from accord.analysis.report.style import Theme
from dilemmas.scenarios.societies import roles

HEAT = "#4477aa"
MAX_DEEDS = 28
"""Maximum number of actions in a heat map, the commonest first."""


def draw_strips(found: SocietyFindings, theme: Theme) -> Figure:
    """Draw a strip per agent, for the first run of every condition."""
    columns = theme.columns(2)
    rows = -(-len(found.societies) // columns)
    figure = new_figure(theme, 0.9 + rows * (0.6 + 0.085 * found.max_agents))
    panels = panel_grid(figure, len(found.societies), columns, sharex=True)
    colours = colour_of(found)
    for place, (panel, society) in enumerate(zip(panels, found.societies, strict=True)):
        run = society.runs[0]
        _strips(panel, run, colours)
        panel.set_title(label_of(society.name))
        panel.set_ylabel(f"{len(run.strips)} agents" if place % columns == 0 else "")
        if place + columns >= len(found.societies):
            panel.set_xlabel("game time (s)")
            panel.tick_params(labelbottom=True)
    _role_legend(figure, found, theme)
    return figure


def _strips(panel: Axes, run: SocietyRun, colours: Mapping[str, str]) -> None:
    """Return agents sorted so that equal usual roles are adjacent."""
    places = list(colours)
    ordered = sorted(run.strips.items(), key=lambda each: (places.index(usual_role(each[1])), each[0]))
    for row, (player, steps) in enumerate(ordered):
        spells = roles.spells(steps, run.histories.until) if steps else []
        bars = [(start, end - start) for start, end, _ in spells]
        panel.broken_barh(bars, (row - 0.42, 0.84), facecolors=[colours[role] for _, _, role in spells], linewidth=0)
        for start, end, role in spells:
            note_datum(panel, player, role, row, start, low=start, high=end)
    panel.set_ylim(max(1, len(ordered)) - 0.5, -0.5)
    panel.set_xlim(0, run.histories.until)
    panel.set_yticks([])
    panel.grid(visible=False)


def _role_legend(figure: Figure, found: SocietyFindings, theme: Theme) -> None:
    colours = colour_of(found)
    patches = [Patch(color=colours[role]) for role in found.roles]
    columns = 4 if theme.narrow else 7
    figure.legend(patches, [label_of(role) for role in found.roles], loc="outside upper center", ncols=columns,
                  fontsize="small", handlelength=1.1, columnspacing=1.0)  # fmt: skip


def draw_shares(found: SocietyFindings, theme: Theme) -> Figure:
    """Draw the distribution of roles: mean share of the steps, and its 95 % interval over the runs."""
    columns = theme.columns(min(4, len(found.societies)))
    rows = -(-len(found.societies) // columns)
    figure = new_figure(theme, 0.6 + rows * (0.5 + 0.19 * len(found.roles)))
    panels = panel_grid(figure, len(found.societies), columns, sharex=True, sharey=True)
    colours = colour_of(found)
    for panel, society in zip(panels, found.societies, strict=True):
        for row, role in enumerate(found.roles):
            share = society.share(role)
            low, high = share.ci95 or (None, None)
            note_datum(panel, role, "mean", row, share.mean, low=low, high=high)
            panel.barh(row, share.mean, height=0.72, color=colours[role], alpha=0.8, linewidth=0)
            if share.ci95 and share.mean:
                panel.hlines(row, *share.ci95, color=theme.ink, linewidth=1.3)
        panel.set_title(label_of(society.name))
        panel.set_xlabel("share of steps")
        panel.grid(axis="y", visible=False)
    panels[0].set_yticks(range(len(found.roles)), [label_of(role) for role in found.roles])
    panels[0].set_ylim(max(1, len(found.roles)) - 0.5, -0.5)
    panels[0].set_xlim(left=0)
    return figure


def draw_measures(found: SocietyFindings, theme: Theme) -> Figure:
    """Draw entropy, persistence, length, coherence and reaction of each society."""
    return draw_group_measures(GroupMeasures(MEASURES, found.societies), theme)


def draw_deeds(found: SocietyFindings, theme: Theme) -> Figure:
    """Draw two heat maps of deeds by role: each role's deeds, and each deed's roles."""
    table = found.deeds()
    whole = {deed: sum(done[deed] for done in table.values()) for done_ in table.values() for deed in done_}
    deeds = sorted(whole, key=lambda deed: (-whole[deed], deed))[:MAX_DEEDS]
    deeds.sort(key=lambda deed: _weight(table, found.roles, deed))
    shown = [role for role in found.roles if any(table.get(role, Counter())[deed] for deed in deeds)]
    counts = {role: {deed: float(table[role][deed]) for deed in deeds} for role in shown}
    by_row = roles.normalized(counts)
    by_column = roles.transposed(roles.normalized(roles.transposed(counts)))
    figure = new_figure(theme, (1.9 + 0.2 * len(deeds)) * (2 if theme.narrow else 1))
    panels = panel_grid(figure, 2, theme.columns(2), sharey=not theme.narrow)
    for panel, cells, title in zip(
        panels, (by_row, by_column), ("of a role's deeds", "of a deed's roles"), strict=True
    ):
        _heat(panel, cells, shown, deeds, theme)
        panel.set_title(f"share {title}")
    return figure


def _weight(table: Mapping[str, Counter[str]], order: Sequence[str], deed: str) -> tuple[int, str]:
    """Return the sort key of a deed: deeds follow the order of their main role, so that the diagonal can be seen."""
    most = max(range(len(order)), key=lambda place: (table.get(order[place], Counter())[deed], -place))
    return most, deed


def _heat(
    panel: Axes, cells: Mapping[str, Mapping[str, float]], shown: Sequence[str], deeds: Sequence[str], theme: Theme
) -> None:
    """Draw a cell per role (across) and deed (down), darker for a greater share."""
    for column, role in enumerate(shown):
        for row, deed in enumerate(deeds):
            if value := cells[role].get(deed, 0.0):
                note_datum(panel, role, deed, column, value)
                panel.broken_barh([(column - 0.47, 0.94)], (row - 0.46, 0.92), facecolors=[HEAT],
                                  alpha=0.06 + 0.94 * value, linewidth=0)  # fmt: skip
    panel.set_xlim(-0.5, max(1, len(shown)) - 0.5)
    panel.set_ylim(max(1, len(deeds)) - 0.5, -0.5)
    panel.set_xticks(range(len(shown)), [label_of(role) for role in shown], rotation=45, ha="right",
                     rotation_mode="anchor")  # fmt: skip
    panel.set_yticks(range(len(deeds)), [label_of(deed) for deed in deeds])
    panel.tick_params(labelsize=7 if not theme.narrow else 6)
    panel.grid(visible=False)


def _anybody_has_goals(found: SocietyFindings) -> bool:
    return bool(found.roles)


FIGURES: Mapping[str, SectionFigure[SocietyFindings]] = {
    "roles-over-time": SectionFigure(
        "Roles over time",
        "A strip per agent: its role, inferred from each rolling set of five of its goals, in the first run of each "
        "condition. As figure 8 A and B of Project Sid.",
        draw_strips,
        _anybody_has_goals,
        tables=("roles.csv",),
        like=("sid 8 A", "sid 8 B"),
    ),
    "role-distribution": SectionFigure(
        "Distribution of roles",
        "The share of all agents' steps that are each role's: the mean of the runs, the line its 95 % interval, if "
        "it has one. As figure 8 C, D, F and G.",
        draw_shares,
        _anybody_has_goals,
        tables=("role_shares.csv", "role_summary.csv"),
        like=("sid 8 C", "sid 8 D", "sid 8 F", "sid 8 G"),
    ),
    "role-measures": SectionFigure(
        "Entropy and persistence of roles, and how minds worked",
        "Entropy (as figure 8 E): how diverse the roles of the agents are at a time. Persistence: how often the "
        "role is that of the step before. "
        "One marker a run, the bar is the mean, the line its 95 % interval, if it has one.",
        draw_measures,
        lambda found: any(society.samples(name) for society in found.societies for name in MEASURES),
        tables=("role_measures.csv", "role_summary.csv"),
        like=("sid 8 E",),
    ),
    "deeds-by-role": SectionFigure(
        "What was done in which role",
        "All runs together. Left: of all that is done in a role, the share of each deed. Right: of all times that a "
        "deed is done, "
        "the share of each role. The darker, the more. Walking is left out. As figure 9.",
        draw_deeds,
        lambda found: any(found.deeds().values()),
        tables=("deeds_by_role.csv",),
        like=("sid 9",),
    ),
}
"""File name without its ending -> figure, in the page's order."""
