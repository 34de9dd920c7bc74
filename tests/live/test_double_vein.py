"""Double-Vein with real bots on the embedded server: results of the papers' contracts, breaches, lost players."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.measures import accounts, gini, welfare
from accord.studies.study import StudyResult, StudySettings, run_study
from bridge.worlds import World, open_world
from dilemmas.records.events import LogLine
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA
from tests.fakes.json_schema import faults

pytestmark = pytest.mark.live

RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))


async def play(tmp_path: Path, *contracts: str, **settings: object) -> StudyResult:
    found = await run_study(StudySettings("double-vein", contracts, out=tmp_path, **settings))
    assert found.status == "complete", [result.get("reason") for result in found.results]
    assert faults(json.loads((found.directory / "result.json").read_text()), RULES) == []
    return found


def payoffs(result: dict[str, Any]) -> dict[str, float]:
    return {name: player["payoff"] for name, player in result["players"].items()}


def failed(result: dict[str, Any]) -> set[str]:
    """Return the subjects that the verdict finds broken or not due."""
    return {finding["subject"] for finding in result["verdict"]["findings"] if not finding["ok"]}


def only_result(runs: Path) -> dict[str, Any]:
    """Return the result of the only run below a folder."""
    (directory,) = runs.iterdir()
    result: dict[str, Any] = json.loads((directory / "result.json").read_text())
    return result


@pytest.fixture(scope="module")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """Return a study of both contracts. Tests must not write into it."""
    return asyncio.run(play(tmp_path_factory.mktemp("contracts"), "contract-1", "contract-2"))


def test_the_papers_contracts_give_the_papers_figures(contracts: StudyResult) -> None:
    one, two = contracts.results
    assert payoffs(one) == {"Gizmo": 37.0, "Glitch": 41.0}
    assert (one["welfare"], round(one["gini"], 3)) == (78.0, 0.051)
    assert payoffs(two) == {"Gizmo": 39.0, "Glitch": 39.0}
    assert (two["welfare"], two["gini"]) == (78.0, 0.0)
    for result in contracts.results:
        assert failed(result) == set()
        assert result["players"]["Gizmo"]["items"]["raw_iron"] == 12
        assert result["players"]["Glitch"]["items"]["diamond"] == 6


def test_the_record_alone_gives_the_payoffs(contracts: StudyResult) -> None:
    result = contracts.results[0]
    lines = list(read_events(contracts.directory / "contract-1" / "events.jsonl"))
    recomputed = [account.payoff for account in accounts(lines).values()]
    assert recomputed == list(payoffs(result).values())
    assert (welfare(recomputed), gini(recomputed)) == (result["welfare"], result["gini"])
    kinds = {line.kind for line in lines}
    assert {"inventory", "action", "policy", "bot", "state", "end_state", "verdict"} <= kinds
    built = next(line.event for line in lines if line.kind == "world_built")
    assert built.commands <= 80


async def test_without_a_contract_they_do_worse_and_less_equally(tmp_path: Path) -> None:
    """Two runs with real bots; tests/live/test_mock_study.py has ten seeds."""
    result = (await play(tmp_path, "none", runs=2)).results[0]
    assert result["summary"]["complete"] == 2
    assert result["summary"]["welfare"]["max"] < 78
    # Under either contract it is 0.051 or 0.
    assert result["summary"]["gini"]["min"] > 0.1


async def test_bargainers_agree_on_a_contract_that_both_prefer_to_none(tmp_path: Path) -> None:
    result = (await play(tmp_path, "negotiate")).results[0]
    transcript = result["negotiation"]["transcript"]
    assert result["negotiation"]["state"] == "agreed"
    assert [turn for turn in transcript if turn["proposal"]]
    assert transcript[-1]["accepts"]
    assert result["welfare"] == 78.0
    # Each player expects less from the race for the iron pickaxe (voyager_agents.reference.prospects).
    assert min(payoffs(result).values()) > 30


@pytest.mark.parametrize(
    ("contract", "player", "kind", "breach"),
    [
        ("contract-2", "Gizmo", "keeps-pickaxe", "gizmo-returns-pickaxe"),
        ("contract-1", "Glitch", "poacher", "glitch-leaves-iron"),
    ],
)
async def test_a_breach_is_named_and_pays_nothing(
    tmp_path: Path, contract: str, player: str, kind: str, breach: str
) -> None:
    result = (await play(tmp_path, contract, players={player: kind})).results[0]
    assert breach in failed(result)
    assert result["players"][player]["transfer"] <= 0


async def test_a_kicked_player_costs_an_attempt_and_no_score(tmp_path: Path) -> None:
    worlds: list[World] = []
    kicks: list[asyncio.Task[str]] = []

    def opened(*args: Any, **settings: Any) -> World:  # noqa: ANN401 - hands on what it is given
        worlds.append(open_world(*args, **settings))
        return worlds[-1]

    def listen(line: LogLine) -> None:
        if line.kind == "policies_started" and len(worlds) == 1:
            kicks.append(asyncio.ensure_future(worlds[0].command("kick Glitch")))

    settings = StudySettings("double-vein", ("contract-1",), out=tmp_path)
    found = await run_study(settings, listen=listen, worlds=opened)
    assert "Glitch" in await kicks[0]
    result = found.results[0]
    assert (result["status"], result["repeats"], payoffs(result)) == ("complete", 1, {"Gizmo": 37.0, "Glitch": 41.0})
    broken = [line.event for line in read_events(found.directory / "events.jsonl") if line.kind == "infrastructure"]
    assert [(event.attempt, event.repeated) for event in broken] == [(1, True)]
    assert "Glitch" in broken[0].reason


async def test_an_interruption_during_an_episode_closes_everything(tmp_path: Path) -> None:
    playing = asyncio.Event()
    ports: list[int] = []

    def listen(line: LogLine) -> None:
        if line.kind == "world_ready":
            ports.append(int(line.event.address.rpartition(":")[2]))
        if line.kind == "action":
            playing.set()

    task = asyncio.create_task(run_study(StudySettings("double-vein", out=tmp_path), listen=listen))
    await playing.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    result = only_result(tmp_path)
    assert (result["status"], result["reason"]) == ("failed", "interrupted")
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", ports[0])) != 0
