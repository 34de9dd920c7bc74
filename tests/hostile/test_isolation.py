"""Isolation of agents: one of ten takes all it can without effect on the others, and 500 programs run in a row."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Event, Limits, ProgramOutcome

pytestmark = pytest.mark.live

AGENTS = [f"Agent{number}" for number in range(10)]
BAD, *OTHERS = AGENTS
KILLED_CPU_MS = 2000
LIMITS = Limits(wall_s=120)
PATIENCE_S = 60.0
ACTS = 24
STEADY = """async function main (bot) {
  for (let i = 0; i < 24; i++) { await bot.look(i, 0, true); await bot.waitForTicks(5); console.log('acts') }
}"""
HARM = {
    "an endless loop": "while (true) {}",
    "a loop after an await": "await bot.waitForTicks(1); while (true) {}",
    "a regex bomb": "/^(a+)+$/.test('a'.repeat(40) + 'b')",
    "a microtask storm": "for (;;) await null",
    "a gigabyte of strings": "const all = []; for (let i = 0; ; i++) all.push(('x'.repeat(1 << 20) + i).split(''))",
    "two hundred thousand timers": "for (let i = 0; i < 200000; i++) setTimeout(() => {}, 60000); for (;;) await null",
}


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[EmbeddedWorld]:
    async with EmbeddedWorld(seed=1, log_dir=tmp_path) as opened:
        await opened.connect(AGENTS)
        yield opened


class Heard:
    """Events in order of arrival."""

    def __init__(self, world: EmbeddedWorld) -> None:
        self.events: list[Event] = []
        self._over = asyncio.Event()
        self._stream = world.events()
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for event in self._stream:
            self.events.append(event)
            if len(self.ends) == len(AGENTS):
                self._over.set()

    async def close(self) -> None:
        """Stop after the ends of all programs have arrived."""
        async with asyncio.timeout(PATIENCE_S):
            await self._over.wait()
        await self._stream.aclose()
        await self._task

    @property
    def ends(self) -> list[str]:
        """Names of players whose programs ended, in order."""
        policies = [each.data for each in self.events if each.kind == "policy"]
        return [data["bot"] for data in policies if data["state"] == "ended"]


async def test_nine_act_on_while_one_is_killed(world: EmbeddedWorld) -> None:
    for name, source in HARM.items():
        heard = Heard(world)
        programs = {BAD: f"async function main (bot) {{ {source} }}", **dict.fromkeys(OTHERS, STEADY)}
        results = await world.run(programs, LIMITS)
        await heard.close()
        assert results[BAD].outcome in (ProgramOutcome.TIMEOUT, ProgramOutcome.THREW), name
        assert results[BAD].cpu_ms <= KILLED_CPU_MS, name
        assert {results[other].outcome for other in OTHERS} == {ProgramOutcome.RETURNED}, name
        assert heard.ends[0] == BAD, f"{name}: all others are still at it"
        acts = Counter(each.data["bot"] for each in heard.events if each.kind == "log")
        assert acts == dict.fromkeys(OTHERS, ACTS), name
        assert [each.data for each in heard.events if each.kind in ("bot", "host")] == [], name
        again = await world.run({BAD: "async function main (bot) { await bot.waitForTicks(2) }"}, LIMITS)
        assert again[BAD].outcome is ProgramOutcome.RETURNED, name


SOAK = """async function main (bot) {
  for (const event of ['chat', 'health', 'physicsTick']) bot.on(event, () => {})
  setInterval(() => {}, 10); setTimeout(() => {}, 5000)
  bot.setControlState('sneak', true)
  bot.findBlocks({ matching: (block) => block.name === 'dirt', maxDistance: 8, count: 4 })
  console.log('round', mcData.blocksByName.stone.id)
  bot.waitForTicks(100)
  %s
}"""
ENDS = ["", "await bot.waitForTicks(1)", "throw new Error('own')", "null.x"]
STORM = "for (;;) await null"
ROUNDS, WARM, STEP = 500, 300, 100
"""The memory of a young process grows to its working size, so that only later growth counts.

Objects on the heap count from the first policy on.
"""
LOOKS = ROUNDS // STEP + 1
AT_MOST = 2000
"""Number of policies until a process on a busy machine reaches its working size; a leak grows beyond it."""
MB = 2**20
MOST_PER_HUNDRED_MB = 1.0


async def test_five_hundred_policies_in_one_host_leave_nothing(world: EmbeddedWorld) -> None:
    await world.disconnect(OTHERS)
    memory: list[float] = []
    heap: list[float] = []

    async def look() -> tuple[dict[str, int], dict[str, int]]:
        await asyncio.sleep(0.7)  # one heartbeat, which updates the memory figures
        (host,) = await world.fleet.examine()
        assert host["changed"] == []
        heap.append(host["heap"] / MB)
        memory.append((await world.fleet.stats())["hosts"][0]["rss"] / MB)
        return host["listeners"], host["resources"]

    async def play(count: int) -> None:
        for number in range(count):
            end = STORM if number % 50 == 0 else ENDS[number % len(ENDS)]
            await world.run({BAD: SOAK % end}, Limits(wall_s=5))

    for _ in range(WARM // STEP):
        await look()
        await play(STEP)
    memory.clear()
    listeners, resources = await look()
    for played in range(STEP, AT_MOST + STEP, STEP):
        await play(STEP)
        last = await look()
        assert last[0] == listeners
        assert sum(last[1].values()) <= sum(resources.values()) + 3, last[1]
        del memory[:-LOOKS]
        if played >= ROUNDS and _slope(memory) < MOST_PER_HUNDRED_MB:
            break
    for values in (memory, heap):
        slope = _slope(values)
        assert slope < MOST_PER_HUNDRED_MB, f"{slope:.2f} MB per {STEP} policies: {values}"


def _slope(values: list[float]) -> float:
    """Return the least-squares slope per step."""
    middle = (len(values) - 1) / 2
    mean = sum(values) / len(values)
    over = sum((index - middle) * (value - mean) for index, value in enumerate(values))
    return over / sum((index - middle) ** 2 for index in range(len(values)))
