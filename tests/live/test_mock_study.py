"""Double-Vein on the mock world: the paper's results within moments, and equal seeds give equal bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.studies.settings import StudySettings
from accord.studies.study import StudyResult, run_study

pytestmark = pytest.mark.live

CONDITIONS = ("none", "contract-1", "contract-2", "negotiate")


async def play(out: Path, seed: int = 0, runs: int = 1) -> StudyResult:
    return await run_study(
        StudySettings(scenario="double-vein", contracts=CONDITIONS, world="mock", seed=seed, runs=runs, out=out)
    )


async def test_the_papers_figures(tmp_path: Path) -> None:
    study = await play(tmp_path)
    none, first, second, negotiated = study.results
    assert [first["players"][name]["payoff"] for name in ("Gizmo", "Glitch")] == [37, 41]
    assert [second["players"][name]["payoff"] for name in ("Gizmo", "Glitch")] == [39, 39]
    assert none["welfare"] < 78
    assert negotiated["welfare"] == 78
    assert min(each["payoff"] for each in negotiated["players"].values()) > 30


async def test_without_a_contract_over_ten_seeds(tmp_path: Path) -> None:
    study = await run_study(
        StudySettings(scenario="double-vein", contracts=("none",), world="mock", runs=10, out=tmp_path)
    )
    summary = study.results[0]["summary"]
    assert summary["welfare"]["mean"] < 78
    assert summary["gini"]["mean"] > 0.3


async def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    logs = []
    for attempt in ("one", "two"):
        study = await play(tmp_path / attempt, seed=3)
        files = sorted(study.directory.rglob("events.jsonl"))
        logs.append({str(each.relative_to(study.directory)): each.read_bytes() for each in files})
    assert len(logs[0]) == len(CONDITIONS)
    assert logs[0] == logs[1]


async def test_another_seed_gives_another_log(tmp_path: Path) -> None:
    one, two = await play(tmp_path / "one", seed=3), await play(tmp_path / "two", seed=4)
    assert (one.directory / "none/events.jsonl").read_bytes() != (two.directory / "none/events.jsonl").read_bytes()
