"""Body of the tests marked `real_model`, run against a local fake endpoint to show that it can pass and fail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fakes import life
from tests.fakes.mock_models import programs, verdict
from tests.fakes.model_players import ACCEPTS, CRITIQUE, OFFER
from tests.fakes.real_model import ALWAYS, BASE_URL, EPISODES, FAMILY_NAMES, MODEL, check, endpoint, play
from tests.unit.dilemmas.scenarios.ada.scene import first, first_plan
from tests.unit.voyager_agents.generative.thinker import Thinker
from voyager_agents.models import ChatMessage, Settings
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request
from voyager_agents.registry import FAMILIES
from voyager_agents.roles import JUDGE

TASK = '{"reasoning": "", "task": "Take the stone pickaxe", "goal": [{"item": "stone_pickaxe", "count": 1}]}'
NOTHING = '{"transfers": [], "findings": [], "critique": "Nothing is due."}'
Respond = Callable[[Request], FakeReply | str]


def thoughts(request: Request) -> str:
    """Return the answer of a generative agent's model."""
    messages = [ChatMessage(each["role"], each["content"]) for each in request.messages]  # type: ignore[arg-type]
    coroutine = Thinker().complete(messages, Settings())
    with pytest.raises(StopIteration) as done:
        coroutine.send(None)
    return str(done.value.value.text)


async def plays() -> Respond:
    """Model that can play every family."""
    known = await programs()

    def respond(request: Request) -> FakeReply | str:
        system, asked = request.messages[0]["content"], request.messages[-1]["content"]
        marks = {
            "You write programs": lambda: f"```javascript\n{known[True, player(asked)]}```",
            "You review how": lambda: CRITIQUE,
            "You decide whether": lambda: CRITIQUE,
            "You choose what": lambda: TASK,
            "You describe": lambda: "Takes a pickaxe.",
            "You are a skilled": lambda: ACCEPTS if "Take this" in asked else OFFER,
            "You are the judge": lambda: verdict(request) if "gizmo-pays-glitch" in asked else NOTHING,
        }
        if "Your actions:" in asked:
            return first(request)
        if "Your plans now:" in asked:
            return first_plan(request)
        if "Your last orders:" in asked:
            own = asked.partition("Your territories:\n- ")[2].partition(":")[0]
            hold = {"why": "I wait.", "act": "hold", "origin": "", "target": "", "troops": 0, "place": own}
            return json.dumps(hold)
        if "Open offers to you" in asked:
            blank = {"thinking": "", "to": [], "message": "", "act": "pass", "deal": 0, "contract": "", "lasts": 0}
            return json.dumps(blank)
        if "a game on a grid" in system and "Take this" not in asked:
            me, other = re.findall(r"\w+_\d+", asked)[:2]
            return OFFER.replace("Gizmo", me).replace("Glitch", other)
        if "games of hidden roles" in system:
            return word_answer(asked)
        if "Your options: " in asked:
            return json.dumps(
                {"choice": asked.partition("Your options: ")[2].split(",")[0].strip(), "why": "It is fair."}
            )
        if "one module of the mind" in system:
            return life.respond(request)
        return next((make() for mark, make in marks.items() if system.startswith(mark)), None) or thoughts(request)

    return respond


def word_answer(asked: str) -> str:
    """Return a clue that was not given before, a vote for the first other player, or a guess of the first word."""
    if "Give your clue now" in asked:
        return json.dumps({"why": "It fits.", "clue": f"hint{'x' * asked.count('hint')}"})
    if "Vote now" in asked:
        other = asked.rpartition(": ")[2].split(",")[0]
        return json.dumps({"why": "It hides.", "role": "insider", "expects": other, "vote": other})
    return json.dumps({"why": "It fits.", "guess": asked.partition("the card: ")[2].split(",")[0]})


def player(asked: str) -> str:
    found = re.search(r"You are (\w+)\.", asked)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("family", FAMILY_NAMES)
async def test_a_model_that_can_play_passes(family: str, tmp_path: Path) -> None:
    async with FakeServer(await plays()) as server:
        study = await play(family, "openai/fake", server.base_url, tmp_path)
    check(family, study)
    assert study.results[0]["status"] == "complete"


@pytest.mark.parametrize("family", FAMILY_NAMES)
async def test_a_model_that_says_nothing_fails(family: str, tmp_path: Path) -> None:
    async with FakeServer(lambda _: FakeReply("")) as server:
        study = await play(family, "openai/fake", server.base_url, tmp_path)
    with pytest.raises(AssertionError):
        check(family, study)


async def test_an_endpoint_that_is_not_there_fails(tmp_path: Path) -> None:
    study = await play("paper", "openai/fake", "http://127.0.0.1:9/v1", tmp_path)
    with pytest.raises(AssertionError, match="nothing answers there"):
        check("paper", study)


def test_every_family_with_a_model_has_its_episode() -> None:
    assert set(EPISODES) == set(ALWAYS) == set(FAMILY_NAMES)
    assert all(roles <= {*FAMILIES[name].roles, JUDGE} for name, roles in ALWAYS.items())


def test_without_an_endpoint_the_reason_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MODEL, raising=False)
    reason = endpoint()
    assert isinstance(reason, str)
    assert MODEL in reason
    assert BASE_URL in reason
    monkeypatch.setenv(MODEL, "openai/x")
    monkeypatch.setenv(BASE_URL, "http://127.0.0.1:1/v1")
    assert endpoint() == ("openai/x", "http://127.0.0.1:1/v1")
