"""`make test` runs every part, whatever becomes of the others, and says which failed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bridge.prerequisites import ROOT

WRITTEN = ("requirements.lock", "requirements-dev.lock", "pyproject.toml", "package.json", "package-lock.json")
STAMPS = ("python", "dev", "js")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The Makefile alone, in a folder where everything counts as installed."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in WRITTEN:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1, 1))
    (tmp_path / ".stamps").mkdir()
    for age, name in enumerate(STAMPS, start=2):
        (tmp_path / ".stamps" / name).touch()
        os.utime(tmp_path / ".stamps" / name, (age, age))
    return tmp_path


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize(
    ("node", "python", "said"),
    [
        (0, 0, ""),
        (1, 0, "failed: test-js"),
        (0, 1, "failed: test-unit test-live test-paced"),
        (1, 1, "failed: test-js test-unit test-live test-paced"),
    ],
)
def test_all_parts_run_and_every_failure_is_told(checkout: Path, node: int, python: int, said: str) -> None:
    for name, code in (("node", node), ("pytest", python)):
        (checkout / name).write_text(f"#!/bin/sh\necho {name} >> {checkout}/ran\nexit {code}\n")
        (checkout / name).chmod(0o755)
    command = ["make", "test", f"BIN={checkout}", f"NODE={checkout}/node"]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(command, cwd=checkout, env=plain, capture_output=True, text=True, check=False)
    assert (checkout / "ran").read_text().split() == ["node", "pytest", "pytest", "pytest"]
    assert (done.returncode == 0) == (node == python == 0), done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("failed")] == ([said] if said else [])


def test_each_file_that_the_fast_tests_leave_out_exists() -> None:
    named = (ROOT / "tests" / "slow_files.txt").read_text(encoding="utf-8").split()
    assert [name for name in named if not (ROOT / "tests" / "unit" / f"{name}.py").is_file()] == []


def test_paced_tests_are_where_make_looks_for_them() -> None:
    tests = ROOT / "tests"
    marked = [path for path in tests.glob("*/**/test_*.py") if "mark.paced" in path.read_text(encoding="utf-8")]
    marked = [path for path in marked if path != Path(__file__)]
    assert marked
    assert {path.parent for path in marked} == {tests / "live"}
