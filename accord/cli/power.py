"""`accord power`: estimate how many runs decide whether a measure differs between conditions."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from accord.cli.error_handling import DONE, write_out
from accord.cli.table_cells import words
from dilemmas.errors import UsageError


def power(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Directories that 'accord run' wrote, or ones above them.")
    ],
    difference: Annotated[
        float, typer.Option(metavar="D", help="The difference of two means that is to be found, above 0.")
    ],
    measure: Annotated[
        str, typer.Option(metavar="MEASURE", help="A name of result.json, such as welfare or payoff.Gizmo.")
    ] = "welfare",
    chance: Annotated[
        float, typer.Option("--power", metavar="P", help="The probability of finding it, between 0 and 1.")
    ] = 0.8,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: the estimate, as JSON.")] = False,
) -> int:
    """Estimate how many runs decide whether a measure differs, from the variance of the runs in RUN."""
    from accord.analysis.figures import figure_name
    from accord.analysis.power import estimate_power
    from accord.analysis.report import read_comparison
    from dilemmas.errors import MeasureError

    if not 0 < difference < math.inf:
        raise UsageError(f"--difference: {difference:g} is not legal; give a finite number above 0")
    if not 0 < chance < 1:
        raise UsageError(f"--power: {chance:g} is not legal; give a number between 0 and 1, such as 0.8")
    conditions = read_comparison(runs).conditions
    named = {figure_name(key): key for each in conditions for key in each.samples}
    if measure not in named:
        raise UsageError(f"--measure: {measure!r} is not in these runs; choose one of {', '.join(sorted(named))}")
    key = named[measure]
    samples = {
        each.name: {run.seed: run.figures[key] for run in each.scored if key in run.figures} for each in conditions
    }
    try:
        found = estimate_power(samples, difference, chance)
    except MeasureError as error:
        raise UsageError(f"{measure}: {error}; play more runs (--runs 5)") from None
    if as_json:
        write_out(json.dumps(asdict(found), indent=2))
        return DONE
    console = Console()
    many = "more than 100,000" if found.runs is None else str(found.runs)
    told = (
        f"{measure}: {many} runs of each condition find a difference of {difference:g} with a probability of {chance:g}"
    )
    console.print(words(f"{told} (standard deviation {found.deviation:.3g}, t test, two-sided, 5 %)."), soft_wrap=True)
    if found.paired_deviation is not None:
        fewer = "more than 100,000" if found.pairs is None else str(found.pairs)
        pairs = f"In pairs of equal seeds (--paired): {fewer}"
        console.print(words(f"{pairs} (standard deviation {found.paired_deviation:.3g})."), soft_wrap=True)
    console.print(words(f"The variance itself is known from {found.degrees} degrees of freedom only."), soft_wrap=True)
    return DONE
