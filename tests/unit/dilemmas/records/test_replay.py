"""`--model replay:RUN`: a run repeated without a model."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from accord.studies.estimate import expect
from accord.studies.study import StudyResult, StudySettings, read_settings, run_study
from bridge.types import ProgramOutcome
from dilemmas.errors import UsageError
from dilemmas.records.results import SCHEMA
from tests.fakes.json_schema import faults
from tests.fakes.model_players import SPLIT, play, respond
from tests.fakes.world import FakeWorld, FakeWorlds, Script
from voyager_agents import ModelError
from voyager_agents.models.fake_server import FakeServer
from voyager_agents.models.recorded import RecordedCalls
from voyager_agents.prompts.folder import catalog

THROWS = Script(ends={"Gizmo": (1, ProgramOutcome.THREW)})


async def recorded(tmp_path: Path, **settings: object) -> StudyResult:
    async with FakeServer(respond) as server:
        return (await play(tmp_path / "recorded", server, [SPLIT] * 2, **settings))[0]


async def replayed(
    tmp_path: Path, run: Path, *, scripts: tuple[Script, ...] = (SPLIT, SPLIT), **settings: object
) -> StudyResult:
    chosen: dict[str, Any] = {"contracts": ("negotiate",), "world": "fake", "model": f"replay:{run}", **settings}
    return await run_study(
        StudySettings("double-vein", out=tmp_path / "replayed", **chosen), worlds=FakeWorlds(FakeWorld(list(scripts)))
    )


async def test_a_run_is_replayed_without_asking_a_model(tmp_path: Path) -> None:
    first = await recorded(tmp_path)
    again = await replayed(tmp_path, first.directory)
    for key in ("status", "players", "verdict", "negotiation", "contract", "episodes"):
        assert again.results[0][key] == first.results[0][key]
    assert again.results[0]["usage"] == {"calls": 5, "tokens": 75, "usd": 0.0}
    assert again.results[0]["policies"]["Gizmo"]["author"] == "replay/openai/test"
    third = await replayed(tmp_path, again.directory)
    assert third.results[0]["policies"]["Gizmo"]["author"] == "replay/openai/test"


async def test_a_run_with_prompts_of_its_own_is_repeated_with_those_it_kept(tmp_path: Path) -> None:
    stern = tmp_path / "mine" / "stern"
    stern.mkdir(parents=True)
    text = catalog()["action"].read_text(encoding="utf-8")
    (stern / "action.md").write_text(text.replace("You write programs", "You write programs, stern,"), encoding="utf-8")
    first = await recorded(tmp_path, prompts=stern)
    shutil.rmtree(stern)
    again = await replayed(tmp_path, first.directory)
    assert "differs" not in again.results[0]["usage"]
    assert (again.directory / "prompts" / "stern" / "action.md").is_file()
    assert read_settings(again.directory).prompts == again.directory / "prompts" / "stern"
    # The kept prompts count, like Accord's own.
    own = tmp_path / "own"
    own.mkdir()
    (own / "action.md").write_text(text, encoding="utf-8")
    other = await replayed(tmp_path, first.directory, prompts=own)
    assert other.results[0]["usage"]["differs"] == 2
    plain = await recorded(tmp_path / "recorded")
    assert plain.directory.is_relative_to(tmp_path / "recorded")
    with pytest.raises(UsageError, match=r"its runs had different prompts \(Accord's own, stern\): give --prompts"):
        await replayed(tmp_path, tmp_path / "recorded")
    shutil.rmtree(first.directory / "prompts")
    with pytest.raises(UsageError, match=r"prompts/stern are gone: put them back, or give --prompts"):
        await replayed(tmp_path, first.directory)


async def test_a_prompt_that_differs_is_reported_with_a_diff(tmp_path: Path) -> None:
    first = await recorded(tmp_path)
    result = (found := await replayed(tmp_path, first.directory, rounds=5)).results[0]
    assert (result["status"], result["usage"]["differs"]) == ("complete", 2)
    assert faults(result, json.loads(SCHEMA.read_text(encoding="utf-8"))) == []
    calls = [json.loads(line) for line in (found.directory / "calls.jsonl").read_text().splitlines()]
    differing = [call["differs"] for call in calls if "differs" in call]
    assert len(differing) == 2
    assert "-Message 1 of at most 6 is yours now." in differing[0]
    assert "+Message 1 of at most 5 is yours now." in differing[0]


async def test_one_call_too_many_ends_the_replay_in_one_line(tmp_path: Path) -> None:
    first = await recorded(tmp_path)
    found = await replayed(tmp_path, first.directory, scripts=(THROWS,), episodes=2)
    assert found.status == "failed"
    assert "the recorded run has 0 answers for Glitch's critic, one more was asked for" in found.results[0]["reason"]


async def test_runs_are_found_by_condition_and_seed(tmp_path: Path) -> None:
    first = await recorded(tmp_path, contracts=("none", "contract-1"))
    found = await replayed(tmp_path, first.directory, contracts=("contract-1",))
    assert found.results[0]["usage"]["calls"] == 3
    with pytest.raises(UsageError, match="negotiate with seed 0; it has contract-1, seed 0; none, seed 0"):
        await replayed(tmp_path, first.directory)
    with pytest.raises(UsageError, match=r"has no run of none with seed 1"):
        await replayed(tmp_path, first.directory, contracts=("none",), runs=2)
    with pytest.raises(UsageError, match=r"replay:.*nowhere: there is no run"):
        await replayed(tmp_path, tmp_path / "nowhere")


async def test_a_replay_costs_nothing(tmp_path: Path) -> None:
    first = await recorded(tmp_path)
    settings = StudySettings("double-vein", ("none",), model=f"replay:{first.directory}")
    assert (await expect(settings))["most"]["usd"] == 0
    found = await replayed(tmp_path, first.directory, budget={"usd": {"all": 0.001}})
    assert found.status == "complete"


def test_files_without_calls_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_text('{"player": "Gizmo"}\n\n')
    with pytest.raises(ModelError, match=r"calls\.jsonl, line 1: is no model call"):
        RecordedCalls.load(path)
    path.write_text("[" * 50_000 + "\n")
    with pytest.raises(ModelError, match=r"calls\.jsonl, line 1: is no model call"):
        RecordedCalls.load(path)
    with pytest.raises(ModelError, match="cannot be read"):
        RecordedCalls.load(tmp_path / "nowhere")


async def test_calls_that_are_not_replayed_are_loaded_without_their_texts(tmp_path: Path) -> None:
    path = (await recorded(tmp_path)).directory / "calls.jsonl"
    whole, light = RecordedCalls.load(path), RecordedCalls.load(path, lambda *_: False)
    assert whole.attempts == light.attempts
    for who, calls in whole.calls.items():
        assert {number: (each.usd, each.reply.usage) for number, each in calls.items()} == {
            number: (each.usd, each.reply.usage) for number, each in light.calls[who].items()
        }
    texts = [(each.messages, each.reply.text) for calls in light.calls.values() for each in calls.values()]
    assert texts
    assert set(texts) == {((), "")}


async def test_a_call_torn_within_a_letter_is_left_away(tmp_path: Path) -> None:
    path = (await recorded(tmp_path)).directory / "calls.jsonl"
    whole = RecordedCalls.load(path)
    path.write_bytes(path.read_bytes() + '{"player": "Gizmo", "reply": "\u00e9'.encode()[:-1])
    assert RecordedCalls.load(path) == whole
