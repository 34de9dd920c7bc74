"""Senses delivered together with an advance of time, and requested again only after a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge.mock.exchange import RequestExchange
from bridge.mock_world import MockWorld
from bridge.types import Limits, Senses
from bridge.wire import Json

NAMES = ["Gizmo", "Glitch"]
FEEL = Senses(radius=8, most=6)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the verbs of all requests to the process, in order."""
    verbs: list[str] = []
    ask = RequestExchange.ask

    def noted(self: RequestExchange, verb: str, fields: dict[str, Json]) -> object:
        verbs.append(verb)
        return ask(self, verb, fields)

    monkeypatch.setattr(RequestExchange, "ask", noted)
    return verbs


async def test_who_waits_for_a_tick_to_look_then_looks_without_asking(tmp_path: Path, asked: list[str]) -> None:
    async with MockWorld(1, tmp_path) as world:
        await world.connect(NAMES)
        for tick in (5, 10):
            await world.until(tick, (NAMES, FEEL))
            asked.clear()
            found = await world.sense(NAMES, FEEL)
            assert asked == []
            # An unchanged bot keeps its object with the object's tick; the latest tick is that of this observation.
            assert max(each.tick for each in found.values()) == tick
        await world.command("give Gizmo bread 3")
        assert (await world.sense(NAMES, FEEL))["Gizmo"].items == {"bread": 3}
        await world.until(15, (NAMES, FEEL))
        await world.command("give Glitch bread 2")
        asked.clear()
        found = await world.sense(NAMES, FEEL)
        assert asked == ["sense"]
        assert [found[name].items for name in NAMES] == [{"bread": 3}, {"bread": 2}]
        # Other players or another kind of observation need a request.
        await world.until(20, (NAMES, FEEL))
        assert list(await world.sense(NAMES[:1], FEEL)) == ["Gizmo"]
        assert asked[-1] == "sense"


async def test_whose_run_is_over_is_known_without_asking_until_something_happens(
    tmp_path: Path, asked: list[str]
) -> None:
    program = "async function main (bot) { await bot.waitForTicks(4) }"
    async with MockWorld(1, tmp_path) as world:
        await world.connect(NAMES)
        await world.command("give Gizmo bread 3")
        await world.run({"Gizmo": program}, Limits(wall_s=10))
        asked.clear()
        known = await world.observe("Gizmo")
        assert asked == []
        assert (known.items, known.tick) == ({"bread": 3}, await world.now())
        assert (await world.observe("Glitch")).name == "Glitch"
        await world.command("give Gizmo bread 1")
        assert (await world.observe("Gizmo")).items == {"bread": 4}
        await world.run({"Gizmo": program}, Limits(wall_s=10))
        await world.renew(2)
        await world.connect(NAMES)
        assert (await world.observe("Gizmo")).items == {}
