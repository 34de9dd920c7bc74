"""Models that negotiate, write programs, review and judge on a fake endpoint, and a study that they play."""

from __future__ import annotations

import json
from pathlib import Path

from accord.studies.study import StudyResult, StudySettings, run_study
from bridge.types import ProgramOutcome
from tests.fakes.world import Deed, FakeWorld, FakeWorlds, Script
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

SPLIT = Script(
    deeds=(
        Deed(3, "Gizmo", {"raw_iron": 12}, {"iron_ore": 12}),
        Deed(4, "Glitch", {"diamond": 6}, {"diamond_ore": 6}),
    ),
    ends={"Gizmo": (9, ProgramOutcome.RETURNED), "Glitch": (9, ProgramOutcome.RETURNED)},
)
PROGRAM = "Plan:\n1. mine\n```javascript\nasync function mine(bot) {\n  await mineBlock(bot, 'iron_ore', 12)\n}\n```\n"
OFFER = "[thinking] 10 would do [message] Take this. [contract]\n1. Gizmo pays Glitch 9 emeralds.\n[contract end]"
ACCEPTS = "[thinking] fine [message] Agreed. [accept]"
CRITIQUE = '{"reasoning": "good", "success": true, "critique": "Well done."}'
VERDICT = json.dumps(
    {
        "transfers": [{"clause": "1", "payer": "Gizmo", "payee": "Glitch", "amount": 9}],
        "findings": [{"clause": "1", "party": "Gizmo", "kept": True, "reason": "said and done"}],
        "critique": "Well kept.",
    }
)


def role(request: Request) -> str:
    """Return the role of a request, identified by its system prompt."""
    system = request.messages[0]["content"]
    marks = {
        "action": "You write programs",
        "critic": "You review how",
        "judge": "You are the judge",
        "negotiator": "You are a skilled negotiator",
        "signer": "You sign contracts",
        "typist": "You turn a contract",
    }
    return next(name for name, mark in marks.items() if system.startswith(mark))


def respond(request: Request) -> FakeReply | str:
    if role(request) == "negotiator":
        return ACCEPTS if "Take this" in request.messages[-1]["content"] else OFFER
    return {"action": PROGRAM, "critic": CRITIQUE, "judge": VERDICT}[role(request)]


async def play(
    tmp_path: Path, server: FakeServer, scripts: list[Script], **settings: object
) -> tuple[StudyResult, FakeWorld]:
    world = FakeWorld(scripts)
    chosen = {"model": "openai/test", "base_url": server.base_url, "contracts": ("negotiate",), **settings}
    study = StudySettings("double-vein", out=tmp_path, world="fake", **chosen)
    return await run_study(study, worlds=FakeWorlds(world)), world
