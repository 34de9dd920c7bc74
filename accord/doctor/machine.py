"""Checks of a machine's prerequisites for studies; each result names the finding and the remedy."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from accord.doctor.checks import DoctorCheck, Level
from accord.doctor.sandbox import sandbox_checks
from bridge.errors import BridgeError
from bridge.prerequisites import ROOT, check_node, check_packages, node_binary
from bridge.servers.world import ServerWorld
from bridge.worlds import World, open_world
from common.errors import PrerequisiteError
from voyager_agents.errors import ModelError

__all__ = ["DoctorCheck", "Level", "examine"]

PYTHON = (3, 11)
HOST = "127.0.0.1"
BOT = "Doctor"
GAME_PORT = 25565
"""Default port of Minecraft clients."""
MEMORY_MB = 1024
"""Memory for a server, a supervisor and one bot host with two policies, with reserve, in MB."""
DISK_MB = 200
WORLD_S = 15.0
"""Maximum start-up time of a world, in seconds."""
NODE_S = 20.0
_ISOLATE = """
const ivm = require('isolated-vm')
const isolate = new ivm.Isolate({ memoryLimit: 16 })
process.stdout.write(String(isolate.createContextSync().evalSync('6 * 7')))
"""


async def examine(out: Path, open_: Callable[..., World] = open_world) -> list[DoctorCheck]:
    """Return all checks in the order of repair. Starts a world briefly, and leaves nothing behind."""
    checks = [
        python_check(),
        node_check(),
        packages_check(),
        isolates_check(),
        ports_check(),
        memory_check(),
        folder_check(out),
        key_check(),
        local_model_check(),
    ]
    if any(check.state == "fail" for check in checks[:4]):
        return [*checks, DoctorCheck("embedded world", "info", "not tried", "mend the failures above first")]
    return [*checks, *await world_check(open_)]


def python_check() -> DoctorCheck:
    """Check that this Python is new enough."""
    version = platform.python_version()
    if sys.version_info[:2] < PYTHON:
        return DoctorCheck("Python", "fail", version, "needed is 3.11 or newer: run make PYTHON=/path/to/python3.11")
    return DoctorCheck("Python", "ok", version)


def node_check() -> DoctorCheck:
    """Check that the installation's own Node is present and has the right version."""
    try:
        binary = node_binary()
        check_node(binary)
    except PrerequisiteError as error:
        return _missing("Node", error)
    return DoctorCheck("Node", "ok", str(binary))


def packages_check() -> DoctorCheck:
    """Check that node_modules matches the lockfile."""
    try:
        check_packages()
    except PrerequisiteError as error:
        return _missing("JavaScript packages", error)
    return DoctorCheck("JavaScript packages", "ok", "as package-lock.json says")


def isolates_check() -> DoctorCheck:
    """Check that isolated-vm, a native module, loads and runs."""
    name, remedy = "policy isolates", "run make clean setup; if it stays, this platform has no prebuilt isolated-vm"
    try:
        ended = subprocess.run(
            [str(node_binary()), "--no-node-snapshot", "-e", _ISOLATE],
            cwd=ROOT, env={}, capture_output=True, text=True, timeout=NODE_S,
        )  # fmt: skip
    except PrerequisiteError as error:
        return _missing(name, error)
    except (OSError, subprocess.TimeoutExpired) as error:
        return DoctorCheck(name, "fail", f"Node did not run ({type(error).__name__})", remedy)
    if ended.stdout != "42":
        lines = [line for line in ended.stderr.splitlines() if "Error" in line] or ["no answer"]
        return DoctorCheck(name, "fail", f"isolated-vm does not load ({lines[0].strip()})", remedy)
    return DoctorCheck(name, "ok", "isolated-vm loads")


def ports_check() -> DoctorCheck:
    """Check that a server can listen on loopback, and whether the default port is free."""
    try:
        _listen(0)
    except OSError as error:
        return DoctorCheck(
            "ports", "fail", f"nothing can listen on {HOST} ({error.strerror})", "allow loopback sockets here"
        )
    try:
        _listen(GAME_PORT)
    except OSError:
        remedy = "nothing: a free port is taken, unless --port asks for this one"
        return DoctorCheck("ports", "info", f"{HOST}:{GAME_PORT} is taken, others are free", remedy)
    return DoctorCheck("ports", "ok", f"{HOST}:{GAME_PORT} and others are free")


def memory_check() -> DoctorCheck:
    """Check the free memory."""
    try:
        pages, size = os.sysconf("SC_AVPHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return DoctorCheck("memory", "info", "the free memory is unknown on this system")
    free_mb = pages * size // 2**20
    if free_mb < MEMORY_MB:
        return DoctorCheck("memory", "warn", f"{free_mb} MB free", f"free some: a study needs about {MEMORY_MB} MB")
    return DoctorCheck("memory", "ok", f"{free_mb} MB free")


def folder_check(out: Path) -> DoctorCheck:
    """Check that runs can be written, without creating the folder."""
    name = "runs folder"
    place = out.expanduser().absolute()
    while not place.exists():
        place = place.parent
    try:
        with tempfile.TemporaryFile(dir=place):
            free_mb = shutil.disk_usage(place).free // 2**20
    except OSError as error:
        remedy = "choose another folder with --out, or make this one writable"
        return DoctorCheck(name, "fail", f"{out} cannot be written ({error.strerror})", remedy)
    if free_mb < DISK_MB:
        return DoctorCheck(
            name, "warn", f"{free_mb} MB left for {out}", "free some disk, or choose another folder with --out"
        )
    return DoctorCheck(name, "ok", f"{out} can be written, {free_mb} MB left")


def key_check() -> DoctorCheck:
    """Check for a model key in the environment without revealing it."""
    if os.environ.get("OPENAI_API_KEY"):
        return DoctorCheck("model key", "info", "OPENAI_API_KEY is set")
    remedy = "only for --model openai/NAME: export OPENAI_API_KEY=..., or give --base-url of a model here"
    return DoctorCheck("model key", "info", "OPENAI_API_KEY is not set", remedy)


def local_model_check() -> DoctorCheck:
    """Check that engine and weights of `--model local` are installed and fit into the free memory."""
    from voyager_agents.models.local.gguf import read_header
    from voyager_agents.models.local.memory import free_memory
    from voyager_agents.models.local.settings import local_spec
    from voyager_agents.models.local.shared_engine import engines

    name = "local model"
    try:
        spec = local_spec(None)
    except ModelError as error:
        found, _, remedy = str(error).removeprefix("model local: ").partition(": ")
        return DoctorCheck(name, "info", found, f"only for --model local: {remedy}")
    header, free = read_header(spec.file), free_memory()
    needed = header.memory(spec.options.context) if header else 0
    told = f"{spec.file.stem}, {spec.to_dict()['engine']}, {len(engines())} up"
    if free is not None and needed > free:
        memory = f"needs {needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free"
        return DoctorCheck(name, "warn", f"{told}; {memory}", "end other programs, or give a smaller --local context")
    return DoctorCheck(name, "ok", told)


async def world_check(open_: Callable[..., World]) -> list[DoctorCheck]:
    """Check that the embedded server starts and a bot joins, then the protections around its programs."""
    name, began = "embedded world", time.monotonic()
    with tempfile.TemporaryDirectory(prefix="accord-doctor-") as logs:
        try:
            async with asyncio.timeout(WORLD_S), open_("embedded", seed=0, log_dir=Path(logs)) as opened:
                await opened.connect([BOT])
                joined = f"a bot joined {opened.address} and left again"
                protections = await sandbox_checks(opened, BOT) if isinstance(opened, ServerWorld) else []
        except TimeoutError:
            return [
                DoctorCheck(name, "fail", f"not up within {WORLD_S:.0f} s", "end other heavy programs and try again")
            ]
        except (BridgeError, PrerequisiteError, ImportError, OSError) as error:
            return [
                DoctorCheck(
                    name, "fail", _last_words(error, Path(logs)), "run make setup; if it stays, report this line"
                )
            ]
    return [DoctorCheck(name, "ok", f"{joined}, {time.monotonic() - began:.1f} s in all"), *protections]


def _last_words(error: Exception, logs: Path) -> str:
    """Return the error with the last error lines of the world's logs, which disappear with the check."""
    lines = [line for log in sorted(logs.rglob("*.log")) for line in log.read_text(errors="replace").splitlines()]
    said = [line.strip() for line in lines if "rror" in line]
    return f"{error} ({said[-1][:300]})" if said else str(error)


def _listen(port: int) -> None:
    """Listen briefly. Raises OSError."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(1)


def _missing(name: str, error: PrerequisiteError) -> DoctorCheck:
    """Split the bridge's message into finding and remedy, which follows its last colon."""
    found, _, remedy = str(error).rpartition(": ")
    return DoctorCheck(name, "fail", found or str(error), remedy)
