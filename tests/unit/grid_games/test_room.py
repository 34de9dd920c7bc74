"""Public interface of the package: its exports, and the absence of heavy imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import grid_games
import grid_games.text

ROOT = Path(__file__).resolve().parents[3]


def test_what_is_exported_is_there_and_in_order() -> None:
    for module in (grid_games, grid_games.text):
        assert sorted(module.__all__) == list(module.__all__)
        assert all(hasattr(module, name) for name in module.__all__)


def test_to_play_needs_neither_pettingzoo_nor_scipy() -> None:
    program = (
        "import sys, grid_games as g, grid_games.text, grid_games.policies as p\n"
        "b = g.Batch(g.load('ada-contract-hard'), [0])\n"
        "[b.step(made(0).act(b)) for made in p.POLICIES.values()]\n"
        "print(sorted({'scipy', 'pettingzoo', 'gymnasium', 'bridge', 'dilemmas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_without_pettingzoo_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "grid_games.faces.parallel", raising=False)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    named = r"needs (pettingzoo|gymnasium): install the extra with pip install 'accord-mc\[rl\]'"
    with pytest.raises(ImportError, match=named):
        grid_games.parallel_env("ada-contract")
