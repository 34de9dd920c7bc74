from __future__ import annotations

import inspect
from dataclasses import fields
from pathlib import Path

import pytest

from accord.analysis.report.reader import _OF_FEW, _Collectors, find_runs, read_runs
from dilemmas.errors import RecordError, UsageError
from dilemmas.records import events as log
from tests.unit.accord.analysis.report.synthetic import Story, write_run


def test_a_run_is_read_whole(tmp_path: Path) -> None:
    turn = log.NegotiationTurn(turn=1, speaker="Gizmo", message="ten", thought="low")
    directory = write_run(tmp_path / "a", Story(contract="double_vein_1", transfer=11, turns=(turn,)))
    (run,) = read_runs([directory])
    assert (run.scenario, run.condition, run.seed, run.status, run.scored) == (
        "double-vein",
        "contract-1",
        0,
        "complete",
        True,
    )
    assert run.accounts["Gizmo"].payoff == 37
    assert run.accounts["Glitch"].payoff == 41
    assert (run.figure("welfare"), run.figure("payoff", "Gizmo"), run.figure("attacks")) == (78, 37, None)
    (talk,) = run.talks
    assert talk.contract is not None
    assert {term.kind for term in talk.contract.terms} == {"obligation", "transfer", "step"}
    assert (talk.episode, talk.turns[0].thought) == (1, "low")
    assert {player: (each.kept, each.duties) for player, each in run.duties.items()}.keys() == {"Gizmo", "Glitch"}
    (episode,) = run.episodes
    assert episode.movements[0].amount == 11
    assert [policy.outcome for policy in episode.policies] == ["returned", "returned"]
    assert {name: held.reward for name, held in episode.samples[-1].players.items()} == {"Gizmo": 48, "Glitch": 30}


def test_runs_are_found_at_any_depth_and_once(tmp_path: Path) -> None:
    for place in ("none/seed-0", "none/seed-1", "contract-1/seed-0"):
        write_run(tmp_path / place, Story(condition=place.split("/")[0]))
    assert len(find_runs([tmp_path, tmp_path / "none"])) == 3
    assert {run.name for run in read_runs([tmp_path])} == {"none/seed-0", "seed-1", "contract-1/seed-0"}


def test_a_path_without_runs_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"^no such run: .*nowhere; give a directory that 'accord run' wrote"):
        find_runs([tmp_path / "nowhere"])
    with pytest.raises(UsageError, match=r"empty is not a run: it has no events.jsonl; give"):
        find_runs([tmp_path / "empty"])
    with pytest.raises(UsageError, match=r"file is a file, not a run; give"):
        find_runs([tmp_path / "file"])


def test_different_scenarios_are_not_mixed(tmp_path: Path) -> None:
    write_run(tmp_path / "a", Story())
    write_run(tmp_path / "b", Story(scenario="cleanup"))
    with pytest.raises(UsageError, match=r"different scenarios \(cleanup, double-vein\): make one report for each"):
        read_runs([tmp_path])


def test_a_killed_run_is_shown_but_not_scored(tmp_path: Path) -> None:
    directory = write_run(tmp_path / "a", Story(finished=False))
    with (directory / "events.jsonl").open("a") as events:
        events.write('{"seq": 99, "kind": "st')
    (run,) = read_runs([directory])
    assert (run.status, run.scored, run.accounts) == ("unfinished", False, {})
    assert run.episodes[0].samples


def test_a_log_without_a_start_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").touch()
    with pytest.raises(RecordError, match=r"events.jsonl: has no run_started; .* leave it out$"):
        read_runs([tmp_path])


def test_a_broken_attempt_leaves_only_its_reason(tmp_path: Path) -> None:
    lost = log.EpisodeBroken(attempt=1, reason="Glitch was disconnected", repeated=True)
    again = log.EpisodeStarted(attempt=2)
    (run,) = read_runs([write_run(tmp_path / "a", Story(extra=(lost, again)))])
    (episode,) = run.episodes
    assert episode.broken == ("Glitch was disconnected",)
    assert len(episode.samples) == 1, "only the end state came after the second attempt began"
    assert len(episode.policies) == 2, "the programs were written before"


def test_a_problem_is_one_line_with_its_place(tmp_path: Path) -> None:
    problem = log.PolicyProblem(name="SyntaxError", message="Unexpected token", line=3, column=7)
    (run,) = read_runs([write_run(tmp_path / "a", Story(problem=problem))])
    assert run.episodes[0].policies[0].error == "SyntaxError: Unexpected token (line 3, column 7)"


def _takes(taker: type, kind: str) -> bool:
    """Return True if the collector handles this kind of event, by a case of its method or by its module's table."""
    code = inspect.getsource(taker.add_event) + inspect.getsource(getattr(taker, "_count_event", taker.add_event))  # type: ignore[attr-defined]
    module = inspect.getsource(inspect.getmodule(taker))  # type: ignore[arg-type]
    return f"{kind}(" in code or f"\n    log.{kind}: {taker.__name__}." in module


def test_frequent_events_reach_every_collector_that_uses_them() -> None:
    collectors = {each.name: type(getattr(_Collectors(), each.name)) for each in fields(_Collectors)}
    kinds = [name for name in log.__all__ if isinstance(getattr(log, name), type)]
    assert {each.__name__ for each in _OF_FEW} < set(kinds)
    for kind, names in _OF_FEW.items():
        assert {name for name, taker in collectors.items() if _takes(taker, kind.__name__)} == set(names), kind
    assert all(any(_takes(taker, kind) for kind in kinds) for taker in collectors.values())


def test_slots_that_no_report_shows_are_skipped_unparsed() -> None:
    collectors = _Collectors()

    def raw(slot: str, player: str = "Ann") -> bytes:
        event = log.SlotWritten(t_s=1.5, player=player, slot=slot, version=1, writer="w", value={"text": "{}"})
        return log.LogLine(3, 7, 0.0, 1, event).to_json().encode()

    assert collectors.is_unused("slot", raw("memory"))
    assert not collectors.is_unused("slot", raw("goal"))
    # A line whose name contains another slot's key is parsed in full.
    assert not collectors.is_unused("slot", raw("goal", '", "slot": "memory'))
    collectors.perceived.add_event(log.TruthTold.model_construct(judges=[]))
    assert not collectors.is_unused("slot", raw("memory"))
