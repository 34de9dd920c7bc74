"""Lone surrogates, which UTF-8 cannot encode, from every source: studies continue, and records stay readable."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from accord.cli.app import app
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from bridge.mock_world import MockWorld
from bridge.types import Event, Limits
from dilemmas.records.record import read_events
from tests.fakes.model_players import ACCEPTS, CRITIQUE, OFFER, PROGRAM, SPLIT, VERDICT, play, role
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

HALF = "\ud800"
MENDED = "\ufffd"
SPEAKS = """async function main (bot) {
  console.log('log \\ud800', { ['\\ud800']: '\\udfff' })
  bot.chat('chat \\ud83d')
  await say(bot, 'say \\ud83d\\ude00'[4])
  try { await sendSignal(bot, 'Glitch', 'signal \\ud800') } catch (error) { console.log(error.message) }
  try { await mineBlock(bot, 'ore \\ud800', { ['key \\ud800']: 'value \\udfff' }) } catch (error) {
    console.log(error.message)
  }
  await bot.waitForTicks(30)
  throw Object.assign(new Error('thrown \\ud800'), { name: 'Broken\\udfff' })
}"""
"""A program with half a character in every possible place."""


def encodable(value: object) -> bool:
    """Return True if every text in the value can be encoded as UTF-8."""
    json.dumps(value, ensure_ascii=False).encode()
    return True


def texts(events: list[Event], kind: str, key: str) -> list[str]:
    return [str(event.data[key]) for event in events if event.kind == kind]


async def spoken(folder: Path) -> tuple[list[Event], Any]:
    """Return the events and result of the speaking program on the mock world."""
    events: list[Event] = []
    async with MockWorld(1, folder) as world:
        await world.connect(["Gizmo", "Glitch"])
        stream = world.events()

        async def listen() -> None:
            async for event in stream:
                events.append(event)

        listener = asyncio.create_task(listen())
        results = await world.run({"Gizmo": SPEAKS, "Glitch": "async function main (bot) {}"}, Limits(wall_s=30))
        await asyncio.sleep(0)
        listener.cancel()
    return events, results["Gizmo"]


async def test_words_of_a_program_reach_python_as_text(tmp_path: Path) -> None:
    events, result = await spoken(tmp_path)
    assert all(encodable(event.data) for event in events)
    logs = texts(events, "log", "text")
    assert logs[0] == f'log {MENDED} {{ {MENDED}: "\\udfff" }}'
    assert [text for text in texts(events, "chat", "text") if MENDED in text] == [f"chat {MENDED}", MENDED]
    (mined,) = [event.data for event in events if event.kind == "action" and event.data["name"] == "mineBlock"]
    assert mined["args"] == [f"ore {MENDED}", {f"key {MENDED}": f"value {MENDED}"}]
    assert (result.error.name, result.error.message) == (f"Broken{MENDED}", f"thrown {MENDED}")


def speaking(request: Request) -> FakeReply | str:
    return {"action": f"```javascript\n{SPEAKS}\n```", "critic": CRITIQUE, "judge": VERDICT}[role(request)]


async def test_a_study_whose_programs_speak_in_halves_of_characters_is_played_to_its_end(tmp_path: Path) -> None:
    async with FakeServer(speaking) as server:
        study = StudySettings(
            "double-vein", contracts=("contract-1",), world="mock", model="openai/test", base_url=server.base_url,
            time_limit_s=5, out=tmp_path, judge="language",
        )  # fmt: skip
        found = await run_study(study)
    # The programs only speak and throw: a failed run, but one that was played, judged and recorded.
    assert found.results[0]["reason"].startswith("every program broke off and nobody earned anything; Gizmo: Broken")
    lines = list(read_events(found.directory / "events.jsonl"))
    assert {"log", "chat", "action"} <= {line.kind for line in lines if MENDED in line.to_json()}
    assert all(HALF not in json.dumps(request.messages, ensure_ascii=False) for request in server.requests)


def broken(request: Request) -> FakeReply | str:
    """Answer with half a character everywhere, program and contract included."""
    if role(request) == "negotiator":
        return ACCEPTS if "Take this" in request.messages[-1]["content"] else OFFER.replace("Take", f"{HALF} Take")
    if role(request) == "action":
        return PROGRAM.replace("await mineBlock", f"bot.chat('{HALF}'); await mineBlock")
    return {"critic": CRITIQUE, "judge": VERDICT}[role(request)].replace("ell", f"ell{HALF}")


async def test_a_models_reply_is_kept_as_it_was_given_on_and_its_run_goes_on_after_a_break(tmp_path: Path) -> None:
    async with FakeServer(broken) as server:
        found, world = await play(tmp_path, server, [SPLIT])
        asked = len(server.requests)
        assert found.results[0]["status"] == "complete"
        assert world.runs[0]["Gizmo"].count(f"bot.chat('{MENDED}')") == 1
        calls = [json.loads(line) for line in (found.directory / "calls.jsonl").read_text("utf-8").splitlines()]
        assert sum(MENDED in call["reply"] for call in calls) == 4
        resumed = await gone_on(found.directory, server)
        assert len(server.requests) == asked
    assert resumed.results[0]["players"] == found.results[0]["players"]


async def gone_on(directory: Path, server: FakeServer) -> StudyResult:
    """Resume the study from its last recorded model call, as after kill -9."""
    from tests.fakes.world import FakeWorld, FakeWorlds

    lines = (directory / "events.jsonl").read_text("utf-8").splitlines(keepends=True)
    until = max(number for number, line in enumerate(lines) if '"kind": "model_call"' in line)
    (directory / "events.jsonl").write_text("".join(lines[:until]), "utf-8")
    (directory / "result.json").unlink()
    kept = read_settings(directory, base_url=server.base_url)
    return await resume_study(directory, kept, worlds=FakeWorlds(FakeWorld([SPLIT])))


CONTRACT = r"""
name: "half"
text: "Gizmo pays Glitch 1 emerald. \uD800"
parties: [Gizmo, Glitch]
transfers:
  - {id: "1", payer: Gizmo, payee: Glitch, amount: 1, text: "one \uD800"}
"""


def test_a_contract_file_with_half_a_character_is_played(tmp_path: Path) -> None:
    file = tmp_path / "half.yaml"
    file.write_text(CONTRACT, encoding="utf-8")
    words = ["run", "double-vein", "--world", "mock", "--contract", str(file), "--time-limit", "5", "--out"]
    ended = CliRunner().invoke(app, [*words, str(tmp_path / "runs"), "--json"])
    assert ended.exit_code == 0, ended.output
    assert json.loads(ended.stdout)["status"] == "complete"
    (kept,) = (tmp_path / "runs").rglob("contract.json")
    assert json.loads(kept.read_text("utf-8"))["text"].endswith(MENDED)


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_policy_that_is_tried_out_may_say_what_it_likes(tmp_path: Path, form: tuple[str, ...]) -> None:
    file = tmp_path / "policy.js"
    file.write_text(SPEAKS, encoding="utf-8")
    ended = CliRunner().invoke(app, ["skills", "try", str(file), *form])
    assert ended.exit_code == 1, ended.output
    assert f"thrown {MENDED}" in ended.stdout


def test_a_command_of_bytes_that_are_no_text_is_no_crash(tmp_path: Path) -> None:
    file = tmp_path / "policy.js"
    file.write_text("async function main (bot) {}", encoding="utf-8")
    ended = CliRunner().invoke(app, ["skills", "try", str(file), "--command", "say " + os.fsdecode(b"\xff")])
    assert ended.exit_code == 0, ended.output
    assert "say \\udcff" in ended.stdout
