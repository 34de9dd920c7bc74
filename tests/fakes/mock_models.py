"""Models on a fake endpoint that play Double-Vein on the mock world: skilled and clumsy players, and their judge."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from contracts import Contract, library_contract
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.model_players import CRITIQUE, role
from voyager_agents import Observation, ReferenceAgent
from voyager_agents.models.fake_server import FakeReply, Request

CLUMSY = "async function wave(bot) {\n  await bot.chat('hello')\n}\n"
PROMISED = "Contract:\n(none)"
"""Text of an action prompt without a contract."""


async def written(kind: str, contract: Contract | None) -> dict[str, str]:
    """Return player -> program of a reference player of a kind."""
    scenario = load_scenario("double-vein")
    found = {}
    for name in scenario.spec.players:
        agent = ReferenceAgent(name, kind)
        players = tuple(scenario.spec.players)
        agent.observe(Observation(player=name, players=players, facts=scenario.facts(), contract=contract))
        found[name] = (await agent.act()).policy
    return found


async def programs() -> dict[tuple[bool, str], str]:
    """Return (under contract 1, player) -> skilled program."""
    contract = library_contract("double_vein_1")
    free, bound = await written("greedy", None), await written("follower", contract)
    return {(False, name): text for name, text in free.items()} | {(True, name): text for name, text in bound.items()}


def observed(request: Request) -> Mapping[str, float]:
    """Return the observables shown to a judge."""
    document = request.messages[1]["content"].split("\n", 2)[2].rsplit("\n", 2)[0]
    found: Mapping[str, float] = json.loads(document)["observables"]
    return found


def verdict(request: Request) -> str:
    """Return the verdict on contract 1 by its terms."""
    seen = observed(request)
    due = seen["Gizmo.mined.iron_ore"] > 0 and seen["Glitch.mined.iron_ore"] == 0
    claim = {"clause": "gizmo-pays-glitch", "payer": "Gizmo", "payee": "Glitch", "amount": 11}
    return json.dumps({"transfers": [claim] if due else [], "findings": [], "critique": "Judged."})


def skilled(known: Mapping[tuple[bool, str], str]) -> Callable[[Request], FakeReply | str]:
    """Return a model that plays like reference players and judges well."""

    def respond(request: Request) -> FakeReply | str:
        who = role(request)
        if who == "judge":
            return verdict(request)
        if who == "critic":
            return CRITIQUE
        asked = request.messages[1]["content"]
        player = "Gizmo" if "You are Gizmo" in asked or "Player: Gizmo" in asked else "Glitch"
        return f"```javascript\n{known[PROMISED not in asked, player]}```\n"

    return respond


def clumsy(request: Request) -> FakeReply | str:
    """Answer with programs that do nothing, without an error."""
    who = role(request)
    if who == "judge":
        return verdict(request)
    return CRITIQUE if who == "critic" else f"```javascript\n{CLUMSY}```\n"
