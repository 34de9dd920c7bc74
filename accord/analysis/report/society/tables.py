"""CSV tables of a society, one for each measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accord.analysis.report.society.findings import MEASURES, SocietyFindings
from accord.analysis.report.tables import text_of
from dilemmas.scenarios.societies.roles import spells

HEAD = ("condition", "run", "seed")
MODULE = ("runs_a_minute", "calls_a_minute", "tokens_a_minute", "stale", "late_p99_s", "late_most_s")


def society_tables(found: SocietyFindings) -> dict[str, str]:
    """Return the tables by file name."""
    return {
        "roles.csv": text_of((*HEAD, "player", "from_s", "to_s", "role"), _roles(found)),
        "role_steps.csv": text_of((*HEAD, "player", "game_s", "role", "also"), _steps(found)),
        "role_shares.csv": text_of((*HEAD, "role", "share"), _shares(found)),
        "role_measures.csv": text_of((*HEAD, "measure", "value"), _measures(found)),
        "role_summary.csv": text_of(
            ("condition", "measure", "n", "mean", "se", "min", "max", "ci95_low", "ci95_high"), _summary(found)
        ),
        "deeds_by_role.csv": text_of((*HEAD, "role", "deed", "count"), _deeds(found)),
        "modules.csv": text_of(
            (*HEAD, "module", *MODULE),
            _modules(found),
        ),
    }  # fmt: skip


def _roles(found: SocietyFindings) -> Iterable[Sequence[object]]:
    for run in (run for society in found.societies for run in society.runs):
        for player, steps in run.strips.items():
            for start, end, role in spells(steps, run.histories.until) if steps else ():
                yield [run.run.condition, run.run.name, run.run.seed, player, start, end, role]


def _steps(found: SocietyFindings) -> Iterable[Sequence[object]]:
    for run in (run for society in found.societies for run in society.runs):
        for player, steps in run.strips.items():
            for step in steps:
                head = [run.run.condition, run.run.name, run.run.seed, player]
                yield [*head, step.t_s, step.role, " ".join(step.also)]


def _shares(found: SocietyFindings) -> Iterable[Sequence[object]]:
    for run in (run for society in found.societies for run in society.runs):
        for role in found.roles:
            yield [run.run.condition, run.run.name, run.run.seed, role, run.shares.get(role, 0.0)]


def _measures(found: SocietyFindings) -> Iterable[Sequence[object]]:
    for run in (run for society in found.societies for run in society.runs):
        for measure, value in run.values.items():
            yield [run.run.condition, run.run.name, run.run.seed, measure, value]


def _summary(found: SocietyFindings) -> Iterable[Sequence[object]]:
    for society in found.societies:
        summaries = {name: society.measure(name) for name in MEASURES}
        summaries |= {f"share of {role}": society.share(role) for role in found.roles}
        for name, each in summaries.items():
            if each is not None:
                low, high = each.ci95 or (None, None)
                yield [society.name, name, each.n, each.mean, each.se, each.min, each.max, low, high]


def _deeds(found: SocietyFindings) -> Iterable[Sequence[object]]:
    for run in (run for society in found.societies for run in society.runs):
        for role, done in run.deeds.items():
            for deed, count in sorted(done.items()):
                yield [run.run.condition, run.run.name, run.run.seed, role, deed, count]


def _modules(found: SocietyFindings) -> Iterable[Sequence[object]]:
    for run in (run for society in found.societies for run in society.runs):
        for name, use in run.uses.items():
            head = [run.run.condition, run.run.name, run.run.seed, name]
            yield [*head, use.runs, use.calls, use.tokens, use.stale, use.late_p99, use.late_most]
