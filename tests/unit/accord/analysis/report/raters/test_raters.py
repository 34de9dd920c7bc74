"""Agreement of raters in a report, from made-up records with kept ratings."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest

from accord.analysis.claims import number
from accord.analysis.intervals import mean_interval
from accord.analysis.ratings import Rater, RecordRatings, write_ratings
from accord.analysis.report import write_report
from accord.analysis.report.comparison import compare
from accord.analysis.report.raters.findings import ITSELF, AgreementClaim, find_agreement
from accord.analysis.report.reader import read_runs
from common.kappa import cohen_kappa, weighted_kappa
from dilemmas.records import events as log
from tests.fakes.known_lives import goal, village
from tests.fakes.rated import write_record

FIRST, SECOND, AGAIN = Rater("openai/a"), Rater("openai/b"), Rater("openai/a", 1)
RATERS = (FIRST, SECOND, AGAIN)
END = log.EndStateRead(t_s=200, players={}, chest={}, reason="time_limit")
PEOPLE = log.PeopleSettled(
    field=(0, 0, 100, 100), towns={"Hill": log.TownTold(at=(0, 0), radius=50)}, hearing=10,
    people={name: log.Folk(town="Hill") for name in ("Ann", "Bob")}, memes={"eco": ["compost"]},
)  # fmt: skip


def keep(run: Path, rater: Rater, events: Sequence[log.Event]) -> None:
    told = RecordRatings.model_validate(
        {"model": rater.model, "seed": rater.seed, "sampling": {}, "prompts": {}, "log": "", "events": list(events)}
    )
    write_ratings(run, rater, told)


def roles(miners: int) -> list[log.LifeRated]:
    """Return ratings that call Ann a miner in the first steps, and a farmer in all others."""
    told = [["miner"] if place < miners else ["farmer"] for place in range(16)]
    return [log.LifeRated(player="Ann", roles=told, agree={})]


def claims_of(folder: Path) -> dict[tuple[str, str, str], AgreementClaim]:
    found = find_agreement(compare(read_runs([folder], raters=RATERS)))
    assert found is not None
    return {(each.question, each.first, each.second): each for each in found.claims}


def test_kappa_is_that_of_each_run_and_has_an_interval_over_runs(tmp_path: Path) -> None:
    for seed in range(6):
        run = write_record(tmp_path / f"seed-{seed}", [each.event for each in village()], seed)
        keep(run, FIRST, roles(4 + seed))
        keep(run, SECOND, roles(8))
        keep(run, AGAIN, roles(4 + seed))
    claims = claims_of(tmp_path)
    kappas = [cohen_kappa([(p < 4 + seed, p < 8) for p in range(16)]) or 0.0 for seed in range(6)]
    other = claims["role", "openai/a", "openai/b"]
    assert other.kappas == kappas
    assert (other.items, other.unlabelled, other.remark) == (6 * 16, (0, 0), "")
    assert other.summary is not None
    assert other.summary.ci95 == mean_interval(kappas)
    low, high = other.summary.ci95 or (0, 0)
    assert other.sentence == (
        "Agreement of openai/a and openai/b on roles under normal: "
        f"kappa {number(other.summary.mean)} [{number(low)}, {number(high)}] in 6 runs."
    )
    assert claims["role", "openai/a", ITSELF].kappas == [1] * 6
    # The record calls Ann a farmer throughout, so that chance alone explains all agreement.
    assert claims["role", "record", "openai/a"].kappas == [0] * 6


def test_what_is_undefined_or_unlabelled_is_said(tmp_path: Path) -> None:
    run = write_record(tmp_path / "run", [each.event for each in village()])
    keep(run, FIRST, roles(0))
    unrated = log.LifeRated(player="Ann", roles=[[]] * 16, unrated=list(range(16)), agree={})
    keep(run, SECOND, [unrated])
    claims = claims_of(tmp_path)
    same = claims["role", "record", "openai/a"]
    assert (same.summary, same.items) == (None, 16)
    assert same.sentence == (
        "Agreement of record and openai/a on roles under normal has no kappa "
        "(undefined: both gave one and the same label to all items)."
    )
    mute = claims["role", "openai/a", "openai/b"]
    assert (mute.items, mute.unlabelled, mute.remark) == (0, (0, 16), "no item has a label of both")


def test_topics_of_a_rater_replace_those_of_the_population(tmp_path: Path) -> None:
    events = [log.EpisodeStarted(attempt=1), PEOPLE, goal(1, "Ann", "You waltz."), goal(2, "Bob", "You compost.")]
    run = write_record(tmp_path / "run", [*events, END])
    topic = log.NamedTopic(name="dance", about="<b>Dancing</b>", keywords=["waltz"])
    keep(run, FIRST, [log.TopicsNamed(topics=[topic], summaries={})])
    (own,) = read_runs([tmp_path])
    (rated,) = read_runs([tmp_path], raters=RATERS)
    assert own.spreading is not None
    assert rated.spreading is not None
    assert own.spreading.memes.times == {"Ann": {}, "Bob": {"eco": 1}}
    assert rated.spreading.memes.times == {"Ann": {"dance": 1}, "Bob": {}}
    assert claims_of(tmp_path)["goal with a topic", "record", "openai/a"].kappas == [-1]
    page = write_report([tmp_path], tmp_path / "report", raters=RATERS).html
    table = list(csv.DictReader((page.parent / "rater_topics.csv").read_text().splitlines()))
    assert [(each["topic"], each["goals"], each["agents"]) for each in table] == [("dance", "1", "1")]
    assert "&lt;b&gt;Dancing" in page.read_text()
    assert 'id="raters"' in page.read_text()


def test_scores_of_a_rater_are_the_sentiments_and_have_quadratic_weights(tmp_path: Path) -> None:
    def profile(t_s: float, felt: float) -> log.SlotWritten:
        value = {"Lila": {"summary": "x", "sentiment": felt, "activity": ""}}
        return log.SlotWritten(t_s=t_s, player="Ava", slot="profiles", version=1, writer="x", value=value)

    truth = log.TruthTold(
        study="room", judges=["Ava"], likeability={"Ava": 5, "Lila": 5}, extroversion={"Ava": 0.5, "Lila": 0.5},
        feelings={"Lila": {"Ava": [(0, 2), (200, 8)]}},
    )  # fmt: skip
    own, given = [2.0, 5.0, 9.0], [3.0, 4.0, 8.5]
    written = [profile(40.0 * place + 5, felt) for place, felt in enumerate(own)]
    run = write_record(tmp_path / "run", [log.EpisodeStarted(attempt=1), truth, *written, END])
    scores = [
        log.ScoredThought(observer="Ava", of="Lila", t_s=40.0 * place + 5, score=score)
        for place, score in enumerate(given)
    ]
    keep(run, FIRST, [log.SummariesRated(scores=scores)])
    (rated,) = read_runs([tmp_path], raters=RATERS)
    assert rated.perceived is not None
    assert rated.perceived.estimates == {("Ava", "Lila"): 8.5}
    assert [each.pairs["Ava", "Lila"] for each in rated.perceived.samples if each.t_s in (10, 50, 90, 200)] == [
        3,
        4,
        8.5,
        8.5,
    ]
    claim = claims_of(tmp_path)["sentiment", "record", "openai/a"]
    assert claim.kappas == [weighted_kappa(list(zip(own, given, strict=True)))]
    pytest.importorskip("scipy")
    page = write_report([tmp_path], tmp_path / "report", raters=RATERS).html
    assert claim.sentence in page.read_text()
