"""Checks of the protections between a policy and this machine, as seen by a real bot host and isolate.

Protections that the system may lack (own user, own network) cause warnings with a remedy. Missing protections that must
hold everywhere are failures.
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
"""Globals that an isolate must not have."""
_LOOK = f"""async function main (bot) {{
  const found = {list(FOREIGN)!r}.filter((name) => name in globalThis)
  if (found.length > 0) throw new Error(found.join(', '))
}}"""
GRANTS = {"write": "writes files", "start": "starts processes", "thread": "starts threads", "read": "reads any file"}
"""Permissions that must be denied, by the host's names for them."""


async def sandbox_checks(world: ServerWorld[Any], bot: str) -> list[DoctorCheck]:
    """Examine the first bot host of an open world, and an isolate that runs for `bot`."""
    host, *_ = await world.fleet.examine()
    ended = (await world.run({bot: _LOOK}, LIMITS))[bot]
    isolate = DoctorCheck("sandbox: isolate", "ok", "no Node, no WebAssembly, no shared memory")
    if ended.outcome is not ProgramOutcome.RETURNED:
        said = ended.error.message if ended.error else str(ended.outcome)
        isolate = DoctorCheck("sandbox: isolate", "fail", f"a policy finds {said}", BROKEN)
    return [isolate, *host_checks(host, confinement())]


def host_checks(host: Mapping[str, Any], found: Confinement) -> list[DoctorCheck]:
    """Return checks of a host's report (`protections` in bridge/host/examine.js)."""
    said = host["protections"]
    granted = [words for name, words in GRANTS.items() if said["granted"][name]]
    return [
        _required("permission model", not granted, "reads its own code, writes and starts nothing", ", ".join(granted)),
        _required(
            "environment", not said["environment"], "empty", f"{len(said['environment'])} variables are passed on"
        ),
        _required("memory watchdog", host["rss_mb"] > 0, f"a host above {host['rss_mb']} MB is replaced", "no bound"),
        _optional("own user", said["user"] == UID and found.own_user, f"hosts run as user {UID}", found.no_user),
        _optional("own network", said["interfaces"] == 0, "nothing is reached but the world", found.no_network),
    ]


def _required(name: str, holds: bool, good: str, bad: str) -> DoctorCheck:
    """Return the result for a protection that must hold on every machine."""
    return (
        DoctorCheck(f"sandbox: {name}", "ok", good) if holds else DoctorCheck(f"sandbox: {name}", "fail", bad, BROKEN)
    )


def _optional(name: str, holds: bool, good: str, lack: Lack | None) -> DoctorCheck:
    """Return the result for a protection that the system may lack."""
    if holds:
        return DoctorCheck(f"sandbox: {name}", "ok", good)
    lack = lack or Lack(f"not in force on {sys.platform}", "report this line")
    return DoctorCheck(f"sandbox: {name}", "warn", f"missing: {lack.why}", lack.remedy)
