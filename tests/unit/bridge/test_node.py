"""Limits of JSPyBridge, on a real Node with a small test module."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from bridge.errors import HostError
from bridge.node import NodeProcess
from bridge.prerequisites import ROOT, node_binary
from bridge.supervisor import close_supervisor

MODULE = Path(__file__).with_name("node_module.js")


@pytest.fixture(scope="module", autouse=True)
def _no_other() -> None:
    """Close the supervisor that embedded worlds of earlier tests share: one Node at a time is open in a Python."""
    close_supervisor()


@pytest.fixture
def node(monkeypatch: pytest.MonkeyPatch) -> Iterator[NodeProcess]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-node")
    process = NodeProcess(node_binary(), MODULE)
    yield process
    process.close()


def test_node_gets_no_environment(node: NodeProcess) -> None:
    assert json.loads(node.call("environment")) == {}
    assert Path(f"/proc/{node.pid}/environ").read_bytes() == b""
    assert int(node.call("pid")) == node.pid
    assert node.call("execPath") == str(node_binary())


def test_importing_leaves_the_environment_of_python_alone(node: NodeProcess) -> None:
    code = "import os; a = dict(os.environ); import bridge.node as n; n._prepared(n.Path()); assert a == {**os.environ}"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, env={"PATH": os.environ["PATH"]})


def test_a_script_that_cannot_be_loaded_leaves_no_process(tmp_path: Path) -> None:
    broken = tmp_path / "broken.js"
    broken.write_text("throw new Error('broken on purpose')")
    with pytest.raises(HostError, match="broken on purpose"):
        NodeProcess(node_binary(), broken)
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()
    commands = [Path(f"/proc/{child}/cmdline").read_text(encoding="utf-8") for child in children]
    assert [command for command in commands if "parent_watch" in command] == []


def test_a_second_process_is_refused_while_one_is_open(node: NodeProcess) -> None:
    with pytest.raises(HostError, match="another NodeProcess is open in this Python: close it first"):
        NodeProcess(node_binary(), MODULE)
    assert node.call("echo", "still mine") == "still mine"


def test_text_crosses_as_it_is(node: NodeProcess) -> None:
    text = 'a "quoted" line\nand \u00e4 \u2028 \U0001f525 ' + "x" * 200_000
    assert node.call("echo", text) == text


def test_an_error_in_javascript_is_an_error_here(node: NodeProcess) -> None:
    with pytest.raises(HostError, match="no such job"):
        node.call("boom")
    assert node.call("echo", "still there") == "still there"


def test_node_cannot_run_python(node: NodeProcess, tmp_path: Path) -> None:
    mark = tmp_path / "forged"
    assert node.call("forge", str(mark)) == "said"
    assert node.call("noise") == "quiet"
    assert node.call("echo", "after") == "after"
    assert not mark.exists()


def test_every_call_is_answered_while_the_bell_rings(node: NodeProcess) -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        node.call("ring")
        assert [node.call("echo", number) for number in range(3000)] == list(range(3000))
    finally:
        sys.setswitchinterval(interval)


def test_a_killed_node_fails_the_call_that_waits_for_it(node: NodeProcess) -> None:
    threading.Timer(0.2, os.kill, (node.pid, signal.SIGKILL)).start()
    with pytest.raises(HostError, match="has ended"):
        node.call("hang")
    assert not node.alive


def test_a_node_that_ends_by_itself_is_noticed(node: NodeProcess) -> None:
    with suppress(HostError):
        node.call("leave")  # Its last answer may be lost with it.
    with pytest.raises(HostError, match="has ended"):
        node.call("hang")
    assert not node.alive


def test_after_a_kill_another_node_starts() -> None:
    for _ in range(3):
        process = NodeProcess(node_binary(), MODULE)
        assert process.call("echo", "hello") == "hello"
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(HostError):
            process.call("hang")
        process.close()


def test_what_the_last_node_said_in_the_end_is_not_heard_by_the_next() -> None:
    NodeProcess(node_binary(), MODULE).close()
    # An answer that nobody had read; each process counts its requests anew, and the first asks for `console`.
    sys.modules["javascript.connection"].com_items.append({"r": 1, "key": "string", "val": "late"})
    process = NodeProcess(node_binary(), MODULE)
    try:
        assert sys.modules["javascript"].console != "late"
        assert int(process.call("pid")) == process.pid
    finally:
        process.close()


def test_an_absent_script_is_never_asked_for(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="is missing"):
        NodeProcess(node_binary(), tmp_path / "left-pad.js")


def test_python_ends_at_once_and_takes_node_along() -> None:
    code = f"""
from pathlib import Path
from bridge.node import NodeProcess
from bridge.prerequisites import node_binary
print(NodeProcess(node_binary(), Path({str(MODULE)!r})).pid)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT, timeout=60
    )
    status = Path(f"/proc/{int(done.stdout)}/status")
    for _ in range(200):
        if not status.exists() or "zombie" in status.read_text():
            break
        subprocess.run(["sleep", "0.01"], check=True)
    else:
        pytest.fail("node outlived Python")
