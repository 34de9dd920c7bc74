"""Measures of a taxed society, on a log whose truth is known."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dilemmas.records import events as log
from dilemmas.scenarios.taxation.measures import measures, society_of_taxes
from dilemmas.scenarios.taxation.record import tax_record
from voyager_agents.piano.rule_based.taxation.civics import amendments_of, band_in, counting, due, moved, vote, wish

VOTERS = ["Ann", "Bob", "Cid"]
LAW = {"text": "The law", "terms": {"rate": [20.0, 20.0], "counts": ["food"], "where": ["north"]}}
NEW = {"text": "The new law", "terms": {"rate": [5.0, 10.0], "counts": ["food"], "where": ["north"]}}


def entry(t_s: float, **told: Any) -> log.AssemblyEntry:  # noqa: ANN401 - an entry's own
    return log.AssemblyEntry(t_s=t_s, entry=told)


def season(number: int, closes_s: float, paid: dict[str, int]) -> list[log.Event]:
    """Return a season: each holds ten breads and ten stones; payments are bread into the northern chest."""
    held = {name: {"bread": 10, "stone": 10} for name in ("Ann", "Bob")} | {"Cid": {}}
    spots = {"north": (0, 0, 0), "south": (0, 0, 9)}
    return [
        log.SeasonOpened(t_s=closes_s - 20, season=number, closes_s=closes_s, held=held, chests={"north": {}},
                         at=spots),
        *(
            log.TaxMoved(t_s=closes_s - 5, season=number, player=name, chest="north", items={"bread": count})
            for name, count in paid.items() if count
        ),
        log.SeasonClosed(t_s=closes_s, season=number, paid={"Cid": 0, **paid}, held={"Ann": 20, "Bob": 20, "Cid": 0},
                         state={"Ann": "paid", "Bob": "paid", "Cid": "nothing_held"}, chests={}, balanced=True),
    ]  # fmt: skip


def speech(t_s: float, speaker: str, *hearers: str) -> log.Speech:
    return log.Speech(t_s=t_s, speaker=speaker, voice="say", text="Less tax.", at=(0, 0, 0), hearers=list(hearers))


def lines() -> list[log.LogLine]:
    amendment = {"amendment": "A1", "clause": "rate", "value": [5.0, 10.0], "says": "5 to 10 %", "by": ["Thorin"]}
    told: list[log.Event] = [
        entry(0, what="roll", heard=[*VOTERS, "Thorin"], voters=VOTERS, manager="Max"),
        entry(0, what="law", when="start", **LAW),
        *season(1, 120, {"Ann": 4, "Bob": 2}),
        speech(300, "Thorin", "Ann", "Bob", "Max"), speech(310, "Thorin", "Ann"), speech(310, "Bob", "Ann"),
        entry(360, what="amendment", **amendment),
        entry(420, what="ballots_asked", of=VOTERS, amendments=["A1"]),
        entry(421, what="ballot", member="Ann", votes={"A1": "yes"}),
        speech(422, "Thorin", "Ann", "Bob"),
        entry(425, what="ballot", member="Bob", votes={"A1": "no"}),
        entry(426, what="ballot_spoilt", member="Cid", why="form", text="?"),
        entry(480, what="count", **amendment, **{"yes": 1, "no": 1, "abstain": 1, "passed": False}),
        *season(2, 600, {"Ann": 4, "Bob": 4}),
        entry(600, what="law", when="adoption", why="adopted", before=LAW, voted=NEW, **NEW),
        *season(3, 720, {"Ann": 1, "Bob": 0}),
    ]  # fmt: skip
    return [log.LogLine(number, None, 0.0, 1, event) for number, event in enumerate(told)]


def test_tax_before_and_after_by_player_and_of_all() -> None:
    found = measures(lines(), ["Ann", "Bob", "Cid", "Thorin"])
    assert found["tax_before_percent"] == {"Ann": 20, "Bob": 15}
    assert found["tax_after_percent"] == {"Ann": 5, "Bob": 0}
    assert found["exposure"] == {"Ann": 2, "Bob": 2, "Cid": 0}
    assert found["vote_lean"] == {"Ann": -1, "Bob": 1}
    told = society_of_taxes(tax_record(lines()))
    assert (told["tax_before_percent"], told["tax_after_percent"]) == (17.5, 2.5)
    assert [each["closes_s"] for each in told["seasons"]] == [120, 600, 720]
    assert (told["ballots"], told["spoilt"]) == (2, 1)
    assert told["amendments"][0]["passed"] is False


def test_keeping_the_law_is_judged_by_counted_items_and_the_law_in_force() -> None:
    found = tax_record(lines())
    assert found.seasons[0].counted == {"Ann": (4, 10), "Bob": (2, 10), "Cid": (0, 0)}
    assert found.kept(after=False) == 100
    assert found.kept(after=True) == 50
    assert found.in_force(599)["text"] == "The law"
    assert found.in_force(600)["text"] == "The new law"


def test_a_new_attempt_begins_empty() -> None:
    again = [*lines(), log.LogLine(99, None, 0.0, 1, log.EpisodeStarted(attempt=2))]
    assert tax_record(again) == tax_record([])


@pytest.mark.parametrize(
    ("text", "band"),
    [
        ("Our tax should be 5 to 10 percent.", (5, 10)),
        ("The tax: 10-5 %!", (5, 10)),
        ("A law of 25% is right.", (25, 25)),
        ("I have 20 percent more bread.", (20, 20)),
        ("Give me 20 apples.", None),
        ("A tax of 900 percent", None),
        ("No taxes at all", None),
    ],
)
def test_the_share_that_a_text_speaks_for(text: str, band: tuple[float, float] | None) -> None:
    assert band_in(text) == band


def test_opinions_wishes_votes_and_payments_follow_the_tables() -> None:
    numbers = {"step": 0.5, "confidence": 15}
    assert moved(20, (5, 10), 0.5, numbers) == 20 - 0.25 * 12.5
    assert moved(30, (5, 10), 0.5, numbers) == 30, "too far away to be believed"
    assert moved(20, (5, 10), 0.0, numbers) == 20
    assert wish(8, (20, 20), {"content": 3, "band": 5}) == (5, 10)
    assert wish(18, (20, 20), {"content": 3, "band": 5}) is None
    assert [vote(opinion, (20, 20), (5, 10), 0.5) for opinion in (8, 25, 13.75)] == ["yes", "no", "abstain"]
    said = [{"member": name, "text": text} for name, text in (("Ann", "tax 5 to 10 %"), ("Bob", "More bread"))]
    assert amendments_of(said, (20, 20)) == [{"clause": "rate", "value": [5, 10], "by": ["Ann"]}]
    items = {"bread": 30, "stone": 60, "stone_axe": 10}
    assert due(items, (20, 20), 8, 0.0, random.Random(0)) == {"stone": 20}
    assert due(items, (5, 10), 8, 0.0, random.Random(0)) == {"stone": 8}
    assert due(items, (100, 100), 8, 0.0, random.Random(0)) == items
    assert due({}, (20, 20), 8, 0.0, random.Random(0)) == {}
    assert counting(items, ["food"]) == {"bread": 30}
    assert counting(items, ["materials"]) == {"stone": 60}
    assert counting(items, ["everything", "food"]) == items
