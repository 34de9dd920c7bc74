"""Language models in grid games: prompts, reading of answers, and cost."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from accord.studies.estimate import expect
from accord.studies.study import StudyResult, read_settings, resume_study, run_study
from dilemmas.records.trajectories import read_trajectory
from dilemmas.scenarios.registry import load_scenario
from tests.unit.dilemmas.scenarios.ada.scene import first, legal, lines, of_kind, settings
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

SHORT: dict[str, Any] = {"model": "openai/test", "agents": "text", "time_limit_s": 24}
"""Settings of a Contract game with 20 steps in which one player chooses and three wait, and 4 in which all work."""
CALLS = 20 + 4 * 4


async def play(server: FakeServer, out: Path, name: str = "ada-contract", **chosen: Any) -> StudyResult:  # noqa: ANN401
    return await run_study(settings(name, out, base_url=server.base_url, **{**SHORT, **chosen}))


def calls(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "calls.jsonl").read_text().splitlines()]


async def test_models_play_by_words_and_every_call_is_recorded(tmp_path: Path) -> None:
    async with FakeServer(first) as server:
        found = await play(server, tmp_path)
    result = found.results[0]
    assert result["status"] == "complete", result["reason"]
    kept = calls(found.directory)
    assert result["usage"]["calls"] == len(kept) == len(server.requests) == CALLS
    assert {call["role"] for call in kept} == {"player"}
    assert Counter(call["player"] for call in kept) == dict.fromkeys(load_scenario("ada-contract").spec.players, 9)
    ended = of_kind(found.directory, "grid_ended")[0]
    assert sum(ended.faults.values()) == sum(ended.refused.values()) == 0
    # All players took the last group on offer.
    last = [each.groups for each in of_kind(found.directory, "society")][-1]
    assert {tuple(groups) for groups in last.values()} == {(3,)}
    system, user = (each["content"] for each in kept[0]["messages"])
    assert "First, for some rounds, each player in its turn joins one of the groups" in system
    assert "You are player" in system
    assert "There is no contract." in system
    assert "Your actions:" in user


async def test_what_was_answered_lately_is_shown_and_the_contract_too(tmp_path: Path) -> None:
    async with FakeServer(first) as server:
        found = await play(server, tmp_path, contracts=("contract-1",), judge="formal", agents_options={"history": "2"})
    # The last call shows its player's last two turns and nothing earlier.
    user = calls(found.directory)[-1]["messages"][1]["content"]
    lately = user.partition("What you answered lately:\n")[2].partition("\n\n")[0].splitlines()
    assert [line.partition(":")[0] for line in lately] == ["step 22", "step 23"]
    assert "each miner pays each carpenter" in calls(found.directory)[0]["messages"][0]["content"]
    assert found.results[0]["verdict"]["judge"] == "formal"


async def test_a_bad_answer_is_asked_for_again_once_then_nothing_is_done_and_it_is_counted(tmp_path: Path) -> None:
    def clumsy(request: Request) -> str:
        asked_again = len(request.messages) > 2
        if "Your name is carpenter_0" in request.messages[0]["content"]:
            return "I go north!"
        if "Your name is miner_2" in request.messages[0]["content"] and not asked_again:
            return '{"action": "fly"}'
        return first(request)

    async with FakeServer(clumsy) as server:
        found = await play(server, tmp_path)
    ended = of_kind(found.directory, "grid_ended")[0]
    assert ended.faults == {"carpenter_0": 9, "carpenter_1": 0, "miner_2": 0, "miner_3": 0}
    assert found.results[0]["measures"]["faults"]["carpenter_0"] == 9
    told = of_kind(found.directory, "grid_fault")
    assert {each.player for each in told} == {"carpenter_0"}
    assert "the answer is not one JSON object" in told[0].fault
    assert found.results[0]["usage"]["calls"] == CALLS + 18
    again = next(call for call in calls(found.directory) if len(call["messages"]) > 2 and call["player"] == "miner_2")
    assert "action 'fly' is not legal here; choose one of" in again["messages"][-1]["content"]
    # The player must choose a group in its turns; the stand-in's action without effect is not the player's.
    assert {each.stood_in for each in told} == {"idle"}
    assert ended.refused["carpenter_0"] == 0
    assert found.results[0]["invalid"] == "answers"
    kinds = Counter(line.event.step.final for line in lines(found.directory) if line.kind == "mind_step")  # type: ignore[union-attr]
    assert kinds == {True: 9, False: 18}


@pytest.mark.parametrize("how", ["random", "last"])
async def test_what_stands_in_for_a_player_is_an_option(tmp_path: Path, how: str) -> None:
    asked: Counter[str] = Counter()

    def once(request: Request) -> str:
        system = request.messages[0]["content"]
        asked[system] += 1
        return first(request) if asked[system] == 1 or "carpenter_0" not in system.partition("Your name is ")[2] else ""

    async with FakeServer(once) as server:
        found = await play(server, tmp_path, on_unreadable=how)
    told = of_kind(found.directory, "grid_fault")
    assert len(told) == 8
    assert {each.player for each in told} == {"carpenter_0"}
    ended = of_kind(found.directory, "grid_ended")[0]
    kept = read_trajectory(found.directory / ended.trajectory)
    if how == "random":
        assert {each.stood_in for each in told} == {"random"}
        assert kept["effective"][:, 0].all()
    else:
        # The last group is not on offer in the work at the end, where the player stays in place.
        assert {each.stood_in for each in told} == {"last", "idle"}
    assert sum(ended.refused.values()) == 0


async def test_a_budget_ends_the_run_and_more_of_it_goes_on(tmp_path: Path) -> None:
    async with FakeServer(first) as server:
        found = await play(server, tmp_path / "a", budget={"calls": {"all": 10}})
        assert found.results[0]["status"] == "budget"
        kept = read_settings(found.directory, budget={"calls": {"all": 1000}})
        went_on = await resume_study(found.directory, kept)
        assert went_on.results[0]["status"] == "complete"
        # Answered calls are not repeated.
        assert len(server.requests) == CALLS
        whole = await play(server, tmp_path / "b")
    assert [of_kind(each.directory, "grid_ended")[0].rewards for each in (went_on, whole)] == [
        of_kind(whole.directory, "grid_ended")[0].rewards
    ] * 2


@pytest.mark.parametrize("stubborn", [False, True])
async def test_the_estimate_bounds_what_is_asked(stubborn: bool, tmp_path: Path) -> None:
    limits = await expect(settings("ada-contract", tmp_path, **SHORT))
    async with FakeServer((lambda _: "no") if stubborn else first) as server:
        found = await play(server, tmp_path)
    kept = calls(found.directory)
    sent = sum(sum(len(each["content"]) for each in call["messages"]) for call in kept) // 4
    assert limits["least"]["calls"] == CALLS
    assert limits["most"]["calls"] == 2 * CALLS
    assert limits["least"]["calls"] <= len(kept) <= limits["most"]["calls"]
    assert limits["least"]["tokens"] * 0.9 <= sent + 26 * len(kept) <= limits["most"]["tokens"]
    most = {each["role"]: each["most"]["calls"] for each in limits["roles"]}
    assert most == {"player": 2 * CALLS, "negotiator": 0, "judge": 0}


async def test_a_run_is_replayed_without_a_model(tmp_path: Path) -> None:
    async with FakeServer(first) as server:
        once = await play(server, tmp_path / "a", "ada-negotiation", time_limit_s=23)
    again = await run_study(
        settings(
            "ada-negotiation", tmp_path / "b", **{**SHORT, "time_limit_s": 23, "model": f"replay:{once.directory}"}
        )
    )
    assert "differs" not in again.results[0]["usage"]
    one, two = ((each.directory / "episodes/1/trajectory.npz").read_bytes() for each in (once, again))
    assert one == two


async def test_the_record_has_one_order_whichever_answer_comes_first(tmp_path: Path) -> None:
    logs = []
    for slow in ("carpenter_0", "miner_3"):

        def reply(request: Request, slow: str = slow) -> FakeReply:
            late = f"Your name is {slow}" in request.messages[0]["content"]
            return FakeReply(first(request), delay_s=0.02 if late else 0.0)

        async with FakeServer(reply) as server:
            found = await play(server, tmp_path / slow)
        logs.append((found.directory / "events.jsonl").read_text())
    assert logs[0] == logs[1]


async def test_words_of_messages_are_kept(tmp_path: Path) -> None:
    def talk(request: Request) -> str:
        message = next((each for each in legal(request) if each.startswith("message")), "stay")
        return json.dumps({"why": "", "action": message, "words": [7, 0, 9]})

    async with FakeServer(talk) as server:
        found = await play(server, tmp_path, "ada-exploration", time_limit_s=2)
    said = [each for each in of_kind(found.directory, "social_act") if each.act == "message"]
    assert len(said) == 16
    assert {tuple(each.words) for each in said} == {(7, 0, 9)}
    heard = [call["messages"][1]["content"] for call in calls(found.directory)]
    assert sum("says: 7, 0, 9." in each for each in heard) == 2
