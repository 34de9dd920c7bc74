"""Compilation of the example document beside a report's figures."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path


def compile_example(figures: Path, out: Path) -> None:
    """Compile example.tex in the folder of figures; fail on errors, overfull boxes and warnings.

    Args:
        figures: The folder `figures/` of a report.
        out: Folder for the document.
    """
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
    done = subprocess.run(
        [*command, f"-output-directory={out}", "example.tex"], cwd=figures, capture_output=True, check=False
    )
    told = done.stdout.decode("latin-1")
    assert done.returncode == 0, told[-2000:]
    assert not re.search(r"Overfull|LaTeX Warning|Missing character", told), told
