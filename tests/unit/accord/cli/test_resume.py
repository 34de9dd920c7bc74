from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

import accord.studies.study
from accord.cli.app import app
from accord.studies.study import StudyResult, StudySettings
from tests.unit.accord.cli.fakes import FakeStudy


def invoke(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["resume", *arguments])
    return result.exit_code, result.stdout, result.stderr


def begun(directory: Path) -> Path:
    directory.mkdir()
    settings = StudySettings(
        "double-vein", ("none",), out=directory.parent, budget={"usd": {"all": 1}, "calls": {"all": 9}}
    )
    (directory / "config.yaml").write_text(yaml.safe_dump({"settings": settings.to_dict()}))
    return directory


def test_a_study_is_resumed_with_larger_caps_and_another_endpoint(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = FakeStudy()
    asked: list[Path] = []

    async def resume_study(directory: Path, settings: StudySettings, **given: Any) -> StudyResult:  # noqa: ANN401
        asked.append(directory)
        return await fake(settings, **given)

    monkeypatch.setattr(accord.studies.study, "resume_study", resume_study)
    directory = begun(tmp_path / "old")
    options = ("--max-usd", "5", "--max-usd", "Gizmo=2", "--base-url", "http://127.0.0.1:1/v1")
    code, out, err = invoke(str(directory), *options, "--json")
    assert (code, err, asked) == (0, "", [directory])
    assert json.loads(out)["conditions"]["none"]["status"] == "complete"
    assert fake.settings is not None
    assert fake.settings.budget == {"usd": {"all": 5, "Gizmo": 2}, "calls": {"all": 9}}
    assert (fake.settings.contracts, fake.settings.base_url) == (("none",), "http://127.0.0.1:1/v1")


def test_what_is_no_study_is_told(tmp_path: Path) -> None:
    code, out, err = invoke(str(tmp_path))
    assert (code, out) == (2, "")
    reason = f"{tmp_path}/config.yaml cannot be read; give what 'accord run' has written"
    assert err == f"error: {tmp_path} is not a study: {reason}\n"


def test_a_resumed_study_can_have_figures_as_any_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = FakeStudy()

    async def resume_study(_: Path, settings: StudySettings, **given: Any) -> StudyResult:  # noqa: ANN401
        return await fake(settings, **given)

    asked: list[Any] = []
    monkeypatch.setattr(accord.studies.study, "resume_study", resume_study)
    monkeypatch.setattr("accord.studies.launch.write_report", lambda *given: asked.append(given[2]))
    directory = begun(tmp_path / "old")
    assert invoke(str(directory), "--figures", "pdf,svg", "--widths", "3,6", "--json")[0] == 0
    assert [(each.formats, each.widths) for each in asked] == [(("pdf", "svg"), (3.0, 6.0))]
    code, _, err = invoke(str(directory), "--figures", "pdf", "--no-report")
    assert (code, err) == (2, "error: --figures are a part of the report: leave out --no-report\n")
