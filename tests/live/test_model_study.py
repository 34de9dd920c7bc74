"""A complete study of models on the embedded server: negotiation, two episodes, critic and language judge; and a kill.

The models are a local server of this test, with a slow one for Gizmo. A live server's clock is not repeatable, so runs
are compared without game times and intermediate states (`digest(clock=False)`).
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from bridge.worlds import open_world
from contracts import library_contract
from dilemmas.modes.thinking import Thinking, ThinkingCost
from dilemmas.records.digest import digest
from dilemmas.records.events import LogLine
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.json_schema import faults
from voyager_agents import Observation, ReferenceAgent
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

pytestmark = pytest.mark.live

ROOT = Path(__file__).resolve().parents[2]
OFFER = (
    "[thinking] eleven evens it out\n[message] Let us split. [contract]\n"
    "1. Gizmo mines all iron ore and Glitch mines all diamond ore.\n"
    "2. Gizmo pays Glitch 11 emeralds if Glitch mined no iron ore.\n[contract end]"
)
CLUMSY = "async function hurry(bot) {\n  bot.flyAway()\n}\n"
STAYS = "  await new Promise((resolve) => setTimeout(resolve, 600000))\n}\n"
"""Tail of a program that outlasts the episode, so that its outcome does not depend on a tick."""
LINGERS = STAYS.replace("600000", "2000")
"""Tail of a program that leaves time to pick up the last drop."""


async def programs() -> dict[str, str]:
    """Return the programs of reference players under the contract."""
    scenario = load_scenario("double-vein")
    contract = library_contract("double_vein_1")
    found = {}
    for name in scenario.spec.players:
        agent = ReferenceAgent(name, "follower")
        agent.observe(
            Observation(player=name, players=tuple(scenario.spec.players), facts=scenario.facts(), contract=contract)
        )
        found[name] = (await agent.act()).policy
    ends = {"Gizmo": STAYS, "Glitch": LINGERS}
    return {name: found[name].rstrip().removesuffix("}") + end for name, end in ends.items()}


def minds(written: dict[str, str]) -> Callable[[Request], FakeReply | str]:
    """Return models that play the contract well after Gizmo's first program has failed."""

    def judge(document: str) -> str:
        done = json.loads(document.split("\n", 2)[2].rsplit("\n", 2)[0])["observables"]
        due = done["Gizmo.mined.iron_ore"] == 12 and done["Glitch.mined.iron_ore"] == 0
        moved = [{"clause": "2", "payer": "Gizmo", "payee": "Glitch", "amount": 11}] if due else []
        return json.dumps({"transfers": moved, "findings": [], "critique": "Well kept." if due else "Mine the iron."})

    def respond(request: Request) -> FakeReply | str:
        system, said = request.messages[0]["content"], request.messages[-1]["content"]
        if system.startswith("You are the judge"):
            return judge(said)
        if system.startswith("You review how"):
            if said.startswith("Player: Glitch"):
                return '{"reasoning": "it mined", "success": true, "critique": ""}'
            return '{"reasoning": "it threw", "success": false, "critique": "Do not fly, mine."}'
        if system.startswith("You are a skilled negotiator"):
            return "[thinking] good [message] Agreed. [accept]" if "Let us split" in said else OFFER
        player = said.removeprefix("You are ").partition(".")[0]
        failed = "NotSupported: bot.flyAway" in said
        program = f"```javascript\n{CLUMSY if player == 'Gizmo' and not failed else written[player]}```"
        return FakeReply(program, delay_s=0.5 if player == "Gizmo" else 0.0)

    return respond


async def go_on(out: Path, listen: Callable[[LogLine], None] | None = None) -> tuple[StudyResult, FakeServer]:
    """Start the study in a folder, or resume an existing one."""
    begun = await asyncio.to_thread(lambda: [each for each in out.glob("*") if not each.name.startswith(".")])
    async with FakeServer(minds(await programs())) as server:
        if begun:
            settings = read_settings(begun[0], base_url=server.base_url)
            return await resume_study(begun[0], settings, listen=listen), server
        settings = StudySettings(
            "double-vein",
            ("negotiate",),
            episodes=2,
            out=out,
            model="openai/fake",
            base_url=server.base_url,
            think="pause",
        )
        return await run_study(settings, listen=listen), server


def killed(out: str) -> None:
    """Play the study in this process, which kills itself in the middle of the second episode."""

    def listen(line: LogLine) -> None:
        if line.kind == "inventory" and line.episode == 2:
            os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(go_on(Path(out), listen))


def check(result: dict[str, Any]) -> None:
    assert faults(result, json.loads(SCHEMA.read_text(encoding="utf-8"))) == []
    payoffs = {name: player["payoff"] for name, player in result["players"].items()}
    assert (result["status"], result["episodes"], payoffs) == ("complete", 2, {"Gizmo": 37.0, "Glitch": 41.0})
    assert result["negotiation"]["state"] == "agreed"
    assert (result["verdict"]["judge"], result["verdict"]["readable"]) == ("language", True)
    # Two messages, two programs, a verdict; two critiques, a program, a verdict.
    assert (result["usage"]["calls"], result["usage"]["unpriced"]) == (9, ["openai/fake"])


def answers_at(address: str) -> bool:
    host, _, port = address.rpartition(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0


def wait_until_gone(address: str) -> None:
    """Wait until the address no longer answers, at most 60 s."""
    deadline = time.monotonic() + 60
    while answers_at(address) and time.monotonic() < deadline:
        time.sleep(0.1)


async def test_the_world_stands_still_while_models_think(tmp_path: Path) -> None:
    async with open_world("embedded", seed=1, log_dir=tmp_path) as world:
        await world.connect(["Gizmo"])
        async with Thinking(ThinkingCost("pause"), lambda: world).pause_world():
            then = await world.now()
            until = time.monotonic() + 0.5
            while time.monotonic() < until:
                assert await world.now() == then
        await world.sleep(0.1)
        assert await world.now() > then


async def test_models_play_a_whole_study_and_a_kill_changes_nothing(tmp_path: Path) -> None:
    whole, server = await go_on(tmp_path / "whole")
    check(whole.results[0])
    assert len(server.requests) == 9
    lines = list(read_events(whole.directory / "events.jsonl"))
    critiques = [line.event for line in lines if line.kind == "critique"]
    assert [(each.player, each.text) for each in critiques] == [("Gizmo", "Do not fly, mine.")]
    shown = [request.messages[-1]["content"] for request in server.requests]
    assert any("Do not fly, mine." in text and "Mine the iron." in text for text in shown)
    assert not any("eleven evens it out" in text for text in shown)
    # However slow Gizmo's model is, both programs of an episode start in the same tick.
    started = [(line.episode, line.tick) for line in lines if line.kind == "policy" and line.event.state == "started"]
    assert [episode for episode, _ in started] == [1, 1, 2, 2]
    assert len(set(started)) == 2

    script = f"from tests.live.test_model_study import killed; killed({str(tmp_path / 'killed')!r})"
    died = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", script], cwd=ROOT, timeout=180, check=False)
    assert died.returncode == -signal.SIGKILL
    (directory,) = await asyncio.to_thread(lambda: list((tmp_path / "killed").iterdir()))
    ready = [line.event.address for line in read_events(directory / "events.jsonl") if line.kind == "world_ready"]
    found, server = await go_on(tmp_path / "killed")
    check(found.results[0])
    # The second episode's critiques and program were paid for before; only its verdict is new.
    assert len(server.requests) == 1
    after = list(read_events(directory / "events.jsonl"))
    assert digest(after, clock=False) == digest(lines, clock=False)
    await asyncio.to_thread(wait_until_gone, ready[0])
    assert not answers_at(ready[0])
