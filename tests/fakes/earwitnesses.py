"""Programs that listen while others speak: the same check on every world."""

from __future__ import annotations

import asyncio

from bridge.types import Event, Limits
from bridge.worlds import World

LISTEN = """async function listen (bot) {
  bot.on('chat', (from, text) => console.log(`${from}: ${text}`))
  await bot.waitForTicks(60)
}"""
AT = {"Ada": 0, "Bea": 10, "Cleo": 24, "Dov": 60}
"""How far east each stands."""


async def heard_by_programs(world: World, reach: dict[str, float] | None) -> dict[str, list[str]]:
    """Listener -> what its program heard, when Ada says one line, shouts another and whispers one to Bea."""
    await world.connect(list(AT))
    for name, x in AT.items():
        await world.command(f"gamemode survival {name}")
        await world.command(f"tp {name} {x}.5 -60 0.5")
    await world.hearing(reach)
    await world.sleep(1.5)
    told: list[Event] = []
    stream = world.events()

    async def note() -> None:
        async for event in stream:
            told.append(event)

    noting = asyncio.create_task(note())
    listening = asyncio.create_task(world.run({name: LISTEN for name in AT if name != "Ada"}, Limits(wall_s=30)))
    await world.sleep(0.5)
    await world.speak(
        [("Ada", "near", None), ("Ada", "!far", None), ("Ada", "secret", "Bea"), ("Ada", "/op Ada", None)]
    )
    await world.speak([("Nobody", "boo", None)])
    await listening
    await world.sleep(0.5)
    noting.cancel()
    logs = [event.data for event in told if event.kind == "log"]
    return {name: [each["text"] for each in logs if each["bot"] == name] for name in AT if name != "Ada"}


BY_DISTANCE = {"Bea": ["Ada: near", "Ada: !far"], "Cleo": ["Ada: !far"], "Dov": []}
BY_ALL = {name: ["Ada: near", "Ada: !far"] for name in ("Bea", "Cleo", "Dov")}
