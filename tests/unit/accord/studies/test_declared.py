"""A study declares its outcomes and comparisons: kept in the record, shown in result, terminal and report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from accord.analysis.report import read_comparison
from accord.cli import main
from accord.studies.settings import StudySettings
from accord.studies.study import run_study
from dilemmas.errors import UsageError

CONDITIONS = ("none", "contract-1", "contract-2")


async def test_a_declared_comparison_is_kept_and_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = StudySettings(
        "double-vein", CONDITIONS, world="mock", runs=3, out=tmp_path, time_limit_s=10,
        primary=("welfare", "joy"), compare=("none, contract-1",), paired=True,
    )  # fmt: skip
    study = await run_study(settings)
    config = yaml.safe_load((study.directory / "config.yaml").read_text(encoding="utf-8"))
    kept = {name: config["settings"][name] for name in ("primary", "compare", "paired")}
    assert kept == {"primary": ["welfare", "joy"], "compare": ["none, contract-1"], "paired": True}
    result = json.loads((study.directory / "result.json").read_text(encoding="utf-8"))
    declared = [(each["of"], each["measure"]) for each in result["comparisons"] if each["declared"]]
    assert declared == [(["none", "contract-1"], "welfare")]
    assert all(each["paired"]["pairs"] == 3 for each in result["comparisons"])
    found = read_comparison([study.directory])
    assert (found.plan.paired, found.plan.compare) == (True, (("none", "contract-1"),))
    assert found.undeclared == "Declared, but not in these runs: joy."
    assert main(["report", str(study.directory)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "declared beforehand, others exploratory" in told
    assert "sign-flip test of pairs of equal seeds" in told
    page = (study.directory / "report.html").read_text(encoding="utf-8")
    assert page.count(">declared</span>") == 1
    assert "Declared, but not in these runs: joy." in page


def test_settings_without_a_plan_are_recorded_as_before() -> None:
    assert not {"primary", "compare", "paired", "mixed"} & StudySettings("double-vein").to_dict().keys()


@pytest.mark.parametrize("text", ["none", "none,", "none,contract-1,contract-2", "none,none"])
def test_a_comparison_is_two_conditions(text: str) -> None:
    with pytest.raises(UsageError, match="is not legal; give two conditions, such as none,contract-1"):
        StudySettings("double-vein", compare=(text,))
