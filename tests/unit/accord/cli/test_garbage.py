"""Garbage collection, less frequent in Accord's own processes but unchanged in programs that import Accord."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from accord.cli import main
from accord.studies import worker_process
from common.gc_tuning import EVERY


@pytest.fixture
def usual() -> Iterator[tuple[int, int, int]]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield (700, 10, 10)
    gc.set_threshold(*before)


def test_the_command_line_looks_seldom(usual: tuple[int, int, int], capsys: pytest.CaptureFixture[str]) -> None:
    assert gc.get_threshold() == usual
    assert main(["--help"]) == 0
    assert "accord" in capsys.readouterr().out
    assert gc.get_threshold() == EVERY


@pytest.mark.usefixtures("usual")
def test_a_worker_looks_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO()))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    monkeypatch.setattr(os, "dup", lambda number: number)
    monkeypatch.setattr(os, "fdopen", lambda *_, **__: io.BytesIO())
    assert worker_process.main(lambda *_: pytest.fail("nobody gave an order")) == 0
    assert gc.get_threshold() == EVERY
