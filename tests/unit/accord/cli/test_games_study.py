"""Options that tournaments and atlases share."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.cli.games_study import GamesOptions


def test_a_set_of_prompts_keeps_its_name_and_a_folder_gets_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert GamesOptions(prompts=Path("compact")).of_plan()["settings"] == {"prompts": "compact"}
    assert GamesOptions(prompts=Path("mine")).of_plan()["settings"] == {"prompts": str(tmp_path / "mine")}
    (tmp_path / "compact").mkdir()
    assert GamesOptions(prompts=Path("compact")).of_plan()["settings"] == {"prompts": str(tmp_path / "compact")}
