"""Options that tournaments and atlases share."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.cli.games_study import model_settings

NOTHING = {"sampling": None, "local": None, "agents_option": None, "base_url": None, "api_key_file": None}


def test_a_set_of_prompts_keeps_its_name_and_a_folder_gets_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert model_settings(**NOTHING, prices=None, prompts=Path("compact")) == {"prompts": "compact"}
    assert model_settings(**NOTHING, prices=None, prompts=Path("mine")) == {"prompts": str(tmp_path / "mine")}
    (tmp_path / "compact").mkdir()
    assert model_settings(**NOTHING, prices=None, prompts=Path("compact")) == {"prompts": str(tmp_path / "compact")}
