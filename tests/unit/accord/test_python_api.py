"""Public interface `import accord`: stable names and signatures, records in Python, scripts and notebooks."""

from __future__ import annotations

import builtins
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import accord
import accord.studies.study
from accord.cli import main
from accord.studies.keyword_options import Options
from accord.studies.settings import StudySettings
from tests.unit.accord.cli.fakes import FakeStudy

SIGNATURES = {
    "run": "(scenario: 'str | Path', contract: 'str' = 'none', *, seed: 'int' = 0, report: 'bool' = False, "
    "progress: 'bool' = True, **options: 'Unpack[Options]') -> 'Run'",
    "study": "(scenario: 'str | Path', contracts: 'Sequence[str]' = ('none',), *, runs: 'int' = 1, seed: 'int' = 0, "
    "jobs: 'int' = 1, vary: 'Mapping[str, Sequence[str]] | None' = None, invalid: 'Treatment' = 'apart', "
    "report: 'bool' = True, progress: 'bool' = True, **options: 'Unpack[Options]') -> 'Study'",
    "env": "(scenario: 'str | Path', contract: 'str' = 'none', *, seats: 'str | Sequence[str] | None' = None, "
    "partners: 'Partners | None' = None, workers: 'int' = 0, keep: 'bool' = True, "
    "**options: 'Unpack[Options]') -> 'Environment'",
    "open_run": "(path: 'str | Path') -> 'Run'",
    "open_study": "(path: 'str | Path') -> 'Study'",
}
"""Signatures of the public functions. A change breaks users' notebooks and scripts."""
NAMES = {
    "AccordError", "Agent", "AgentContext", "AsyncEnvironment", "Environment", "Judge", "Observation", "Options",
    "Rollout", "Run", "Scenario", "Study", "Turn", "UsageError",
    "agent", "env", "env_async",
    "open_run", "open_study", "run", "run_async", "study", "study_async",
}  # fmt: skip
RUN = {
    "condition", "config", "events", "measures", "path", "player_measures", "players", "result", "rows", "scenario",
    "seed", "status", "to_pandas", "verdicts",
}  # fmt: skip
STUDY = {"conditions", "path", "report", "rows", "runs", "status", "to_pandas", "under"}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> accord.Study:
    """Play two short runs under each of two conditions."""
    out = tmp_path_factory.mktemp("api")
    return accord.study(
        "double-vein", ["none", "contract-2"], world="mock", time_limit_s=3, out=out, report=False, progress=False
    )


def public(of: object) -> set[str]:
    return {name for name in dir(of) if not name.startswith("_")}


def test_the_names_and_their_signatures_stay() -> None:
    assert set(accord.__all__) == NAMES
    for name, signature in SIGNATURES.items():
        assert str(inspect.signature(getattr(accord, name))) == signature
    for name in ("run", "study"):
        now, awaited = (inspect.signature(getattr(accord, each)) for each in (name, f"{name}_async"))
        assert now == awaited
        assert inspect.iscoroutinefunction(getattr(accord, f"{name}_async"))
    assert inspect.signature(accord.env).parameters == inspect.signature(accord.env_async).parameters
    assert (Path(accord.__file__).parent / "py.typed").is_file()


def test_the_names_of_records_stay(study: accord.Study) -> None:
    assert public(study.runs[0]) == RUN
    assert public(study) == STUDY
    for one in (accord.Run, accord.Study):
        for name in public(one):
            assert inspect.getdoc(getattr(one, name)), name


def test_every_option_of_a_study_can_be_given() -> None:
    own = {"scenario", "contracts", "seed", "runs", "jobs", "vary", "invalid"}
    assert set(Options.__annotations__) == set(StudySettings.__dataclass_fields__) - own


def test_a_record_tells_its_measures_events_and_verdicts(study: accord.Study) -> None:
    assert study.conditions == ("none", "contract-2")
    assert study.status == "complete"
    (run,) = study.under("contract-2")
    assert (run.scenario, run.condition, run.seed, run.players) == ("double-vein", "contract-2", 0, ("Gizmo", "Glitch"))
    assert run.measures["welfare"] == sum(each["payoff"] for each in run.player_measures.values())
    assert run.config["settings"]["world"] == "mock"
    (verdict,) = run.verdicts()
    assert verdict.judge == "formal"
    assert [line.seq for line in run.events()] == list(range(sum(1 for _ in run.events())))
    assert {line.kind for line in run.events("policy_written")} == {"policy_written"}
    again = accord.open_run(run.path)
    assert (again.result, repr(again)) == (run.result, repr(run))
    assert [each.path for each in accord.open_study(study.path)] == [each.path for each in study.runs]


def test_rows_become_a_data_frame(study: accord.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = study.rows()
    keys = [(row["condition"], row["player"]) for row in rows]
    assert keys == [(condition, player) for condition in study.conditions for player in ("Gizmo", "Glitch")]
    assert rows[0]["payoff"] == study.runs[0].player_measures["Gizmo"]["payoff"]
    assert rows[0]["welfare"] == study.runs[0].measures["welfare"]
    framed: Any = ModuleType("pandas")
    framed.DataFrame = list
    monkeypatch.setitem(sys.modules, "pandas", framed)
    assert study.to_pandas() == rows
    assert study.runs[0].to_pandas() == rows[:2]


def test_a_frame_of_the_real_pandas_has_a_row_for_each_player(study: accord.Study) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed: it comes with the extra docs")
    frame = study.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    rows = study.rows()
    assert list(frame.columns) == list(dict.fromkeys(key for row in rows for key in row))
    assert [(row["condition"], row["player"], row["payoff"]) for row in frame.to_dict("records")] == [
        (row["condition"], row["player"], row["payoff"]) for row in rows
    ]
    assert frame["payoff"].dtype == float
    paid = frame.groupby("condition")["payoff"].sum()
    assert paid.to_dict() == {run.condition: run.measures["welfare"] for run in study}


def test_without_pandas_one_line_says_what_to_do(study: accord.Study, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = builtins.__import__

    def without(name: str, *rest: Any) -> Any:  # noqa: ANN401 - as __import__
        if name == "pandas":
            raise ImportError(name)
        return usual(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(accord.UsageError, match="pip install pandas"):
        study.to_pandas()


def test_what_is_wrong_is_one_line(study: accord.Study, tmp_path: Path) -> None:
    for wrong, words in (
        (lambda: accord.run("double-vain"), "did you mean 'double-vein'"),
        (lambda: accord.run("double-vein", wurld="mock"), "'wurld' is no option; choose from act, adversaries, agents"),  # type: ignore[call-arg]
        (lambda: accord.run("double-vein", world="mock", episodes=0), "episodes: 0 is not legal"),
        (lambda: accord.open_run(tmp_path), "is not a run"),
        (lambda: accord.open_run(study.path), "holds 2 runs: open it with accord.open_study"),
        (lambda: study.under("contract-9"), "the conditions are none, contract-2"),
    ):
        with pytest.raises(accord.AccordError) as caught:
            wrong()
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)


async def test_where_a_loop_runs_the_awaited_form_is_named_and_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeStudy()
    monkeypatch.setattr(accord.studies.study, "run_study", fake)
    with pytest.raises(accord.UsageError, match=r"write `await accord\.run_async"):
        accord.run("double-vein", out=tmp_path)
    assert fake.settings is None
    with pytest.raises(accord.UsageError, match=r"write `await accord\.study_async"):
        accord.study("double-vein", out=tmp_path)
    run = await accord.run_async("double-vein", "contract-1", out=tmp_path, seed=4, progress=False)
    assert (run.condition, run.seed) == ("contract-1", 4)


def test_the_command_line_plays_the_same_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "run double-vein --contract none --contract contract-1 --seed 3 --think 2 --no-report --out"
    both = ["none", "contract-1"]
    asked = []
    for play in (
        lambda: accord.study("double-vein", both, seed=3, think="2", out=tmp_path / "a", report=False),
        lambda: main([*words.split(), str(tmp_path / "a")]),
    ):
        fake = FakeStudy()
        monkeypatch.setattr(accord.studies.study, "run_study", fake)
        play()
        asked.append(fake.settings)
    assert asked[0] == asked[1]
    assert asked[0] is not None
