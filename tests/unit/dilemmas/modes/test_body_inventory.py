"""Inventory of a body before and after an action: queried only if unknown."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bridge.types import Limits, ProgramOutcome
from dilemmas.modes.bodies import LiveBody
from voyager_agents.realtime_agent import Act


class Stub:
    """World of one body whose actions yield an apple each; it counts inventory queries."""

    def __init__(self, *capabilities: str) -> None:
        self.capabilities = frozenset(capabilities)
        self.tick, self.apples, self.asked = 100, 0, 0

    async def now(self) -> int:
        return self.tick

    async def observe(self, _name: str) -> SimpleNamespace:
        self.asked += 1
        return SimpleNamespace(tick=self.tick, items={"apple": self.apples})

    async def run(self, programs: dict[str, str], _limits: Limits) -> dict[str, Any]:
        self.apples += 1
        result = SimpleNamespace(outcome=ProgramOutcome.RETURNED, error=None, ended_tick=self.tick)
        return dict.fromkeys(programs, result)


@pytest.mark.parametrize(
    ("capabilities", "sensed", "asked"),
    [
        (
            ("virtual-clock",),
            100,
            2,
        ),  # after each action; the inventory before was felt, then known from the last action
        (("virtual-clock",), 95, 3),  # time has passed since the body felt
        (("virtual-clock",), None, 3),  # it was absent at the last sensing
        ((), 100, 4),
    ],
)
async def test_a_known_inventory_is_not_queried(capabilities: tuple[str, ...], sensed: int | None, asked: int) -> None:
    world = Stub(*capabilities)
    log = SimpleNamespace(log=lambda _event, _tick: None)
    society: Any = SimpleNamespace(
        world=world, record=log, limits=Limits(), now_s=5.0, tick=100, seconds=lambda _t: 5.0, rouse=lambda _: None,
        sensed=lambda _name: sensed,
    )  # fmt: skip
    body = LiveBody("Ada", society)
    # A long-unchanged state is the object of the first sensing.
    felt: Any = SimpleNamespace(tick=3, items={"apple": 0})
    body.felt = felt
    for _ in range(2):
        deed = body.do(Act("pick an apple", program="async function act (bot) {}"))
        assert body._worker is not None
        await body._worker
        assert deed.outcome is not None
        assert deed.outcome.gained == {"apple": 1}
    assert world.asked == asked
