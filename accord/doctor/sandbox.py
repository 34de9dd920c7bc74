"""Which protections stand between a policy and this machine, as a real bot host and a real isolate find them.

What the system may refuse (a user of their own, a network of their own) is a warning with the way to get it; what has
to hold everywhere is a failure.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from accord.doctor.checks import DoctorCheck
from bridge.confinement import UID, Confinement, Lack, confinement
from bridge.servers.world import ServerWorld
from bridge.types import Limits, ProgramOutcome

BROKEN = "do not run models' programs here; report this line"
LIMITS = Limits(wall_s=5)
FOREIGN = ("WebAssembly", "SharedArrayBuffer", "Atomics", "process", "fetch", "Buffer")
"""What an isolate must not have."""
_LOOK = f"""async function main (bot) {{
  const found = {list(FOREIGN)!r}.filter((name) => name in globalThis)
  if (found.length > 0) throw new Error(found.join(', '))
}}"""
GRANTS = {"write": "writes files", "start": "starts processes", "thread": "starts threads", "read": "reads any file"}
"""What the permission model has to refuse, by the host's own names for it."""


async def sandbox(world: ServerWorld[Any], bot: str) -> list[DoctorCheck]:
    """Look at the first bot host of an open world, and at an isolate that runs for `bot`."""
    host, *_ = await world.fleet.examine()
    ended = (await world.run({bot: _LOOK}, LIMITS))[bot]
    isolate = DoctorCheck("sandbox: isolate", "ok", "no Node, no WebAssembly, no shared memory")
    if ended.outcome is not ProgramOutcome.RETURNED:
        said = ended.error.message if ended.error else str(ended.outcome)
        isolate = DoctorCheck("sandbox: isolate", "fail", f"a policy finds {said}", BROKEN)
    return [isolate, *of_host(host, confinement())]


def of_host(host: Mapping[str, Any], found: Confinement) -> list[DoctorCheck]:
    """Checks of what a host said of itself (`protections` of its examination, bridge/host/examine.js)."""
    said = host["protections"]
    granted = [words for name, words in GRANTS.items() if said["granted"][name]]
    return [
        _held("permission model", not granted, "reads its own code, writes and starts nothing", ", ".join(granted)),
        _held("environment", not said["environment"], "empty", f"{len(said['environment'])} variables are passed on"),
        _held("memory watchdog", host["rss_mb"] > 0, f"a host above {host['rss_mb']} MB is replaced", "no bound"),
        _given("own user", said["user"] == UID and found.own_user, f"hosts run as user {UID}", found.no_user),
        _given("own network", said["interfaces"] == 0, "nothing is reached but the world", found.no_network),
    ]


def _held(name: str, holds: bool, good: str, bad: str) -> DoctorCheck:
    """What has to hold on every machine."""
    return (
        DoctorCheck(f"sandbox: {name}", "ok", good) if holds else DoctorCheck(f"sandbox: {name}", "fail", bad, BROKEN)
    )


def _given(name: str, holds: bool, good: str, lack: Lack | None) -> DoctorCheck:
    """What the system may refuse."""
    if holds:
        return DoctorCheck(f"sandbox: {name}", "ok", good)
    lack = lack or Lack(f"not in force on {sys.platform}", "report this line")
    return DoctorCheck(f"sandbox: {name}", "warn", f"missing: {lack.why}", lack.remedy)
