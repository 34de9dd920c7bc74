"""Ways of asking for a form: the strictest one that the endpoint takes, found out by its refusals."""

from __future__ import annotations

from typing import Any

import pytest

from voyager_agents import ModelError, Settings
from voyager_agents.models import ChatMessage
from voyager_agents.models.base import FormSupport, RequestedForm
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request
from voyager_agents.models.openai_chat import OpenAIModel

SCHEMA = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 5}}, "required": ["a"]}
FORM = RequestedForm("letter", SCHEMA)
ASKED = [ChatMessage("user", "Answer in JSON.")]


def way_of(body: dict[str, Any]) -> FormSupport:
    """Return the way in which a request asks for its form."""
    asked = body.get("response_format")
    if asked is None:
        return "words"
    if asked["type"] == "json_object":
        return "json"
    return "schema" if "maxLength" in asked["json_schema"]["schema"]["properties"]["a"] else "plain-schema"


def endpoint(*taken: FormSupport, told: str = "response_format is not supported") -> FakeServer:
    """Return an endpoint that takes these ways of asking and refuses all others."""

    def respond(request: Request) -> FakeReply | str:
        return "{}" if way_of(request.body) in taken else FakeReply(told, status=400)

    return FakeServer(respond)


async def asked(server: FakeServer, *forms: RequestedForm | None, answers: FormSupport = "schema") -> list[Any]:
    """Return the ways in which a model got its answers for these forms."""
    model = OpenAIModel("tiny", base_url=server.base_url, api_key="key", answers=answers)
    try:
        return [(await model.complete(ASKED, Settings(form=form))).form_support for form in forms]
    finally:
        await model.close()


@pytest.mark.parametrize("taken", ["schema", "plain-schema", "json", "words"])
async def test_the_strictest_way_that_is_taken_is_found_once(taken: FormSupport) -> None:
    async with endpoint(taken) as server:
        assert await asked(server, FORM, FORM) == [taken, taken]
        ways = [way_of(each.body) for each in server.requests]
    assert ways[-2:] == [taken, taken]
    assert len(set(ways)) == len(ways) - 1


async def test_another_form_is_asked_for_in_its_own_way() -> None:
    async with endpoint("json", "words") as server:
        assert await asked(server, FORM, RequestedForm("other", SCHEMA), None) == ["json", "json", None]


async def test_the_strictest_way_can_be_chosen() -> None:
    async with endpoint("schema", "json", "words") as server:
        assert await asked(server, FORM, answers="json") == ["json"]
        assert await asked(server, FORM, answers="words") == ["words"]


async def test_another_refusal_is_not_taken_for_one_of_the_form() -> None:
    async with endpoint("words", told="the prompt is longer than the context") as server:
        with pytest.raises(ModelError, match="longer than the context"):
            await asked(server, FORM)
        assert len(server.requests) == 1
