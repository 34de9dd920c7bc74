"""Index beside a log: the scene of any moment follows the log, even after repeated interruptions of indexing."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import tempfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.report.blocks import colour_of
from accord.viewer import index as index_module
from accord.viewer import index as module
from accord.viewer.index import RunIndex, index_path
from accord.viewer.moments import STEP_S, Moments
from accord.viewer.scene import Scene
from tests.unit.accord.viewer.records import ATTACKS, a_ground, a_life, line, started

Played = dict[str, dict[str, Any]]


def whole(index: RunIndex) -> None:
    while index.step():
        pass


def chunk_of(index: RunIndex, number: int) -> dict[str, Any]:
    body, packed = index.chunk(number)
    found: dict[str, Any] = json.loads(zlib.decompress(body) if packed else body)
    return found


def play(chunk: dict[str, Any], until: float = 1e9) -> Played:
    """Return the scene at a moment, assembled as by the page."""
    scene: Played = {section: dict(held) for section, held in chunk["scene"].items()}
    for at, section, key, value in chunk["changes"]:
        if at <= until:
            held = scene.setdefault(section, {})
            if value is None:
                del held[key]
            else:
                held[key] = value
    return {section: held for section, held in scene.items() if held}


def told(index: RunIndex) -> tuple[object, ...]:
    tables = ("words", "marks", "deeds", "figures", "asked", "calls")
    last = play(chunk_of(index, len(index.reach()["chunks"]) - 1))
    return (last, *(index.rows(f"SELECT * FROM {table}") for table in tables))


def test_moments_go_on_through_the_whole_record_and_never_back() -> None:
    moments = Moments()
    assert moments.advance("negotiation", {"turn": 1}) == STEP_S
    assert moments.advance("contract", {"state": "none"}) == STEP_S
    assert moments.advance("episode_started", {}) == STEP_S
    assert moments.advance("state", {"t_s": 5.0}) == STEP_S + 5
    assert moments.advance("state", {"t_s": 4.0}) == STEP_S + 5
    assert moments.advance("state", {"t_s": float("inf")}) == STEP_S + 5
    assert moments.advance("field", {"step": 7}) == STEP_S + 7
    assert moments.advance("episode_ended", {"game_s": 9.0}) == STEP_S + 9
    assert moments.advance("state", {"t_s": 50.0}) == STEP_S + 9
    assert moments.advance("verdict", {}) == 2 * STEP_S + 9


def test_a_scene_tells_only_what_changes_and_holds_nothing_that_is_no_json() -> None:
    scene = Scene()
    assert scene.put(1.0, "at", "a", [1])
    assert not scene.put(2.0, "at", "a", [1])
    with pytest.raises(ValueError, match="JSON compliant"):
        scene.put(3.0, "at", "a", float("nan"))
    assert scene.sections == {"at": {"a": [1]}}
    assert scene.take_changes() == '[[1.0,"at","a",[1]]]'
    assert scene.take_changes() == "[]"


def changed(seq: int, t_s: float, tops: list[list[object]]) -> str:
    return line(seq, "ground_changed", t_s=t_s, changed={}, tops=tops, left_out=0)


def test_every_chunk_has_the_changed_ground_until_it_is_rebuilt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHUNK", 100)
    log = [
        started(["Ada"]),
        line(1, "episode_started", attempt=1),
        a_ground(2),
        line(3, "policies_started", players=[]),
    ]
    log += [changed(4, 1.0 + x, [[x, -61, 3, "dirt"]]) for x in range(12)]
    log += [changed(5, 14.0, [[0, -60, 3, "iron_ore"], [1, -64, 3, ""]]), changed(6, 15.0, [["<b>", 0, 0, "dirt"]])]
    log += [line(7, "infrastructure", attempt=1, reason="lost", game_s=16.0)]
    log += [
        line(8, "episode_started", attempt=2),
        a_ground(9),
        line(10, "run_ended", None, status="complete", reason=None),
    ]
    (tmp_path / "events.jsonl").write_text("".join(log), encoding="utf-8")
    index = RunIndex(tmp_path)
    whole(index)
    assert index.skipped == 1
    chunks = [chunk_of(index, number) for number in range(len(index.reach()["chunks"]))]
    assert len(chunks) > 2

    def tops(moment: float) -> dict[str, Any]:
        return play(next(chunk for chunk in reversed(chunks) if chunk["at"] <= moment), moment).get("top", {})

    for moment, count in ((8.5, 8), (0.5, 0), (3.0, 3), (12.5, 12)):
        assert list(tops(moment)) == [f"{x},3" for x in range(count)], moment
    assert tops(12.5)["0,3"] == ["dirt", colour_of("dirt"), -61]
    assert tops(14.5)["0,3"] == ["iron_ore", colour_of("iron_ore"), -60]
    assert tops(14.5)["1,3"] == ["", "", -64]
    assert not tops(100.0)
    index.close()


def test_items_on_the_ground_are_in_the_scene_until_they_are_gone(tmp_path: Path) -> None:
    def drops(t_s: float, gone: tuple[str, ...] = (), **at: object) -> str:
        return line(4, "drops", t_s=t_s, at={key.strip("n"): row for key, row in at.items()}, gone=gone)

    begin = [line(1, "episode_started", attempt=1), line(3, "policies_started", players=["Ada"])]
    hostile = {"n3": ["<b>x", 1, [0, 0, 0]], "e": ["apple", 1, [0, 0, 0]], "n4": ["dirt", 999, [0.0, -60.0, 1e308]]}
    log = [
        started(["Ada"]),
        *begin,
        drops(1.0, n1=["apple", 2, [0.5, -60.04, 2.5]], n2=["stick", 1, [1, 2, 3]]),
        drops(2.0, gone=("2", "77"), **hostile),
        line(4, "drops", t_s=2.5, at={"5": ["apple", 1, [1, 2]]}, gone=[]),
        drops(3.0, n1=["apple", 5, [0.5, -60.0, 2.5]]),
        line(5, "episode_ended", reason="time", game_s=4.0, players={}),
        *begin,
        line(10, "run_ended", None, status="complete", reason=None),
    ]
    (tmp_path / "events.jsonl").write_text("".join(log), encoding="utf-8")
    index = RunIndex(tmp_path)
    whole(index)
    assert index.skipped == 1
    chunk = chunk_of(index, 0)
    assert play(chunk, 1.5)["drop"] == {"1": ["apple", 2, 0.5, -60.0, 2.5], "2": ["stick", 1, 1.0, 2.0, 3.0]}
    assert play(chunk, 3.5)["drop"] == {"1": ["apple", 5, 0.5, -60.0, 2.5], "4": ["dirt", 127, 0.0, -60.0, 1e308]}
    assert "drop" not in play(chunk)
    index.close()


def test_any_moment_is_what_the_log_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 300)
    index = RunIndex(a_life(tmp_path, ["Ada", "Bob"], ["hello", "yes"]))
    whole(index)
    reach = index.reach()
    assert len(reach["chunks"]) > 5
    assert reach["read"] == reach["size"]
    assert reach["ended"]
    for second in (0, 7, 13, 19):
        number = max(n for n, at in enumerate(reach["chunks"]) if at <= second)
        scene = play(chunk_of(index, number), second)
        assert scene["at"]["Ada"] == [second, -60.0, 0.0]
        assert scene["say"][["Ada", "Bob"][second % 2]]["text"] == ["hello", "yes"][second % 2]
    index.close()


def test_an_index_that_was_closed_anywhere_goes_on_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHUNK", 300)
    lines = (a_life(tmp_path / "whole", ["Ada", "Bob"], ["hi"]) / "events.jsonl").read_bytes()
    grown = tmp_path / "grown"
    grown.mkdir()
    (grown / "calls.jsonl").write_bytes((tmp_path / "whole" / "calls.jsonl").read_bytes())
    for share in (0.2, 0.5, 0.51, 1.0):
        (grown / "events.jsonl").write_bytes(lines[: int(len(lines) * share)])
        index = RunIndex(grown)
        whole(index)
        index.close()
    once, again = RunIndex(tmp_path / "whole"), RunIndex(grown)
    whole(once)
    assert told(again) == told(once)
    once.close()
    again.close()


def test_an_index_of_another_log_is_rebuilt(tmp_path: Path) -> None:
    directory = a_life(tmp_path, ["Ada", "Bob"], ["first"])
    index = RunIndex(directory)
    whole(index)
    index.close()
    a_life(tmp_path, ["Cid", "Dora"], ["second"], seconds=30)
    index = RunIndex(directory)
    whole(index)
    assert {text for (text,) in index.rows("SELECT DISTINCT text FROM words")} == {"second"}
    # A log may be truncated while it is viewed, e.g. by `accord resume`.
    (directory / "events.jsonl").write_text(started(["Eve"]))
    whole(index)
    assert list(play(chunk_of(index, 0))["player"]) == ["Eve"]
    index.close()


POISONS = (
    "UPDATE meta SET value = '[]'",
    "UPDATE meta SET value = '7'",
    "UPDATE meta SET value = json_set(value, '$.logs', 7)",
    "UPDATE meta SET value = json_set(value, '$.logs', json('{}'))",
    "UPDATE meta SET value = json_set(value, '$.builder', 7)",
    "UPDATE meta SET value = json_set(value, '$.builder.moments', json('[1]'))",
    "UPDATE meta SET value = json_set(value, '$.chunks', 'many')",
    "UPDATE meta SET value = CAST(x'ff' AS TEXT)",
    "DROP TABLE meta; CREATE VIEW meta AS SELECT 'kept' AS key, '{}' AS value",
    "DROP TABLE words",
    "DROP TABLE words; CREATE TABLE words (x)",
    "CREATE TRIGGER t AFTER INSERT ON words BEGIN DELETE FROM words; END",
)
"""SQL scripts that create files with the name of an index."""


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\0" * 4096])
def test_a_broken_index_is_rebuilt(tmp_path: Path, content: bytes) -> None:
    directory = a_life(tmp_path, ["Ada"], ["hi"])
    index_path(directory).write_bytes(content)
    index = RunIndex(directory)
    whole(index)
    assert index.rows("SELECT count(*) FROM words") == [(20,)]
    index.close()


@pytest.mark.parametrize("poison", POISONS)
def test_an_index_with_other_tables_or_values_is_rebuilt(tmp_path: Path, poison: str) -> None:
    directory = a_life(tmp_path, ["Ada"], ["hi"])
    index = RunIndex(directory)
    whole(index)
    index.close()
    with contextlib.closing(sqlite3.connect(index_path(directory), isolation_level=None)) as connection:
        connection.executescript(poison)
    index = RunIndex(directory)
    whole(index)
    assert index.rows("SELECT count(*) FROM words") == [(20,)]
    assert list(play(chunk_of(index, 0))["player"]) == ["Ada"]
    index.close()


def test_an_index_that_came_with_a_record_is_not_opened(tmp_path: Path) -> None:
    directory, victim = a_life(tmp_path / "run", ["Ada"], ["hi"]), tmp_path / "victim.sqlite"
    with contextlib.closing(sqlite3.connect(victim)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    held = victim.read_bytes()
    (directory / "view.sqlite").symlink_to(victim)
    (directory / "view.sqlite-journal").write_bytes(b"x" * 600)
    before = sorted(each.name for each in directory.iterdir())
    index = RunIndex(directory)
    whole(index)
    index.close()
    assert victim.read_bytes() == held
    assert sorted(each.name for each in directory.iterdir()) == before


def test_the_oldest_indexes_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "cache", lambda: tmp_path / "cache")
    monkeypatch.setattr(index_module, "MAX_KEPT", 3)
    for number in range(6):
        RunIndex(a_life(tmp_path / str(number), ["Ada"], ["hi"])).close()
    assert len(list((tmp_path / "cache").rglob("*.sqlite"))) == 3


def test_a_second_viewer_has_an_index_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no name in the file system, so that nothing is left of it if its process is killed."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    directory = a_life(tmp_path / "run", ["Ada"], ["hi"])
    first, second = RunIndex(directory), RunIndex(directory)
    whole(first)
    whole(second)
    assert told(first) == told(second)
    assert second.rows("PRAGMA database_list")[0][2] == ""
    assert list((tmp_path / "temporary").iterdir()) == []
    second.close()
    first.close()
    assert index_path(directory).exists()


@pytest.mark.parametrize(
    "bad",
    [
        "no json\n",
        "[1]\n",
        '{"seq": 1, "kind": "places", "data": {"at": {"x": ["a"]}}}\n',
        '{"seq": 1, "kind": "places", "data": {"t_s": NaN, "at": {}}}\n',
        '{"seq": 1, "kind": "speech", "data": {"t_s": 1}}\n',
        '{"seq": 1, "kind": "transfer", "data": {"payer": "a", "payee": "b", "amount": "x", "term": 1}}\n',
        '{"seq": 1, "kind": "state", "data": {"players": 5}}\n',
        "[" * 100_000 + "\n",
    ],
)
def test_invalid_lines_are_counted_and_skipped(tmp_path: Path, bad: str) -> None:
    directory = a_life(tmp_path, ["Ada"], ["hi"])
    log = directory / "events.jsonl"
    log.write_text(log.read_text() + bad + line(9, "critique", player="Ada", text="after", success=True))
    index = RunIndex(directory)
    whole(index)
    assert index.skipped == 1
    assert play(chunk_of(index, 0))["critique"]["Ada"]["text"] == "after"
    index.close()


def test_a_torn_last_line_waits_for_its_end(tmp_path: Path) -> None:
    directory = a_life(tmp_path, ["Ada"], ["hi"])
    log, more = directory / "events.jsonl", line(9, "critique", player="Ada", text="late", success=None)
    read = log.stat().st_size
    log.write_bytes(log.read_bytes() + more[:30].encode())
    index = RunIndex(directory)
    whole(index)
    assert index.reach()["read"] == read
    assert index.skipped == 0
    with log.open("a") as file:
        file.write(more[30:])
    whole(index)
    assert play(chunk_of(index, 0))["critique"]["Ada"]["text"] == "late"
    index.close()


def test_hostile_names_and_words_come_out_as_they_went_in(tmp_path: Path) -> None:
    index = RunIndex(a_life(tmp_path, list(ATTACKS), list(ATTACKS)))
    whole(index)
    assert [row[0] for row in index.rows("SELECT text FROM words ORDER BY id LIMIT 11")] == list(ATTACKS)
    assert set(play(chunk_of(index, 0))["player"]) == set(ATTACKS)
    assert index.rows("SELECT count(*) FROM calls WHERE tokens = 15") == [(11,)]
    index.close()


def test_half_a_character_is_replaced(tmp_path: Path) -> None:
    directory = a_life(tmp_path, ["Ada"], ["hi"])
    with (directory / "events.jsonl").open("a") as file:
        file.write(line(9, "critique", player="Ada", text="X", success=None).replace("X", "\\ud800"))
    index = RunIndex(directory)
    whole(index)
    body, _ = index.chunk(0)
    assert "\ufffd" in body.decode()
    index.close()


def test_an_index_needs_no_room_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = sqlite3.connect

    def connect(file: Path, **given: Any) -> sqlite3.Connection:  # noqa: ANN401
        if Path(file) == index_path(tmp_path):
            raise sqlite3.OperationalError("unable to open database file")
        return real(file, **given)

    monkeypatch.setattr(sqlite3, "connect", connect)
    index = RunIndex(a_life(tmp_path, ["Ada"], ["hi"]))
    whole(index)
    assert index.rows("SELECT count(*) FROM words") == [(20,)]
    assert not index_path(tmp_path).exists()
    index.close()
