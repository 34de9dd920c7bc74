"""Savings that a report tells: calls that were skipped, cached or escalated."""

from __future__ import annotations

from accord.analysis.savings import RunSavings, told_savings
from accord.studies.received import files_in
from dilemmas.records.answers import RoleAnswers
from dilemmas.records.costs import RoleCost


def cost(role: str, model: str, calls: int, usd: float | None, **more: int) -> RoleCost:
    return RoleCost("Ada", role, model, calls, 10 * calls, usd, 0, 0, 0, 0.0, 0, **more)


def test_savings_are_told_at_the_mean_price_of_the_calls_that_were_made() -> None:
    costs = [cost("controller", "small", 10, 0.1), cost("controller", "large", 2, 0.8, escalated=2)]
    answers = [RoleAnswers("Ada", "controller", "small", questions=8), RoleAnswers("Ada", "controller", "large", 2)]
    usage = {
        "cached": {"calls": 3, "tokens": 9, "usd": 0.5},
        "cascade": {"questions": 10, "sampled": 0, "unreadable": 1, "unsure": 1},
    }
    saved = RunSavings.of(usage, answers, costs, [{"controller": {"calls": 12.0, "skipped": 4.0}, "memory": {}}])
    assert told_savings([saved], costs) == [
        "Of 10 questions to cascades, 2 answers were not enough (1 unreadable, 1 unsure), and a later stage was asked. "
        "Roles in which one was asked cost 0.9000 USD; the later stages alone would have cost about 4.0000 USD.",
        "Calls skipped because nothing had changed: 4 (controller 4), which would have cost about 0.3000 USD.",
        "Answers from the cache: 3, which would have cost 0.5000 USD.",
    ]


def test_unknown_prices_are_not_guessed_and_nothing_saved_is_not_told() -> None:
    costs = [cost("controller", "small", 10, None)]
    saved = RunSavings.of({"cached": {"calls": 1, "usd": None}}, [], costs, [{"controller": {"skipped": 4.0}}])
    assert told_savings([saved], costs) == [
        "Calls skipped because nothing had changed: 4 (controller 4).",
        "Answers from the cache: 1, which would have cost an unknown price.",
    ]
    assert told_savings([RunSavings.of({}, [], costs, [{}])], costs) == []


def test_files_that_a_cascade_of_somebody_elses_record_names_are_found() -> None:
    settings = {"model": "cascade:local:/tmp/a.gguf::openai/b", "models": {"judge": "cascade:openai/c::replay:/tmp/r"}}
    assert set(files_in(settings)) == {"/tmp/a.gguf", "/tmp/r"}
