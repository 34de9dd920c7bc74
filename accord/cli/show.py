"""Terminal tables and lines of results. Names come from records and are never parsed as markup."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from accord.analysis.claims import number
from accord.analysis.intervals import Interval
from accord.analysis.report.comparison import Comparison, ConditionRuns, title
from accord.analysis.report.text import one_line
from accord.analysis.statistics import Contrast
from accord.cli.answers import show_answers
from accord.cli.costs import show_costs
from accord.cli.table_cells import spread, words
from accord.cli.tables import table
from bridge.worlds import ENGINE

JOINT = "+"
"""Separator of the parts of a condition's name."""
MAX_CONTRASTS = 60
"""Maximum number of differences that are all shown."""
WHOLE = 4000
"""Maximum length of a sentence shown in full, in characters."""
SHORT = 15
"""Maximum length of a factor with its level in one line, in characters."""
NARROW = 18
"""Maximum length of a condition's name in one line, in characters."""


def comparison_table(comparison: Comparison) -> Table:
    """Return a table of conditions: welfare, Gini, payoffs with transfers by the contract, game time."""
    shown = table()
    shown.add_column("condition")
    for name in ("runs", "welfare", "Gini"):
        shown.add_column(name, justify="right")
    for player in comparison.players:
        shown.add_column(words(player), justify="right")
    shown.add_column("time", justify="right")
    judged = bool(comparison.judged)
    if judged:
        shown.add_column("invalid", justify="right")
    rows = [row for condition in comparison.conditions for row in _rows(condition, comparison.players, judged=judged)]
    for row in rows:
        shown.add_row(*row)
    # If all runs of a condition are alike, no interval is shown.
    intervals = "; below: 95 % interval" if any("\n" in str(cell) for row in rows for cell in row) else ""
    unread = "; invalid: unreadable verdicts, of all" if judged else ""
    shown.caption = f"{comparison.unit}; in parentheses: moved by the contract{intervals}{unread}"
    return shown


def _rows(condition: ConditionRuns, players: Sequence[str], *, judged: bool) -> list[list[Text | str]]:
    """Return the row of a condition and, if invalid runs are shown apart, a row for them."""
    found = [_condition_row(condition, players, Text(_broken(condition.name), style="bold"))]
    if condition.apart is not None:
        found.append(_condition_row(condition.apart, players, Text("  invalid runs", style="yellow")))
    if judged:
        given = condition.verdicts
        style = "yellow" if given.invalid else ""
        worth = Text(f"{given.invalid}/{given.given}" if given.given else "-", style=style)
        found = [[*row, worth if number == 0 else ""] for number, row in enumerate(found)]
    return found


def _broken(name: str) -> str:
    """Return a condition's name, broken into lines if it is long."""
    name = one_line(name)
    if len(name) <= NARROW:
        return name
    first, *parts = name.split(JOINT)
    long = [part.replace("=", "=\n ", 1) if len(part) >= SHORT else part for part in parts]
    return "\n".join([first, *(f"{JOINT}{part}" for part in long)])


def _condition_row(condition: ConditionRuns, players: Sequence[str], name: Text) -> list[Text | str]:
    seconds = condition.measure("game_s")
    nothing = (condition.runs[0].invalid and "invalid") or condition.runs[0].status
    return [
        name,
        f"{len(condition.scored)}/{len(condition.runs)}",
        spread(condition.measure("welfare")) if condition.scored else words(nothing, "red"),
        spread(condition.measure("gini"), 3),
        *(spread(condition.measure("payoff", player), 2, condition.measure("transfer", player)) for player in players),
        f"{seconds.mean:.0f} s" if seconds else "-",
    ]


def contrast_table(comparison: Comparison) -> Table:
    """Return a table with a row per measure and pair of conditions, for which p is corrected.

    Of more than `MAX_CONTRASTS` rows only those are shown whose conditions differ in one part of their names, or one of
    whose conditions is the first; the caption counts the rest.
    """
    first = comparison.conditions[0].name
    few = len(comparison.notable) <= MAX_CONTRASTS
    left = len(comparison.notable)
    declared = "; *: declared beforehand, others exploratory" if comparison.plan.declares else ""
    test = ", ".join(filter(None, [comparison.plan.test, comparison.fallback]))
    caption = f"difference of the means [95 % interval]; p: {test}, after Holm; g: Hedges' g{declared}"
    shown = table(caption)
    shown.add_column("measure")
    shown.add_column("conditions")
    for name in ("difference", "p", "g"):
        shown.add_column(name, justify="right")
    crossed = any("=" in part for part in first.split(JOINT))
    for each in comparison.notable:
        if few or (_is_simple(each) if crossed else first in each.of):
            shown.add_row(*_contrast_row(each, paired=comparison.plan.paired))
            left -= 1
    if left:
        shown.caption = f"{caption}; {left} more in comparisons.csv, for which p is corrected too"
    return shown


def effect_table(comparison: Comparison) -> Table:
    """Return a table with a row per measure, factor and pair of its levels."""
    shown = table("each factor over all combinations of the others; p: permutation test within them, after Holm")
    for name in ("measure", "factor", "levels"):
        shown.add_column(name)
    for name in ("difference", "p"):
        shown.add_column(name, justify="right")
    for each in comparison.notable_effects:
        shown.add_row(
            words(title(each.key[0]), "bold"), words(each.factor), words(" - ".join(each.of)),
            _difference(each.difference, each.ci95), _probability(each.p_holm),
        )  # fmt: skip
    return shown


def _is_simple(each: Contrast) -> bool:
    """Return True if the two conditions differ in exactly one part of their names."""
    one, other = (name.split(JOINT) for name in each.of)
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) == 1


def _pair(of: tuple[str, str]) -> str:
    """Return the label of a pair of conditions: the differing parts, then the common parts after a bar."""
    one, other = (name.split(JOINT) for name in of)
    both = [part for part in one if part in other]
    left = [JOINT.join(part for part in parts if part not in both) for parts in (one, other)]
    if not both or not all(left):
        return " - ".join(of)
    return f"{' - '.join(left)} | {JOINT.join(both)}"


def _contrast_row(each: Contrast, *, paired: bool) -> list[Text | str]:
    found, (difference, interval, p) = each.found, each.evidence(paired=paired)
    return [
        words(f"{title(each.key[0])}{' *' if each.declared else ''}", "bold"),
        words(_pair(each.of)),
        _difference(difference, interval),
        _probability(p),
        "-" if found.hedges_g is None else f"{found.hedges_g:+.2f}",
    ]


def _difference(difference: float, interval: Interval | None) -> Text:
    if interval is None:
        return Text(f"{difference:+.3g}")
    low, high = map(number, interval)
    return Text.assemble(f"{difference:+.3g} ", (f"[{low}, {high}]", "dim"))


def _probability(p: float | None) -> str:
    if p is None:
        return "-"
    return f"{p:.3f}" if p >= 0.001 else "<0.001"


def _show_scores(console: Console, comparison: Comparison) -> None:
    """Print scores, and the differences between conditions and between factors' levels."""
    console.print(comparison_table(comparison))
    if comparison.contrasts:
        console.print(contrast_table(comparison))
    if comparison.notable_effects:
        console.print(effect_table(comparison))


def show_comparison(console: Console, comparison: Comparison, label: str, path: Path) -> None:
    """Print the table of conditions, the conclusion in a sentence, and the path of the report or record.

    Args:
        console: Console to print to.
        comparison: The compared conditions.
        label: Label of the path, such as `report`.
        path: Path of the report or record.
    """
    if (society := _society_of(comparison)) is not None:
        shown, conclusion = society
        console.print(shown)
    else:
        _show_scores(console, comparison)
        conclusion = comparison.sentence()
    console.print(Text(one_line(conclusion, WHOLE)), soft_wrap=not console.is_terminal)
    for warning in filter(None, (comparison.replication, *comparison.warnings)):
        console.print(Text(one_line(warning, WHOLE), style="yellow"), soft_wrap=not console.is_terminal)
    show_answers(console, comparison)
    show_costs(console, comparison.runs)
    console.print(Text.assemble(f"{label}: ", (str(path), "bold")), soft_wrap=True)


def _society_of(comparison: Comparison) -> tuple[Table, str] | None:
    """Return the table and conclusion of a society, or None if the scenario has none."""
    if not any(run.lives or run.spreading or run.perceived or run.trial for run in comparison.runs):
        return None
    from accord.cli.societies import lived_of

    return lived_of(comparison)


def show_estimate(console: Console, found: Mapping[str, Any]) -> None:
    """Print the minimum and maximum expected use of models in a study (`accord.studies.estimate.expect`)."""
    shown = table()
    # Users pass these names to --model-for, so they are never cut, even if numbers have little room.
    shown.add_column("role", no_wrap=True)
    shown.add_column("model")
    for name in ("calls", "tokens", "USD"):
        shown.add_column(name, justify="right")
    for each in found["roles"]:
        shown.add_row(words(each["role"], "bold"), words(each["model"]), *_bounds(each))
    shown.add_row("all", "", *_bounds(found), style="bold")
    console.print(shown)
    if without := found.get("without_skipping"):
        bounds = " to ".join(f"{without[bound]['calls']:,}" for bound in ("least", "most"))
        measured = f"a village with a fake model was measured to make {found['skipping_measured']:.0%} of its calls"
        line = f"skipping unchanged calls is counted in: without it {bounds} calls; {measured}"
        console.print(words(line), soft_wrap=True)
    if (answers := found.get("cached_answers")) is not None:
        hits = f"at most {min(answers, found['most']['calls']):,} of the calls above"
        line = f"the cache has {answers:,} answers: questions that were asked before cost nothing, {hits}"
        console.print(words(line), soft_wrap=True)
    for each in found.get("cascades", ()):
        least, most = each["last_alone"]["least"], each["last_alone"]["most"]
        alone = "an unknown price" if most is None else f"{least:.4f} to {most:.4f} USD"
        line = f"{each['model']}: later stages are asked where an answer is not enough; the last one alone: {alone}"
        console.print(words(line), soft_wrap=True)
    if share := found.get("equal_prefix"):
        line = f"{share:.0%} of the prompts' tokens are beginnings that stay equal, which providers may bill as cached"
        console.print(words(line), soft_wrap=True)
    if found.get("bodies") == ENGINE:
        console.print(words("players are bodies in the server, without clients (--bodies engine)"), soft_wrap=True)
    _tell_unpriced(console, found["unpriced"])
    if found["undated"]:
        line = f"the price of {', '.join(found['undated'])} is a recollection of 2025: check it, or give --prices FILE"
        console.print(words(line), soft_wrap=True)


def _bounds(entry: Mapping[str, Any]) -> list[str]:
    least, most = entry["least"], entry["most"]
    counts = [f"{least[key]:,} to {most[key]:,}" for key in ("calls", "tokens")]
    known = least["usd"] is not None and most["usd"] is not None
    return [*counts, f"{least['usd']:.4f} to {most['usd']:.4f}" if known else "unknown"]


def show_unpriced(console: Console, runs: Iterable[Mapping[str, Any]]) -> None:
    """Print the names of models that were called without a known price."""
    _tell_unpriced(console, sorted({name for run in runs for name in (run.get("usage") or {}).get("unpriced", ())}))


def show_cached(console: Console, runs: Iterable[Mapping[str, Any]]) -> None:
    """Print how many answers came from the cache and what they saved, or nothing without any."""
    usages = [run.get("usage") or {} for run in runs]
    found = [usage["cached"] for usage in usages if usage.get("cached")]
    if not found:
        return
    calls, tokens = (sum(int(each[key]) for each in found) for key in ("calls", "tokens"))
    known = all(each["usd"] is not None for each in found)
    saved = f"{tokens:,} tokens" + (f" and {sum(each['usd'] for each in found):.4f} USD" if known else "")
    asked = sum(int(usage.get("calls") or 0) for usage in usages)
    line = f"cache: {calls:,} of {calls + asked:,} answers are those of earlier calls, which saved {saved}"
    console.print(words(line), soft_wrap=True)


def _tell_unpriced(console: Console, models: Sequence[str]) -> None:
    if models:
        line = f"no price is known for {', '.join(models)}: tokens only (give --prices FILE to know dollars)"
        console.print(words(line), soft_wrap=True)
