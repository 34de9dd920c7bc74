"""Confinement of bot hosts, attacked by a program that has escaped every other protection."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from bridge import confinement as module
from bridge.confinement import UID, Confinement, Lack, confinement
from bridge.mock_world import MockWorld
from bridge.prerequisites import ROOT, node_binary
from bridge.types import Limits, ProgramOutcome

PROBE = """
const [port, pid, file] = process.argv.slice(1)
const code = (act) => { try { act(); return 'done' } catch (error) { return error.code } }
const said = {
  connect: '',
  interfaces: Object.keys(require('os').networkInterfaces()).length,
  read: code(() => require('fs').readFileSync(file)),
  environment: code(() => require('fs').readFileSync(`/proc/${pid}/environ`)),
  signal: code(() => process.kill(Number(pid), 0)),
  privileges: /NoNewPrivs:\\s+1/.test(require('fs').readFileSync('/proc/self/status', 'utf8')) ? 'none new' : 'open'
}
const end = (word) => { said.connect = word; console.log(JSON.stringify(said)); process.exit() }
const call = require('net').connect(Number(port), '127.0.0.1')
call.on('connect', () => end('done')).on('error', (error) => end(error.code))
"""
linux = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's own")


@pytest.fixture
def canary() -> Iterator[int]:
    """Open a port of this machine that nothing may connect to."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """Create a file that only this user may read."""
    file = tmp_path / "secret"
    file.write_text("sk-secret")
    file.chmod(0o600)
    return file


def escaped(found: Confinement, port: int, secret: Path) -> dict[str, object]:
    """Return everything that a program can reach inside a confinement alone."""
    said = subprocess.run(
        [*found.command, str(node_binary()), "-e", PROBE, str(port), str(os.getpid()), str(secret)],
        cwd="/", env={}, capture_output=True, check=True, text=True, timeout=30,
    )  # fmt: skip
    answer: dict[str, object] = json.loads(said.stdout)
    return answer


@linux
def test_what_an_escaped_program_reaches_here(canary: int, secret: Path) -> None:
    found = confinement()
    said = escaped(found, canary, secret)
    assert (said["connect"] == "ENETUNREACH", said["interfaces"] == 0) == (found.own_network,) * 2
    assert (said["read"] == "EACCES", said["signal"] == "EPERM") == (found.own_user,) * 2
    # The environment of other users is closed, and so is that of processes outside of the own user namespace.
    assert (said["environment"] == "EACCES") == (found.own_user or found.own_network)
    assert (said["privileges"] == "none new") == bool(found.command)


def shut_in(pid: int) -> tuple[set[str], bool, bool]:
    """Return a process' users and groups, whether its network differs from ours, and whether it may gain privileges."""
    status = Path(f"/proc/{pid}/status").read_text()
    ids = {word for line in re.findall(r"^[UG]id:(.*)$", status, re.M) for word in line.split()}
    own_network = os.readlink(f"/proc/{pid}/ns/net") != os.readlink("/proc/self/ns/net")
    return ids, own_network, "NoNewPrivs:\t1" not in status


@linux
async def test_the_mock_worlds_process_is_shut_in_as_hosts_are(tmp_path: Path) -> None:
    found = confinement()
    async with MockWorld(1, tmp_path) as world:
        ids, own_network, gains = shut_in(world.pid)
        await world.connect(["Gizmo"])
        results = await world.run({"Gizmo": "async function main (bot) {}"}, Limits(wall_s=5))
    assert (ids == {str(UID)}, own_network) == (found.own_user, found.own_network)
    assert not (gains and found.command)
    assert results["Gizmo"].outcome is ProgramOutcome.RETURNED


@linux
def test_without_confinement_all_of_it_is_in_reach(canary: int, secret: Path) -> None:
    said = escaped(Confinement(), canary, secret)
    assert said.pop("interfaces") != 0
    assert set(said.values()) == {"done", "open"}


Refusal = Callable[[Sequence[str]], str | None]
NOT_PERMITTED = "unshare: unshare failed: Operation not permitted"
AS_NOBODY = f"--reuid={UID}"

TABLE: dict[str, tuple[int, Refusal, tuple[bool, bool], str, str]] = {
    # User, refused feature, (own user, own network), reason for no user, reason for no network.
    "root of a machine": (0, lambda words: None, (True, True), "", ""),
    "root that may make networks in user namespaces only": (
        0, lambda words: None if "--user" in words or "--net" not in words else NOT_PERMITTED, (True, True), "", "",
    ),
    "root of a container": (
        0, lambda words: NOT_PERMITTED if "--net" in words else None, (True, False), "", "not permitted",
    ),
    "root with a private checkout": (
        0, lambda words: "/closed/accord/x" if AS_NOBODY in words else None, (False, True), "/closed is closed", "",
    ),
    "root that may not change users": (
        0, lambda words: "setresuid failed" if AS_NOBODY in words else None, (False, True), "setresuid failed", "",
    ),
    "a user": (1000, lambda words: None, (False, True), "only root", ""),
    "a user without namespaces": (1000, lambda words: NOT_PERMITTED, (False, False), "only root", "not permitted"),
}  # fmt: skip


@pytest.mark.parametrize("case", TABLE.values(), ids=TABLE.keys())
def test_the_tightest_way_that_works_is_taken(
    case: tuple[int, Refusal, tuple[bool, bool], str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    user, refuses, gives, *whys = case
    monkeypatch.setattr(module.os, "geteuid", lambda: user)
    monkeypatch.setattr(module, "_refusal", lambda command, files: refuses(command))
    monkeypatch.setattr(module, "_shut", lambda file: Path("/closed"))
    found = module._tightest("/bin/unshare", "/bin/setpriv", [])
    assert (found.own_user, found.own_network) == gives
    assert bool(found.command) == any(gives)
    for lack, given, why in zip((found.no_user, found.no_network), gives, whys, strict=True):
        assert (lack is None) == given
        assert why in (lack or Lack("", "")).why
        assert (lack or Lack("", "nothing")).remedy


@linux
def test_a_script_in_a_closed_folder_is_run_as_this_user(tmp_path: Path) -> None:
    script = tmp_path / "private" / "accord" / "host.js"
    script.parent.mkdir(parents=True)
    script.write_text("")
    script.parent.parent.chmod(0o700)
    found = confinement(script)
    assert not found.own_user
    assert found.no_user is not None
    assert found.own_network == confinement().own_network
    open_folder = next(each for each in reversed(script.parents) if each.stat().st_mode & 0o001)
    assert module._shut(open_folder / "x") == open_folder / "x"
    assert module._shut(script) in script.parents


def test_other_systems_are_told_what_they_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.sys, "platform", "darwin")
    found = module._found((ROOT / "package.json", Path("/for this test")))
    assert found.no_user is not None
    assert found == Confinement(no_user=found.no_user, no_network=found.no_user)
    assert "Linux" in found.no_user.remedy


def test_a_system_without_the_tools_is_told_which(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.sys, "platform", "linux")
    monkeypatch.setattr(module, "_TOOLS", "/nonexistent")
    found = module._found((ROOT / "package.json", Path("/for that test")))
    assert found.no_network == Lack("unshare and setpriv not found", "install util-linux")
