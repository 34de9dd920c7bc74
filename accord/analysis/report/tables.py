"""CSV tables of every report, one fact a row: runs, summary, comparisons, effects, curves, answers, costs, ways,
timeline.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from accord.analysis.answers import answer_total, decisions
from accord.analysis.intervals import Interval
from accord.analysis.measures import MeasureSummary
from accord.analysis.report.comparison import Comparison, ConditionRuns
from accord.analysis.report.curves import samples_of, standings
from accord.analysis.report.lanes import timeline_rows
from accord.analysis.report.model import ReportedRun
from accord.analysis.statistics import Contrast
from dilemmas.records.answers import RoleAnswers

OF_ANSWERS = ("answers", "unreadable", "refused", "cut_off", "questions", "given_up")
"""Sums over the answers for decisions; empty if a run recorded none by kind."""
RUNS = (
    "condition", "run", "seed", "status", "player", "measure", "value", "invalid", "verdicts", "invalid_verdicts",
    *OF_ANSWERS,
)  # fmt: skip
SUMMARY = (
    "condition", "player", "measure", "n", "mean", "se", "min", "max", "ci95_low", "ci95_high", "runs",
    "invalid_runs", "verdicts", "invalid_verdicts", "counted", *OF_ANSWERS,
)  # fmt: skip
COMPARISONS = (
    "first", "second", "player", "measure", "n_first", "n_second", "mean_first", "mean_second", "difference",
    "ci95_low", "ci95_high", "p", "p_holm", "hedges_g", "g_ci95_low", "g_ci95_high", "cliffs_delta", "pairs",
    "paired_ci95_low", "paired_ci95_high", "paired_p", "paired_p_holm", "paired_p_t", "mixed_difference",
    "mixed_ci95_low", "mixed_ci95_high", "mixed_p", "mixed_p_holm", "mixed_problem", "invalid_first", "invalid_second",
)  # fmt: skip
REPUTATION = ("condition", "run", "seed", "player", "round", "reputation")
WAYS = ("condition", "run", "seed", "episode", "player", "part", "game_s", "x", "z")
TIMELINE = ("condition", "run", "seed", "episode", "game_s", "until", "who", "what", "to", "text", "ok", "times")
EFFECTS = (
    "factor", "first", "second", "player", "measure", "strata", "n_first", "n_second", "difference", "ci95_low",
    "ci95_high", "p", "p_holm",
)  # fmt: skip
CURVES = ("condition", "run", "seed", "player", "game_s", "quantity", "value", "invalid")
ANSWERS = ("condition", "run", "seed", "player", "role", "model", *OF_ANSWERS)
COSTS = (
    "condition", "run", "seed", "player", "role", "model", "calls", "tokens", "usd", "faults", "retries", "limited",
    "waited_s", "unanswered", "cached", "escalated",
)  # fmt: skip


def run_tables(comparison: Comparison) -> dict[str, str]:
    """Return every table as file name -> text."""
    return {
        "runs.csv": text_of(RUNS, (row for run in comparison.runs for row in _run(run))),
        "summary.csv": text_of(SUMMARY, _summary(comparison)),
        "comparisons.csv": text_of(COMPARISONS, _comparisons(comparison)),
        "effects.csv": text_of(EFFECTS, _effects(comparison)),
        "curves.csv": text_of(CURVES, (row for run in comparison.runs for row in _curves(run))),
        "answers.csv": text_of(ANSWERS, _answers(comparison.runs)),
        "costs.csv": text_of(COSTS, _costs(comparison.runs)),
        "reputation.csv": text_of(REPUTATION, (row for run in comparison.runs for row in _reputation(run))),
        "ways.csv": text_of(WAYS, (row for run in comparison.runs for row in _ways(run))),
        "timeline.csv": text_of(TIMELINE, (row for run in comparison.runs for row in _timeline(run))),
    }


def _answers(runs: Iterable[ReportedRun]) -> Iterable[Sequence[object]]:
    """Yield a row for each model in a role of a player of a run."""
    for run in runs:
        for each in run.answers or ():
            yield run.condition, run.name, run.seed, each.player, each.role, each.model, *_counts(each)


def _counts(each: RoleAnswers) -> list[int]:
    return [getattr(each, name) for name in OF_ANSWERS]


def _sums(answers: Iterable[RoleAnswers] | None) -> list[object]:
    """Return the sums over all decisions; empty cells if they were not recorded."""
    return [""] * len(OF_ANSWERS) if answers is None else [*_counts(answer_total(decisions(answers)))]


def _costs(runs: Iterable[ReportedRun]) -> list[Sequence[object]]:
    """Return a row for each model in a role of a player of a run."""
    found: list[Sequence[object]] = []
    for run in runs:
        for each in run.costs:
            numbers = (each.calls, each.tokens, each.usd, each.faults, each.retries, each.limited)
            who = (run.condition, run.name, run.seed, each.player, each.role, each.model)
            found.append((*who, *numbers, each.waited_s, each.unanswered, each.cached, each.escalated))
    return found


def _run(run: ReportedRun) -> Iterable[Sequence[object]]:
    """Yield a row per measure and per item held at the end; a run without a result has one empty row."""
    head = [run.condition, run.name, run.seed, run.status]
    worth = [run.invalid, run.verdicts.given, run.verdicts.invalid, *_sums(run.answers)]
    for (measure, player), value in run.figures.items():
        yield [*head, player, measure, value, *worth]
    for player, account in run.accounts.items():
        for item, count in sorted(account.items.items()):
            yield [*head, player, f"held.{item}", count, *worth]
    if not run.figures:
        yield [*head, "", "", "", *worth]


def _summary(comparison: Comparison) -> Iterable[Sequence[object]]:
    for condition in comparison.conditions:
        yield from _summaries(condition, "yes")
        if condition.apart is not None:
            yield from _summaries(condition.apart, "apart")


def _summaries(condition: ConditionRuns, counted: str) -> Iterable[Sequence[object]]:
    """Yield a row per measure; `counted` says whether the runs count or are invalid ones shown apart."""
    worth = [len(condition.runs), len(condition.invalid), condition.verdicts.given, condition.verdicts.invalid]
    told = _sums(None if condition.unrecorded else condition.answers)
    for (measure, player), found in condition.summaries.items():
        yield [condition.name, player, measure, *_spread(found), *worth, counted, *told]


def _spread(found: MeasureSummary) -> Sequence[object]:
    return [found.n, found.mean, found.se, found.min, found.max, *_ends(found.ci95)]


def _ends(interval: Interval | None) -> Sequence[float | None]:
    return interval or (None, None)


def _paired(each: Contrast) -> Sequence[object]:
    """Return the cells of the comparison in pairs of equal seeds; empty ones without it."""
    paired = each.paired
    if paired is None:
        return [None] * 12
    told = [paired.pairs, *_ends(paired.ci95), paired.p, each.paired_p_holm, paired.p_t]
    if (mixed := paired.mixed) is None:
        return [*told, *[None] * 6]
    return [*told, mixed.difference, *_ends(mixed.ci95), mixed.p, each.mixed_p_holm, mixed.problem]


def _comparisons(comparison: Comparison) -> Iterable[Sequence[object]]:
    broken = {condition.name: len(condition.invalid) for condition in comparison.conditions}
    for each in comparison.contrasts:
        found = each.found
        measure, player = each.key
        yield [
            *each.of, player, measure, *found.n, *found.means, found.difference, *_ends(found.ci95),
            found.p, each.p_holm, found.hedges_g, *_ends(found.g_ci95), found.cliffs_delta,
            *_paired(each), *(broken[name] for name in each.of),
        ]  # fmt: skip


def _effects(comparison: Comparison) -> Iterable[Sequence[object]]:
    for each in comparison.effects:
        measure, player = each.key
        yield [
            each.factor, *each.of, player, measure, each.strata, *each.n, each.difference, *_ends(each.ci95),
            each.p, each.p_holm,
        ]  # fmt: skip


def _curves(run: ReportedRun) -> Iterable[Sequence[object]]:
    """Yield each item that pays and the reward, per player; and, without a player, each counted block of the world."""
    for state in samples_of(run):
        head = [run.condition, run.name, run.seed]
        for player, held in state.players.items():
            for item in run.paying_items:
                yield [*head, player, state.t_s, item, held.items.get(item, 0), run.invalid]
            yield [*head, player, state.t_s, "reward", held.reward, run.invalid]
        for block, count in state.world.items():
            yield [*head, "", state.t_s, block, count, run.invalid]


def _reputation(run: ReportedRun) -> Iterable[Sequence[object]]:
    """Yield each player's reputation from each round on in which the council judged it."""
    for player in run.players:
        for place, score in zip(*(standings(run, player) or ((), ())), strict=True):
            yield [run.condition, run.name, run.seed, player, place, score]


def _ways(run: ReportedRun) -> Iterable[Sequence[object]]:
    """Yield the places of each player in every episode; a new part begins where it was moved or came back."""
    for episode in run.episodes:
        for player, way in episode.ways.items():
            for number, part in enumerate(way, 1):
                for t_s, x, z in part:
                    yield [run.condition, run.name, run.seed, episode.number, player, number, t_s, x, z]


def _timeline(run: ReportedRun) -> Iterable[Sequence[object]]:
    """Yield the timeline of every episode, and the contract's transfers at its end."""
    for episode in run.episodes:
        head = [run.condition, run.name, run.seed, episode.number]
        for each in timeline_rows(episode):
            told = [each.who, each.kind, each.to, each.text, int(each.ok), each.times]
            yield [*head, each.game_s, each.until, *told]


def text_of(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV; text that a spreadsheet would run is quoted."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """Quote text that a spreadsheet would run as a formula, in the spreadsheets' own way; None is empty."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value
