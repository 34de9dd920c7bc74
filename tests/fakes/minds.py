"""Small studies of all families on the mock world, with models played by a fake endpoint."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord.studies.study import StudySettings
from tests.fakes.model_players import respond as paper
from tests.fakes.model_players import role
from tests.unit.voyager_agents.generative.thinker import Thinker
from voyager_agents.models import ChatMessage, Settings
from voyager_agents.models.fake_server import FakeReply, Request, Responder

PROGRAM = """I take what I can.
```javascript
async function mine(bot) {
  await getItemFromChest(bot, new Vec3(0, -60, 0), { PICKAXE: 1 })
  bot.chat('mine')
  await mineBlock(bot, 'iron_ore', 2)
}
```
"""
TASK = '{"reasoning": "iron pays", "task": "Mine 2 iron ore", "goal": [{"item": "raw_iron", "count": 2}]}'
DONE = '{"reasoning": "the iron is there", "success": true, "critique": "Well done."}'


def action(request: Request) -> str:
    """Return a program that mines two blocks with the pickaxe that the other player leaves."""
    user = request.messages[1]["content"]
    mine = "Player: Gizmo" in user or "You are Gizmo" in user
    return PROGRAM.replace("PICKAXE", "stone_pickaxe" if mine else "iron_pickaxe")


def paper_player(request: Request) -> FakeReply | str:
    """Answer as the agents of the contracts paper, which negotiate and are judged."""
    return action(request) if role(request) == "action" else paper(request)


def learner(request: Request) -> str:
    """Answer as Voyager's agents, with one task that is done at once."""
    system = request.messages[0]["content"]
    for begin, answer in (
        ("You choose what", TASK),
        ("You decide whether", DONE),
        ("You describe", "Mines two iron ore."),
    ):
        if system.startswith(begin):
            task = re.search(r"Completed tasks: (.+)", request.messages[1]["content"])
            return answer.replace("2", "3") if task and task[1] != "(none)" and begin == "You choose what" else answer
    return action(request)


def thinker(request: Request) -> str:
    """Answer as generative agents that follow simple rules."""
    asked = Thinker().complete([ChatMessage(each["role"], each["content"]) for each in request.messages], Settings())  # type: ignore[arg-type]
    try:
        asked.send(None)
    except StopIteration as answered:
        text: str = answered.value.text
        return text
    raise AssertionError("a thinker waits for nothing")


STUDIES: Mapping[str, tuple[str, Responder | None, Mapping[str, Any]]] = {
    "paper": ("double-vein", paper_player, {"contracts": ("negotiate",), "episodes": 2}),
    "voyager": ("double-vein", learner, {"agents": "voyager", "episodes": 2}),
    "generative": ("commons-harvest", thinker, {"agents": "generative", "contracts": ("modules",), "time_limit_s": 6}),
    "reference": ("double-vein", None, {"contracts": ("negotiate",)}),
    "foragers": ("commons-harvest", None, {"agents": "foragers", "contracts": ("contract-1",), "time_limit_s": 5}),
    "bots": ("commons-harvest-bots", None, {"time_limit_s": 6}),
}
"""Family -> scenario, answering function, further settings."""


def study(family: str, out: Path, base_url: str | None) -> StudySettings:
    """Return the settings of a family's study."""
    scenario, responder, more = STUDIES[family]
    models = {} if responder is None else {"model": "openai/fake", "base_url": base_url}
    return StudySettings(scenario, world="mock", out=out, **{**models, **more})
