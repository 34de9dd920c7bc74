"""Talks and deals in the page's index: state of each deal, payments, breaches, and words by channel."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from accord.viewer.index import RunIndex
from accord.viewer.run_catalog import RunCatalog
from accord.viewer.server import Site
from tests.unit.accord.viewer.asgi import get
from tests.unit.accord.viewer.records import a_talk, line, started


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    catalog = RunCatalog([a_talk(tmp_path / "a")])
    index = catalog.index(0)
    while index.reach()["read"] < index.reach()["size"]:
        index.step()
    yield Site(catalog, token="secret")
    catalog.close()


def words(site: Site, channel: object) -> list[Any]:
    """Return the words on a channel."""
    query = f"channel={quote(json.dumps(channel))}"
    found: list[Any] = json.loads(get(site, "/secret/api/run/0/words", query)[2])
    return [row[4] for row in found]


def last(site: Site, section: str) -> dict[str, Any]:
    """Return a section of the last scene."""
    chunk = json.loads(get(site, "/secret/api/run/0/chunk/0")[2])
    return {key: value for _, each, key, value in chunk["changes"] if each == section}


def test_a_deal_has_parties_state_and_result(site: Site) -> None:
    told = last(site, "deal")["1"]
    assert {key: told[key] for key in ("state", "parties", "force", "secret", "broken", "result")} == {
        "state": "agreed", "parties": ["Ada", "Bo"], "force": "cheap-talk", "secret": True, "broken": True,
        "result": "Bo broke 2",
    }  # fmt: skip
    offset, length = told["ref"]
    found = json.loads(get(site, "/secret/api/run/0/line", f"o={offset}&l={length}")[2])
    assert found["data"]["entry"]["contract"]["text"].startswith("1. Bo pays Ada 2.")
    assert list(last(site, "deal_verdict")) == ["1"]
    assert "verdict" not in last(site, "run"), "it is no verdict on a contract of all"


def test_offers_of_a_broken_attempt_are_void(tmp_path: Path) -> None:
    contract = {"text": "1. Bo pays Ada 2.", "parties": ["Ada", "Bo"]}
    offers = [
        line(number, "deal", None, entry={"deal": number, "change": "offered", "by": "Bo", "contract": contract})
        for number in (1, 2)
    ]
    record = [started(["Ada", "Bo"]), *offers, line(3, "talks_voided", None, entries=1, messages=1)]
    (tmp_path / "events.jsonl").write_text("".join(record))
    index = RunIndex(tmp_path)
    while index.step():
        pass
    scene = {number: told for _, each, number, told in json.loads(index.chunk(0)[0])["changes"] if each == "deal"}
    index.close()
    assert [number for number, told in scene.items() if told is not None] == ["1"]


def scene_after(directory: Path, lines: list[str], section: str) -> dict[str, Any]:
    """Return a section of the scene after these lines of a log."""
    (directory / "events.jsonl").write_text("".join(lines))
    index = RunIndex(directory)
    while index.step():
        pass
    body, packed = index.chunk(0)
    changes = json.loads(zlib.decompress(body) if packed else body)["changes"]
    index.close()
    found: dict[str, Any] = {}
    for _, each, key, value in changes:
        if each == section:
            found[key] = value
    return {key: value for key, value in found.items() if value is not None}


def enforced(number: int, *broken: str) -> str:
    """Return a line on a deal that these parties broke, and that cost them a deposit of 7."""
    breaches = [{"party": party, "term": "1", "kind": "obligation", "reason": ""} for party in broken]
    return line(number, "enforced", force="escrow", deal=1, breaches=breaches, forfeited=dict.fromkeys(broken, 7.0))


def a_life_of_a_deal() -> list[str]:
    """Return a log in which a deal is made, kept in one period and broken in the next one."""
    contract = {"text": "1. Bo pays Ada 2.", "parties": ["Ada", "Bo"], "force": "escrow", "deposit": 7}
    return [
        started(["Ada", "Bo"]),
        line(1, "deal", None, entry={"deal": 1, "change": "offered", "by": "Bo", "contract": contract}),
        line(2, "deal", None, entry={"deal": 1, "change": "agreed", "by": "Ada"}),
        line(3, "talk_ended", None, in_force=[1]),
        line(4, "episode_started", attempt=1),
        line(5, "period_settled", played=4, players={}, chest={}),
        enforced(6),
        line(7, "deal", entry={"deal": 1, "change": "held"}),
        line(8, "talk_ended", in_force=[1]),
        line(9, "period_settled", played=8, players={}, chest={}),
        enforced(10, "Bo"),
        line(11, "deal", entry={"deal": 1, "change": "held"}),
        line(12, "deal", entry={"deal": 1, "change": "ended", "reason": "its time is over"}),
    ]


def test_the_life_of_a_deal_has_marks_by_period_and_its_deposits_are_counted(tmp_path: Path) -> None:
    told = scene_after(tmp_path, a_life_of_a_deal(), "deal")["1"]
    assert [(mark[0], mark[1]) for mark in told["marks"]] == [
        (1, "offered"), (1, "agreed"), (1, "kept"), (2, "broken"), (2, "ended"),
    ]  # fmt: skip
    assert told["deposit"] == 7
    assert scene_after(tmp_path, a_life_of_a_deal(), "forfeited") == {"Bo": 7.0}


def test_marks_and_forfeits_of_a_broken_attempt_are_void(tmp_path: Path) -> None:
    voided = [*a_life_of_a_deal(), line(13, "talks_voided", None, entries=2, messages=0)]
    told = scene_after(tmp_path, voided, "deal")["1"]
    assert [mark[1] for mark in told["marks"]] == ["offered", "agreed"]
    assert scene_after(tmp_path, voided, "forfeited") == {}
    assert scene_after(tmp_path, voided, "run")["periods"] == 0


def test_payments_and_breaches_are_told(site: Site) -> None:
    told = [row[4] for row in site.catalog.words(0, before=1e12, kinds=["payment"])]
    assert told == ["deal 1: Bo owes 2 (1), 3 (2), and pays 2 (1).", "deal 1 (cheap-talk): Bo broke 2"]
    assert [(row[2], row[4]) for row in site.catalog.marks(0) if row[2] in ("agreed", "breach")] == [
        ("agreed", "deal 1 is agreed"), ("breach", "deal 1: Bo broke 2"),
    ]  # fmt: skip


def test_words_are_read_by_channel(site: Site) -> None:
    assert words(site, ["public", "Ada", "Bo", "Cy"]) == ["Hello all."]
    assert words(site, ["pairwise", "Ada", "Bo"]) == ["Only Bo.", "(offer deal 1) I pay.", "(accept deal 1) "]
    assert words(site, ["pairwise", "Bo", "Cy"]) == ["And me?"]
    assert words(site, ["group", "Ada", "Bo", "Cy"]) == []


@pytest.mark.parametrize("channel", ["{}", "[1]", '["a"]', "[[", "[" * 3000, '["a", 1]', "x"])
def test_what_is_no_channel_is_refused(site: Site, channel: str) -> None:
    assert get(site, "/secret/api/run/0/words", f"channel={quote(channel)}")[0] == 404
