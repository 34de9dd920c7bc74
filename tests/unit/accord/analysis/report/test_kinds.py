"""Report section on kinds of players."""

from __future__ import annotations

import csv
from pathlib import Path

from accord.analysis.report import write_report
from accord.studies.study import StudySettings, run_study


async def played(out: Path, agents: str) -> Path:
    found = await run_study(
        StudySettings("conquest", ("none",), world="mock", agents=agents, runs=2, out=out, time_limit_s=6.0)
    )
    write_report([found.directory], out / "report")
    return out / "report"


async def test_kinds_are_compared_where_several_play(tmp_path: Path) -> None:
    report = await played(tmp_path, "peaceful,peaceful,greedy,peaceful")
    page = (report / "report.html").read_text("utf-8")
    assert '<section id="kinds">' in page
    with (report / "kinds.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    payoffs = {
        (row["seed"], row["kind"].split("/")[-1]): float(row["mean_of_players"])
        for row in rows
        if row["measure"] == "payoff"
    }
    assert set(payoffs) == {(seed, kind) for seed in "01" for kind in ("peaceful", "greedy")}
    assert all(payoffs[seed, "greedy"] > payoffs[seed, "peaceful"] for seed in "01")
    assert {row["players"] for row in rows if row["kind"] == "commanders/peaceful"} == {"Ada Ben Dan"}


async def test_one_kind_is_not_compared(tmp_path: Path) -> None:
    report = await played(tmp_path, "peaceful")
    assert '<section id="kinds">' not in (report / "report.html").read_text("utf-8")
    assert not (report / "kinds.csv").exists()
