"""Studies that continue despite faulty models and endpoints."""

from __future__ import annotations

from pathlib import Path

import pytest

from dilemmas.records.record import read_events
from tests.fakes.model_players import SPLIT, play, respond, role
from voyager_agents.models import openai_chat
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request
from voyager_agents.models.faults import TROUBLE, WRONG, Faulty


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(seconds: float) -> None:
        assert seconds >= 0

    real = openai_chat.OpenAIModel

    def quick(*args: object, **settings: object) -> openai_chat.OpenAIModel:
        return real(*args, **settings, sleep=at_once)  # type: ignore[arg-type]

    monkeypatch.setattr(openai_chat, "OpenAIModel", quick)


@pytest.mark.parametrize("seed", range(4))
async def test_storms_cost_time_and_nothing_else(tmp_path: Path, seed: int) -> None:
    storm = Faulty(respond, [TROUBLE[name] for name in ("429", "429 with a hint", "500", "503")], seed=seed)
    async with FakeServer(storm) as server:
        found, _ = await play(tmp_path, server, [SPLIT])
    result = found.results[0]
    assert (result["status"], result["welfare"], result["usage"]["calls"]) == ("complete", 78.0, 5)
    assert len(server.requests) == 5 + storm.failed


@pytest.mark.parametrize("fault", sorted(WRONG))
@pytest.mark.parametrize("who", ["negotiator", "action", "judge"])
async def test_wrong_answers_are_the_models_own_and_end_nothing(tmp_path: Path, fault: str, who: str) -> None:
    failed: list[str] = []

    def once(request: Request) -> FakeReply | str:
        if role(request) == who and not failed:
            failed.append(who)
            return WRONG[fault]
        return respond(request)

    async with FakeServer(once) as server:
        found, _ = await play(tmp_path, server, [SPLIT])
    result = found.results[0]
    assert (failed, result["status"], result["welfare"]) == ([who], "complete", 78.0)
    # An unreadable verdict is asked for again, like any other answer.
    assert result["players"]["Glitch"]["transfer"] == 9.0
    assert len(result["verdict"].get("faults", [])) == (1 if who == "judge" else 0)
    assert (result["verdicts"]["asked_again"], result["verdicts"]["invalid"]) == (int(who == "judge"), 0)
    faults = [code for turn in result["negotiation"]["transcript"] for code in turn["faults"]]
    assert len(faults) == (1 if who == "negotiator" else 0)


@pytest.mark.parametrize("who", ["negotiator", "action", "critic", "judge"])
async def test_a_model_that_only_refuses_ends_nothing(tmp_path: Path, who: str) -> None:
    def refusing(request: Request) -> FakeReply | str:
        return WRONG["refusal"] if role(request) == who else respond(request)

    async with FakeServer(refusing) as server:
        found, world = await play(tmp_path, server, [SPLIT], rounds=2)
    result = found.results[0]
    assert result["status"] == "complete"
    assert (result["negotiation"]["state"] == "failed") == (who == "negotiator")
    assert ("no program was written" in world.runs[0]["Gizmo"]) == (who == "action")
    written = [line.event for line in read_events(found.directory / "events.jsonl", ("policy_written",))]
    assert {each.stood_in for each in written} == {"idle" if who == "action" else ""}  # type: ignore[union-attr]
    assert result.get("invalid") == {"critic": None, "judge": "verdict"}.get(who, "answers")
    (refused, *_) = [each for each in result["answers"] if each["role"] == who] or [{"refused": 0, "answers": 0}]
    assert refused["refused"] == refused["answers"]


async def test_roles_have_their_own_models(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        await play(tmp_path, server, [SPLIT], model="openai/big", models={"judge": "openai/small"})
    assert {(role(each), each.body["model"]) for each in server.requests} == {
        ("negotiator", "big"),
        ("action", "big"),
        ("judge", "small"),
    }


async def test_all_prompts_of_a_phase_are_asked_before_any_is_answered(tmp_path: Path) -> None:
    async with FakeServer(lambda request: FakeReply(str(respond(request)), delay_s=0.05)) as server:
        await play(tmp_path, server, [SPLIT], contracts=("none",))
    assert [role(each) for each in server.requests] == ["action", "action"]
    assert server.most_at_once == 2
