"""Calls in a forked process, which give the same results and errors as calls in the process itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from accord.analysis.report.forked import call_all
from accord.cli.app import run

CALLS = """
import functools, json, os
from accord.analysis.report.forked import call_all, can_fork
calls = [functools.partial(lambda number: (number, os.getpid()), each) for each in range(7)]
results = call_all(calls)
print(json.dumps([can_fork(), [number for number, _ in results], len({pid for _, pid in results})]))
"""
FAILING = """
from accord.analysis.report.forked import Fork
with Fork(lambda: int) as fork:
    try:
        fork.start("no number")()
    except ValueError as error:
        print(error)
    print(fork.start("7")())
"""
KILLED = """
import os, signal
from accord.analysis.report.forked import Fork
here = os.getpid()
def prepare():
    if os.getpid() != here:
        os.kill(os.getpid(), signal.SIGKILL)
    return int
with Fork(prepare) as fork:
    print(fork.start("7")())
"""
PIPE = """
import os
from accord.analysis.report.forked import Fork
reader, writer = os.pipe()
with Fork(lambda: int) as fork:
    fork.start("7")()
    os.close(writer)
    print(os.read(reader, 1))
"""
FINALIZED = """
import gc, os, weakref
from accord.analysis.report.forked import Fork
class Cycle:
    pass
here, each = os.getpid(), Cycle()
each.itself = each
weakref.finalize(each, lambda: os.getpid() == here or os._exit(1))
del each
with Fork(lambda: gc.collect) as fork:
    print(fork.start()())
"""


def output(code: str) -> str:
    """Return the standard output of a new single-threaded process."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60).stdout


def test_calls_divided_with_a_fork_keep_their_order() -> None:
    forks, numbers, processes = json.loads(output(CALLS))
    assert numbers == list(range(7))
    assert processes == (2 if forks else 1)


def test_an_error_in_a_fork_is_raised_here() -> None:
    assert output(FAILING) == "invalid literal for int() with base 10: 'no number'\n7\n"


def test_calls_of_a_killed_fork_are_made_here() -> None:
    assert output(KILLED) == "7\n"


def test_a_fork_keeps_no_file_of_its_parent_open() -> None:
    assert output(PIPE) == "b''\n"


def test_few_calls_are_made_without_a_fork() -> None:
    with pytest.raises(ZeroDivisionError):
        call_all([lambda: 1 // 0])


@pytest.mark.drawn
def test_a_report_written_beside_the_study_is_the_same(tmp_path: Path) -> None:
    made = subprocess.run(
        [sys.executable, "-m", "accord.cli", "run", "double-vein", "--world", "mock", "--out", str(tmp_path)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    (study,) = tmp_path.iterdir()
    assert f"Report: {study}/report.html" in made.stdout
    before = {path: path.read_bytes() for path in (study / "report.html", *sorted((study / "plots").iterdir()))}
    assert run(["report", str(study)]) == 0
    assert {path: path.read_bytes() for path in before} == before


def test_a_fork_runs_no_finalizers_of_its_parent() -> None:
    # If the finalizer ended the fork, the parent would make the call itself and find the object.
    assert output(FINALIZED) == "0\n"
