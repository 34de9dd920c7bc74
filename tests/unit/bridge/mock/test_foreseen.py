"""Senses delivered together with an advance of time, and requested again only after a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge.errors import CommandError
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


HOLDS = "execute as @a[gamemode=survival] run clear @s minecraft:bread 0"
PLACES = "execute as @a[gamemode=survival] run data get entity @s Pos"


async def test_what_is_asked_at_every_step_is_answered_with_the_time_that_passes(
    tmp_path: Path, asked: list[str]
) -> None:
    async with MockWorld(1, tmp_path) as world:
        await world.connect(NAMES)
        found = []
        for step in range(4):
            await world.command("give Gizmo bread 1")
            await world.sleep(1)
            asked.clear()
            # A question, then one that follows from its answer, then another act.
            found.append(await world.command(HOLDS))
            await world.commands([PLACES, "data get entity Gizmo foodLevel"])
            assert asked == ([] if step else ["commands", "commands"])
            await world.command("give Gizmo bread 1")
            assert asked[-1] == "commands"
            # Something has happened since: the world is asked.
            assert f"Found {2 * step + 2} matching item(s) on player Gizmo" in await world.command(HOLDS)
        assert [f"Found {2 * step + 1} matching" in said for step, said in enumerate(found)] == [True] * 4


async def test_only_what_a_waiting_task_asks_first_is_answered_ahead(tmp_path: Path, asked: list[str]) -> None:
    changing = "execute as @a[gamemode=survival] run clear @s minecraft:bread 1"
    async with MockWorld(1, tmp_path) as world:
        await world.connect(NAMES)
        await world.command("give Gizmo bread 8")
        for left in (7, 6, 5):
            await world.sleep(1)
            asked.clear()
            await world.command(changing)
            assert f"Found {left} matching" in await world.command(HOLDS)
            assert asked == ["commands", "commands"]
        # A longer wait passes in several advances, and the last of them brings the answers.
        for step in range(3):
            events = world.events()
            await world.sleep(3.5)
            asked.clear()
            assert "Found 5 matching" in await world.command(HOLDS)
            assert asked == ([] if step else ["commands"])
            del events


async def test_a_refused_question_is_refused_ahead_as_well(tmp_path: Path, asked: list[str]) -> None:
    async with MockWorld(1, tmp_path) as world:
        await world.connect(NAMES)
        for step in range(3):
            await world.sleep(1)
            asked.clear()
            with pytest.raises(CommandError, match="Found no elements matching"):
                await world.command("data get entity Gizmo Nothing")
            assert asked == ([] if step else ["commands"])
