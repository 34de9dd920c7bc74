"""`accord doctor --model`: one question per role, against a fake endpoint that answers well or badly."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accord.cli import doctor as command
from accord.doctor import models as doctor
from accord.doctor.checks import DoctorCheck
from accord.studies.settings import StudySettings
from dilemmas.errors import UsageError
from tests.fakes.model_players import CRITIQUE, OFFER, PROGRAM
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

GOOD = {
    "You write programs": PROGRAM,
    "You review how": CRITIQUE,
    "You are the judge": '{"transfers": [], "findings": [], "critique": "Nothing was done."}',
    "You are a skilled negotiator": OFFER,
    "You are Gizmo": '{"reasoning": "no apple is near", "move": "stay"}',
}
TASK = '{"reasoning": "", "task": "Get the stone pickaxe", "goal": [{"item": "stone_pickaxe", "count": 1}]}'
HEADERS = {"x-ratelimit-limit-requests": "500", "x-ratelimit-remaining-requests": "499"}


def good(request: Request) -> str:
    """Answer each part in its required form."""
    system = request.messages[0]["content"]
    return next((text for mark, text in GOOD.items() if system.startswith(mark)), TASK)


def counted(text: str, request: Request) -> FakeReply:
    """Return the answer with plausible tokens and rate limits."""
    chars = sum(len(each["content"]) for each in request.messages)
    usage = {"prompt_tokens": chars // 4, "completion_tokens": 50, "total_tokens": chars // 4 + 50}
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    return FakeReply(body=json.dumps({"model": "m", "choices": [choice], "usage": usage}), headers=HEADERS)


async def examined(respond: Callable[[Request], FakeReply | str], **settings: Any) -> dict[str, DoctorCheck]:  # noqa: ANN401
    async with FakeServer(respond) as server:
        chosen = {"model": "openai/m", "base_url": server.base_url, **settings}
        found = await command._ask(StudySettings("double-vein", **chosen))
    return {check.name.partition(",")[0]: check for check in found}


async def test_a_model_that_answers_in_form_is_ok(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("m: {prompt: 1, completion: 2}\n")
    asked: list[Request] = []

    def respond(request: Request) -> FakeReply:
        asked.append(request)
        return counted(good(request), request)

    found = await examined(respond, prices=prices, sampling={"judge.temperature": "0", "top_p": "0.9"})
    roles = ["action", "critic", "curriculum", "negotiator", "judge", "mind"]
    assert {role: found[role].state for role in roles} == dict.fromkeys(roles, "ok"), found
    assert len(asked) == len(roles)
    assert {each.body["top_p"] for each in asked} == {0.9}
    assert "as the terms say" in found["judge"].found
    assert "limit-requests 500" in found["rate limits"].found
    usd = sum(sum(len(each["content"]) for each in request.messages) // 4 + 100 for request in asked) / 1e6
    assert f"{usd:.6f} USD" in found["price"].found


@pytest.mark.parametrize("role", ["action", "critic", "curriculum", "negotiator", "judge", "mind"])
async def test_an_unusable_answer_is_reported_with_a_remedy(role: str) -> None:
    marks = dict(zip(["action", "critic", "judge", "negotiator", "mind"], GOOD, strict=True))

    def respond(request: Request) -> FakeReply:
        mark = marks.get(role)
        system = request.messages[0]["content"]
        wrong = system.startswith(mark) if mark else not any(system.startswith(each) for each in GOOD)
        return counted("[thinking] hm [contract] nothing" if wrong else good(request), request)

    found = await examined(respond)
    assert [name for name, check in found.items() if check.state in ("warn", "fail")] == [role]
    assert "no usable answer" in found[role].found
    assert f"--sampling {role}.temperature" in found[role].remedy
    assert "\n" not in found[role].found


async def test_an_answer_without_words_asks_for_more_tokens() -> None:
    found = await examined(lambda request: counted("", request))
    assert found["action"].remedy == "raise --sampling action.max_tokens"


async def test_a_prompt_that_was_cut_is_seen_by_its_tokens() -> None:
    found = await examined(lambda request: good(request))
    assert (found["action"].state, "OLLAMA_CONTEXT_LENGTH" in found["action"].remedy) == ("warn", True)


async def test_an_endpoint_without_token_counts_is_reported() -> None:
    def respond(request: Request) -> FakeReply:
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": good(request)}}
        return FakeReply(body=json.dumps({"choices": [choice]}))

    found = await examined(respond)
    assert (found["tokens"].state, found["action"].state) == ("warn", "ok")
    assert "--max-calls" in found["tokens"].remedy


@pytest.mark.parametrize(
    ("answer", "told", "remedy"),
    [
        (FakeReply("no", status=401), "the key was refused", ""),
        (FakeReply("no", status=404), "no such model", ""),
        (FakeReply("Unsupported parameter: 'max_tokens'", status=400), "400", "max_completion_tokens=N"),
        (FakeReply("'temperature' does not support 0.1", status=400), "400", "--sampling temperature=default"),
        (FakeReply("maximum context length is 4096 tokens", status=400), "400", "--max-model-len"),
    ],
)
async def test_a_refusal_ends_the_questions_and_says_what_to_change(answer: FakeReply, told: str, remedy: str) -> None:
    found = await examined(lambda _: answer)
    (only,) = found.values()
    assert (only.state, told in only.found, remedy in only.remedy) == ("fail", True, True)


async def test_a_slow_answer_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "SLOW_S", -1.0)
    found = await examined(lambda request: counted(good(request), request))
    assert (found["mind"].state, "smaller model" in found["mind"].remedy) == ("warn", True)


async def test_a_replay_is_no_model_to_ask() -> None:
    with pytest.raises(UsageError, match="a replay asks no model"):
        await examined(good, model="replay:somewhere")


def test_the_command_shows_a_line_per_role(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[StudySettings] = []

    async def ask(settings: StudySettings) -> list[DoctorCheck]:
        asked.append(settings)
        return [
            DoctorCheck("action, openai/m", "ok", "a program"),
            DoctorCheck("judge, openai/m", "warn", "none", "try again"),
        ]

    monkeypatch.setattr(command, "_ask", ask)
    code = command.doctor(model="openai/m", base_url=["http://127.0.0.1:1/v1"], as_json=True)
    assert (code, [each["name"] for each in json.loads(capsys.readouterr().out)]) == (
        0, ["action, openai/m", "judge, openai/m"],
    )  # fmt: skip
    assert asked == [replace(asked[0], model="openai/m", base_url="http://127.0.0.1:1/v1")]
