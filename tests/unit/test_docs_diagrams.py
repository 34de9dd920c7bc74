"""Diagrams of the documentation are the output of their script."""

from __future__ import annotations

import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_diagrams_are_drawn_by_their_script() -> None:
    drawn = runpy.run_path(str(DOCS / "diagrams.py"))["diagrams"]()
    assert {name: (DOCS / "images" / name).read_text(encoding="utf-8") for name in drawn} == drawn
    assert all(f"images/{name}" in (DOCS / "seams.md").read_text(encoding="utf-8") for name in drawn)
