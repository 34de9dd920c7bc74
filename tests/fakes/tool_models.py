"""Models that act by tool calls on a fake endpoint."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.fakes.model_players import CRITIQUE
from voyager_agents.models.fake_server import FakeReply, Request

MARK = "You act for a player"
"""Beginning of the system prompt of players who act by tool calls."""
Call = tuple[str, Mapping[str, Any]]


def call(*calls: Call, text: str = "") -> FakeReply:
    """Return an answer that makes these calls."""
    return FakeReply(text, calls=tuple((name, json.dumps(arguments)) for name, arguments in calls))


READY = call(("ready", {}))
FINISH = call(("finish", {}))


def player_of(request: Request) -> str:
    """Return the player who asks for a tool call."""
    return "Gizmo" if "You are Gizmo" in str(request.messages[1]["content"]) else "Glitch"


def answered(request: Request) -> int:
    """Return the number of results in the conversation."""
    return sum(each["role"] == "tool" for each in request.messages)


def acting(script: Mapping[str, Sequence[FakeReply]]) -> Callable[[Request], FakeReply | str]:
    """Return a model whose players give these answers in every episode, one after each result, and then finish."""

    def respond(request: Request) -> FakeReply | str:
        system = str(request.messages[0]["content"])
        if not system.startswith(MARK):
            return READY if "tools" in request.body else CRITIQUE
        answers = script[player_of(request)]
        place = answered(request)
        return answers[place] if place < len(answers) else FINISH

    return respond
