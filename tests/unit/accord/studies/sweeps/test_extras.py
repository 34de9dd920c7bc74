"""Sweeps without optional packages: no Parquet, one line of error for Ray, and neither package imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from accord.studies.sweeps.engine import Order, open_engine
from accord.studies.sweeps.sweep import open_sweep
from accord.studies.sweeps.table import write_table
from common.errors import PrerequisiteError


def test_without_pyarrow_the_table_is_csv_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "s.yaml").write_text("scenarios: [double-vein]\n")
    folder = open_sweep(tmp_path / "s.yaml", tmp_path)
    assert [path.name for path in write_table(folder)] == ["results.csv"]
    assert sorted(path.name for path in folder.path.glob("results.*")) == ["results.csv"]


async def test_without_ray_its_engine_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(PrerequisiteError, match="--engine ray needs Ray: pip install"):
        await open_engine("ray").play(Order(tmp_path), [0], lambda *_: None)


def test_nothing_of_the_extras_is_imported_by_the_command_line() -> None:
    code = (
        "import sys, accord.cli.app, accord.cli.sweep, accord.studies.sweeps.sweep, "
        "accord.studies.sweeps.local, accord.studies.sweeps.serve; "
        "sys.exit(bool({'ray', 'pyarrow'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
