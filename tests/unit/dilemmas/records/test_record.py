"""The run directory: complete or absent, append-only, readable; events survive a round trip."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from dilemmas.errors import RecordError, UsageError
from dilemmas.records.events import (
    BotEvent,
    ChatEvent,
    EpisodeStarted,
    Event,
    EventModel,
    LogLine,
    SignalEvent,
    SlotWritten,
    UnknownTelemetry,
    telemetry,
)
from dilemmas.records.record import RunRecord, claim_directory, make_directory, read_events, write_atomically


def test_a_run_directory_is_whole_from_the_start(tmp_path: Path) -> None:
    record = RunRecord.create(tmp_path / "runs" / "one", {"seed": 1})
    record.close()
    names = sorted(path.name for path in record.directory.iterdir())
    assert names == ["calls.jsonl", "config.yaml", "episodes", "events.jsonl", "logs"]
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["one"]


def test_a_run_never_takes_over_a_directory(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    with pytest.raises(UsageError, match=r"one: it exists already; choose another folder with --out"):
        make_directory(tmp_path / "one", {})
    assert [path.name for path in tmp_path.iterdir()] == ["one"]
    assert list((tmp_path / "one").iterdir()) == []


def test_events_come_back_as_they_were_written(tmp_path: Path) -> None:
    heard: list[LogLine] = []
    record = RunRecord.create(tmp_path / "run", {}, clock=lambda: 12.5, listen=heard.append)
    record.log(BotEvent(bot="Gizmo", state="spawned"), tick=3)
    record.episode = 1
    record.log(EpisodeStarted(attempt=1))
    record.log(telemetry("chat", {"from": "Glitch", "text": 'ja\u0308 "x"\n\u2028'}, 0.5), tick=13)
    record.close()
    record.close()
    path = record.directory / "events.jsonl"
    assert list(read_events(path)) == heard
    heads = [(line.seq, line.tick, line.time, line.episode) for line in heard]
    assert heads == [(0, 3, 12.5, None), (1, None, 12.5, 1), (2, 13, 12.5, 1)]
    assert json.loads(path.read_text().splitlines()[0]) == {
        "seq": 0, "kind": "bot", "tick": 3, "time": 12.5, "episode": None,
        "data": {"t_s": None, "bot": "Gizmo", "state": "spawned", "reason": None},
    }  # fmt: skip


def test_every_class_of_events_is_in_the_union() -> None:
    # A type checker takes any EventModel for an event (line.py).
    def leaves(base: type[EventModel]) -> Iterator[type[EventModel]]:
        for each in base.__subclasses__():
            yield from leaves(each) if each.__subclasses__() else [each]

    own = {each for each in leaves(EventModel) if each.__module__.startswith("dilemmas.")}
    assert set(get_args(Event)) == own


def test_telemetry_is_typed_and_nothing_of_it_is_dropped() -> None:
    signal = telemetry("signal", {"from": "Gizmo", "to": "Glitch", "name": "done"}, 1.0)
    assert isinstance(signal, SignalEvent)
    assert (signal.sender, signal.receiver, signal.name, signal.t_s) == ("Gizmo", "Glitch", "done", 1.0)
    newer = telemetry("chat", {"from": "Gizmo", "text": "x", "colour": "red"}, None)
    assert isinstance(newer, ChatEvent)
    assert newer.model_dump()["colour"] == "red"
    for kind, data in (("chat", {"words": "x"}), ("weather", {"rain": True})):
        strange = telemetry(kind, data, None)
        assert isinstance(strange, UnknownTelemetry)
        assert strange.original == {"kind": kind, **data}


def test_a_line_torn_by_a_kill_is_skipped_and_any_other_is_an_error(tmp_path: Path) -> None:
    record = RunRecord.create(tmp_path / "run", {})
    record.log(EpisodeStarted(attempt=1))
    record.close()
    path = record.directory / "events.jsonl"
    whole = path.read_text()
    path.write_text(whole + whole[:20])
    assert len(list(read_events(path))) == 1
    path.write_text("nonsense\n" + whole)
    with pytest.raises(RecordError, match=r"events\.jsonl, line 1: not an event"):
        list(read_events(path))
    with pytest.raises(RecordError, match="cannot read"):
        list(read_events(tmp_path / "nowhere.jsonl"))


def test_events_are_read_one_at_a_time(tmp_path: Path) -> None:
    record = RunRecord.create(tmp_path / "run", {})
    record.log(EpisodeStarted(attempt=1))
    path = record.directory / "events.jsonl"
    lines = read_events(path)
    assert next(lines).seq == 0
    # A reader of the whole log would never see the lines that follow.
    for number in range(1, 2000):
        record.log(EpisodeStarted(attempt=number))
    record.close()
    with path.open("a") as log:
        log.write("nonsense\n")
    assert [next(lines).seq for _ in range(1999)] == list(range(1, 2000))
    with pytest.raises(RecordError, match="line 2001: not an event"):
        next(lines)


@pytest.mark.parametrize(
    ("text", "keep", "stays", "cut"),
    [
        ("a\nb\nc\n", 3, "a\nb\nc\n", ""),
        ("a\nb\nc\n", 1, "a\n", "b\nc\n"),
        ("a\nb\nto", 1, "a\n", "b\nto\n"),
        ("a\n\nb\nc\n", 2, "a\n\nb\n", "c\n"),
        # Only the newline was lost: the line was read as an event, and remains one.
        ("a\nb", 2, "a\nb\n", ""),
        ("a\nb", 0, "", "a\nb\n"),
        ("", 0, "", ""),
    ],
)
def test_a_log_is_cut_after_the_lines_that_stay(tmp_path: Path, text: str, keep: int, stays: str, cut: str) -> None:
    (tmp_path / "events.jsonl").write_text(text)
    (tmp_path / "calls.jsonl").write_text("whole\ntor")
    RunRecord.reopen(tmp_path, keep).close()
    assert (tmp_path / "events.jsonl").read_text() == stays
    assert (tmp_path / "calls.jsonl").read_text() == "whole\n"
    rest = tmp_path / "interrupted.jsonl"
    assert (rest.read_text() if rest.exists() else "") == cut


def test_writing_is_atomic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "result.json"
    write_atomically(path, "old")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["result.json"]


def test_a_full_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = RunRecord.create(tmp_path / "run", {})

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(RecordError, match=r"cannot write .*result\.json: No space left on device"):
        record.save_result({})
    record.close()


def test_directories_of_the_same_second_differ(tmp_path: Path) -> None:
    names = [claim_directory(tmp_path, "double-vein-none", {}, clock=lambda: 0.0).name for _ in range(3)]
    base = "19700101-000000-double-vein-none"
    assert names == [base, f"{base}-2", f"{base}-3"]


def test_two_at_once_never_share_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_directory(tmp_path / "19700101-000000-x", {}, ("events.jsonl",))
    # The other process's directory is invisible until the rename.
    monkeypatch.setattr(Path, "exists", lambda _: False)
    assert claim_directory(tmp_path, "x", {}, clock=lambda: 0.0).name == "19700101-000000-x-2"
    assert sorted(os.listdir(tmp_path)) == ["19700101-000000-x", "19700101-000000-x-2"]


def test_nan_never_gets_into_a_record(tmp_path: Path) -> None:
    record = RunRecord.create(tmp_path / "run", {})
    with pytest.raises(ValueError, match="JSON"):
        record.save_result({"gini": float("nan")})
    record.close()


@pytest.mark.parametrize(
    "data",
    [
        '{"t_s": 1e999, "player": "a", "slot": "goal", "version": 1, "writer": "w", "value": 1}',
        '{"t_s": 1, "player": "a", "slot": "goal", "version": 1, "writer": "w", "value": {"x": [1e999]}}',
        '{"t_s": 1, "player": "a", "slot": "goal", "version": 1, "writer": "w", "value": {"x": -1e999}}',
        '{"t_s": 1, "player": "a", "slot": "goal", "version": 1, "writer": "w", "value": NaN}',
        '{"t_s": 1, "player": "a", "slot": "goal", "version": 1, "writer": "w", "value": {"x": -Infinity}}',
        '{"t_s": 1, "player": "a", "slot": "goal", "version": "x", "writer": "w", "value": 1}',
        '{"t_s": 1, "player": "a", "slot": "goal", "version": 1, "writer": "w", "value": 1, "more": 1}',
        '{"t_s": 1}',
    ],
)
def test_fast_parsing_validates_as_strictly(data: str, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text(f'{{"seq": 0, "kind": "slot", "tick": 0, "time": 0.0, "episode": 1, "data": {data}}}\n')
    with pytest.raises(RecordError, match=r"line 1: not an event of a run"):
        list(read_events(path))


@pytest.mark.parametrize("reward", ["1e999", "-1E+999", "9" * 400, "NaN", "Infinity", "-Infinity"])
def test_numbers_without_bound_are_found_in_what_an_event_holds(reward: str) -> None:
    held = f'{{"a": {{"items": {{}}, "mined": {{}}, "reward": {reward}}}}}'
    text = (
        f'{{"seq": 0, "kind": "state", "tick": 0, "time": 0.0, "episode": 1, "data": {{"t_s": 1, "players": {held}}}}}'
    )
    with pytest.raises(ValueError, match=r"finite|bound|number|JSON"):
        LogLine.read(text.encode())
    fine = LogLine.read(text.replace(reward, "1e-3").encode())
    assert fine == LogLine.from_json(text.replace(reward, "0.001"))


def test_a_line_that_is_parsed_fast_is_the_same_line() -> None:
    values = ["Infinity, NaN", {"x": [1.5, None, "\u2603", 1e22, -0.0]}, 10**30, "1e999", None]
    for value in values:
        event = SlotWritten(t_s=1, player="a", slot="goal", version=1, writer="w", value=value)
        for tick, time, episode in ((None, 0.0, None), (7, 1763831159.25, 3), (-4, 1e-07, 1)):
            text = LogLine(5, tick, time, episode, event).to_json()
            assert LogLine.read(text.encode()) == LogLine.from_json(text) == LogLine(5, tick, time, episode, event)
