"""Files in folders that somebody else made: links, pipes, devices and second names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from common import plain_files
from common.plain_files import make_folder, open_plain, open_to_append, read_bytes, read_text, walk_plain


def test_a_plain_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("whole", encoding="utf-8")
    assert read_text(tmp_path / "a") == "whole"
    with open_plain(tmp_path / "a") as file:
        assert str(file.name).endswith("a")


@pytest.mark.parametrize("what", ["link", "dangling", "pipe", "folder", "device"])
@pytest.mark.parametrize("mode", ["rb", "r+b", "ab"])
def test_what_is_no_plain_file_is_refused_at_once(tmp_path: Path, what: str, mode: str) -> None:
    victim, place = tmp_path / "victim", tmp_path / "place"
    victim.write_bytes(b"mine")
    if what == "link":
        place.symlink_to(victim)
    elif what == "dangling":
        place.symlink_to(tmp_path / "nowhere")
    elif what == "pipe":
        os.mkfifo(place)
    elif what == "folder":
        place.mkdir()
    else:
        place = Path("/dev/null")
    with pytest.raises(OSError, match=r"link|plain|directory"):
        open_plain(place, mode)
    assert victim.read_bytes() == b"mine"
    assert not (tmp_path / "nowhere").exists()


def test_a_file_that_is_larger_than_asked_for_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "a").open("wb") as file:
        file.truncate(1 << 33)
    with pytest.raises(OSError, match="more than"):
        read_bytes(tmp_path / "a")


def test_a_line_without_an_end_fills_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_files, "MAX_LINE", 100)
    (tmp_path / "a").write_bytes(b"x" * 100 + b"\n")
    with open_plain(tmp_path / "a") as file, pytest.raises(OSError, match="line"):
        list(plain_files.plain_lines(file))


def test_appending_leaves_the_other_name_of_a_file_alone(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine\n")
    os.link(victim, tmp_path / "log")
    with open_to_append(tmp_path / "log") as file:
        file.write(b"more\n")
    assert victim.read_bytes() == b"mine\n"
    assert (tmp_path / "log").read_bytes() == b"mine\nmore\n"


def test_a_walk_meets_every_file_and_follows_no_link(tmp_path: Path) -> None:
    record = tmp_path / "record"
    (record / "deep" / "er").mkdir(parents=True)
    (record / "deep" / "er" / "file").touch()
    (record / "a").touch()
    assert [path.relative_to(record).as_posix() for path in walk_plain(record)] == ["a", "deep/er/file"]
    (record / "deep" / "up").symlink_to(tmp_path)
    with pytest.raises(OSError, match="link"):
        list(walk_plain(record))
    assert len(list(walk_plain(record, ["deep"]))) == 1


def test_no_folder_is_made_through_a_link(tmp_path: Path) -> None:
    record, away = tmp_path / "record", tmp_path / "away"
    record.mkdir()
    away.mkdir()
    make_folder(record / "a" / "b", record)
    make_folder(record / "a" / "b", record)
    assert (record / "a" / "b").is_dir()
    (record / "plots").symlink_to(away)
    with pytest.raises(OSError, match="link"):
        make_folder(record / "plots" / "c", record)
    assert not list(away.iterdir())
