"""A lost bot host: noticed at once, replaced at once, its bots back."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from bridge.node import NodeProcess
from bridge.prerequisites import node_binary
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.supervisor import close_supervisor
from bridge.types import Limits

pytestmark = pytest.mark.live

PLAYERS = ["Gizmo", "Glitch"]
NOTICED_S, REPLACED_S = 1.0, 2.0
LATE_MS = 12_000
LATE = f"""exports.later = () => new Promise((resolve) => setTimeout(() => resolve('late'), {LATE_MS}))
exports.now = (n) => n + 1
process.stdin.on('end', () => process.exit(0))
"""


async def test_a_killed_host_is_noticed_and_replaced_in_time(tmp_path: Path) -> None:
    async with EmbeddedWorld(seed=1, log_dir=tmp_path) as world:
        await world.connect(PLAYERS)
        stream = world.events()
        (host,) = (await world.fleet.stats())["hosts"]
        began = time.monotonic()
        os.kill(host["pid"], signal.SIGKILL)
        seen: dict[str, float] = {}
        async with asyncio.timeout(10):
            async for event in stream:
                key = f"{event.kind} {event.data['state']}" if event.kind in ("host", "bot") else ""
                seen[key] = time.monotonic() - began
                if key == "host up":
                    break
        assert seen["host lost"] <= NOTICED_S
        assert seen["host up"] <= REPLACED_S
        results = await world.run(dict.fromkeys(PLAYERS, "async function main (bot) {}"), Limits(wall_s=5))
        assert {result.outcome for result in results.values()} == {"returned"}


def test_an_answer_that_is_twelve_seconds_late_disables_nothing(tmp_path: Path) -> None:
    close_supervisor()
    script = tmp_path / "late.js"
    script.write_text(LATE)
    node = NodeProcess(node_binary(), script)
    try:
        assert node.call("later") == "late"
        assert [node.call("now", number) for number in range(100)] == list(range(1, 101))
    finally:
        node.close()
