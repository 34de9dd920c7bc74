"""Turns and rollouts as plain data, and masks of tokens."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from accord.training.turns import Message, Rollout, Step, Turn, token_mask

MESSAGES: list[Message] = [
    {"role": "system", "content": "You are Ada."},
    {"role": "user", "content": "Now choose."},
    {"role": "assistant", "content": "Hm."},
    {"role": "user", "content": "Answer in the form."},
]
TURN = Turn(1, "Ada", "player", tuple(MESSAGES), (False, False, True, False), {"name": "choice", "schema": {}})


def encode(messages: Sequence[Message]) -> list[int]:
    """Return a token for each character and two around each message."""
    return [code for each in messages for code in (0, *map(ord, each["content"]), 1)]


def test_turns_and_rollouts_survive_json() -> None:
    assert Turn.from_dict(json.loads(json.dumps(TURN.to_dict()))) == TURN
    rollout = Rollout(3, "complete", None, {"Ada": 2.0}, ({"Ada": 2.0},), Path("runs/a"), {"welfare": 2.0})
    assert Rollout.from_dict(json.loads(json.dumps(rollout.to_dict()))) == rollout


def test_the_mask_marks_the_tokens_of_own_messages() -> None:
    step = Step(TURN, "Fine.")
    mask = list(token_mask(encode, step.conversation, step.own))
    tokens = encode(step.conversation)
    assert len(mask) == len(tokens)
    own = "".join(chr(code) for code, mine in zip(tokens, mask, strict=True) if mine and code > 1)
    assert own == "Hm.Fine."


def test_a_template_that_rewrites_messages_has_no_mask() -> None:
    with pytest.raises(ValueError, match="rewrites earlier messages at message 2"):
        list(token_mask(lambda messages: encode(messages)[::-1], MESSAGES, TURN.own))
