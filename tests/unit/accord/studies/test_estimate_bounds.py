"""Bounds of the estimate against actual calls, with models at their best, at their worst, and in between."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accord.studies.estimate import expect
from accord.studies.study import StudySettings, run_study
from bridge.types import ProgramOutcome
from tests.fakes.model_players import ACCEPTS, OFFER, PROGRAM, VERDICT
from tests.fakes.world import Deed, FakeWorld, FakeWorlds, Script
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request
from voyager_agents.registry import FAMILIES

EPISODES = 4
NOTHING = "I would rather not say."
MARKS = {
    "You write programs": "action",
    "You review how": "critic",
    "You decide whether": "critic",
    "You choose what": "task",
    "You describe": "describe",
    "You are a skilled negotiator": "negotiator",
    "You are the judge": "judge",
}
Answers = dict[str, str]


def review(success: bool) -> str:
    return json.dumps({"reasoning": "", "success": success, "critique": "Go on."})


def task(number: int) -> str:
    """Return a task without an inventory, different at each call."""
    return json.dumps(
        {"reasoning": "", "task": f"Hold a stick, number {number}", "goal": [{"item": "stick", "count": 1}]}
    )


def model(answers: Answers) -> Callable[[Request], FakeReply | str]:
    """Return a model with these answers by kind of question; other questions get unusable answers."""
    asked: Counter[str] = Counter()

    def reply(request: Request) -> FakeReply | str:
        system = request.messages[0]["content"]
        kind = next((name for mark, name in MARKS.items() if system.startswith(mark)), "other")
        asked[kind] += 1
        if kind == "task" and answers.get(kind):
            return task(asked[kind])
        if kind == "negotiator" and answers.get(kind) == "agree":
            return ACCEPTS if "Take this" in request.messages[-1]["content"] else OFFER
        return answers.get(kind, NOTHING)

    return reply


BEST = {
    "action": PROGRAM,
    "critic": review(True),
    "task": "yes",
    "describe": "Does it.",
    "negotiator": "agree",
    "judge": VERDICT,
}
TIRELESS = BEST | {"critic": review(False)}
CASES: dict[str, tuple[Answers, bool]] = {
    "all goes well at once": (BEST, True),
    "no critic is ever content": (TIRELESS, True),
    "no answer is of any use": ({}, False),
    "programs fail": (BEST, False),
    "nothing is done": (TIRELESS, False),
}
"""Name -> models' answers, and True if programs end well and produce the items of their tasks."""


def script(well: bool) -> Script:
    end = ProgramOutcome.RETURNED if well else ProgramOutcome.THREW
    names = ("Gizmo", "Glitch")
    found = tuple(Deed(0.5, name, {"stick": 1}) for name in names) if well else ()
    return Script(found, {name: (1, end) for name in names})


async def asked_and_expected(
    settings: dict[str, Any], answers: Answers, well: bool, out: Path
) -> tuple[Counter[str], dict[str, tuple[int, int]]]:
    """Play a run. Return role -> calls made, and the estimate of them."""
    async with FakeServer(model(answers)) as server:
        chosen = StudySettings(
            "double-vein", out=out, world="fake", model="openai/test", base_url=server.base_url, **settings
        )
        found = await run_study(chosen, worlds=FakeWorlds(FakeWorld([script(well)] * EPISODES)))
    result = found.results[0]
    assert result["status"] == "complete" or result["reason"].startswith("every program broke off"), result["reason"]
    calls = [json.loads(line) for line in (found.directory / "calls.jsonl").read_text().splitlines()]
    expected = await expect(chosen)
    bounds = {each["role"]: (each["least"]["calls"], each["most"]["calls"]) for each in expected["roles"]}
    return Counter(str(call["role"]) for call in calls), bounds


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("episodes", [1, EPISODES])
@pytest.mark.parametrize(("family", "contract"), [("paper", "none"), ("paper", "negotiate"), ("voyager", "none")])
async def test_what_is_asked_lies_between_the_bounds(
    tmp_path: Path, family: str, contract: str, episodes: int, case: str
) -> None:
    answers, well = CASES[case]
    settings = {"agents": family, "contracts": (contract,), "episodes": episodes}
    asked, bounds = await asked_and_expected(settings, answers, well, tmp_path)
    assert set(asked) <= set(bounds)
    for role, (least, most) in bounds.items():
        assert least <= asked[role] <= most, (role, asked, bounds)


async def test_the_bounds_are_reached(tmp_path: Path) -> None:
    """Regression: a run made 18 calls when the estimate's minimum was 32. The minimum is a run without any success."""
    learning = {"agents": "voyager", "contracts": ("none",), "episodes": EPISODES}
    asked, bounds = await asked_and_expected(learning, TIRELESS, False, tmp_path / "one")
    assert sum(asked.values()) == sum(least for least, _ in bounds.values()) == 2 * (4 + 4 + 1)
    paper = {"agents": "paper", "contracts": ("none",), "episodes": EPISODES}
    asked, bounds = await asked_and_expected(paper, BEST, True, tmp_path / "two")
    assert dict(asked) == {"action": 2, "critic": 2}
    assert {role: least for role, (least, _) in bounds.items() if least} == asked
    asked, bounds = await asked_and_expected(paper, {}, False, tmp_path / "three")
    assert dict(asked) == {"action": 3 * 2 * EPISODES, "critic": 2 * 2 * (EPISODES - 1)}
    assert {role: most for role, (_, most) in bounds.items() if most} == asked


@pytest.mark.parametrize("modules", ["", "understanding,communication,constitution,reputation"])
async def test_in_rounds_too(tmp_path: Path, modules: str) -> None:
    options = {"modules": modules} if modules else {}
    async with FakeServer(lambda _: NOTHING) as server:
        settings = StudySettings(
            "commons-harvest", ("none",), out=tmp_path, world="mock", agents="generative", agents_options=options,
            model="openai/test", base_url=server.base_url, time_limit_s=6,
        )  # fmt: skip
        found = await run_study(settings)
    assert found.results[0]["status"] == "complete", found.results[0]["reason"]
    expected = await expect(settings)
    asked = found.results[0]["usage"]["calls"]
    assert expected["least"]["calls"] <= asked <= expected["most"]["calls"]
    # No answer is usable: the agent plans and acts in every round, and asks twice for each.
    assert asked >= 3 * 6 * 2 * 2


async def test_in_repeated_games_too(tmp_path: Path) -> None:
    async with FakeServer(lambda _: NOTHING) as server:
        settings = StudySettings(
            "prisoners-dilemma", ("none",), out=tmp_path, world="mock", agents="chooser", repeat=3, model="openai/test",
            base_url=server.base_url,
        )  # fmt: skip
        found = await run_study(settings)
    assert found.results[0]["status"] == "complete", found.results[0]["reason"]
    expected = await expect(settings)
    assert expected["least"]["calls"] <= found.results[0]["usage"]["calls"] <= expected["most"]["calls"]


def test_every_family_that_asks_models_is_played_here() -> None:
    # Covered by the tests of the village, of the grid's language players, of Conquest and of Chameleon.
    elsewhere = {"piano", "text", "planner", "marshal", "speaker"}
    asking = {name for name, family in FAMILIES.items() if family.roles}
    assert asking == {"paper", "voyager", "generative", "chooser"} | elsewhere
