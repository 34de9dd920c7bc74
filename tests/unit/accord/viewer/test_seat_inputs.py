"""Inputs of a seat's page: what a hostile browser may send, and what becomes of it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from accord.viewer.seat_inputs import BURST, MAX_CHAT, MAX_INPUTS, PER_S, InputLimiter, InputRefused, parse_inputs
from tests.unit.accord.viewer.records import ATTACKS

LEGAL: list[dict[str, Any]] = [
    {"do": "keys", "keys": ["forward", "jump"]}, {"do": "keys", "keys": []},
    {"do": "look", "yaw": -180.0, "pitch": 90.0},
    {"do": "dig", "on": True}, {"do": "use", "on": False}, {"do": "slot", "slot": 8}, {"do": "drop"}, {"do": "close"},
    {"do": "click", "slot": -999, "button": 0, "mode": 0}, {"do": "click", "slot": 40, "button": 1, "mode": 1},
    {"do": "chat", "text": "hello"}, {"do": "chat", "text": "/msg Gizmo psst"},
    {"do": "chat", "text": ATTACKS[0][:200]},
]  # fmt: skip
HOSTILE: list[tuple[object, str]] = [
    (None, "list"), ({}, "list"), ([7], "input 0"), ([{"do": "fly"}], "input 0"), ([{}], "input 0"),
    ([{"do": "drop"}] * (MAX_INPUTS + 1), f"at most {MAX_INPUTS}"),
    ([{"do": "drop", "player": "Gizmo"}], "Extra"), ([{"do": "join", "name": "Gizmo"}], "input 0"),
    ([{"do": "survey", "part": "facts"}], "input 0"), ([{"do": "keys", "keys": ["forward", "fly"]}], "keys"),
    ([{"do": "look", "yaw": math.nan, "pitch": 0.0}], "yaw"), ([{"do": "look", "yaw": 0.0, "pitch": 91.0}], "pitch"),
    ([{"do": "look", "yaw": "0", "pitch": 0.0}], "yaw"), ([{"do": "slot", "slot": 9}], "slot"),
    ([{"do": "slot", "slot": True}], "slot"), ([{"do": "dig", "on": 1}], "on"),
    ([{"do": "click", "slot": 90, "button": 0, "mode": 0}], "slot"),
    ([{"do": "click", "slot": -2, "button": 0, "mode": 0}], "slot -2"),
    ([{"do": "click", "slot": 1, "button": 2, "mode": 0}], "button"),
    ([{"do": "click", "slot": 1, "button": 0, "mode": 4}], "mode"),
    ([{"do": "chat", "text": "a" * (MAX_CHAT + 1)}], "text"), ([{"do": "chat", "text": " "}], "plainly"),
    ([{"do": "chat", "text": "two\nlines"}], "plainly"), ([{"do": "chat", "text": "\u202egnp"}], "plainly"),
    ([{"do": "chat", "text": "\u00a7k"}], "plainly"), ([{"do": "chat", "text": "\ud800"}], "input 0"),
    ([{"do": "chat", "text": "/op Glitch"}], "no commands"),
    ([{"do": "chat", "text": "/gamemode creative"}], "no commands"),
    ([{"do": "chat", "text": "/execute as @a run say hi"}], "no commands"),
    ([{"do": "chat", "text": "/msg @a hi"}], "no commands"),
    ([{"do": "chat", "text": "/minecraft:msg Gizmo hi"}], "no commands"),
]  # fmt: skip


def test_what_a_client_lets_a_person_do_is_legal() -> None:
    assert parse_inputs(LEGAL) == LEGAL


@pytest.mark.parametrize(("given", "told"), HOSTILE)
def test_anything_else_is_refused_in_one_line(given: object, told: str) -> None:
    with pytest.raises(InputRefused) as caught:
        parse_inputs(given)
    text = str(caught.value)
    assert told in text
    assert "\n" not in text
    assert len(text) < 300


def test_inputs_are_limited_by_time() -> None:
    now = [0.0]
    limiter = InputLimiter(lambda: now[0])
    limiter.spend(int(BURST))
    with pytest.raises(InputRefused, match="too many inputs at once"):
        limiter.spend(1)
    now[0] = 0.5
    limiter.spend(int(PER_S / 2))
    with pytest.raises(InputRefused):
        limiter.spend(1)
    now[0] = 1000.0
    with pytest.raises(InputRefused):
        limiter.spend(int(BURST) + 1)
