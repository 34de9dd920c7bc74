"""Marks of societies (seasons, votes, conversions, breaches) and of human players."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from accord.viewer.event_handlers import handle_event
from accord.viewer.index import RunIndex
from accord.viewer.scene_builder import SceneBuilder
from accord.viewer.sealing import public_part
from tests.unit.accord.viewer.records import ATTACKS, line, said, started

NAMES = ["Ada", "Bo", "Cy"]


def marks(directory: Path, *events: str) -> list[tuple[Any, ...]]:
    """Return the marks of a run with these lines, and the number of unreadable lines."""
    directory.mkdir(exist_ok=True)
    lines = [started(NAMES), line(1, "episode_started", attempt=1), line(2, "policies_started", players=NAMES)]
    (directory / "events.jsonl").write_text("".join([*lines, *events]), encoding="utf-8")
    index = RunIndex(directory)
    while index.step():
        pass
    found = index.rows("SELECT at, kind, player, text FROM marks WHERE kind != 'episode' ORDER BY id")
    assert index.skipped == 0
    index.close()
    return found


def test_seasons_and_missing_payments_are_marked(tmp_path: Path) -> None:
    closed: dict[str, Any] = {"paid": {"Ada": 4}, "held": {}, "chests": {}, "unattributed": {}, "balanced": True}
    closed["state"] = {"Ada": "paid", "Bo": "present", "Cy": "nothing_held"}
    assert marks(
        tmp_path,
        line(3, "season_opened", t_s=5.0, season=1, closes_s=9.0, held={}, chests={}, at={}),
        line(4, "tax", t_s=6.0, season=1, player="Ada", chest="north", items={"wheat": 4}, taken=False),
        line(5, "tax", t_s=7.0, season=1, player="Cy", chest="north", items={"wheat": 1}, taken=True),
        line(6, "season_closed", t_s=9.0, season=1, **closed),
    ) == [
        (5.0, "season", "", "season 1 of tax opens"),
        (6.0, "tax", "Ada", "Ada pays 4 wheat into the chest north"),
        (7.0, "breach", "Cy", "Cy takes 1 wheat out of the chest north"),
        (9.0, "season", "", "season 1 closes: 1 of 3 have paid"),
        (9.0, "breach", "Bo", "season 1: Bo paid nothing"),
    ]  # fmt: skip


def test_ballots_and_counts_are_votes(tmp_path: Path) -> None:
    count = {"what": "count", "id": "A1", "yes": 2, "no": 1, "abstain": 0, "passed": True}
    assert marks(
        tmp_path,
        line(3, "assembly", t_s=1.0, entry={"what": "law", "when": "start"}),
        line(4, "assembly", t_s=2.0, entry={"what": "ballot", "member": "Ada", "votes": {"A1": "yes"}, "spoilt": {}}),
        line(5, "assembly", t_s=3.0, entry=count),
        line(6, "assembly", t_s=4.0, entry={"what": "law", "when": "amended"}),
        line(7, "assembly", t_s=4.0, entry={"what": "something new"}),
    ) == [
        (2.0, "vote", "Ada", "Ada votes: A1 yes"),
        (3.0, "vote", "", "A1: 2 yes, 1 no, 0 abstain, so it is adopted"),
        (4.0, "vote", "", "the law, amended"),
    ]


def test_the_first_keyword_makes_a_convert_but_never_of_a_priest(tmp_path: Path) -> None:
    folk = {name: {"town": "Elm", "role": "priest" if name == "Cy" else ""} for name in NAMES}
    towns = {"Elm": {"at": [0.0, 0.0], "radius": 9.0}}
    words = {"direct": ["Spaghetti Monster"], "indirect": ["pasta"], "memes": {}}
    told = line(3, "people", field=[0, 0, 9, 9], towns=towns, people=folk, hearing=9.0, deaf=False, **words)
    speeches = [
        said(1, "Cy", "The Spaghetti Monster!", NAMES), said(2, "Ada", "I like PASTA.", NAMES),
        said(3, "Ada", "pasta, pasta", NAMES), said(4, "Ada", "O Spaghetti Monster", NAMES),
        said(5, "Bo", "Hm.", NAMES),
    ]  # fmt: skip
    assert marks(tmp_path, told, *speeches) == [
        (2.0, "conversion", "Ada", "Ada is an indirect convert"),
        (4.0, "conversion", "Ada", "Ada is a direct convert"),
    ]


def test_a_human_player_is_marked(tmp_path: Path) -> None:
    found = marks(tmp_path, line(3, "person", player="Ada", state="left", text=""))
    assert found == [(0.0, "person", "Ada", "the person who plays Ada: left")]


def test_hostile_fields_are_text_or_passed_over(tmp_path: Path) -> None:
    for number, text in enumerate(ATTACKS):
        entry = {"what": "feedback", "member": text, "text": "{member.__class__} {0}" + text}
        found = marks(tmp_path / str(number), line(3, "assembly", t_s=1.0, entry=entry))
        assert found == []


def scene_of(*events: str) -> dict[str, Any]:
    """Return the mobs at the end of a run with these lines."""
    builder = SceneBuilder()
    for text in events:
        told = json.loads(text)
        assert handle_event(told["kind"], told["data"], builder, (0, 0))
    return dict(builder.scene.of("mob"))


def test_mobs_are_in_the_scene_while_they_are_seen() -> None:
    found = scene_of(
        line(3, "mobs", t_s=1.0, at={"7": ["sheep", [1.0, -60.0, 2.0]], "9": [ATTACKS[0], [0, 0, 0]]}, gone=[]),
        line(4, "mobs", t_s=6.0, at={"7": ["sheep", [3.0, -60.0, 2.0]]}, gone=["9"]),
    )
    assert found == {"7": ["sheep", 3.0, -60.0, 2.0]}


def test_institutions_show_their_law_and_offices_and_mark_what_people_did(tmp_path: Path) -> None:
    clause = {"clause": "spare", "says": "leave at least 6 apples on every tree (fine of 4)"}
    step: dict[str, Any] = {"part": "guards", "what": "sanctioned", "who": "Bo", "why": "leave apples"}
    step["data"] = {"by": "Ada", "charge": "C1", "clause": "spare", "fined": 4.0, "held": 3, "banished": False}
    vote: dict[str, Any] = {"part": "elections", "what": "elected", "who": "Ada", "why": "a new term"}
    vote["data"] = {"office": "guard", "method": "condorcet", "how": "beats every other candidate pairwise"}
    audit = {"part": "guards", "what": "audited", "who": "Bo", "known_to": [], "data": {"false": True}}
    unknown = {"part": "market", "what": "sold", "who": "Cy", "data": {"price": 3}}
    law = {"part": "law", "what": "law_in_force", "why": "the founding law", "data": {"clauses": [clause]}}
    events = [
        line(3 + n, "institution", t_s=1.0 + n, **each) for n, each in enumerate([law, vote, step, audit, unknown])
    ]
    assert marks(tmp_path, *events) == [
        (2.0, "vote", "Ada", "Ada elected guard by condorcet (a new term): beats every other candidate pairwise"),
        (3.0, "verdict", "Bo", "Ada sanctions Bo by the law spare: fined 4, held for 3 steps"),
    ]
    builder = SceneBuilder()
    for number, each in enumerate([law, vote, step]):
        assert handle_event("institution", {"t_s": 1.0 + number, **each}, builder, (0, 0))
    assert builder.scene.of("institution") == {
        "law in force": [clause["says"]],
        "office of guard": "Ada (elected)",
    }
    assert public_part("institution", {"t_s": 1.0, **vote}) is not None
    assert public_part("institution", {"t_s": 1.0, **audit}) is None


def test_drives_are_shown_by_villager_and_drawn_as_means() -> None:
    builder = SceneBuilder()
    levels = {"Ada": ({"hunger": 0.2, "company": 0.9}, "company"), "Bo": ({"hunger": 0.6, "company": 0.1}, "")}
    for name, (each, pressing) in levels.items():
        told = {"player": name, "slot": "drives", "value": {"levels": each, "pressing": pressing}}
        assert handle_event("slot", told, builder, (0, 0))
    assert builder.scene.get("drives", "Ada") == {"levels": levels["Ada"][0], "pressing": "company"}
    assert builder.scene.of("number") == {"drive hunger": 0.4, "drive company": 0.5}
    broken = {"player": "Ada", "slot": "drives", "value": {"levels": "<script>"}}
    assert not handle_event("slot", broken, builder, (0, 0))
    assert builder.scene.get("drives", "Ada")["pressing"] == "company"
