"""Draw learning curves, after figures 3 C and 10 B to 14 B of AdaSociety: no runs are needed.

    python examples/curves.py isolation-*.curve.csv dynamic-*.curve.csv --out curves.svg

A panel per game or social structure and a curve per learner: the mean of its seeds, shaded from the lowest to the
highest, with what the paper printed. `accord report RUN --learning-curve FILE` draws the same beside runs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accord.analysis.report.grid.learning import curves_svg
from grid_games import GridError
from grid_games.learning_curves import read_curves


def main(given: Sequence[str] | None = None) -> None:
    """Read the curves, and write the figure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="learning curve that a learner wrote")
    parser.add_argument("--out", type=Path, default=Path("learning-curves.svg"), help="SVG file to write")
    options = parser.parse_args(given)
    curves = [curve for file in options.files for curve in read_curves(file)]
    if len({replace(curve, points=()) for curve in curves}) < len(curves):
        raise GridError("two files hold the same learner, game and seed; give each seed once")
    try:
        options.out.write_text(curves_svg(curves), encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise GridError(f"--out {options.out}: cannot be written ({reason}); choose another file") from None
    sys.stdout.write(f"{options.out}: {len(curves)} curves\n")


if __name__ == "__main__":
    try:
        main()
    except GridError as error:
        raise SystemExit(str(error)) from None
