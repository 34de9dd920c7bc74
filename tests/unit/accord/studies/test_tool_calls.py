"""Players who act by tool calls in episodes on the mock world: their calls, their record, and unusable answers."""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from accord.analysis.transcript import read_steps
from accord.studies.estimate import estimate
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from dilemmas.errors import UsageError
from dilemmas.records.digest import digest
from dilemmas.records.events import ActBegan, ActEnded, EndStateRead, MindTold, ModelCalled, PolicyEnded
from dilemmas.records.record import read_events
from tests.fakes.minds import learner
from tests.fakes.model_players import CRITIQUE
from tests.fakes.tool_models import FINISH, MARK, READY, acting, answered, call, player_of
from voyager_agents.index import open_embedding
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request
from voyager_agents.skill_library import Skill, SkillLibrary

T = TypeVar("T")
CHEST = {"x": 0, "y": -60, "z": 0}
SCRIPT = {
    "Gizmo": [
        call(("getItemFromChest", {"chestPosition": CHEST, "itemsToGet": {"stone_pickaxe": 1}}), text="A pickaxe."),
        call(("mineBlock", {"name": "iron_ore", "count": 2})),
        call(("say", {"text": "Two for me"})),
        call(("mineBlock", {"name": "gold_ore"})),
    ],
    "Glitch": [call(("findBlock", {"name": "diamond_ore"})), call(("countItem", {"name": "diamond"}))] * 3,
}

SCRIPTED = acting(SCRIPT)


async def play(
    out: Path,
    respond: Callable[[Request], FakeReply | str] = SCRIPTED,
    **chosen: Any,  # noqa: ANN401 - settings of any kind
) -> tuple[StudyResult, FakeServer]:
    async with FakeServer(respond) as server:
        basic = {"model": "openai/test", "base_url": server.base_url, "world": "mock", "act": "tools"}
        return await run_study(StudySettings("double-vein", out=out, **{**basic, **chosen})), server


@pytest.fixture(scope="module", name="twice")
def _twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[StudyResult, FakeServer]:
    """Play two episodes. The server has ended but keeps the requests it received."""
    return asyncio.run(play(tmp_path_factory.mktemp("twice"), episodes=2))


def events(found: StudyResult, kind: type[T]) -> list[T]:
    return [line.event for line in read_events(found.directory / "events.jsonl") if isinstance(line.event, kind)]


def log(found: StudyResult) -> str:
    return digest(read_events(found.directory / "events.jsonl"))


def calls(found: StudyResult) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (found.directory / "calls.jsonl").read_text().splitlines()]


async def test_a_model_acts_call_by_call_and_reads_each_result(tmp_path: Path) -> None:
    found, server = await play(tmp_path)
    result = found.results[0]
    assert result["status"] == "complete"
    assert result["players"]["Gizmo"]["items"]["raw_iron"] == 2
    assert result["policies"]["Gizmo"]["outcome"] == "returned"
    made = [(each.player, each.calls[0]["name"]) for each in events(found, ActBegan)]
    assert [name for player, name in made if player == "Gizmo"] == ["getItemFromChest", "mineBlock", "say", "mineBlock"]
    ends = [each for each in events(found, ActEnded) if each.player == "Gizmo"]
    assert [each.ended for each in ends] == ["done", "done", "done", "failed"]
    assert ends[1].gained == {"raw_iron": 2}
    last = [each for each in server.requests if each.messages[0]["content"].startswith(MARK)]
    gizmo = [each for each in last if player_of(each) == "Gizmo"][-1].messages
    results = [each["content"] for each in gizmo if each["role"] == "tool"]
    assert "inventory: +1 stone_pickaxe" in results[0]
    assert results[1].startswith("returned { mined: 2, obtained: { raw_iron: 2 } }")
    assert "inventory: +2 raw_iron" in results[1]
    assert "time left:" in results[1]
    assert results[3].startswith("failed: BlockNotFound")
    glitch = [each for each in last if player_of(each) == "Glitch"][-1].messages
    assert any('Gizmo said "Two for me"' in str(each["content"]) for each in glitch)
    assert "returned diamond_ore at (" in next(each["content"] for each in glitch if each["role"] == "tool")


async def test_a_transcript_shows_each_call_with_its_question_and_result(tmp_path: Path) -> None:
    found, _ = await play(tmp_path, acting({"Gizmo": SCRIPT["Gizmo"][:2], "Glitch": []}))
    steps = [each for each in read_steps(found.directory) if each.player == "Gizmo"]
    decided = [each for each in steps if each.kind == "decided"]
    assert [each.title for each in decided][1:] == ['calls mineBlock("iron_ore", 2)']
    assert [(call.role, call.number) for call in decided[1].calls] == [("action", 1)]
    told = "\n".join(part.text for each in steps for part in each.parts)
    assert told.count('mineBlock("iron_ore", 2)') == 1
    assert "returned { mined: 2, obtained: { raw_iron: 2 } }" in told
    assert any(each.title == "openai/test acts by tool calls" for each in steps)


async def test_thinking_takes_game_time(tmp_path: Path) -> None:
    found, _ = await play(tmp_path, acting({"Gizmo": [call(("readClock", {}))], "Glitch": []}), think="7")
    began = [each.t_s for each in events(found, ActBegan)]
    assert began == [7.0]
    assert found.results[0]["game_s"] == pytest.approx(14, abs=0.2)


async def test_calls_are_recorded_with_their_results_and_replayed(
    twice: tuple[StudyResult, FakeServer], tmp_path: Path
) -> None:
    first, _ = twice
    again, _ = await play(tmp_path / "again", episodes=2)
    assert log(first) == log(again)
    recorded = [each for each in calls(first) if each["player"] == "Gizmo" and each["role"] == "action"]
    assert recorded[0]["calls"][0]["name"] == "getItemFromChest"
    assert recorded[0]["reply"] == "A pickaxe."
    assert "mineBlock" in recorded[0]["tools"]
    roles = [each["role"] for each in recorded[1]["messages"]]
    assert roles == ["system", "user", "assistant", "tool"]
    assert recorded[1]["messages"][2]["tool_calls"][0]["id"] == recorded[1]["messages"][3]["tool_call_id"]
    replayed, _ = await play(tmp_path / "replay", episodes=2, model=f"replay:{first.directory}")
    assert [each.model_dump() for each in events(replayed, ActEnded)] == [
        each.model_dump() for each in events(first, ActEnded)
    ]
    assert replayed.results[0]["usage"].get("differs", 0) == 0


def test_the_next_episode_shows_the_calls_of_the_last_one(twice: tuple[StudyResult, FakeServer]) -> None:
    _, server = twice
    opened = [each for each in server.requests if each.messages[0]["content"].startswith(MARK) and not answered(each)]
    second = [each for each in opened if player_of(each) == "Gizmo"][1].messages[1]["content"]
    assert 'mineBlock("iron_ore", 2) returned { mined: 2' in second
    assert 'mineBlock("gold_ore") failed: BlockNotFound' in second
    assert "Your own critique: Well done." in second


async def test_a_resumed_study_ends_as_an_undisturbed_one(
    twice: tuple[StudyResult, FakeServer], tmp_path: Path
) -> None:
    whole, _ = twice
    cut, _ = await play(tmp_path / "cut", episodes=2, budget={"calls": {"all": 9}})
    assert cut.status == "budget"
    async with FakeServer(acting(SCRIPT)) as server:
        settings = read_settings(cut.directory, base_url=server.base_url, budget={"calls": {"all": 99}})
        resumed = await resume_study(cut.directory, settings)
    assert resumed.status == "complete"
    assert log(resumed) == log(whole)


BAD = {
    "unknown": (call(("teleport", {})), "there is no tool 'teleport'"),
    "not-json": (FakeReply(calls=(("mineBlock", "{name: iron_ore"),)), "the arguments are no JSON object"),
    "not-an-object": (FakeReply(calls=(("mineBlock", "[3]"),)), "the arguments are no JSON object"),
    "no-number": (FakeReply(calls=(("mineBlock", '{"name": "iron_ore", "count": NaN}'),)), "NaN is not a number"),
    "missing": (call(("mineBlock", {})), "the argument name is missing"),
    "wrong-type": (call(("mineBlock", {"name": "iron_ore", "count": "2"})), "count: Input should be a valid number"),
    "unknown-argument": (call(("say", {"text": "a", "to": "b"})), "there is no argument 'to'"),
    "too-many": (call(*[("readClock", {})] * 9), "make at most 8"),
    "no-call": (FakeReply("I would mine."), "it calls no tool"),
    "refused": (FakeReply("I'm sorry, but I can't help with that."), "it calls no tool"),
}


@pytest.mark.parametrize("names", list(zip(list(BAD)[::2], list(BAD)[1::2], strict=True)), ids="+".join)
async def test_an_unusable_answer_is_corrected_once(names: tuple[str, str], tmp_path: Path) -> None:
    of = dict(zip(("Gizmo", "Glitch"), names, strict=True))

    def respond(request: Request) -> FakeReply | str:
        if not request.messages[0]["content"].startswith(MARK):
            return READY
        if answered(request):
            return FINISH
        corrected = "cannot be used" in request.messages[-1]["content"]
        return call(("countItem", {"name": "diamond"})) if corrected else BAD[of[player_of(request)]][0]

    found, server = await play(tmp_path, respond)
    assert found.status == "complete"
    for player, name in of.items():
        told = [each for each in events(found, MindTold) if each.player == player]
        steps = [each.step for each in told if each.step.what == "unusable"]
        kind = "refused" if name == "refused" else "unreadable"
        assert [(each.final, each.kind) for each in steps] == [(False, kind)]
        assert BAD[name][1] in steps[0].why
    corrections = [each for each in server.requests if "cannot be used" in str(each.messages[-1]["content"])]
    assert {player_of(each) for each in corrections} == set(of)
    assert not any("tool_calls" in each.messages[-2] for each in corrections)
    assert [each.calls[0]["name"] for each in events(found, ActBegan)] == ["countItem", "countItem"]


async def test_calls_with_one_id_are_unusable(tmp_path: Path) -> None:
    each = {"id": "same", "type": "function", "function": {"name": "readClock", "arguments": "{}"}}
    body = json.dumps({"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [each, each]}}]})

    def respond(request: Request) -> FakeReply | str:
        system = request.messages[0]["content"]
        return FakeReply(body=body) if system.startswith(MARK) else READY

    found, _ = await play(tmp_path, respond)
    assert found.results[0]["status"] == "failed"
    assert "two of its calls have the same id" in found.results[0]["reason"]
    ended = events(found, PolicyEnded)
    assert {each.outcome for each in ended} == {"threw"}
    assert all("no usable tool call" in each.error.message for each in ended)
    assert {each.stood_in for each in ended} == {"idle"}


@pytest.mark.parametrize(
    "told",
    [
        ('"x"', "[3]"),
        ('[{"id": 3}]', '[{"function": 3}]'),
        ('[{"function": {"name": 4, "arguments": 5}}]', "{}"),
    ],
)
async def test_malformed_tool_calls_do_not_end_a_run(told: tuple[str, str], tmp_path: Path) -> None:
    bodies = {
        player: f'{{"choices": [{{"message": {{"role": "assistant", "content": "", "tool_calls": {each}}}}}]}}'
        for player, each in zip(("Gizmo", "Glitch"), told, strict=True)
    }

    def respond(request: Request) -> FakeReply | str:
        if not request.messages[0]["content"].startswith(MARK):
            return READY
        if "cannot be used" in request.messages[-1]["content"]:
            return FINISH
        return FakeReply(body=bodies[player_of(request)])

    found, _ = await play(tmp_path, respond)
    assert found.status == "complete"
    assert not events(found, ActBegan)


async def test_several_calls_of_one_answer_are_made_in_order_until_one_fails(tmp_path: Path) -> None:
    many = call(("countItem", {"name": "diamond"}), ("mineBlock", {"name": "gold_ore"}), ("say", {"text": "done"}))
    found, server = await play(tmp_path, acting({"Gizmo": [many], "Glitch": []}))
    assert [each.calls[0]["name"] for each in events(found, ActBegan)] == ["countItem", "mineBlock"]
    results = [each["content"] for each in server.requests[-1].messages if each["role"] == "tool"]
    assert len(results) == 3
    assert results[2] == "not made, because the call before it did not succeed"


async def test_the_time_limit_ends_calls_and_thinking(tmp_path: Path) -> None:
    slow = {
        "Gizmo": [call(("readClock", {}))] * 30,
        "Glitch": [call(("followPlayer", {"player": "Gizmo", "seconds": 60}))],
    }
    found, _ = await play(tmp_path, acting(slow), time_limit_s=9.0, think="2")
    assert found.results[0]["end"] == "time_limit"
    outcomes = {each.player: each.outcome for each in events(found, PolicyEnded)}
    assert outcomes["Glitch"] == "timeout"
    assert 3 <= sum(each.player == "Gizmo" for each in events(found, ActBegan)) <= 5
    assert events(found, EndStateRead)[0].t_s <= 12


async def test_a_conversation_has_a_limit_of_calls(tmp_path: Path) -> None:
    found, _ = await play(tmp_path, acting({"Gizmo": [call(("readClock", {}))] * 90, "Glitch": []}), think="pause")
    assert found.status == "complete"
    assert len(events(found, ActBegan)) == 40


async def test_an_endpoint_without_tools_is_told_before_the_start(tmp_path: Path) -> None:
    def refuse(request: Request) -> FakeReply | str:
        return FakeReply("this model does not support tools", status=400) if "tools" in request.body else CRITIQUE

    with pytest.raises(UsageError, match=r"act: model openai/test at http.* it takes no tools .*leave out --act tools"):
        await play(tmp_path, refuse)
    with pytest.raises(UsageError, match=r"act: model openai/test was asked for a tool call and made none"):
        await play(tmp_path, lambda _request: "I am ready.")
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"model": None}, "act: no player asks a model; leave out --act tools"),
        ({"act": "words"}, "act: 'words' is not legal"),
    ],
)
async def test_act_is_checked(chosen: dict[str, Any], told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=told):
        await play(tmp_path, **chosen)


async def test_calls_are_within_the_estimate(twice: tuple[StudyResult, FakeServer]) -> None:
    found, _ = twice
    settings = read_settings(found.directory, base_url="http://127.0.0.1:9/v1")
    expected = {each.role: each for each in await estimate(settings)}
    made = Counter(each.purpose for each in events(found, ModelCalled))
    for role in ("action", "critic"):
        assert expected[role].least.calls <= made[role] <= expected[role].most.calls
    assert expected["action"].least.prompt / expected["action"].least.calls > 5000  # the tools alone


async def test_a_small_context_gets_the_needed_tools_in_brief(tmp_path: Path) -> None:
    found, server = await play(tmp_path, prompts=Path("compact"))
    assert found.status == "complete"
    tools = {each["function"]["name"] for each in server.requests[-1].body["tools"]}
    assert {"mineBlock", "getItemFromChest", "goTo", "finish"} <= tools
    assert "tameAnimal" not in tools
    assert len(json.dumps(server.requests[-1].body["tools"])) < 8000
    shortened = [each.step for each in events(found, MindTold) if each.step.what == "shortened"]
    assert {"tools": 2} in [each.shortened for each in shortened]


async def test_a_learning_agent_calls_its_skills_as_tools_and_learns_none(tmp_path: Path) -> None:
    fetch = "await getItemFromChest(bot, new Vec3(0, -60, 0), {stone_pickaxe: 1})"
    source = f"async function fetchPickaxe(bot) {{\n  {fetch}\n}}\n"
    library = SkillLibrary(tmp_path / "known", open_embedding(), frozenset())
    await library.open()
    await library.add(
        Skill.made(source, name="fetchPickaxe", version=1, description="Fetch a pickaxe", task="Fetch it")
    )
    await library.close()
    script = acting({"Gizmo": [call(("fetchPickaxe", {})), call(("mineBlock", {"name": "iron_ore"}))], "Glitch": []})

    def respond(request: Request) -> FakeReply | str:
        system = str(request.messages[0]["content"])
        return script(request) if system.startswith(MARK) or "tools" in request.body else learner(request)

    options = {"learned": str(tmp_path / "known"), "warm-up": "0"}
    found, _ = await play(tmp_path / "runs", respond, agents="voyager", agents_options=options)
    assert found.status == "complete"
    made = [each for each in events(found, ActEnded) if each.player == "Gizmo"]
    assert [(each.label, each.ended) for each in made] == [
        ("fetchPickaxe()", "done"),
        ('mineBlock("iron_ore")', "done"),
    ]
    assert not [each for each in events(found, MindTold) if each.step.what == "learned"]


async def test_one_player_acts_by_calls_beside_anothers_program(tmp_path: Path) -> None:
    found, _ = await play(tmp_path, players={"Gizmo": "greedy"})
    assert found.status == "complete"
    assert {each.player for each in events(found, ActBegan)} == {"Glitch"}
    assert found.results[0]["players"]["Gizmo"]["items"]["raw_iron"] > 2
    assert {each.outcome for each in events(found, PolicyEnded)} == {"returned"}
