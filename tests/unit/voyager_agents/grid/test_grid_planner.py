"""Planners of grid games: prompts, plans in the log, unusable answers, stand-ins, negotiation, and cost."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.transcript import read_steps
from accord.studies.estimate import expect
from accord.studies.study import StudyResult, read_settings, resume_study, run_study
from dilemmas.errors import UsageError
from dilemmas.records.trajectories import read_trajectory
from dilemmas.scenarios.ada.measures import game_measures
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.json_schema import faults
from tests.unit.dilemmas.scenarios.ada.scene import RULES, first_plan, of_kind, open_goals, settings
from tests.unit.voyager_agents.grid.bargaining import TERMS, answer
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

PLAYERS = tuple(load_scenario("ada-contract").spec.players)
SHORT: dict[str, Any] = {"model": "openai/test", "agents": "planner", "time_limit_s": 40}
"""Settings of a Contract game with 20 steps in which one player chooses and three wait, and 20 in which all work."""
CHOICES = 5 + 20
"""Steps of such a game in which a player has a choice."""


async def play(server: FakeServer, out: Path, name: str = "ada-contract", **chosen: Any) -> StudyResult:  # noqa: ANN401
    found = await run_study(settings(name, out, base_url=server.base_url, **{**SHORT, **chosen}))
    assert faults(json.loads((found.directory / "result.json").read_text()), RULES) == []
    return found


def calls(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "calls.jsonl").read_text().splitlines()]


def text(request: Request) -> str:
    return "\n".join(each["content"] for each in request.messages)


async def test_a_model_plans_and_the_controller_acts_for_many_steps(tmp_path: Path) -> None:
    async with FakeServer(first_plan) as server:
        found = await play(server, tmp_path)
    result = found.results[0]
    assert result["status"] == "complete", result["reason"]
    plans = of_kind(found.directory, "grid_plan")
    assert Counter(each.player for each in plans) == Counter(call["player"] for call in calls(found.directory))
    assert {call["role"] for call in calls(found.directory)} == {"planner"}
    assert result["usage"]["calls"] == len(server.requests) == len(plans)
    # A model that is asked for each action is asked in all steps with a choice.
    assert len(PLAYERS) < len(plans) <= 0.6 * len(PLAYERS) * CHOICES
    ended = of_kind(found.directory, "grid_ended")[0]
    assert sum(ended.faults.values()) == sum(ended.refused.values()) == 0
    assert ended.questions == dict(Counter(each.player for each in plans))
    assert result["measures"]["questions"] == {player: float(count) for player, count in ended.questions.items()}
    assert set(of_kind(found.directory, "grid_begun")[0].players.values()) == {"planner"}
    # A plan to gather two units takes two picks, however far they lie.
    first = next(each for each in plans if each.goal == "gather")
    assert (first.details, first.why) == ({"resource": "wood", "amount": 2}, "it is the first")
    later = next(each for each in plans if each.player == first.player and each.step > first.step)
    assert (later.cause, later.step - first.step >= 2) == ("done", True)
    kept = read_trajectory(found.directory / ended.trajectory)
    done = [str(kept["action_names"][each]) for each in kept["actions"][first.step - 1 : later.step - 1, 0]]
    assert first.player != PLAYERS[0] or done.count("pick wood") == 2


async def test_the_prompt_has_rules_goals_examples_and_what_is_remembered(tmp_path: Path) -> None:
    async with FakeServer(first_plan) as server:
        found = await play(server, tmp_path, contracts=("contract-1",), judge="formal", agents_options={"history": "1"})
    sent = [(call["player"], *(each["content"] for each in call["messages"])) for call in calls(found.directory)]
    system, user = next((system, user) for player, system, user in sent if player == "carpenter_0" and "gather" in user)
    assert "A miner can carry: at most 0 wood, at most 0 stone." in system
    assert "A unit is worth to a miner: wood 1, stone 1, hammer 10." in system
    assert "each miner pays each carpenter" in system
    assert "- `gather`: pick up `amount` units of `resource`" in system
    assert "- `join`: " in system
    assert "`claim`" not in system
    assert '"goal": "drop", "resource": "shovel"' in system
    assert "It is your turn to choose one of the groups 0, 1 and 2." in system
    assert "wood on the ground: " in user
    assert "miner_2: at [" in user
    assert "Group 0 shares what its members earn" in user
    assert 'Your plans now:\n- {"goal": "gather", "resource": <wood, stone>, "amount": <1 to 99>}' in user
    lately = user.partition("Your plans lately:\n")[2].partition("\n\n")[0].splitlines()
    assert len(lately) == 1
    assert lately[0].partition("} - ")[2] in ("done", "changed: groups, requests, claims or messages have changed")
    assert "Why you are asked for a new plan: your last plan is done." in "\n".join(user for *_, user in sent)


async def test_an_impossible_plan_is_corrected_once_then_a_stand_in_acts_and_it_is_told(tmp_path: Path) -> None:
    def clumsy(request: Request) -> str:
        me = text(request).partition("Your name is ")[2].partition(".")[0]
        if me == "carpenter_0" and "gather" in open_goals(request):
            return '{"why": "", "plan": {"goal": "gather", "resource": "wood", "amount": 0}}'
        if me == "miner_2" and "wait" in open_goals(request):
            far = '{"why": "", "plan": {"goal": "go", "cell": [7, 0]}}'
            return far if len(request.messages) == 2 else '{"why": "", "plan": {"goal": "wait", "amount": 99}}'
        if me == "miner_3" and "go" in open_goals(request):
            return '{"why": "", "plan": {"goal": "go"}}'
        return first_plan(request)

    async with FakeServer(clumsy) as server:
        found = await play(server, tmp_path)
    ended = of_kind(found.directory, "grid_ended")[0]
    assert ended.faults == {"carpenter_0": 20, "carpenter_1": 0, "miner_2": 0, "miner_3": 20}
    told = {each.player: each for each in of_kind(found.directory, "grid_fault")}
    assert told["carpenter_0"].fault == "plan.gather.amount: Input should be greater than or equal to 1"
    assert told["miner_3"].fault == "plan.go.cell: Field required"
    assert {each.stood_in for each in told.values()} == {"idle"}
    assert found.results[0]["invalid"] == "answers"
    sent = [call["messages"] for call in calls(found.directory) if call["player"] == "miner_2"]
    corrected = next(messages for messages in sent if len(messages) > 2)
    assert "cell [7, 0] is not on the map: give [row, column] up to [6, 6]" in corrected[-1]["content"]
    # The stand-in keeps its place.
    kept = read_trajectory(found.directory / ended.trajectory)
    assert len(set(kept["places"][20:, 0].tolist())) == 1


@pytest.mark.parametrize("how", ["random", "last"])
async def test_what_stands_in_for_a_planner_is_an_option(how: str, tmp_path: Path) -> None:
    asked: Counter[str] = Counter()

    def once(request: Request) -> str:
        me = text(request).partition("Your name is ")[2].partition(".")[0]
        if me == "carpenter_0" and "wait" in open_goals(request):
            asked[me] += 1
            return '{"why": "", "plan": {"goal": "wait", "amount": 40}}' if asked[me] == 1 else "I cannot."
        return first_plan(request)

    async with FakeServer(once) as server:
        found = await play(server, tmp_path, on_unreadable=how, agents_options={"review": "5"})
    told = of_kind(found.directory, "grid_fault")
    assert {each.player for each in told} == {"carpenter_0"}
    ended = of_kind(found.directory, "grid_ended")[0]
    kept = read_trajectory(found.directory / ended.trajectory)
    moved = len(set(kept["places"][26:, 0].tolist())) > 1
    # The last plan is to wait.
    assert ({each.stood_in for each in told}, moved) == (({"random"}, True) if how == "random" else ({"last"}, False))
    assert sum(ended.refused.values()) == 0


async def test_planners_negotiate_before_the_first_step(tmp_path: Path) -> None:
    def reply(request: Request) -> str:
        return first_plan(request) if "Your plans now:" in text(request) else answer(request)

    async with FakeServer(reply) as server:
        found = await play(server, tmp_path, contracts=("negotiate+private+cheap-talk",))
        agreed = await play(server, tmp_path / "table", contracts=("negotiate",))
    assert found.results[0]["status"] == "complete", found.results[0]["reason"]
    assert [each["state"] for each in found.results[0]["deals"]].count("agreed") == 1
    assert agreed.results[0]["negotiation"]["state"] == "agreed"
    asked = [call for call in calls(agreed.directory) if call["role"] == "planner"]
    assert asked
    assert all(TERMS in call["messages"][0]["content"] for call in asked)
    moved = {name: each["transfer"] for name, each in agreed.results[0]["players"].items()}
    assert (moved["carpenter_0"], moved["miner_2"]) == (1, -1)


async def test_planners_plan_anew_after_a_talk_between_steps(tmp_path: Path) -> None:
    def reply(request: Request) -> str:
        if "Your plans now:" not in text(request):
            return answer(request)
        still = '{"why": "", "plan": {"goal": "wait", "amount": 50}}'
        return still if "wait" in open_goals(request) else first_plan(request)

    async with FakeServer(reply) as server:
        found = await play(server, tmp_path, contracts=("negotiate+private+cheap-talk+every=30",))
    assert found.results[0]["status"] == "complete", found.results[0]["reason"]
    plans = [each for each in of_kind(found.directory, "grid_plan") if each.step > 21]
    assert {(each.step, each.cause, each.detail) for each in plans} == {
        (31, "changed", "you have talked with the other players")
    }
    assert len(plans) == len(PLAYERS)
    # The history goes on: the game is the same.
    asked = [call["messages"][1]["content"] for call in calls(found.directory) if call["role"] == "planner"][-1]
    assert '"goal": "wait", "amount": 50}} - changed: you have talked with the other players' in asked


@pytest.mark.parametrize("name", ["ada-negotiation", "ada-social-structure", "ada-exploration", "ada-contract-hard"])
async def test_planners_play_all_grid_games(name: str, tmp_path: Path) -> None:
    async with FakeServer(first_plan) as server:
        found = await play(server, tmp_path, name, time_limit_s=12 if name == "ada-exploration" else 30)
    result = found.results[0]
    assert result["status"] == "complete", result["reason"]
    ended = of_kind(found.directory, "grid_ended")[0]
    assert sum(ended.faults.values()) == sum(ended.refused.values()) == 0
    assert of_kind(found.directory, "grid_plan")


async def test_messages_of_plans_carry_their_words(tmp_path: Path) -> None:
    def talk(request: Request) -> str:
        partner = open_goals(request)["message"]["partner"][0]
        return json.dumps({"why": "", "plan": {"goal": "message", "partner": partner, "words": [7, 0]}})

    async with FakeServer(talk) as server:
        found = await play(server, tmp_path, "ada-exploration", time_limit_s=2)
    said = [each for each in of_kind(found.directory, "social_act") if each.act == "message"]
    assert len(said) == 16
    assert {tuple(each.words) for each in said} == {(7, 0, 0)}


async def test_a_planned_game_is_replayed_resumed_and_has_one_order(tmp_path: Path) -> None:
    def late(request: Request) -> FakeReply:
        return FakeReply(first_plan(request), delay_s=0.02 if "Your name is carpenter_0" in text(request) else 0.0)

    async with FakeServer(first_plan) as server:
        once = await play(server, tmp_path / "a")
        cut = await play(server, tmp_path / "cut", budget={"calls": {"all": 10}})
        assert cut.results[0]["status"] == "budget"
        cut = await resume_study(cut.directory, read_settings(cut.directory, budget={"calls": {"all": 1000}}))
    async with FakeServer(late) as server:
        slow = await play(server, tmp_path / "b")
    again = await run_study(settings("ada-contract", tmp_path / "c", **{**SHORT, "model": f"replay:{once.directory}"}))
    assert "differs" not in again.results[0]["usage"]
    logs = [(each.directory / "events.jsonl").read_text() for each in (once, slow)]
    assert logs[0] == logs[1]
    whole = [(each.directory / "episodes/1/trajectory.npz").read_bytes() for each in (once, slow, again, cut)]
    assert len(set(whole)) == 1


@pytest.mark.parametrize("stubborn", [False, True])
async def test_the_estimate_bounds_what_is_asked(stubborn: bool, tmp_path: Path) -> None:
    limits = await expect(settings("ada-contract", tmp_path, **SHORT))
    async with FakeServer((lambda _: "no") if stubborn else first_plan) as server:
        found = await play(server, tmp_path)
    kept = calls(found.directory)
    sent = sum(sum(len(each["content"]) for each in call["messages"]) for call in kept) // 4
    # 25 steps with a choice, reviewed after 20.
    assert limits["least"]["calls"] == 2 * len(PLAYERS)
    assert limits["most"]["calls"] == 2 * CHOICES * len(PLAYERS)
    assert limits["least"]["calls"] <= len(kept) <= limits["most"]["calls"]
    assert limits["least"]["tokens"] * 0.9 <= sent + 40 * len(kept) <= limits["most"]["tokens"]
    assert {each["role"] for each in limits["roles"]} == {"planner", "negotiator", "judge"}


async def test_hostile_plans_reach_nothing_but_the_controller(tmp_path: Path) -> None:
    hostile = [
        '{"why": "", "plan": {"goal": "__class__", "amount": 1}}',
        '{"why": "", "plan": {"goal": "go", "cell": [1000000, -1]}}',
        '{"why": "", "plan": {"goal": "gather", "resource": "../../etc/passwd", "amount": 1}}',
        '{"why": "", "plan": {"goal": "wait", "amount": 1e9}}',
        '{"why": "", "plan": {"goal": "wait", "amount": 1, "state": {"inventory": 99}}}',
    ]
    asked: Counter[str] = Counter()

    def reply(request: Request) -> str:
        asked["all"] += 1
        return hostile[asked["all"] % len(hostile)]

    async with FakeServer(reply) as server:
        found = await play(server, tmp_path, time_limit_s=24)
    ended = of_kind(found.directory, "grid_ended")[0]
    assert ended.faults == dict.fromkeys(PLAYERS, 5 + 4)
    assert set(ended.own.values()) == {0.0}


async def test_plans_stand_in_the_transcript(tmp_path: Path) -> None:
    async with FakeServer(first_plan) as server:
        found = await play(server, tmp_path, time_limit_s=24)
    told = "\n".join(str(each) for each in read_steps(found.directory))
    assert "plans to join (group 0)" in told
    assert "plans to gather (resource wood, amount 2)" in told


async def test_a_script_plans_without_a_model(tmp_path: Path) -> None:
    found = await run_study(settings("ada-contract", tmp_path, agents="scripted-planner", runs=2))
    for run in ("seed-0", "seed-1"):
        measured = game_measures(of_kind(found.directory / run, "grid_ended")[0])
        assert measured["score"][""] >= 0.9
        assert "questions" not in measured
        plans = of_kind(found.directory / run, "grid_plan")
        assert {each.cause for each in plans} >= {"first", "done", "changed"}
        assert set(of_kind(found.directory / run, "grid_begun")[0].players.values()) == {"scripted-planner"}


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"agents": "planner", "model": None}, "agents of the family 'planner' need a model"),
        ({"agents_options": {"review": "0"}}, "review: '0' is not legal; give steps from 1 to 500"),
        ({"agents_options": {"sight": "1"}}, "'sight' is no option of 'planner' agents: they have history"),
        ({"agents": "scripted-planner", "agents_options": {"history": "1"}}, "is no option of 'scripted-planner'"),
        ({"agents": "scripted-planner", "contracts": ("negotiate",)}, "follow a policy that does not talk"),
    ],
)
async def test_unsuitable_settings_are_refused_in_one_line(chosen: dict[str, Any], told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        await run_study(settings("ada-contract", tmp_path, **{**SHORT, **chosen}))
    assert told in str(error.value)
    assert "\n" not in str(error.value)
