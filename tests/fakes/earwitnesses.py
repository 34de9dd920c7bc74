"""Programs that listen while others speak, as one check for every world."""

from __future__ import annotations

import asyncio

from bridge.types import Event, Limits
from bridge.worlds import World

LISTEN = """async function listen (bot) {
  bot.on('chat', (from, text) => console.log(`${from}: ${text}`))
  console.log('listens')
  await bot.waitForTicks(6000)
}"""
LISTENS = "listens"
LOOK_S, MOST_LOOKS = 0.25, 240
"""Maximum wait until programs run and lines arrive on a busy machine, in seconds."""
AT = {"Ada": 0, "Bea": 10, "Cleo": 24, "Dov": 60}
"""Player -> distance to the east, in blocks."""


async def heard_by_programs(world: World, reach: dict[str, float] | None) -> dict[str, list[str]]:
    """Return listener -> lines heard by its program when Ada says, shouts and whispers one line each."""
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

    async def until(text: str, *names: str) -> None:
        for _ in range(MOST_LOOKS):
            if {(event.data["bot"], event.data["text"]) for event in told if event.kind == "log"} >= {
                (name, text) for name in names
            }:
                return
            await world.sleep(LOOK_S)

    listeners = [name for name in AT if name != "Ada"]
    noting = asyncio.create_task(note())
    listening = asyncio.create_task(world.run(dict.fromkeys(listeners, LISTEN), Limits(wall_s=300)))
    await until(LISTENS, *listeners)
    await world.speak(
        [("Ada", "near", None), ("Ada", "!far", None), ("Ada", "secret", "Bea"), ("Ada", "/op Ada", None)]
    )
    await world.speak([("Nobody", "boo", None)])
    await until("Ada: !far", "Bea", "Cleo")
    await world.sleep(1)  # Players beyond earshot would have heard it by now.
    await world.cancel(listeners)
    await listening
    await world.sleep(0.5)
    noting.cancel()
    logs = [event.data for event in told if event.kind == "log" and event.data["text"] != LISTENS]
    return {name: [each["text"] for each in logs if each["bot"] == name] for name in listeners}


BY_DISTANCE = {"Bea": ["Ada: near", "Ada: !far"], "Cleo": ["Ada: !far"], "Dov": []}
BY_ALL = {name: ["Ada: near", "Ada: !far"] for name in ("Bea", "Cleo", "Dov")}
