"""Goods of people and of the public on the mock world: no item and no coin appears or is lost in random play."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncIterator
from fractions import Fraction
from pathlib import Path

import pytest

from bridge.mock_world import MockWorld
from contracts.institutions.marketplace import net_changes
from contracts.markets import GoodsTransfer
from dilemmas.minecraft import commands
from dilemmas.minecraft.coffers import Coffer
from dilemmas.minecraft.commands import Command
from dilemmas.scenarios.societies.goods import WorldGoods, WorldLedger

PEOPLE = ("Ann", "Bob", "Thorin")
ITEMS = ("emerald", "bread", "oak_log", "stone_pickaxe")
CHESTS = {"treasury": (3, 0, 0), "pool": (6, 0, 0)}
HOLDERS = (*PEOPLE, *CHESTS)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[MockWorld]:
    """Yield a world with three people that hold some of everything, and two public chests."""
    async with MockWorld(1, tmp_path, threaded=False) as opened:
        await opened.connect(list(PEOPLE))
        texts = [f"setblock {x} {y} {z} minecraft:chest" for x, y, z in CHESTS.values()]
        for name in PEOPLE:
            texts += [f"clear {name}", f"gamemode survival {name}", f"tp {name} 0.5 0 4.5"]
            texts += [f"give {name} minecraft:{item} {2 if item == 'stone_pickaxe' else 20}" for item in ITEMS]
        await commands.give(opened, [Command(text, (commands.NOTHING_HELD,)) for text in texts])
        yield opened


def hall(world: MockWorld) -> WorldGoods:
    return WorldGoods(world, PEOPLE, (0.5, 0, 4.5), 8, CHESTS)


async def holdings(goods: WorldGoods) -> dict[str, Counter[str]]:
    held = {**await goods.read(everybody=True), **await goods.public()}
    return {name: Counter({item: held[name].get(item, 0) for item in ITEMS}) for name in HOLDERS}


def transfers(dice: random.Random) -> list[GoodsTransfer]:
    found = []
    for _ in range(dice.randint(1, 3)):
        giver, taker = dice.sample(HOLDERS, 2)
        found.append(GoodsTransfer(giver, taker, {dice.choice(ITEMS): dice.randint(1, 15)}))
    return found


@pytest.mark.parametrize("seed", range(4))
async def test_random_transfers_and_payments_conserve_every_item_and_coin(world: MockWorld, seed: int) -> None:
    dice, goods = random.Random(seed), hall(world)
    ledger = WorldLedger(goods, "emerald")
    carried = refused = 0
    before = await holdings(goods)
    everything = sum(before.values(), Counter[str]())
    for _ in range(25):
        if dice.random() < 0.5:
            made = transfers(dice)
            changes, done = net_changes(made), await goods.carry(made)
            able = all(
                before[name][item] + change >= 0 for name, own in changes.items() for item, change in own.items()
            )
            assert done == able
            carried, refused = carried + done, refused + (not done)
            moved = changes if done else {}
        else:
            await ledger.refresh()
            payer, payee = dice.sample(HOLDERS, 2)
            due = Fraction(dice.randint(0, 60), 2)
            paid = await ledger.pay(payer, payee, due)
            assert paid == min(int(due), before[payer]["emerald"])
            moved = {payer: {"emerald": -int(paid)}, payee: {"emerald": int(paid)}}
        after = await holdings(goods)
        for name in HOLDERS:
            assert after[name] == Counter(
                {item: before[name][item] + moved.get(name, {}).get(item, 0) for item in ITEMS}
            )
        assert sum(after.values(), Counter[str]()) == everything
        before = after
    assert carried
    assert refused


async def test_what_somebody_takes_out_of_the_treasury_is_gone_from_it_and_nothing_else(world: MockWorld) -> None:
    goods = hall(world)
    ledger = WorldLedger(goods, "emerald")
    await ledger.refresh()
    assert await ledger.pay("Ann", "treasury", Fraction(9)) == 9
    x, y, z = CHESTS["treasury"]
    robbed = [f"item replace block {x} {y} {z} container.0 with minecraft:emerald 2", "give Bob minecraft:emerald 7"]
    await commands.give(world, [Command(text) for text in robbed])
    # The ledger believes in nine until it looks again, and the world decides.
    assert await ledger.pay("treasury", "Thorin", Fraction(5)) == 2
    await ledger.refresh()
    assert [ledger.holds(name) for name in (*PEOPLE, "treasury")] == [11, 27, 22, 0]


async def test_a_full_or_missing_chest_takes_nothing_and_the_payer_keeps_it(world: MockWorld) -> None:
    x, y, z = CHESTS["treasury"]
    full = [f"item replace block {x} {y} {z} container.{slot} with minecraft:stone 64" for slot in range(27)]
    await commands.give(world, [Command(text) for text in full])
    goods = hall(world)
    ledger = WorldLedger(goods, "emerald")
    await ledger.refresh()
    assert await ledger.pay("Ann", "treasury", Fraction(5)) == 0
    assert not await goods.carry(
        [GoodsTransfer("Ann", "treasury", {"bread": 1}), GoodsTransfer("Bob", "Ann", {"emerald": 3})]
    )
    x, y, z = CHESTS["pool"]
    await commands.give(world, [Command(f"setblock {x} {y} {z} minecraft:air")])
    assert not await goods.carry([GoodsTransfer("Ann", "pool", {"emerald": 2})])
    held = await goods.read(everybody=True)
    assert {name: (items["emerald"], items["bread"]) for name, items in held.items()} == dict.fromkeys(PEOPLE, (20, 20))


async def test_a_chest_holds_stacks_of_their_size(world: MockWorld) -> None:
    coffer = Coffer(world, CHESTS["pool"])
    assert await coffer.put("emerald", 70) == 70
    assert await coffer.put("emerald", 60) == 60
    assert await coffer.put("stone_pickaxe", 3) == 3
    [stacks], _ = await commands.goods(world, [CHESTS["pool"]], [])
    assert sorted((each.item, each.count) for each in stacks) == [
        ("emerald", 2), ("emerald", 64), ("emerald", 64), ("stone_pickaxe", 1), ("stone_pickaxe", 1),
        ("stone_pickaxe", 1),
    ]  # fmt: skip
    assert await coffer.take("emerald", 100) == 100
    assert await coffer.items() == {"emerald": 30, "stone_pickaxe": 3}
    assert await coffer.put("emerald", 64 * 27) == 64 * 24 - 30
