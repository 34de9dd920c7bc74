"""The report of a sweep: a seed counts once, whatever else varies."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from accord.analysis.measures import summarize
from accord.analysis.report.sweep import TABLE, write_sweep_report
from dilemmas.errors import RecordError
from dilemmas.records.folders import task_folder

HEAD = "task,id,scenario,condition,world,model,seed,limit,rounds,status,reason,welfare\n"
WELFARE = {(seed, limit, rounds): seed * seed + limit + 10 * rounds
           for seed in range(6) for limit in (4, 8) for rounds in (1, 2, 3)}  # fmt: skip


def test_runs_of_one_seed_count_as_one(tmp_path: Path) -> None:
    rows = [
        f"{task},{task},game,none,mock,,{seed},{limit},{rounds},complete,,{welfare}\n"
        for task, ((seed, limit, rounds), welfare) in enumerate(WELFARE.items())
    ]
    (tmp_path / TABLE).write_text(HEAD + "".join(rows))
    page = write_sweep_report(tmp_path).read_text(encoding="utf-8")
    section = page[page.index("welfare by limit") :]
    found = re.search(r'<th scope="row">4</th><td></td><td class="n">(\d+)</td>\s*<td class="n">([\d.]+)<', section)
    assert found is not None
    expected = summarize([seed * seed + 4 + 10 * 2 for seed in range(6)])
    assert (int(found[1]), float(found[2])) == (expected.n, pytest.approx(expected.mean, abs=0.05))


def test_a_table_without_seeds_is_refused(tmp_path: Path) -> None:
    (tmp_path / TABLE).write_text(HEAD.replace(",seed", "") + "0,0,game,none,mock,,4,1,complete,,1\n")
    with pytest.raises(RecordError, match="is no table of a sweep"):
        write_sweep_report(tmp_path)


WELFARES = [0.0, 2.0, 1.0, 0.0, 4.0, 0.0]
"""Values whose interval reaches below 0."""


@pytest.mark.parametrize(
    ("task", "most", "cut"),
    [
        pytest.param("ab0", 3.0, True, id="within bounds"),
        pytest.param("ab0", 1.0, False, id="bounds that the values contradict are not believed"),
        pytest.param("../../x", 3.0, False, id="no record outside of the sweep is read"),
    ],
)
def test_intervals_are_cut_to_what_the_record_of_a_run_allows(
    tmp_path: Path, task: str, most: float, *, cut: bool
) -> None:
    sweep = tmp_path / "runs" / "sweep"
    (sweep / "tasks").mkdir(parents=True)
    rows = [f"{at},{task},game,none,mock,,{at},4,1,complete,,{value}\n" for at, value in enumerate(WELFARES)]
    (sweep / TABLE).write_text(HEAD + "".join(rows))
    record = task_folder(sweep, task)
    record.mkdir(parents=True)
    account = {"reward": 0.0, "transfer": 0.0, "payoff": 0.0}
    (record / "result.json").write_text(json.dumps({"welfare": 0, "players": {"Gizmo": account, "Glitch": account}}))
    setup = {"hash": "", "models": {}, "sampling": {}, "prompts": {}}
    config = {"setup": {"none": setup}, "conditions": {"none": {}}, "bounds": {"none": {"reward": [0.0, most]}}}
    (record / "config.yaml").write_text(yaml.safe_dump(config))
    interval = summarize(WELFARES).ci95
    assert interval is not None
    assert interval[0] < 0
    page = write_sweep_report(sweep).read_text(encoding="utf-8")
    assert (">[0, " in page, ">[\N{MINUS SIGN}0.0" in page) == (cut, not cut)
