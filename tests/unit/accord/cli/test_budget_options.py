from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import accord.studies.study
from accord.cli import option_values
from accord.cli.app import app
from dilemmas.errors import UsageError
from tests.unit.accord.cli.fakes import FakeStudy


def invoke(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["run", "double-vein", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_limits_reach_the_study(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    study = FakeStudy()
    monkeypatch.setattr(accord.studies.study, "run_study", study)
    given = "--max-usd 5 --max-usd Gizmo=1.5 --max-tokens each=9000 --max-calls 7 --max-wall 60 --no-progress 3"
    files = ("--prices", "p.yaml", "--api-key-file", "key")
    assert invoke(*given.split(), *files, "--no-report", "--out", str(tmp_path))[0] == 0
    assert study.settings is not None
    assert study.settings.budget == {
        "usd": {"all": 5, "Gizmo": 1.5},
        "tokens": {"each": 9000},
        "calls": {"all": 7},
        "wall": {"all": 60},
    }
    assert (study.settings.no_progress, study.settings.prices) == (3, Path("p.yaml"))
    assert study.settings.api_key_file == Path("key")


@pytest.mark.parametrize("text", ["five", "Gizmo=", "=5", "Gizmo=many", ""])
def test_what_is_no_limit(text: str) -> None:
    with pytest.raises(UsageError, match=r"is no limit; write e\.g\. --max-calls 5 or --max-calls Gizmo=2"):
        option_values.budget_caps(calls=[text])


def test_a_limit_is_given_once() -> None:
    with pytest.raises(UsageError, match=r"--max-usd '6': this limit is given twice"):
        option_values.budget_caps(usd=["5", "6"])


def test_a_dry_run_starts_nothing_and_tells_what_to_expect(tmp_path: Path) -> None:
    code, out, err = invoke("--model", "openai/mine", "--dry-run", "--out", str(tmp_path / "runs"))
    assert (code, err) == (0, "")
    assert "action" in out
    # One program for each of two players, with at most three tries each.
    assert "2 to 6" in out
    assert "no price is known for openai/mine: tokens only (give --prices FILE to know dollars)" in out
    assert not (tmp_path / "runs").exists()
    code, out, _ = invoke("--model", "openai/gpt-4o", "--dry-run", "--json")
    assert (code, json.loads(out)["least"]["calls"]) == (0, 2)
    assert invoke("--dry-run")[0] == 2
