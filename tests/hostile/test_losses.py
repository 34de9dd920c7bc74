"""Losses of a host, the supervisor or a timely answer are noticed and repaired, at nobody's expense."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from accord.studies.study import StudySettings, run_study
from bridge.node import NodeProcess
from bridge.prerequisites import node_binary
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.supervisor import close_supervisor
from bridge.types import Limits
from dilemmas.records.events import LogLine
from dilemmas.records.record import read_events

pytestmark = pytest.mark.live

PLAYERS = ["Gizmo", "Glitch"]
PATIENCE_S = 60.0
LATE_MS = 12_000
SHORT_S = 4.0
LATE = f"""exports.later = () => new Promise((resolve) => setTimeout(() => resolve('late'), {LATE_MS}))
exports.now = (n) => n + 1
"""


async def test_a_killed_host_is_noticed_by_its_end_and_replaced(tmp_path: Path) -> None:
    async with EmbeddedWorld(seed=1, log_dir=tmp_path) as world:
        await world.connect(PLAYERS)
        stream = world.events()
        (host,) = (await world.fleet.stats())["hosts"]
        os.kill(host["pid"], signal.SIGKILL)
        seen: list[tuple[str, str]] = []
        async with asyncio.timeout(PATIENCE_S):
            async for event in stream:
                if event.kind in ("host", "bot"):
                    seen.append((f"{event.kind} {event.data['state']}", event.data["reason"]))
                if seen[-1:] == [("host up", "")]:
                    break
        # Noticed by the process's end; silence would take seconds.
        assert seen[0] == ("host lost", "ended by SIGKILL")
        assert [what for what, _ in seen[1:]] == ["bot ended", "bot ended", "host up"]
        results = await world.run(dict.fromkeys(PLAYERS, "async function main (bot) {}"), Limits(wall_s=5))
        assert {result.outcome for result in results.values()} == {"returned"}


def supervisors() -> list[int]:
    """Return process ids of this Python's JSPyBridge Node processes."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            if parent == os.getpid() and b"bridge.js" in stat.with_name("cmdline").read_bytes():
                found.append(int(stat.parent.name))
    return found


async def test_a_study_goes_on_after_its_supervisor_was_killed(tmp_path: Path) -> None:
    killed: list[int] = []

    def listen(line: LogLine) -> None:
        if line.kind == "action" and not killed:
            killed.extend(supervisors())
            os.kill(killed[0], signal.SIGKILL)

    study = StudySettings("double-vein", contracts=("none", "contract-1"), time_limit_s=SHORT_S, out=tmp_path)
    found = await run_study(study, listen=listen)
    assert len(killed) == 1
    first, second = found.results
    assert [(each["status"], each["repeats"]) for each in found.results] == [("complete", 1), ("complete", 0)]
    assert first["episodes"] == second["episodes"]
    lines = read_events(found.directory / "none" / "events.jsonl")
    (broken,) = [line.event for line in lines if line.kind == "infrastructure"]
    assert (broken.attempt, broken.repeated) == (1, True)
    # The server may tell that a player has left before the end of the process is noticed.
    assert re.search("supervisor process has ended|has left the game", broken.reason)
    assert supervisors() not in ([], killed)


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
