"""The report of a sweep: a seed counts once, whatever else varies."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from accord.analysis.measures import summarize
from accord.analysis.report.sweep import TABLE, write_sweep_report
from dilemmas.errors import RecordError

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
