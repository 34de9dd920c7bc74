"""Leftovers of a killed `accord doctor --hostile` are removed at the next start, and only those proven to be ours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge.hostile.canaries import Canaries
from bridge.hostile.leftovers import MARKER, PREFIX, make_folder, sweep

DIES = """
import asyncio, os, signal, sys, tempfile
tempfile.tempdir = sys.argv[1]
from bridge.hostile.canaries import Canaries
async def main():
    async with Canaries() as canaries:
        assert canaries.file.exists()
        os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a folder for temporary files of this test only."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def left(folder: Path) -> Path:
    """Create the leftovers of a killed process."""
    ended = subprocess.run([sys.executable, "-c", DIES, str(folder)], check=False, capture_output=True)
    assert ended.returncode == -9, ended.stderr
    (found,) = folder.glob(PREFIX + "*")
    assert (found / "secret.txt").exists()
    return found


async def test_the_next_start_removes_what_a_killed_one_left_and_nothing_else(temporary: Path) -> None:
    old = left(temporary)
    other = temporary / "accord-hostile"
    other.mkdir()
    async with Canaries() as canaries:
        assert not old.exists()
        assert canaries.file.exists()
        assert sweep() == []
    assert os.listdir(temporary) == [other.name]


def rewritten(**change: object) -> Callable[[Path], object]:
    def rewrite(folder: Path) -> None:
        path = folder / MARKER
        path.write_text(json.dumps(json.loads(path.read_text()) | change))

    return rewrite


def linked(folder: Path) -> None:
    """Move the folder away, and put a link in its place."""
    folder.rename(folder.parent / "elsewhere")
    folder.symlink_to(folder.parent / "elsewhere")


def marker_linked(folder: Path) -> None:
    (folder / MARKER).rename(folder.parent / "marker")
    (folder / MARKER).symlink_to(folder.parent / "marker")


def marker_shared(folder: Path) -> None:
    os.link(folder / MARKER, folder.parent / "marker")


@pytest.mark.parametrize(
    "change",
    [
        linked,
        marker_linked,
        marker_shared,
        lambda folder: folder.chmod(0o755),
        lambda folder: (folder / MARKER).unlink(),
        lambda folder: (folder / MARKER).write_text("[" * 5000),
        lambda folder: (folder / MARKER).write_bytes(b"\xff"),
        lambda folder: os.mkfifo(folder / "pipe") or (folder / "pipe").rename(folder / MARKER),
        rewritten(pid=os.getppid(), born=""),
        rewritten(place="another machine"),
        rewritten(pid="1"),
        rewritten(pid=-1),
    ],
)
def test_leftovers_not_proven_to_be_ours_stay(temporary: Path, change: Callable[[Path], object]) -> None:
    folder = left(temporary)
    change(folder)
    assert sweep() == []
    assert (folder / "secret.txt").exists()


def test_files_of_another_user_stay(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = left(temporary)
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    assert sweep() == []
    monkeypatch.undo()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    assert sweep() == [folder.name]


def test_a_link_in_a_leftover_is_removed_and_what_it_leads_to_is_not(temporary: Path) -> None:
    folder = left(temporary)
    keep = temporary / "keep"
    keep.mkdir()
    (keep / "file").touch()
    (folder / "empty" / "way").symlink_to(keep)
    assert sweep() == [folder.name]
    assert (keep / "file").exists()


def test_a_folder_in_use_stays() -> None:
    folder = make_folder()
    assert sweep() == []
    assert folder.exists()
