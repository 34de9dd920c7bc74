"""Slots as plain data and in words: every object with fields becomes a mapping, without loss."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge.types import NearPlayer
from tests.fakes.life import sensed
from voyager_agents.piano.rendering import plain, render
from voyager_agents.piano.slots import CivicDuty, Memo, Profile
from voyager_agents.realtime_agent import Act, PrimitiveCall

BOB = NearPlayer(4, "Bob", (1.23456, 64.0, 0.5), 2.00049, None)
BOB_PLAIN = {"id": 4, "name": "Bob", "position": [1.235, 64.0, 0.5], "distance": 2.0, "held": None}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (BOB, BOB_PLAIN),
        ((BOB,), [BOB_PLAIN]),
        (Memo(1.23456, "rain", 3), {"t_s": 1.235, "text": "rain", "importance": 3, "kind": "event"}),
        (
            CivicDuty("pay", "law", Act("pay", (PrimitiveCall("goTo", ({"x": 0.12345}, 3)),))),
            {
                "doing": "pay",
                "why": "law",
                "act": {
                    "label": "pay",
                    "calls": [{"name": "goTo", "args": [{"x": 0.123}, 3]}],
                    "program": "",
                    "pause_s": 0.0,
                    "limit_s": 60.0,
                    "by": "",
                    "gains": {},
                },
                "words": "",
                "to": "",
            },
        ),
        (
            {"Bob": Profile("kind", 7.12345, "", 1.0, "heard")},
            {"Bob": {"summary": "kind", "sentiment": 7.12, "activity": ""}},
        ),
        (True, True),
    ],
)  # fmt: skip
def test_what_holds_fields_becomes_an_object(value: object, told: Any) -> None:  # noqa: ANN401 - JSON
    assert plain(value) == told
    json.dumps(plain(value))


def test_what_is_sensed_passes_a_bottleneck_as_an_object() -> None:
    told = json.loads(render("feel", sensed(players=(BOB,))))
    assert (told["name"], told["health"], told["players"]) == ("Ada", 20, [BOB_PLAIN])
    assert render("hearing", (Memo(0.0, "one", 1), Memo(1.0, "two", 1))) == "one two"
