"""`accord export`: pack records for sharing, or write them as a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.text import Text

from dilemmas.errors import UsageError

Studies = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Directories that 'accord run' has written.")]


def export(
    run: Studies,
    to: Annotated[
        Path, typer.Option(metavar="PATH", help="The bundle, a .zip or .tar.gz; with --format the dataset's folder.")
    ],
    file_format: Annotated[
        Literal["parquet", "jsonl", "hf"] | None,
        typer.Option("--format", help="Write a dataset of tables instead; hf is Parquet for Hugging Face."),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(metavar="NAME=SHARE,...", help="Splits of the dataset by seed, such as train=0.8,test=0.2."),
    ] = None,
    only: Annotated[
        Literal["worked"] | None,
        typer.Option(help="Leave out of the dataset what failed: runs, programs, steps and answers."),
    ] = None,
    people: Annotated[bool, typer.Option("--people", help="Include the texts of runs in which people played.")] = False,
) -> None:
    """Write the records in RUN... into one file for a paper, without keys and machine logs, or as a dataset."""
    console = Console(soft_wrap=True)
    if file_format is None:
        given = {"--split": split, "--only": only, "--people": people}
        if wrong := [flag for flag, value in given.items() if value]:
            raise UsageError(f"{wrong[0]} is for datasets: add --format parquet, jsonl or hf")
        console.print(Text(_export_bundle(run, to)))
        return
    from accord.datasets.exporting import export_dataset
    from accord.datasets.rows import RowFilter
    from accord.datasets.splits import parse_splits
    from accord.datasets.tables import TABLES

    facts = export_dataset(run, to, file_format, parse_splits(split), RowFilter(only is not None, people))
    counts = {table.name: facts.rows_of(table.name) for table in TABLES}
    rows = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
    console.print(Text(f"{to}: {rows}"))
    if facts.unfinished:
        console.print(Text(f"left out: {facts.unfinished} runs that have not ended"))
    if not people and (hidden := sum(bool(row["people"]) for row in facts.runs)):
        console.print(Text(f"without texts: {hidden} runs in which people played; --people includes them"))


def _export_bundle(run: list[Path], to: Path) -> str:
    from importlib.metadata import version

    from dilemmas.records import bundle

    names = bundle.export(run, to, version("accord-mc"))
    return f"{to}: {len(names)} files, {to.stat().st_size / 1e6:.1f} MB"
