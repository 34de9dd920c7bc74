"""Trials of Voyager's benchmark on flat land: programs go on from one another, after kills and stops, too."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.report import write_report
from accord.studies.estimate import expect
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from dilemmas.records.digest import digest
from dilemmas.records.events import ActBegan, ActEnded, Critique
from dilemmas.records.record import read_events
from tests.fakes.killing import events, kill_after, log_of
from tests.fakes.trials import BROKEN, PLANKS, STONE, WOODEN, climbs, small
from voyager_agents.models.fake_server import FakeServer
from voyager_agents.skill_library import newest

ASKED_FOR = """task: Make a stone pickaxe.
conditions:
  stone: {contract: none, about: A pickaxe., task: Make a stone pickaxe., goal: {stone_pickaxe: 1}}
  diamond-pickaxe: null
  golden-sword: null
  lava-bucket: null
  compass: null
"""


def settings(path: Path, out: Path, **chosen: Any) -> StudySettings:  # noqa: ANN401 - settings of any kind
    return StudySettings(
        str(path), world="mock", agents="voyager", model="openai/fake", out=out, **{"contracts": ("explore",), **chosen}
    )


async def played(asked: StudySettings, listen: Any = None) -> tuple[StudyResult, int]:  # noqa: ANN401 - a listener
    """Play a trial or resume it from its folder, and return the number of model calls, too."""
    begun = list(asked.out.glob("2*")) if asked.out else []
    async with FakeServer(climbs) as server:
        if begun:
            kept = replace(read_settings(begun[0], base_url=server.base_url), budget=asked.budget)
            found = await resume_study(begun[0], kept, listen=listen)
        else:
            found = await run_study(replace(asked, base_url=server.base_url), listen=listen)
    return found, len(server.requests)


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a trial of five iterations."""
    return small(tmp_path_factory.mktemp("trial"), 5)


@pytest.fixture(scope="module")
def whole(trial: Path) -> tuple[StudyResult, int]:
    """Return the whole trial, played by a model that errs once."""
    return asyncio.run(played(settings(trial, trial.parent / "whole")))


def test_programs_go_on_from_one_another_on_one_land(whole: tuple[StudyResult, int]) -> None:
    found, _ = whole
    result = found.results[0]
    assert (result["status"], result["end"], result["episodes"]) == ("complete", "policies_returned", 1)
    began, ended = events(found, ActBegan), events(found, ActEnded)
    assert [each.program.rpartition("----\n")[2] for each in began] == [PLANKS, BROKEN, WOODEN, STONE, STONE]
    assert [each.ended for each in ended] == ["done", "failed", "done", "done", "failed"]
    # What one program holds the next one starts with: nothing is given back in between.
    assert ended[0].gained == {"crafting_table": 1, "oak_log": -3, "oak_planks": 6, "stick": 4}
    assert ended[3].gained == {"stick": -2, "stone_pickaxe": 1}
    measures = {name: each["Nova"] for name, each in result["measures"].items()}
    assert measures["wooden_tool_iterations"] == 3
    assert measures["stone_tool_iterations"] == 4
    assert "iron_tool_iterations" not in measures
    assert measures["programs_failed"] == 2
    assert result["voyager-progress"]["Nova"]["items_by_iteration"] == [4, 4, 5, 7, 7]


def test_an_agent_reads_the_end_of_its_program_and_learns_done_skills(whole: tuple[StudyResult, int]) -> None:
    found, _ = whole
    assert events(found, Critique)[0].text == "Spell the names right."
    skills = newest(found.directory / "agents" / "Nova")
    assert sorted(skills) == ["makePickaxe", "mineAndMake", "sawLogs"]
    assert skills["makePickaxe"].source == WOODEN
    prompts = [json.loads(line) for line in (found.directory / "calls.jsonl").read_text("utf-8").splitlines()]
    written = [call["messages"][1]["content"] for call in prompts if call["role"] == "action"]
    assert "craftItm is not defined" in written[2]
    assert "crafting_table at 1, -60, 0" in written[3]
    assert "Items that lie" not in written[0]


def killed(trial: Path, out: Path, count: int) -> None:
    """Play until a number of events is written; then kill this process."""
    asyncio.run(played(settings(trial, out), kill_after(count)))


def test_a_trial_that_is_killed_goes_on_to_the_same_end(
    trial: Path, whole: tuple[StudyResult, int], tmp_path: Path
) -> None:
    """It starts again on a new land, with the library as it was before: skills of the first attempt are gone.

    The trial runs in a process of its own from the start: a fork of one that has an index open hangs.
    """
    found, asked = whole
    fourth = [line.seq for line in read_events(log_of(found)) if line.kind == "act_began"][3]
    process = multiprocessing.get_context("spawn").Process(target=killed, args=(trial, tmp_path, fourth))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    (begun,) = tmp_path.glob("2*")
    assert sorted(newest(begun / "agents" / "Nova")) == ["makePickaxe", "sawLogs"]
    again, more = asyncio.run(played(settings(trial, tmp_path)))
    assert digest(read_events(log_of(again))) == digest(read_events(log_of(found)))
    assert more < asked
    assert newest(again.directory / "agents" / "Nova") == newest(found.directory / "agents" / "Nova")


def test_a_trial_out_of_budget_goes_on_when_there_is_more(
    trial: Path, whole: tuple[StudyResult, int], tmp_path: Path
) -> None:
    found, asked = whole
    tight = settings(trial, tmp_path, budget={"calls": {"all": 9}})
    stopped, first = asyncio.run(played(tight))
    assert (stopped.results[0]["status"], first) == ("budget", 9)
    ended, more = asyncio.run(played(replace(tight, budget={})))
    assert ended.results[0]["measures"] == found.results[0]["measures"]
    assert first + more == asked


async def test_model_calls_lie_between_the_estimated_bounds(trial: Path, whole: tuple[StudyResult, int]) -> None:
    expected = await expect(settings(trial, trial.parent))
    assert expected["least"]["calls"] <= whole[1] <= expected["most"]["calls"]


def test_a_learned_library_is_copied_into_a_new_trial_that_ends_with_what_is_asked_for(
    whole: tuple[StudyResult, int], tmp_path: Path
) -> None:
    learned = whole[0].directory / "agents" / "Nova"
    before = {path.name: path.read_bytes() for path in (learned / "skills").iterdir()}
    path = small(tmp_path, 9, "voyager-zero-shot", ASKED_FOR)
    asked = settings(path, tmp_path / "runs", contracts=("stone",), agents_options={"learned": str(learned)}, seed=5)
    found, calls = asyncio.run(played(asked))
    result = found.results[0]
    assert (result["status"], result["end"]) == ("complete", "all_collected")
    assert result["measures"]["goal_iterations"] == {"Nova": 4}
    assert result["measures"]["iterations"] == {"Nova": 4}
    assert {path.name: path.read_bytes() for path in (learned / "skills").iterdir()} == before
    own = found.directory / "agents" / "Nova" / "skills"
    assert {path.name for path in own.iterdir()} >= set(before)
    expected = asyncio.run(expect(asked))
    assert expected["least"]["calls"] <= calls <= expected["most"]["calls"]
    text = write_report([found.directory], tmp_path / "report").html.read_text("utf-8")
    assert "4 (1/1)" in text
    assert (
        "19 ± 3 (3/3)" not in text
    )  # a column for each condition that was played, and this one is none of the paper's


def test_the_report_shows_levels_beside_those_of_the_paper(whole: tuple[StudyResult, int], tmp_path: Path) -> None:
    report = write_report([whole[0].directory], tmp_path)
    text = report.html.read_text("utf-8")
    for told in ("3 (1/1)", "4 (1/1)", "none (0/1)", "21 ± 7 (3/3)", "102 (1/3)", "no replication"):
        assert told in text, told
    assert "<script" not in text
    rows = (tmp_path / "trial_curves.csv").read_text("utf-8").splitlines()
    assert rows[0] == "condition,run,seed,player,iteration,items,distance_blocks,chunks_seen"
    assert [row.split(",")[4:6] for row in rows[1:]] == [["1", "4"], ["2", "4"], ["3", "5"], ["4", "7"], ["5", "7"]]
    assert (tmp_path / "plots" / "items-by-iteration.svg").is_file()
