"""Double-Vein on the mock world: the paper's results within moments, and equal seeds give equal bytes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from accord.studies.settings import StudySettings
from accord.studies.study import StudyResult, run_study

pytestmark = pytest.mark.live

CONDITIONS = ("none", "contract-1", "contract-2", "negotiate")


async def play(out: Path, seed: int = 0, runs: int = 1, contracts: tuple[str, ...] = CONDITIONS) -> StudyResult:
    return await run_study(
        StudySettings(scenario="double-vein", contracts=contracts, world="mock", seed=seed, runs=runs, out=out)
    )


def logs(study: StudyResult) -> dict[str, bytes]:
    """Return run -> its log, with the folder within the study as the run's name."""
    files = sorted(study.directory.rglob("events.jsonl"))
    return {str(each.parent.relative_to(study.directory)): each.read_bytes() for each in files}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """Return a study of all conditions. Tests must not write into it."""
    return asyncio.run(play(tmp_path_factory.mktemp("study")))


def test_the_papers_figures(study: StudyResult) -> None:
    none, first, second, negotiated = study.results
    assert [first["players"][name]["payoff"] for name in ("Gizmo", "Glitch")] == [37, 41]
    assert [second["players"][name]["payoff"] for name in ("Gizmo", "Glitch")] == [39, 39]
    assert none["welfare"] < 78
    assert negotiated["welfare"] == 78
    assert min(each["payoff"] for each in negotiated["players"].values()) > 30


async def test_without_a_contract_over_ten_seeds(tmp_path: Path) -> None:
    summary = (await play(tmp_path, runs=10, contracts=("none",))).results[0]["summary"]
    assert summary["welfare"]["mean"] < 78
    assert summary["gini"]["mean"] > 0.3


async def test_the_same_seed_gives_the_same_bytes(study: StudyResult, tmp_path: Path) -> None:
    again = logs(await play(tmp_path))
    assert list(again) == sorted(CONDITIONS)
    assert again == logs(study)


async def test_another_seed_gives_another_log(study: StudyResult, tmp_path: Path) -> None:
    other = await play(tmp_path, seed=4, contracts=("none",))
    assert (other.directory / "events.jsonl").read_bytes() != logs(study)["none"]
