"""The report's section on talks and deals: measures, tables, the figure, and the text of players made harmless."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from accord.analysis.report import write_report
from accord.analysis.report.deals.findings import BargainingRun, conversations
from accord.analysis.report.deals.record import MAX_SAID, BargainRecord
from accord.analysis.report.reader import read_run
from accord.studies.study import StudySettings, run_study
from dilemmas.records import events as log
from dilemmas.records.record import read_events


def offer(deal: int, by: str, *parties: str) -> log.DealChanged:
    contract = {"text": "1. One two three.", "parties": list(parties), "force": "escrow", "deposit": 20}
    return log.DealChanged(entry={"deal": deal, "change": "offered", "by": by, "contract": contract})


def change(deal: int, what: str, by: str = "") -> log.DealChanged:
    return log.DealChanged(entry={"deal": deal, "change": what, "by": by})


def said(channel: str, *members: str, act: str = "say", message: str = "Hello.") -> log.TalkMessageSent:
    found = {"number": 1, "round": 1, "speaker": members[0], "members": members, "channel": channel, "act": act}
    return log.TalkMessageSent.model_validate({**found, "message": message})


def enforced(deal: int, promises: int, *breaches: str, unread: tuple[str, ...] = ()) -> log.AgreementEnforced:
    told = [{"party": each, "term": f"{each}-pays", "kind": "payment"} for each in breaches]
    return log.AgreementEnforced.model_validate(
        {
            "force": "escrow", "deal": deal, "breaches": told, "promises": {"Ann": promises}, "unread": list(unread),
            "deposited": {"Ann": 20.0, "Bob": 20.0}, "forfeited": dict.fromkeys(breaches, 20.0),
        }
    )  # fmt: skip


ENDED = log.EpisodeEnded(reason="time_limit", game_s=1.0, wall_s=1.0, players={})


def record(*events: object) -> BargainRecord:
    found = BargainRecord()
    for event in events:
        found.add_event(event)
    return found


def measured(found: BargainRecord) -> dict[str, float]:
    return dict(BargainingRun(None, found).values)  # type: ignore[arg-type]


def test_measures_of_a_talk() -> None:
    found = record(
        said("public", "Ann", "Bob", "Cleo"),
        said("pairwise", "Ann", "Bob"),
        said("pairwise", "Bob", "Ann", act="pass", message=""),
        offer(1, "Ann", "Ann", "Bob"),
        change(1, "declined", "Bob"),
        offer(2, "Bob", "Ann", "Bob"),
        change(2, "agreed"),
        offer(3, "Ann", "Ann", "Cleo"),
        change(3, "agreed"),
        enforced(2, 3, "Ann"),
        enforced(3, 1),
        ENDED,
    )
    assert measured(found) == {
        "messages": 2, "private": 0.5, "offers": 3, "agreed": 2, "clauses": 1, "words": 4, "direct": 0.5, "kept": 0.75,
        "forfeited": 20,
    }  # fmt: skip
    assert found.deposited == {"Ann": 40, "Bob": 40}
    assert [(mark.period, mark.what) for mark in found.deals[2].marks] == [
        (1, "offered"), (1, "agreed"), (1, "broken"),
    ]  # fmt: skip


def test_an_answer_in_a_later_talk_is_no_counter_offer() -> None:
    found = record(offer(1, "Ann", "Ann", "Bob"), change(1, "lapsed"), ENDED, offer(2, "Bob", "Ann", "Bob"))
    assert not found.deals[2].answered
    assert found.deals[2].marks[0].period == 2


def test_periods_of_an_episode_end_with_the_next_talk() -> None:
    settled = log.PeriodSettled(played=4, players={}, chest={})
    found = record(
        said("pairwise", "Ann", "Bob"), offer(1, "Ann", "Ann", "Bob"), change(1, "agreed"), log.TalkEnded(in_force=[1]),
        settled, enforced(1, 1), said("pairwise", "Bob", "Ann"), offer(2, "Bob", "Ann", "Bob"),
        log.TalkEnded(in_force=[1]), settled, enforced(1, 1, "Ann"), ENDED,
    )  # fmt: skip
    assert [(mark.period, mark.what) for mark in found.deals[1].marks] == [
        (1, "offered"), (1, "agreed"), (1, "kept"), (2, "broken"),
    ]  # fmt: skip
    assert not found.deals[2].answered
    assert [period for period, _ in found.said] == [1, 2]


def test_deals_of_a_broken_attempt_are_forgotten() -> None:
    first = log.EpisodeStarted(attempt=1)
    found = record(
        offer(1, "Ann", "Ann", "Bob"), change(1, "agreed"), first, offer(2, "Bob", "Ann", "Bob"), change(2, "agreed"),
        enforced(1, 1, "Ann"), log.TalksVoided(entries=2, messages=0), log.EpisodeStarted(attempt=2),
        enforced(1, 1), ENDED,
    )  # fmt: skip
    assert list(found.deals) == [1]
    assert (found.promises, found.breaches) == (1, 0)


def test_shares_of_nothing_are_left_out() -> None:
    assert measured(record(offer(1, "Ann", "Ann", "Bob"))) == {"messages": 0, "offers": 1, "agreed": 0}


def test_an_unreadable_decision_is_neither_kept_nor_broken() -> None:
    found = record(offer(1, "Ann", "Ann", "Bob"), change(1, "agreed"), enforced(1, 0, unread=("Bob",)))
    assert found.deals[1].marks[-1].what == "unread"
    assert "kept" not in measured(found)


def test_conversations_are_grouped_by_channel_and_bounded() -> None:
    found = record(*[said("pairwise", "Ann", "Bob")] * MAX_SAID, said("pairwise", "Bob", "Ann"), said("public", "Ann"))
    assert [(members, len(messages)) for members, _, messages in conversations(found)] == [("Ann, Bob", MAX_SAID)]
    assert found.messages.total() == MAX_SAID + 2


@pytest.mark.drawn
async def test_a_report_shows_deals_and_their_breaches(tmp_path: Path) -> None:
    players = {"Gizmo": "greedy", "Glitch": "reference"}
    settings = StudySettings(
        "double-vein", ("none", "negotiate+private+cheap-talk"), world="mock", out=tmp_path, players=players, runs=2
    )
    found = await run_study(settings)
    write_report([found.directory], tmp_path / "report")
    page = (tmp_path / "report" / "report.html").read_text()
    assert "Talks and deals" in page
    assert "broken (period 1): Gizmo: " in page
    assert (tmp_path / "report" / "plots" / "deals.svg").exists()
    with (tmp_path / "report" / "deals.csv").open() as table:
        rows = list(csv.DictReader(table))
    assert {row["condition"] for row in rows} == {"negotiate+private+cheap-talk"}
    assert {row["what"] for row in rows} >= {"offered", "agreed", "broken"}
    [directory] = (found.directory / "negotiate+private+cheap-talk").glob("seed-0")
    bargains = read_run(directory, "seed-0").bargains
    assert bargains is not None
    breaches = bargains.breaches
    lines = [
        line.event for line in read_events(directory / "events.jsonl") if isinstance(line.event, log.AgreementEnforced)
    ]
    assert breaches == sum(len(each.breaches) for each in lines) > 0
