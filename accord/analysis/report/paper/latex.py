"""LaTeX tables of a comparison (booktabs): conditions, payoffs, measures, differences. Names are escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accord.analysis.intervals import Interval
from accord.analysis.measures import MeasureSummary
from accord.analysis.report.comparison import Comparison, title
from accord.analysis.report.section import GroupMeasures
from accord.analysis.report.sections import FoundSection
from accord.analysis.report.standard.section import StandardSection
from accord.analysis.statistics import Contrast

_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}", "'": r"\textquotesingle{}",
}  # fmt: skip
STANDARD = StandardSection.name
NOTHING = "--"
HEAD = "% Written by Accord from the runs' records. Needs \\usepackage{booktabs}.\n"


def escaped(text: str) -> str:
    """Return text that TeX prints literally; non-printable and non-ASCII letters become question marks."""
    shown = (_ESCAPES.get(letter, letter) if letter.isascii() and letter.isprintable() else "?" for letter in text)
    # Two hyphens would become a dash.
    return "".join(shown).replace("--", "-{}-").replace("--", "-{}-")


def latex_tables(comparison: Comparison, found: Sequence[FoundSection]) -> dict[str, str]:
    """Return every table that is not empty, file name -> text.

    Args:
        comparison: The runs.
        found: The leading section, then its parts. Payoffs are shown only if a section about rewards leads.
    """
    tables = {}
    if found[0].section.name == STANDARD:
        tables = {"conditions.tex": _conditions(comparison), "payoffs.tex": _payoffs(comparison)}
        if comparison.own_measures:
            tables["measures.tex"] = _measures(comparison)
        if comparison.notable:
            tables["differences.tex"] = _differences(comparison.notable)
    for each in found:
        if (measured := each.section.measures(each.findings)) is not None:
            tables[f"{each.section.name}.tex"] = _group_measures(measured)
    return tables


def _group_measures(measured: GroupMeasures) -> str:
    """Return a table with a row for each measure of a section, a column for each condition."""
    names = [escaped(group.name) for group in measured.groups]
    shown = [name for name in measured.titles if any(group.samples(name) for group in measured.groups)]
    rows = [
        [escaped(", ".join(measured.titles[name])), *(_spread(group.measure(name)) for group in measured.groups)]
        for name in shown
    ]
    counts = ["Runs", *(str(len(group.runs)) for group in measured.groups)]
    return _table("l" + "r" * len(names), ["Measure", *names], [counts, *rows])


def _conditions(comparison: Comparison) -> str:
    rows = []
    for each in comparison.conditions:
        figures = [
            _spread(each.measure("welfare")),
            _spread(each.measure("gini"), 3),
            _spread(each.measure("game_s"), 1),
        ]
        rows.append([escaped(each.name), str(len(each.scored)), *figures])
    unit = escaped(comparison.unit)
    return _table("lrrrr", ["Condition", "$n$", f"Welfare ({unit})", "Gini", "Game time (s)"], rows)


def _payoffs(comparison: Comparison) -> str:
    """Return a table with a row for each condition and player."""
    rows: list[Sequence[str]] = []
    for each in comparison.conditions:
        for place, player in enumerate(comparison.players):
            figures = [_spread(each.measure(name, player)) for name in ("reward", "transfer", "payoff")]
            rows.append([escaped(each.name) if place == 0 else "", escaped(player), *figures])
        rows.append([])
    return _table("llrrr", ["Condition", "Player", "Reward", "Transfer", "Payoff"], rows[:-1])


def _measures(comparison: Comparison) -> str:
    names = [escaped(each.name) for each in comparison.conditions]
    rows = [
        [escaped(title(measure)), *(_spread(each.measure(measure)) for each in comparison.conditions)]
        for measure in comparison.own_measures
    ]
    return _table("l" + "r" * len(names), ["A run, all players", *names], rows)


def _differences(contrasts: Sequence[Contrast]) -> str:
    head = ["Measure", "Conditions", "Difference", r"95\,\% interval", "$p$", "$p$ (Holm)", "$g$", r"$\delta$"]
    return _table("llrrrrrr", head, [_difference(each) for each in contrasts])


def _difference(each: Contrast) -> list[str]:
    found = each.found
    return [
        escaped(title(each.key[0])), rf"{escaped(each.of[0])} $-$ {escaped(each.of[1])}", _number(found.difference, 3),
        _interval(found.ci95, 3) or NOTHING, _probability(found.p), _probability(each.p_holm),
        NOTHING if found.hedges_g is None else f"{_number(found.hedges_g)} {_interval(found.g_ci95)}".strip(),
        _number(found.cliffs_delta),
    ]  # fmt: skip


def _table(columns: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; an empty row is a thin rule with space."""
    lines = [" & ".join(row) + r" \\" if row else r"\addlinespace" for row in rows]
    body = "\n".join([r"\toprule", " & ".join(head) + r" \\", r"\midrule", *lines, r"\bottomrule"])
    return f"{HEAD}\\begin{{tabular}}{{@{{}}{columns}@{{}}}}\n{body}\n\\end{{tabular}}\n"


def _spread(summary: MeasureSummary | None, digits: int = 2) -> str:
    """Return the mean, with its 95 % interval if there is one."""
    return NOTHING if summary is None else f"{_number(summary.mean, digits)} {_interval(summary.ci95, digits)}".strip()


def _interval(ends: Interval | None, digits: int = 2) -> str:
    return f"[{', '.join(_number(end, digits) for end in ends)}]" if ends else ""


def _number(value: float, digits: int = 2) -> str:
    text = f"{round(value, digits) or 0:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"$-${text[1:]}" if text.startswith("-") else text


def _probability(value: float | None) -> str:
    if value is None:
        return NOTHING
    return r"$<$0.001" if value < 0.001 else f"{value:.3f}"
