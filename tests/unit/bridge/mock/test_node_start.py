"""Node processes of mock worlds that start ahead of their world: taken by it once, and never left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bridge.mock import node_start
from bridge.prerequisites import ROOT, node_binary
from bridge.worlds import open_world
from tests.unit.bridge.node_processes import left_over, running

PREAMBLE = """
import os, signal, sys
from pathlib import Path
from bridge.mock import node_start
node_start.ready_node = lambda: Path(sys.argv[1])
def die(): os.kill(os.getpid(), signal.SIGKILL)
"""
RUN = "from accord.cli import main; sys.exit(main(['run', 'double-vein', '--world', 'mock', *{options!r}]))"
KILLED = {
    "it starts": "with node_start.node_ahead(): die()",
    "a report's process was forked": """
from accord.analysis.report.beside import ReportProcess
with node_start.node_ahead(), ReportProcess(): die()""",
    "the command line is about to be imported": f"""
import accord.cli
accord.cli._run = lambda _: die()
{RUN.format(options=[])}""",
    "the study is about to begin": f"""
import accord.studies.launch
accord.studies.launch.play = lambda *_, **__: die()
{RUN.format(options=[])}""",
}
"""Python code that kills its process while a process of Node was started ahead."""


@pytest.fixture
def binary() -> Iterator[Path]:
    """Yield a link to Node with a unique name, which Node's own user can read."""
    with TemporaryDirectory(prefix="accord-ahead-") as name:
        Path(name).chmod(0o755)
        link = Path(name) / "node-of-this-test"
        link.symlink_to(node_binary())
        yield link
        for pid in running(link):
            os.kill(pid, signal.SIGKILL)


def python(code: str, binary: Path) -> subprocess.CompletedProcess[str]:
    """Return the ended process of Python that ran this code with that link as its Node."""
    return subprocess.run(
        [sys.executable, "-c", PREAMBLE + code, str(binary)], cwd=binary.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


async def test_the_next_world_takes_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    start = node_start.start_node

    def counted() -> subprocess.Popen[bytes]:
        process = start()
        started.append(process.pid)
        return process

    monkeypatch.setattr(node_start, "start_node", counted)
    with node_start.node_ahead():
        async with open_world("mock", seed=0, log_dir=tmp_path) as world:
            assert [world.pid] == started
            assert await world.command("time query daytime") == "The time is 1000"
        assert node_start.take_node() is None


def test_a_process_that_no_world_took_ends_with_the_context() -> None:
    with node_start.node_ahead():
        process = node_start.take_node()
        assert process is not None
        assert process.poll() is None
        node_start._ahead.append(process)
    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("options", [["--contract", "absent"], ["--seed", "x"], ["--runs", "0"]])
def test_a_wrong_option_leaves_no_process(options: list[str], binary: Path) -> None:
    ended = python(RUN.format(options=options), binary)
    assert ended.returncode == 2, ended.stderr
    assert running(binary) == []


def test_an_interrupted_start_leaves_no_process(binary: Path) -> None:
    interrupted = "import accord.studies.launch\ndef interrupt(*_, **__): raise KeyboardInterrupt\n"
    ended = python(f"{interrupted}accord.studies.launch.play = interrupt\n{RUN.format(options=[])}", binary)
    assert ended.returncode == 130, ended.stderr
    assert running(binary) == []


@pytest.mark.parametrize("code", KILLED.values(), ids=KILLED.keys())
def test_no_process_stays_when_python_is_killed_as(code: str, binary: Path) -> None:
    ended = python(code, binary)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert left_over([binary]) == []
