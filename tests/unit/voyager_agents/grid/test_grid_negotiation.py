"""Text players of grid games that negotiate before the first step: contracts, deals, forces, and cost."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.report import write_report
from accord.analysis.transcript.reading import read_steps
from accord.studies.estimate import expect
from accord.studies.study import StudyResult, read_settings, resume_study, run_study
from dilemmas.errors import UsageError
from dilemmas.records.digest import digest
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.json_schema import faults
from tests.unit.dilemmas.scenarios.ada.scene import RULES, of_kind, settings
from tests.unit.voyager_agents.grid.bargaining import DEAL, TERMS, answer, system
from voyager_agents.models.fake_server import FakeServer, Request

PLAYERS = tuple(load_scenario("ada-contract").spec.players)
LIMIT_S = 26
STEPS = 20 + 4 * 6
"""Calls of a Contract game with 20 steps in which one player chooses, and 6 in which all four work."""


async def play(server: FakeServer, out: Path, condition: str, name: str = "ada-contract", **chosen: Any) -> StudyResult:  # noqa: ANN401
    usual = {"model": "openai/test", "agents": "text", "time_limit_s": LIMIT_S, "contracts": (condition,)}
    found = await run_study(settings(name, out, base_url=server.base_url, **{**usual, **chosen}))
    assert faults(json.loads((found.directory / "result.json").read_text()), RULES) == []
    return found


@pytest.fixture(scope="module", name="negotiated")
def _negotiated(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """Play one negotiated game, which several tests look at."""
    return asyncio.run(once(tmp_path_factory.mktemp("negotiated"), "negotiate"))


@pytest.fixture(scope="module", name="cheap")
def _cheap(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """Play one game with a contract that nothing enforces."""
    return asyncio.run(once(tmp_path_factory.mktemp("cheap"), "negotiate+cheap-talk"))


async def once(out: Path, condition: str) -> StudyResult:
    async with FakeServer(answer) as server:
        return await play(server, out, condition)


def calls(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "calls.jsonl").read_text().splitlines()]


def step_prompts(run: Path) -> dict[str, set[str]]:
    """Return player -> the system messages of its steps."""
    found: dict[str, set[str]] = {}
    for call in calls(run):
        if call["role"] == "player":
            found.setdefault(call["player"], set()).add(call["messages"][0]["content"])
    return found


def test_players_agree_on_a_contract_before_the_first_step_and_it_moves_reward(negotiated: StudyResult) -> None:
    found, result = negotiated, negotiated.results[0]
    assert result["status"] == "complete", result["reason"]
    assert result["negotiation"]["state"] == "agreed"
    assert result["contract"]["text"].strip() == TERMS
    transfers = {name: each["transfer"] for name, each in result["players"].items()}
    assert transfers == {"carpenter_0": 1, "carpenter_1": 0, "miner_2": -1, "miner_3": 0}
    for each in result["players"].values():
        assert each["payoff"] == pytest.approx(each["reward"] + each["transfer"])
    kinds = [line.kind for line in read_events(found.directory / "events.jsonl")]
    assert kinds.index("contract") < kinds.index("grid_begun")
    assert Counter(call["role"] for call in calls(found.directory)) == {"negotiator": 4, "player": STEPS, "judge": 1}
    assert set(step_prompts(found.directory)) == set(PLAYERS)
    assert all(TERMS in each for texts in step_prompts(found.directory).values() for each in texts)


def test_negotiators_know_the_rules_and_what_the_judge_sees(negotiated: StudyResult) -> None:
    prompt = next(call["messages"] for call in calls(negotiated.directory) if call["role"] == "negotiator")
    told = "\n".join(each["content"] for each in prompt)
    assert "- to carpenter_0: " in told
    assert "hammer 5" in told.partition("- to carpenter_0: ")[2].partition("\n")[0]
    assert "hammer 10" in told.partition("- to miner_2: ")[2].partition("\n")[0]
    assert "A carpenter can carry: " in told
    assert "hammer_craft: " in told
    assert "The judge sees the end alone" in told
    assert "Minecraft" not in told


def test_the_record_the_transcript_and_the_report_show_the_negotiation(negotiated: StudyResult, tmp_path: Path) -> None:
    texts = "\n".join(str(step) for step in read_steps(negotiated.directory))
    assert "Shall we?" in texts
    assert TERMS in texts
    write_report([negotiated.directory], tmp_path / "report")
    page = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "carpenter_0" in page
    assert "No contract was agreed" not in page
    assert list(read_events(negotiated.directory / "events.jsonl"))[-1].kind == "run_ended"


@pytest.mark.parametrize("channels", ["private", "groups"])
async def test_a_private_deal_is_known_to_its_parties_alone_and_moves_reward(channels: str, tmp_path: Path) -> None:
    async with FakeServer(answer) as server:
        found = await play(server, tmp_path, f"negotiate+{channels}+secret")
    result = found.results[0]
    assert result["status"] == "complete", result["reason"]
    assert [each["state"] for each in result["deals"]].count("agreed") == 1
    transfers = {name: each["transfer"] for name, each in result["players"].items()}
    assert transfers == {"carpenter_0": 0, "carpenter_1": 1, "miner_2": 0, "miner_3": -1}
    for player, texts in step_prompts(found.directory).items():
        assert all((DEAL in each) == (player in ("carpenter_1", "miner_3")) for each in texts)
    outsiders = [each for each in calls(found.directory) if each["player"] in ("carpenter_0", "miner_2")]
    assert "WHISPERED" not in json.dumps([each["messages"] for each in outsiders])


@pytest.mark.parametrize(("force", "lost"), [("binding", 1), ("escrow=5", 5), ("reputation", 0), ("cheap-talk", 0)])
async def test_every_force_moves_what_it_says(force: str, lost: int, cheap: StudyResult, tmp_path: Path) -> None:
    found = cheap if force == "cheap-talk" else await once(tmp_path, f"negotiate+{force}")
    result = found.results[0]
    assert result["status"] == "complete", result["reason"]
    assert result["players"]["miner_2"]["transfer"] == -lost
    assert sum(each["transfer"] for each in result["players"].values()) == pytest.approx(0)
    decided = of_kind(found.directory, "payment")
    assert [(each.player, each.paid) for each in decided] == ([] if force == "binding" else [("miner_2", [])])


async def test_terms_that_name_what_players_made_are_typed_ratified_and_judged_by_program(tmp_path: Path) -> None:
    # The typed terms read an event of the game, which only carpenters run, and what a player earned.
    terms = "1. miner_2 pays carpenter_0 a fifth of what miner_2 earned unless carpenter_0 crafted 99 hammers."
    typed = {
        "id": "miner-pays", "clause": "1", "payer": "miner_2", "payee": "carpenter_0",
        "amount": "0.2 * miner_2.reward", "condition": "carpenter_0.mined.hammer_craft < 99",
    }  # fmt: skip

    def reply(request: Request) -> str:
        if system(request).startswith("You turn a contract"):
            return json.dumps({"obligations": [], "transfers": [typed]})
        if system(request).startswith("You sign contracts"):
            return json.dumps({"reason": "as agreed", "ratify": True})
        return answer(request).replace(TERMS, terms)

    async with FakeServer(reply) as server:
        found = await play(server, tmp_path, "negotiate+judge=formal")
    result = found.results[0]
    assert result["status"] == "complete", result["reason"]
    assert [each.ratified for each in of_kind(found.directory, "terms_ratified")] == [True] * 4
    assert result["verdict"]["judge"] == "formal"
    account = result["players"]["miner_2"]
    assert account["reward"] > 0
    assert account["transfer"] == pytest.approx(-0.2 * account["reward"], abs=0.005)


async def test_players_decide_on_payments_of_a_given_contract_that_does_not_bind(tmp_path: Path) -> None:
    path = tmp_path / "fee.yaml"
    path.write_text(
        f"name: fee\nparties: [{', '.join(PLAYERS)}]\ntext: |\n  {TERMS}\ntransfers:\n"
        "  - {id: fee, payer: miner_2, payee: carpenter_0, amount: 1}\n"
    )
    async with FakeServer(answer) as server:
        found = await play(server, tmp_path / "out", f"{path}", judge="formal")
        assert found.results[0]["players"]["miner_2"]["transfer"] == -1
        told = path.read_text() + "force: cheap-talk\n"
        path.write_text(told)
        free = await play(server, tmp_path / "free", f"{path}", judge="formal")
    assert free.results[0]["players"]["miner_2"]["transfer"] == 0
    assert [(each.player, each.paid, each.readable) for each in of_kind(free.directory, "payment")] == [
        ("miner_2", [], True)
    ]


async def test_a_negotiated_game_is_replayed_without_a_model(negotiated: StudyResult, tmp_path: Path) -> None:
    again = await run_study(
        settings(
            "ada-contract", tmp_path / "again", model=f"replay:{negotiated.directory}", agents="text",
            time_limit_s=LIMIT_S, contracts=("negotiate",),
        )
    )  # fmt: skip
    assert "differs" not in again.results[0]["usage"]
    assert again.results[0]["players"] == negotiated.results[0]["players"]


async def test_players_renegotiate_after_a_game(tmp_path: Path) -> None:
    async with FakeServer(answer) as server:
        found = await play(server, tmp_path, "negotiate+again=lapses", episodes=2)
    assert found.results[0]["status"] == "complete", found.results[0]["reason"]
    states = [each.state for each in of_kind(found.directory, "contract")]
    assert states == ["agreed", "settled", "agreed", "settled"]
    asked_of = Counter(call["role"] for call in calls(found.directory))
    assert asked_of == {"negotiator": 8, "player": 2 * STEPS, "judge": 2}


@pytest.mark.parametrize("name", ["ada-negotiation", "ada-social-structure", "ada-exploration", "ada-contract-hard"])
async def test_all_grid_games_can_be_negotiated(name: str, tmp_path: Path) -> None:
    players = list(load_scenario(name).spec.players)
    terms = f"1. {players[-1]} pays {players[0]} 1 emerald."

    def reply(request: Request) -> str:
        return answer(request).replace(TERMS, terms)

    async with FakeServer(reply) as server:
        found = await play(server, tmp_path, "negotiate", name, time_limit_s=2, rounds=len(players))
    result = found.results[0]
    assert result["status"] == "complete", result["reason"]
    assert result["contract"]["text"].strip() == terms
    assert [each["subject"] for each in result["verdict"]["findings"]] == ["1"]
    assert set(step_prompts(found.directory)) <= set(players)
    assert all(terms in each for texts in step_prompts(found.directory).values() for each in texts)


@pytest.mark.parametrize("condition", ["negotiate", "negotiate+private", "negotiate+cheap-talk"])
async def test_the_estimate_covers_the_negotiation(
    condition: str, negotiated: StudyResult, cheap: StudyResult, tmp_path: Path
) -> None:
    async with FakeServer(answer) as server:
        known = {"negotiate": negotiated, "negotiate+cheap-talk": cheap}
        found = known.get(condition) or await play(server, tmp_path, condition)
        limits = await expect(
            settings(
                "ada-contract",
                tmp_path,
                model="openai/test",
                agents="text",
                time_limit_s=LIMIT_S,
                contracts=(condition,),
            )
        )
    made = Counter(call["role"] for call in calls(found.directory))
    bounds = {each["role"]: (each["least"], each["most"]) for each in limits["roles"]}
    for role, (least, most) in bounds.items():
        assert least["calls"] <= made[role] <= most["calls"], role
    assert bounds["negotiator"][0]["calls"] == len(PLAYERS)
    sent = sum(len(each["content"]) for call in calls(found.directory) for each in call["messages"]) // 4
    assert limits["least"]["tokens"] * 0.9 <= sent + 30 * len(calls(found.directory))
    assert sent <= limits["most"]["tokens"]


async def test_an_interrupted_game_keeps_its_contract(negotiated: StudyResult, tmp_path: Path) -> None:
    async with FakeServer(answer) as server:
        cut = await play(server, tmp_path / "cut", "negotiate", budget={"calls": {"all": 10}})
        assert cut.results[0]["status"] == "budget"
        before = len(server.requests)
        resumed = await resume_study(cut.directory, read_settings(cut.directory, budget={"calls": {"all": 1000}}))
        assert len(server.requests) == before + STEPS + 5 - 10
    assert resumed.results[0]["status"] == "complete"
    assert resumed.results[0]["players"] == negotiated.results[0]["players"]
    sums = [of_kind(found.directory, "grid_ended")[0].rewards for found in (negotiated, resumed)]
    assert sums[0] == sums[1]


async def test_the_same_seed_gives_the_same_record(tmp_path: Path) -> None:
    sums = []
    for name in "ab":
        async with FakeServer(answer) as server:
            found = await play(server, tmp_path / name, "negotiate+private+escrow=5")
        sums.append(digest(read_events(found.directory / "events.jsonl")))
    assert sums[0] == sums[1]


@pytest.mark.parametrize("policy", ["random", "greedy", "oracle-plan"])
async def test_players_with_a_policy_are_refused(policy: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        await run_study(settings("ada-contract", tmp_path, agents=policy, contracts=("negotiate",)))
    told = str(error.value)
    assert f"condition 'negotiate': agents of the family '{policy}' follow a policy that does not talk" in told
    assert "--agents text --model openai/NAME" in told
    assert "\n" not in told


async def test_one_player_with_a_policy_is_refused_too(tmp_path: Path) -> None:
    chosen = {"agents": "text", "model": "openai/test", "players": {"miner_3": "greedy"}, "contracts": ("negotiate",)}
    with pytest.raises(UsageError, match="the family 'greedy' follow a policy that does not talk"):
        await run_study(settings("ada-contract", tmp_path, **chosen))


async def test_a_table_of_eight_needs_eight_messages(tmp_path: Path) -> None:
    chosen = {"agents": "text", "model": "openai/test", "contracts": ("negotiate",)}
    with pytest.raises(
        UsageError, match="in 6 messages 8 players cannot all accept a proposal: give --rounds 8 or more"
    ):
        await run_study(settings("ada-exploration", tmp_path, **chosen))


async def test_the_model_of_the_player_negotiates_if_the_negotiator_has_none(tmp_path: Path) -> None:
    async with FakeServer(answer) as server:
        found = await play(
            server, tmp_path, "negotiate+judge=language",
            model=None, models={"player": "openai/test", "judge": "openai/test"},
        )  # fmt: skip
    assert found.results[0]["status"] == "complete", found.results[0]["reason"]
    assert found.results[0]["negotiation"]["state"] == "agreed"
