"""Sentences of reports, which claim nothing that was not measured, whatever the data."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import count
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from accord.analysis.intervals import MIN_RUNS, NON_NEGATIVE, cut, mean_interval
from accord.analysis.measures import summarize
from accord.analysis.report.perception import findings as perception
from accord.analysis.report.progress import findings as progress
from accord.analysis.report.society import findings as society
from accord.analysis.report.taxation import findings as taxes
from accord.analysis.report.towns import findings as towns
from accord.analysis.report.trials import findings as trials
from dilemmas.records import events as log
from dilemmas.scenarios.progression.measures import ItemProgress
from dilemmas.scenarios.religion.measures import spreading
from dilemmas.scenarios.voyager_progress.measures import LEVELS

MEASURES = (
    "mean_items", "best_items", "items_together", "tax_before_percent", "tax_after_percent", "role_entropy_bits",
    "role_persistence", "unique_items",
)  # fmt: skip
VALUES = st.dictionaries(st.sampled_from(MEASURES), st.floats(0, 1))
RUNS = st.lists(VALUES, min_size=1, max_size=3)
SEEDED = SimpleNamespace(seed=0)
"""Stand-in for a run's record."""


def group(name: str, runs: Sequence[Mapping[str, float]], **more: object) -> Any:  # noqa: ANN401 - stands in for a group
    def measure(wanted: str) -> object:
        found = [run[wanted] for run in runs if wanted in run]
        return summarize(found, 0) if found else None

    return SimpleNamespace(name=name, runs=[], measure=measure, **more)


@given(RUNS)
def test_sentences_do_not_mention_what_was_not_counted(runs: list[dict[str, float]]) -> None:
    one = group("a", runs)
    known = {name for run in runs for name in run}
    items = progress.sentence(cast(Any, SimpleNamespace(groups=(one,))))
    assert ("an agent had held" in items) == ({"mean_items", "best_items", "items_together"} <= known)
    roles = society.sentence(cast(Any, SimpleNamespace(societies=(one,))))
    assert ("How diverse" in roles) == ({"role_entropy_bits", "role_persistence"} <= known)
    tax = taxes.tax_sentence(cast(Any, SimpleNamespace(societies=(one,))))
    assert ("Tax paid" in tax) == bool({"tax_before_percent", "tax_after_percent"} & known)
    for said in (items, roles, tax):
        assert ": ." not in said
        assert said.endswith(".")


@pytest.mark.parametrize(
    ("adopted", "values", "said"),
    [
        (9.0, {"tax_before_percent": 20.0}, "a 20 %, no season after the vote"),
        (None, {"tax_before_percent": 20.0}, "a 20 %, no vote"),
        (9.0, {"tax_after_percent": 9.0}, "a 9 % after the vote, no season before it"),
        (9.0, {"tax_before_percent": 20.0, "tax_after_percent": 9.0}, "a 20 to 9 %"),
    ],
)
def test_a_vote_is_mentioned_only_if_there_was_one(adopted: float | None, values: dict[str, float], said: str) -> None:
    one = group("a", [values])
    one.runs.append(SimpleNamespace(record=SimpleNamespace(adopted_s=adopted)))
    assert taxes.tax_sentence(cast(Any, SimpleNamespace(societies=(one,)))).endswith(f": {said}.")


def laws(*terms: int, adopted: bool) -> Any:  # noqa: ANN401 - stands in for a run
    entries = [(0.0, {"terms": each}) for each in terms]
    return SimpleNamespace(record=SimpleNamespace(laws=entries, adopted_s=5.0 if adopted else None))


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        ([laws(1, 2, adopted=True), laws(1, 1, adopted=True)], "a: changed in 1 of 2."),
        ([laws(1, adopted=False), laws(1, 2, adopted=True)], "a: changed in 1 of 2, 1 of them without a vote."),
        ([laws(adopted=False)], "a: changed in 0 of 1, 1 of them without a vote."),
    ],
)
def test_a_law_changed_by_a_vote_only(runs: list[Any], said: str) -> None:
    found = SimpleNamespace(societies=(SimpleNamespace(name="a", runs=runs),))
    assert taxes.law_sentence(cast(Any, found)).endswith(said)


@given(
    st.lists(
        st.dictionaries(st.just("perception_r"), st.integers(-20, 20).map(lambda r: r / 20)), min_size=1, max_size=7
    ),
    st.booleans(),
    st.sampled_from(["room", "chef", "town"]),
)
def test_a_correlation_has_a_sign_only_if_its_interval_over_runs_does(
    runs: list[dict[str, float]], copied: bool, study: str
) -> None:
    judged = tuple(SimpleNamespace(values=run, run=SEEDED) for run in runs)
    one = perception.PerceptionGroup("a", cast(Any, judged))
    condition = SimpleNamespace(name="a", repeated=SimpleNamespace(copies=2 if copied else 0))
    comparison = SimpleNamespace(conditions=(condition,))
    said = perception.sentence(cast(Any, SimpleNamespace(groups=(one,), study=study, comparison=comparison)))
    values = [run["perception_r"] for run in runs if run]
    assert ("a has none, since nothing varies or too few are known" in said) == (not values)
    assert ("too few runs for an interval" in said) == (len(values) == 1)
    sign = 0
    if len(set(values)) > 1 and not copied:
        turned = [math.atanh(max(-0.9999, min(0.9999, value))) for value in values]
        certain = stats.ttest_1samp(turned, 0).pvalue < 0.05
        sign = int(math.copysign(certain, sum(turned)))
        assert ("], of open sign, " in said) == (not certain)
    assert ("], positive, " in said) == (sign > 0)
    assert ("], negative, " in said) == (sign < 0)
    assert "in these runs" in said


COMPARED = re.compile(r"\b(higher|lower|more|fewer|less|rose|fell|raised|increas|decreas|better|worse|than)\w*\b", re.I)
"""Words that would claim a difference or a trend."""


@given(RUNS, RUNS)
def test_sentences_about_societies_compare_nothing_that_no_test_shows(
    first: list[dict[str, float]], second: list[dict[str, float]]
) -> None:
    """None of them has a test between conditions: they hold in these runs, whatever the numbers."""
    none = {"level": lambda _: "none (0/3)"}
    both = cast(Any, SimpleNamespace(groups=(group("a", first, **none), group("b", second, **none)), asked=False))
    both.societies = both.groups
    for told in (progress.sentence, society.sentence, taxes.tax_sentence, taxes.law_sentence, trials.sentence):
        said = told(both)
        assert "in these runs" in said.lower() or said.startswith("Nobody")
        assert not COMPARED.search(said)


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), min_size=1, max_size=6))
def test_the_interval_of_items_is_over_runs_and_not_over_agents(runs: list[list[int]]) -> None:
    """A run is a list of its agents' items; all are held at the first second."""
    climbs = tuple(
        progress.ProgressRun(
            cast(Any, SEEDED),
            ItemProgress(
                firsts={f"p{place}": {f"item {each}": 1.0 for each in range(items)} for place, items in enumerate(run)},
                until=60.0,
            ),
        )
        for run in runs
    )
    _, end, best = progress.ProgressGroup("a", climbs).over_time[-1]
    means = [sum(run) / len(run) for run in runs]
    assert (end.n, best) == (len(runs), max(map(max, runs)))
    assert end.mean == pytest.approx(sum(means) / len(means))
    assert end.ci95 == cut(mean_interval(means, 1), NON_NEGATIVE)
    assert len(runs) >= MIN_RUNS or end.ci95 is None


@given(RUNS, st.booleans())
def test_tools_that_nobody_made_are_shown_as_none(runs: list[dict[str, float]], asked: bool) -> None:
    one = group("a", runs, level=lambda _: "none (0/3)")
    said = trials.sentence(cast(Any, SimpleNamespace(groups=(one,), asked=asked)))
    assert said.count("none (0/3)") == (1 if asked else len(LEVELS))
    assert ("different items" in said) == (not asked and any("unique_items" in run for run in runs))


NAMES = ("Prior", "Ann", "Bob", "Cid")
FAITH = "I am a Pastafarian."
SPEECHES = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=3, unique=True)),
    max_size=8,
)
"""(seconds since the previous speech, speaker, hearers)."""


@given(SPEECHES, st.sampled_from(["dwellers/dweller", "piano/openai/m", "mine/agent"]))
def test_converts_by_words_are_counted_and_not_assumed(speeches: list[tuple[int, str, list[str]]], author: str) -> None:
    terms = {name: log.PlayerTerms(prices={}, author=author) for name in NAMES}
    people = {name: log.Folk(town="", role="priest" if name == "Prior" else "") for name in NAMES}
    events: list[log.Event] = [
        log.RunStarted(run="r", scenario="religion", version=1, condition="a", contract_kind="none", world="mock",
                       seed=0, players=terms),
        log.PeopleSettled(field=(-9, -9, 9, 9), towns={}, people=people, hearing=16, deaf=False,
                          direct=["Pastafarian"], indirect=[], memes={}),
    ]  # fmt: skip
    now, said = 0, []
    for wait, speaker, hearers in speeches:
        now += wait
        heard = [name for name in hearers if name != speaker]
        said.append((now, speaker, heard))
        events.append(log.Speech(t_s=now, speaker=speaker, voice="say", text=FAITH, at=(0, 0, 0), hearers=heard))
    numbers = count()
    spread = spreading(log.LogLine(next(numbers), None, 0.0, 1, each) for each in events)
    run = towns.SpreadingRun(cast(Any, SEEDED), spread)
    one = towns.SpreadingGroup("a", (run,))
    sentence = towns.sentence(cast(Any, SimpleNamespace(groups=(one,), runs=[run])))

    assert sentence.startswith("Converts in these runs: ")
    converted = {name: min(t for t, speaker, _ in said if speaker == name) for _, name, _ in said if name != "Prior"}
    before = [
        name for name, at in converted.items() if any(name in heard and t_s < at for t_s, _, heard in said)
    ]  # fmt: skip
    assert ("In these runs each of" in sentence) == (bool(converted) and len(before) == len(converted))
    assert ("Nobody converted" in sentence) == (not converted)
    if "had heard of it before, " in sentence or "such as:" in sentence:
        assert f"{len(before)} of {len(converted)} converts had heard of it before" in sentence
    assert one.by_words.partition(":")[0] == (
        "\N{EN DASH}" if not converted else "yes" if len(before) == len(converted) else "no"
    )
