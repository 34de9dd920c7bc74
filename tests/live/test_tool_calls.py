"""Players who act by tool calls on the embedded server."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.studies.study import StudySettings, run_study
from dilemmas.records.events import ActBegan, ActEnded
from tests.fakes.killing import events
from tests.fakes.tool_models import acting, answered, call, player_of
from voyager_agents.models.fake_server import FakeServer

pytestmark = pytest.mark.live

CHEST = {"x": 0, "y": -60, "z": 0}
SCRIPT = {
    "Gizmo": [
        call(("getItemFromChest", {"chestPosition": CHEST, "itemsToGet": {"stone_pickaxe": 1}})),
        call(("mineBlock", {"name": "iron_ore", "count": 2})),
        call(("say", {"text": "Two for me"})),
    ],
    "Glitch": [call(("mineBlock", {"name": "gold_ore"})), call(("findBlock", {"name": "diamond_ore"}))],
}


@pytest.mark.parametrize("bodies", ["mineflayer", "engine"])
async def test_models_act_by_tool_calls_on_a_server(bodies: str, tmp_path: Path) -> None:
    async with FakeServer(acting(SCRIPT)) as server:
        settings = StudySettings(
            "double-vein", out=tmp_path, world="embedded", model="openai/test", base_url=server.base_url, act="tools",
            bodies=bodies,
        )  # fmt: skip
        found = await run_study(settings)
    result = found.results[0]
    assert result["status"] == "complete"
    assert result["players"]["Gizmo"]["items"]["raw_iron"] == 2
    assert [each.ended for each in events(found, ActEnded) if each.player == "Gizmo"] == ["done"] * 3
    assert [each.calls[0]["name"] for each in events(found, ActBegan) if each.player == "Glitch"] == [
        "mineBlock",
        "findBlock",
    ]
    last = {player_of(each): each.messages for each in server.requests[1:] if answered(each)}
    results = {player: [each["content"] for each in said if each["role"] == "tool"] for player, said in last.items()}
    assert "returned { mined: 2, obtained: { raw_iron: 2 } }" in results["Gizmo"][1]
    assert "inventory: +2 raw_iron" in results["Gizmo"][1]
    assert results["Glitch"][0].startswith("failed: BlockNotFound")
    assert "returned diamond_ore at (" in results["Glitch"][1]
