"""Cleanup of Node after Python was killed with -9 at any step of the start, even if others hold Node's input."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bridge.prerequisites import ROOT, node_binary
from tests.unit.bridge.node_processes import PATIENCE_S, left_over, running

SHORT_S = 1.5
PREAMBLE = """
import os, signal, sys, threading
from pathlib import Path
from bridge import node
def die(*_): os.kill(os.getpid(), signal.SIGKILL)
"""
START = "node.NodeProcess(binary, script)"
MOMENTS = {
    "Node is spawned": f"""
start = node.subprocess.Popen
node.subprocess.Popen = lambda *args, **given: (start(*args, **given), die())
{START}""",
    "JSPyBridge has loaded": f"node._forget_objects = die\n{START}",
    "the script is about to be asked for": f"node.NodeProcess._guarded = die\n{START}",
    "the script loads": START,
    "the script was loaded": f"{START}\ndie()",
    "a fork of Python holds Node's input": f"""
held = {START}
if os.fork() == 0:
    sys.stdin.read()
    os._exit(0)
die()""",
}
"""Python code that runs up to the moment of the kill."""
AFTER_MS = range(0, 160, 20)
"""Further moments of the kill, in milliseconds of wall time."""
HOSTS_AFTER_MS = (0, 20, 50, 100, 200, 400, 800)
"""Further moments after the request for a host, which takes half a second to start, in milliseconds."""
OPEN = """
import asyncio
from bridge.fleet import Fleet
from bridge.supervisor import Supervisor
held = Supervisor(lambda: node.NodeProcess(binary, node.ROOT / 'bridge/host/supervisor/supervisor.js'))
fleet = Fleet(held, host_script=script)
async def main():
    await fleet.echo()
    threading.Timer(after_s, die).start()
    await fleet.open()
    await asyncio.Event().wait()
asyncio.run(main())"""
HOST = f"""const ROOT = {str(ROOT / "bridge/host")!r}
const {{ Host }} = require(ROOT + '/host_process.js')
new Host(require(ROOT + '/parts.js')).open()"""
IDLE = "module.exports = {}"
KILLS = "process.kill(process.ppid, 'SIGKILL'); const end = Date.now() + 200; while (Date.now() < end);" + IDLE


@pytest.fixture
def binary(tmp_path: Path) -> Iterator[Path]:
    """Yield a link to Node with a unique name, which identifies this test's processes."""
    link = tmp_path / "node-of-this-test"
    link.symlink_to(node_binary())
    yield link
    for pid in running(link):
        os.kill(pid, signal.SIGKILL)


def orphans(code: str, binary: Path, script: Path, patience_s: float = PATIENCE_S) -> list[int]:
    """Return the processes of Node left after Python was killed; forks of Python live until then."""
    given = f"binary, script = Path({str(binary)!r}), Path({str(script)!r})\n"
    victim = subprocess.Popen([sys.executable, "-c", PREAMBLE + given + code], cwd=ROOT, stdin=subprocess.PIPE)
    try:
        assert victim.wait(60) == -signal.SIGKILL
        return left_over([binary, script], patience_s)
    finally:
        assert victim.stdin is not None
        victim.stdin.close()


@pytest.mark.parametrize("code", MOMENTS.values(), ids=MOMENTS.keys())
def test_no_node_stays_when_python_is_killed_as(code: str, binary: Path, tmp_path: Path) -> None:
    script = tmp_path / "module.js"
    script.write_text(KILLS if code == START else IDLE)
    assert orphans(code, binary, script) == []


@pytest.mark.parametrize("after_ms", AFTER_MS)
def test_no_node_stays_when_python_is_killed_after(after_ms: int, binary: Path, tmp_path: Path) -> None:
    script = tmp_path / "module.js"
    script.write_text(IDLE)
    soon = f"threading.Timer({after_ms} / 1000, die).start()\n"
    assert orphans(f"{soon}{START}\nthreading.Event().wait()", binary, script) == []


@pytest.mark.parametrize("after_ms", HOSTS_AFTER_MS)
def test_no_host_stays_when_python_is_killed_after(after_ms: int, binary: Path) -> None:
    with TemporaryDirectory(
        prefix="accord-orphans-"
    ) as name:  # A host of another user cannot read pytest's own folders.
        Path(name).chmod(0o755)
        script = Path(name) / "host.js"
        script.write_text(HOST)
        assert orphans(f"after_s = {after_ms / 1000}\n{OPEN}", binary, script) == []


def test_a_node_that_does_not_watch_its_parent_would_stay(binary: Path, tmp_path: Path) -> None:
    script = tmp_path / "module.js"
    script.write_text(IDLE)
    blind = tmp_path / "nothing.js"
    blind.write_text("")
    code = f"node.PARENT_WATCH = {str(blind)!r}\n{MOMENTS['JSPyBridge has loaded']}"
    assert len(orphans(code, binary, script, SHORT_S)) == 1
