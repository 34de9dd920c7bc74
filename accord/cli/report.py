"""`accord report`: write one report from the records of one or several runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from accord.analysis.report import write_report
from accord.analysis.validity import Treatment
from accord.cli import option_values, options
from accord.cli.error_handling import DONE, FAILED, write_out
from accord.cli.table_cells import words
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from accord.analysis.ratings import Rater

SWEEP = "tasks.jsonl"
"""File that marks a folder as a sweep."""


def report(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Directories that 'accord run' wrote, or ones above them.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="Where to write the report; by default into the first RUN.", show_default=False)
    ] = None,
    figures: options.Figures = None,
    style: options.Style = None,
    widths: options.Widths = None,
    invalid: Annotated[
        Treatment | None,
        typer.Option(
            metavar="apart|exclude|zero",
            help="What becomes of runs whose verdict cannot be read, or whose programs all broke off.",
            show_default="as the study says",
        ),
    ] = None,
    paired: Annotated[bool, typer.Option("--paired", help="Test runs in pairs of equal seeds.")] = False,
    mixed: Annotated[
        bool, typer.Option("--mixed", help="Test runs of equal seeds by a mixed model (needs statsmodels).")
    ] = False,
    learning_curve: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="A learning curve of a policy that played (examples/ppo.py); may be repeated."
        ),
    ] = None,
    rater: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL",
            help="A model that rates the lives in finished records; may be repeated.",
            show_default="none",
            rich_help_panel=options.MODELS,
        ),
    ] = None,
    reader: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL",
            help="A model that reads promises, claims and accusations in finished records; may be repeated.",
            show_default="none",
            rich_help_panel=options.MODELS,
        ),
    ] = None,
    flags: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="A person's flags of wrong utterances: a filled utterances.csv of a report; may be repeated.",
        ),
    ] = None,
    rater_seeds: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="How often each rater and reader is asked, with the seeds 0, 1, ...",
            rich_help_panel=options.MODELS,
        ),
    ] = 1,
    base_url: options.BaseUrls = None,
    api_key_file: options.KeyFiles = None,
    sampling: options.SamplingOption = None,
    prompts: options.PromptsFolder = None,
    prices: options.Prices = None,
    max_usd: options.MaxUsd = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: the written files, as JSON.")] = False,
) -> int:
    """Write a report of all runs in RUN: report.html, plots/ and CSV tables; with --figures also those of a paper."""
    if (runs[0] / SWEEP).is_file():
        return _sweep(runs, as_json=as_json)
    from accord.cli.show import show_comparison

    drawn = option_values.figure_settings(figures, style, widths)
    raters: tuple[Rater, ...] = ()
    if rater or reader:
        from accord.cli.rating import rate_runs

        endpoints = option_values.endpoint_settings(base_url, api_key_file)
        sampled = option_values.name_value_pairs("--sampling", sampling or (), "temperature=0")
        given = {**endpoints, "sampling": sampled, "prompts": prompts, "prices": prices}
        raters = rate_runs(runs, rater, rater_seeds, given, max_usd) if rater else ()
        raters += rate_runs(runs, reader, rater_seeds, given, max_usd, "words") if reader else ()
    written = write_report(
        runs, out or runs[0], drawn, invalid,
        paired=paired, mixed=mixed, learning_curves=learning_curve or (), raters=raters, flags=flags or (),
    )  # fmt: skip
    failed = [run for run in written.comparison.unscored if run.status == "failed"]
    code = FAILED if failed or len(written.comparison.unscored) == len(written.comparison.runs) else DONE
    if as_json:
        write_out(json.dumps({"report": str(written.html), "files": [str(file) for file in written.files]}, indent=2))
        return code
    console = Console()
    for run in written.comparison.unscored:
        console.print(words(f"not counted: {run.name}: {run.why}", "yellow"), soft_wrap=True)
    show_comparison(console, written.comparison, "Report", written.html)
    return code


def _sweep(folders: list[Path], *, as_json: bool) -> int:
    """Write the report of a sweep, print its path, and return the exit code. Raises UsageError for several folders."""
    from accord.analysis.report.sweep import write_sweep_report

    if len(folders) > 1:
        raise UsageError(f"{folders[0]} is a sweep, which has a report of its own: give it alone")
    page = write_sweep_report(folders[0])
    write_out(json.dumps({"report": str(page)}) if as_json else f"Report: {page}")
    return DONE
