"""Payments into community chests while they are read and emptied, as on servers that run by themselves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bridge.errors import CommandError
from bridge.mock_world import MockWorld
from bridge.worlds import OneOfMany
from dilemmas.minecraft import commands
from dilemmas.records.events import Event, SeasonClosed, SeasonOpened, TaxMoved
from dilemmas.scenarios.protocol import NoRules
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.taxation.rules import TaxedLife
from dilemmas.scenarios.taxation.scenario import Taxation
from tests.fakes.taxed import TRADES, small_taxation

OPENS, CLOSES, AGAIN, ENDS = 4.0, 12.0, 16.0, 24.0
"""Two seasons, in seconds."""
SEASONS = {"count": 2, "every_s": 12, "window_s": 8}


class Interleaved(OneOfMany, MockWorld):
    """World in which a player acts once between two commands of others, at `moment`."""

    moment = ""
    """`emptying`: before the first command that takes an item out of a chest; `reading`: in the middle of a reading,
    between the questions about chests and those about people.
    """
    deed: Sequence[str] = ()
    _asked = ""

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        if self.moment == "emptying" and any(text.endswith(" with air") for text in texts):
            await self._act()
        replies: list[str | CommandError] = []
        for text in texts if self.moment == "reading" else ():
            kind = text.split()[2] if text.startswith("data get ") else ""
            if self.moment and self._asked and kind not in ("", self._asked):
                await self._act()
            self._asked = kind or self._asked
            replies += await super().commands([text])
        return replies or await super().commands(texts)

    async def _act(self) -> None:
        self.moment = self._asked = ""
        await commands.give(self, [commands.Command(text) for text in self.deed])


@pytest.fixture(scope="module")
def scenario(tmp_path_factory: pytest.TempPathFactory) -> Taxation:
    found = load_scenario(str(small_taxation(tmp_path_factory.mktemp("taxed"), seasons=SEASONS)))
    assert isinstance(found, Taxation)
    return found


@pytest.fixture
async def world(scenario: Taxation, tmp_path: Path) -> AsyncIterator[Interleaved]:
    """Yield a world: Ann stands at the northern chest with ten loaves; the others are far away and hold nothing."""
    async with Interleaved(1, tmp_path, threaded=False) as opened:
        await opened.connect([*TRADES])
        x, y, z = chest(scenario)
        at = [f"{x} {y} {z}", *(scenario.layout.at(each.at) for each in scenario.spec.world.community_chests.values())]
        built = [f"setblock {each} minecraft:chest" for each in dict.fromkeys(at)]
        stand = [
            f"tp Ann {x - 1}.5 {y} {z}.5",
            *(f"tp {name} {x}.5 {y} {z + 40}.5" for name in TRADES if name != "Ann"),
        ]
        await commands.give(opened, [commands.Command(text) for text in [*built, *stand, "give Ann bread 10"]])
        yield opened


def chest(scenario: Taxation) -> tuple[int, int, int]:
    return scenario.layout.cell(scenario.spec.world.community_chests["north"].at)


def deposit(scenario: Taxation, count: int, *, slot: int, then: int) -> list[str]:
    """Return commands by which Ann puts loaves into a slot, which holds `then` loaves afterwards."""
    x, y, z = chest(scenario)
    return [f"clear Ann bread {count}", f"item replace block {x} {y} {z} container.{slot} with bread {then}"]


def of(kind: type[Any], told: Sequence[Event]) -> list[Any]:
    return [event for event in told if isinstance(event, kind)]


async def season(world: Interleaved, rules: TaxedLife, *, moment: str, at: float, deed: Sequence[str]) -> list[Event]:
    """Play the first season and the second one's opening, with a deed at a moment of a step."""
    told: list[Event] = []
    for t_s in (OPENS, OPENS + 1, CLOSES, AGAIN):
        if t_s == at:
            world.moment, world.deed = moment, deed
        told += (await rules.step(world, t_s)).happened
        assert not world.moment, f"the deed at {t_s} has been done"
        if t_s == OPENS:
            first = [
                "clear Ann bread 2",
                f"item replace block {' '.join(map(str, rules._at['north']))} container.0 with bread 2",
            ]
            await commands.give(world, [commands.Command(text) for text in first])
    return told


@pytest.mark.parametrize("moment", ["emptying", "reading"])
@pytest.mark.parametrize(("slot", "then"), [(5, 3), (0, 5)], ids=["into its own slot", "upon what lies there"])
async def test_items_put_in_while_chests_are_read_and_emptied_are_paid(
    world: Interleaved, scenario: Taxation, moment: str, slot: int, then: int
) -> None:
    """Ann has put in two loaves before, and puts in three more when the season is being closed."""
    rules = TaxedLife(scenario, NoRules())
    deed = deposit(scenario, 3, slot=slot, then=then)
    told = await season(world, rules, moment=moment, at=CLOSES, deed=deed)
    (closed,) = of(SeasonClosed, told)
    assert (closed.paid["Ann"], closed.chests["north"]) == (5, {"bread": 5})
    assert (closed.balanced, closed.unattributed) == (True, {})
    assert sum(sum(move.items.values()) for move in of(TaxMoved, told) if move.player == "Ann") == 5
    # It came after the first emptying, and is what the next season begins with; it is paid once.
    opened = of(SeasonOpened, told)[1]
    held = await commands.inventory(world, "Ann")
    assert (held["bread"], opened.held["Ann"]) == (5, {"bread": 5})
    again = (await rules.step(world, AGAIN + 1)).happened
    assert not of(TaxMoved, again)
    (second,) = of(SeasonClosed, (await rules.step(world, ENDS)).happened)
    assert (second.paid["Ann"], second.chests, second.balanced) == (0, opened.chests, True)
    assert await commands.contents(world, chest(scenario)) == {}


async def test_items_put_in_while_a_season_opens_are_nobodys_debt(world: Interleaved, scenario: Taxation) -> None:
    """The item counts as there before: as Ann's, or as the chest's."""
    rules = TaxedLife(scenario, NoRules())
    deed = deposit(scenario, 3, slot=5, then=3)
    told = await season(world, rules, moment="reading", at=OPENS, deed=deed)
    (closed,) = of(SeasonClosed, told)
    assert (closed.balanced, closed.unattributed, closed.paid["Ann"]) == (True, {}, 2)
    assert of(SeasonOpened, told)[0].chests["north"] == {"bread": 3}


async def test_a_chest_that_is_gone_has_nothing_and_stops_nothing(world: Interleaved, scenario: Taxation) -> None:
    x, y, z = chest(scenario)
    rules = TaxedLife(scenario, NoRules())
    told = await season(world, rules, moment="emptying", at=CLOSES, deed=[f"setblock {x} {y} {z} air"])
    (closed,) = of(SeasonClosed, told)
    assert (closed.paid["Ann"], closed.chests["north"], closed.unattributed) == (2, {}, {"bread": -2})
    assert not closed.balanced


async def test_a_market_chest_that_somebody_has_broken_stands_and_is_full_again(
    world: Interleaved, scenario: Taxation
) -> None:
    """Another block that stands there by then stays, and the commands do not fail."""
    rules = TaxedLife(scenario, NoRules())
    gone, blocked = (scenario.layout.cell(each.at) for each in scenario.spec.world.chests[:2])
    await commands.give(world, [commands.Command(f"setblock {' '.join(map(str, blocked))} stone")])
    await rules.step(world, scenario.spec.rules.restock_s + 1)
    assert await commands.contents(world, gone) == scenario.spec.world.chests[0].items
    assert await commands.contents(world, blocked) == {}
