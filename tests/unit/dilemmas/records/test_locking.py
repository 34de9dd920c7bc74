"""Lock of a study: it ends with its process, and works without the kernel's lock."""

from __future__ import annotations

import errno
import fcntl
import json
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from dilemmas.errors import UsageError
from dilemmas.records.locking import LOCK, Holder, lock_directory

HOLDS = """
import sys
from pathlib import Path
from dilemmas.records.locking import lock_directory
lock = lock_directory(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(params=["flock", "no flock"])
def study(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a study's directory, in a folder with the kernel's locks and in one without."""
    (tmp_path / "config.yaml").write_text("seed: 0\n")
    if request.param == "no flock":

        def refuse(file: object, how: int) -> None:
            raise OSError(errno.ENOLCK, "No locks available")

        monkeypatch.setattr(fcntl, "flock", refuse)
    return tmp_path


def test_a_study_in_use_is_refused_until_it_is_given_free(study: Path) -> None:
    lock = lock_directory(study)
    with pytest.raises(UsageError, match=r"is being played by another process \(process \d+ on ") as refused:
        lock_directory(study)
    assert "\n" not in str(refused.value)
    lock.close()
    lock.close()
    assert not (study / LOCK).exists()
    lock_directory(study).close()


def test_a_process_that_is_killed_gives_it_free(study: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(study)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match=rf"process {other.pid} on "):
            lock_directory(study)
        other.kill()
        other.wait()
    assert (study / LOCK).exists()
    with lock_directory(study):
        assert json.loads((study / LOCK).read_text())["pid"] != other.pid
    assert [path.name for path in study.iterdir()] == ["config.yaml"]


@pytest.mark.parametrize(
    ("change", "free"),
    [
        ({"boot": "before the last start"}, True),
        ({"born": "1"}, True),
        ({"pid": 0}, True),
        ({"place": "elsewhere"}, False),
        ({"machine": "another"}, False),
        ({"machine": "another", "boot": "x", "pid": 0}, False),
    ],
)
def test_only_a_holder_that_has_certainly_ended_releases_the_lock(
    study: Path, change: dict[str, object], free: bool
) -> None:
    (study / LOCK).write_text(json.dumps(asdict(replace(Holder.here(), **change))))  # type: ignore[arg-type]
    if free:
        lock_directory(study).close()
        return
    with pytest.raises(UsageError, match=r"if that machine is gone, remove lock\.json"):
        lock_directory(study)
    assert (study / LOCK).exists()


def test_a_foreign_lock_file_is_left_alone(study: Path) -> None:
    (study / LOCK).write_text("mine")
    with pytest.raises(UsageError, match="is no lock of a study"):
        lock_directory(study)
    assert (study / LOCK).read_text() == "mine"
