"""Long logs are cut into packed segments, and prompts into parts; nobody who reads them notices."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from common import segments
from common.lines import read_lines
from common.segments import FOLDER, finished, raw_lines, segment_path
from dilemmas.errors import RecordError, UsageError
from dilemmas.records import rotating
from dilemmas.records.events import ChatEvent
from dilemmas.records.log_truncation import truncate_log
from dilemmas.records.record import RunRecord, read_events
from dilemmas.records.rotating import LogLimits, RotatingLog, pack_segment
from voyager_agents.models.parts import PARTS, MessageParts, PartsWriter, pieces
from voyager_agents.models.recorded import RecordedCalls, prompt_hash

LINES = [json.dumps({"n": number, "text": "w\u00f6rd " * (number % 40)}, ensure_ascii=False) for number in range(400)]
RULES = "\n\n".join(f"Rule {number}: " + "nobody takes what is not theirs. " * 4 for number in range(12))


def written(path: Path, limit: int | None, lines: list[str] = LINES) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    log = RotatingLog(path, limit)
    for line in lines:
        log.append(line)
    log.close()
    return path


def read(path: Path) -> list[str]:
    return [each.data.decode() for each in read_lines(path)]


def test_a_log_in_segments_reads_as_a_plain_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rotating, "BLOCK", 1500)
    plain, cut_up = written(tmp_path / "a" / "events.jsonl", None), written(tmp_path / "b" / "events.jsonl", 8000)
    names = sorted(each.name for each in (cut_up.parent / FOLDER).iterdir())
    assert names == [f"events-{number:05d}.jsonl.gz" for number in range(1, len(names) + 1)]
    assert len(names) > 3
    assert b"".join(raw_lines(cut_up)) == plain.read_bytes()
    assert [each.number for each in read_lines(cut_up)] == list(range(1, 401))
    # ... with any tool, too.
    unpacked = b"".join(gzip.decompress(each.read_bytes()) for each in finished(cut_up))
    assert unpacked + cut_up.read_bytes() == plain.read_bytes()
    assert not (plain.parent / FOLDER).exists()


def test_a_log_that_is_gone_on_with_goes_on_in_its_last_piece(tmp_path: Path) -> None:
    path = written(tmp_path / "events.jsonl", 8000, LINES[:150])
    before = len(finished(path))
    written(path, 8000, LINES[150:])
    assert read(path) == LINES
    assert len(finished(path)) > before > 0


class Killed(BaseException):
    """Raised to end a process in the middle of a step."""


KILLS = ["link", "replace", "pack", "unlink"]


@pytest.mark.parametrize("at", KILLS)
def test_a_kill_at_any_step_of_a_cut_loses_nothing(at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps are real ones up to the kill; then the log is read, and gone on with."""

    def kill(*_: object, **__: object) -> None:
        raise Killed

    path = tmp_path / "events.jsonl"
    log = RotatingLog(path, 5000)
    with monkeypatch.context() as patched:
        if at == "link":
            patched.setattr(os, "link", kill)
        elif at == "replace":
            patched.setattr(rotating, "replace_by_empty", kill)
        elif at == "pack":
            patched.setattr(RotatingLog, "_pack", kill)
        else:
            patched.setattr(RotatingLog, "_pack", lambda self, segment: _packed_and_not_removed(segment, kill))
        told: list[str] = []
        with pytest.raises(Killed):
            _write_on(log, told)
    log._file.close()
    assert read(path) == told
    written(path, 5000, LINES[len(told) :])
    assert read(path) == LINES
    assert all(each.name.endswith(".gz") for each in (tmp_path / FOLDER).iterdir())


def _write_on(log: RotatingLog, told: list[str]) -> None:
    for line in LINES:
        told.append(line)
        log.append(line)


def _packed_and_not_removed(segment: Path, kill: Any) -> None:  # noqa: ANN401
    beside = segment.with_name("copy")
    shutil.copy(segment, beside)
    pack_segment(segment)
    beside.rename(segment)
    kill()


def test_a_file_system_without_links_keeps_one_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    path = written(tmp_path / "events.jsonl", 5000)
    assert path.read_text().splitlines() == LINES
    assert finished(path) == []


def test_no_room_to_pack_leaves_the_segment_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    path = written(tmp_path / "events.jsonl", 8000)
    assert read(path) == LINES
    assert {each.suffix for each in (tmp_path / FOLDER).iterdir()} == {".jsonl"}


def test_a_log_that_is_cut_while_it_is_read_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at the last piece and the look at the segments another one is cut off."""
    path = tmp_path / "events.jsonl"
    log = RotatingLog(path, 5000)
    real, rest = segments.finished, iter(LINES)

    def meanwhile(asked: Path) -> list[Path]:
        count = log.segment_count
        if count < 4:
            while log.segment_count == count:
                log.append(next(rest))
            for thread in log._packing:
                thread.join()
        return real(asked)

    log.append(next(rest))
    monkeypatch.setattr(segments, "finished", meanwhile)
    found = read(path)
    log.close()
    assert log.segment_count == 4
    assert found == LINES[: len(found)] == read(path)


def test_a_missing_or_damaged_segment_is_told(tmp_path: Path) -> None:
    path = written(tmp_path / "events.jsonl", 8000)
    second = finished(path)[1]
    data = second.read_bytes()
    second.unlink()
    with pytest.raises(RecordError, match=r"cannot read .*events\.jsonl: a segment of the log is missing"):
        list(read_events(path))
    for broken in (data[:-3], data[:40] + b"??" + data[42:], b"nonsense", data + data[:10]):
        second.write_bytes(broken)
        with pytest.raises(OSError, match="it is no segment of a log, or a damaged one"):
            read(path)


@pytest.mark.parametrize("keep", [0, 1, 57, 180, 399, 400])
def test_a_log_is_cut_back_to_its_first_lines(keep: int, tmp_path: Path) -> None:
    path, rest = written(tmp_path / "events.jsonl", 8000), tmp_path / "interrupted.jsonl"
    truncate_log(path, keep, rest, 8000)
    assert read(path) == LINES[:keep]
    assert (read(rest) if rest.exists() else []) == LINES[keep:]
    written(path, 8000, LINES[keep:])
    assert read(path) == LINES


def test_a_cut_at_the_end_of_a_segment_keeps_that_segment(tmp_path: Path) -> None:
    path, rest = written(tmp_path / "events.jsonl", 8000), tmp_path / "interrupted.jsonl"
    first = len(gzip.decompress(finished(path)[0].read_bytes()).splitlines())
    truncate_log(path, first, rest, None)
    assert read(path) == LINES[:first]
    assert read(rest) == LINES[first:]


@pytest.mark.parametrize("steps", range(8))
def test_a_kill_in_the_midst_of_cutting_back_leaves_what_is_to_stay(
    steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, keep = written(tmp_path / "events.jsonl", 8000), 57
    real, left = Path.unlink, [steps]

    def unlink(self: Path, missing_ok: bool = False) -> None:
        if not left[0]:
            raise Killed
        left[0] -= 1
        real(self, missing_ok)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", unlink)
        try:
            truncate_log(path, keep, None, None)
        except Killed:
            assert read(path) == LINES[: len(read(path))]
            assert len(read(path)) >= keep
    truncate_log(path, keep, None, None)
    assert read(path) == LINES[:keep]


def call(number: int, told: str) -> dict[str, Any]:
    messages = [{"role": "system", "content": RULES}, {"role": "user", "content": f"{told}\n\n{RULES[:900]}\n{number}"}]
    return {
        "player": "Gizmo", "role": "action", "number": number, "model": "m", "episode": 1, "settings": {},
        "prompt": "", "messages": messages, "reply": f"answer {number}", "usage": {}, "usd": None, "wall_ms": 1.0,
    }  # fmt: skip


def test_a_record_of_calls_in_parts_and_segments_gives_whole_prompts_back(tmp_path: Path) -> None:
    calls = [call(number, f"you see \u2603 {number} " * (number % 9)) for number in range(200)]
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, keeping in ((old, LogLimits(None, None)), (new, LogLimits(20_000, 9_000))):
        record = RunRecord.create(folder, {}, keeping=keeping)
        for each in calls:
            record.log_call(each)
        record.close()
    assert not (old / PARTS).exists()
    assert [json.loads(line) for line in (old / "calls.jsonl").read_text().splitlines()] == calls
    assert RecordedCalls.load(new / "calls.jsonl") == RecordedCalls.load(old / "calls.jsonl")
    first = next(read_lines(new / "calls.jsonl"))
    assert json.loads(first.data) == calls[0]
    size = sum(len(each.data) for each in read_lines(new / "calls.jsonl")) + (new / PARTS).stat().st_size
    assert size < (old / "calls.jsonl").stat().st_size / 4
    texts = [json.loads(each.data)["text"] for each in read_lines(new / PARTS)]
    assert len(set(texts)) == len(texts)


def test_a_record_that_is_gone_on_with_goes_on_in_parts(tmp_path: Path) -> None:
    calls = [call(number, "x") for number in range(60)]
    record = RunRecord.create(tmp_path / "run", {}, keeping=LogLimits(20_000, 4_000))
    for each in calls[:30]:
        record.log_call(each)
    record.close()
    with (tmp_path / "run" / PARTS).open("a") as torn:
        torn.write('{"part": "12')
    record = RunRecord.reopen(tmp_path / "run", 0, keeping=LogLimits(20_000, 4_000))
    for each in calls[30:]:
        record.log_call(each)
    record.close()
    found = RecordedCalls.load(tmp_path / "run" / "calls.jsonl").calls["Gizmo", "action"]
    told = [[{"role": each.role, "content": each.content} for each in found[number].messages] for number in range(60)]
    assert told == [each["messages"] for each in calls]


@pytest.mark.parametrize("text", ["", "\n", "a\n\n\nb", "x" * 500, f"{'y' * 90}\n{'z' * 90}", f"\n\n{RULES}\n", RULES])
def test_pieces_are_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text
    writer = PartsWriter()
    for _ in range(3):
        entry, _ = writer.packed({"messages": [{"role": "user", "content": text}]})
    assert ("parts" in entry["messages"][0]) == (len(text) >= 80)


def test_a_missing_part_is_told_and_an_old_line_is_left_as_it_is(tmp_path: Path) -> None:
    old = {"messages": [{"role": "user", "content": "hello"}], "reply": "x"}
    assert MessageParts(tmp_path / PARTS).whole(old) is old
    lost = {"messages": [{"role": "user", "parts": [["ab" * 16]]}]}
    for entry in (lost, {"messages": [{"role": "user", "parts": [["no hash"]]}]}):
        with pytest.raises(ValueError, match=r"part .* of a prompt is not in|non-hexadecimal"):
            MessageParts(tmp_path / PARTS).whole(entry)


def test_a_small_run_has_plain_files_alone(tmp_path: Path) -> None:
    record = RunRecord.create(tmp_path / "run", {}, folders=())
    for number in range(20):
        record.log_call(call(number, "x"))
        record.log(ChatEvent(sender="Gizmo", text="hello", t_s=1.0))
    record.close()
    assert sorted(each.name for each in record.directory.iterdir()) == ["calls.jsonl", "config.yaml", "events.jsonl"]


def test_the_size_of_a_segment_is_chosen_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, keeping in (("", LogLimits()), ("0", LogLimits(None, None)), ("2", LogLimits(2 << 20, 2 << 16))):
        monkeypatch.setenv(rotating.VARIABLE, said)
        assert LogLimits.from_environment() == keeping
    for said in ("many", "-1", "inf", "nan"):
        monkeypatch.setenv(rotating.VARIABLE, said)
        with pytest.raises(UsageError, match=f"ACCORD_SEGMENT_MB={said}: give the megabytes of a segment"):
            LogLimits.from_environment()
    assert segment_path(Path("r/calls.jsonl"), 3) == Path("r/segments/calls-00003.jsonl")
    assert prompt_hash([])
