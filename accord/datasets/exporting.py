"""Export of records as a dataset: a folder with a table's files for each split, their schema, and a card."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from accord.analysis.report.reader import find_runs
from accord.datasets.card import DatasetFacts, dataset_card
from accord.datasets.files import FORMATS, JsonLines, Parquet, TableFile
from accord.datasets.rows import RESULT, RowFilter, RunRows
from accord.datasets.splits import check_splits, split_of
from accord.datasets.tables import TABLES, Row, Table, dataset_schema
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.bundle import holds_key, own_keys

CARD, SCHEMA = "README.md", "schema.json"
INCOMPLETE = "INCOMPLETE"
"""File that marks a folder whose export has not ended; the next export to it begins anew."""


def export_dataset(
    directories: Sequence[Path], to: Path, file_format: str, shares: Mapping[str, float], wanted: RowFilter
) -> DatasetFacts:
    """Write all finished runs at or below `directories` as a dataset.

    Args:
        directories: Directories of runs, studies or sweeps.
        to: Folder of the dataset, which must not exist or be empty.
        file_format: One of `FORMATS`.
        shares: Split -> share of the seeds.
        wanted: Selection of rows.

    Returns:
        What the dataset holds.

    Raises:
        UsageError: An argument is not legal, or a text looks like an API key.
        RecordError: A record cannot be read, or the folder cannot be written.
        PrerequisiteError: The format's library is missing.
    """
    writer = FORMATS.get(file_format)
    if writer is None:
        raise UsageError(f"format: {file_format!r} is unknown; choose {', '.join(FORMATS)}")
    facts = DatasetFacts(to.name, writer.suffix, shares, wanted)
    runs = _ended_runs(directories, facts, wanted)
    if not runs:
        raise UsageError("export: no run is left to export: none has ended, or --only leaves all of them out")
    check_splits([run.seed for run in runs], shares)
    try:
        _prepare(to)
        try:
            _write(to, runs, writer, facts)
        except BaseException:
            shutil.rmtree(to, ignore_errors=True)
            raise
    except OSError as error:
        raise RecordError(f"cannot write {to}: {error.strerror}; choose another folder with --to") from None
    return facts


def _ended_runs(directories: Sequence[Path], facts: DatasetFacts, wanted: RowFilter) -> list[RunRows]:
    found: list[RunRows] = []
    names: set[str] = set()
    for directory in directories:
        for path in find_runs([directory]):
            if not (path / RESULT).is_file():
                facts.unfinished += 1
                continue
            name = _run_name(directory.resolve(), path)
            if name in names:
                raise UsageError(f"export: two runs are called {name!r}: rename a folder, since rows name their run")
            names.add(name)
            run = RunRows(path, name, wanted)
            if run.left_out:
                facts.left_out += 1
            else:
                found.append(run)
    return found


def _run_name(directory: Path, run: Path) -> str:
    below = run.relative_to(directory).as_posix()
    return directory.name if below == "." else f"{directory.name}/{below}"


def _prepare(to: Path) -> None:
    """Create the folder. Raises UsageError if it holds anything but an export that was broken off."""
    if (to / INCOMPLETE).is_file():
        shutil.rmtree(to)
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise UsageError(f"{to} exists and is not an empty folder: choose another with --to")
    to.mkdir(parents=True, exist_ok=True)
    (to / INCOMPLETE).write_text("This export was broken off; the next one to this folder begins anew.\n")


def _write(to: Path, runs: Sequence[RunRows], writer: type[JsonLines] | type[Parquet], facts: DatasetFacts) -> None:
    keys = own_keys()
    for table in TABLES:
        (to / table.name).mkdir()
        with ExitStack() as stack:
            files: dict[str, TableFile] = {}
            for name in facts.shares:
                file = writer(to / table.name / f"{name}{writer.suffix}", table)
                stack.callback(file.close)
                files[name] = file
            for run in runs:
                split = split_of(run.seed, facts.shares)
                for row in _without_words(run.rows(table.name), run, table, facts.wanted):
                    _check_keys(row, table, keys)
                    files[split].write(row)
                    facts.rows[table.name, split] += 1
    for run in runs:
        facts.add_run(run, split_of(run.seed, facts.shares))
    (to / SCHEMA).write_text(json.dumps(dataset_schema(), indent=2) + "\n", encoding="utf-8")
    (to / CARD).write_text(dataset_card(facts), encoding="utf-8")
    (to / INCOMPLETE).unlink()


def _without_words(rows: Iterable[Row], run: RunRows, table: Table, wanted: RowFilter) -> Iterable[Row]:
    """Return the rows without texts if people played in the run: what others read and say quotes them."""
    if wanted.people or not run.people:
        return rows
    return ({name: None if name in table.personal else value for name, value in row.items()} for row in rows)


def _check_keys(row: Row, table: Table, keys: Sequence[bytes]) -> None:
    """Raise UsageError if the row holds an API key."""
    if holds_key(json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass"), keys):
        raise UsageError(
            f"a row of the table {table.name!r} of {row['run']} holds what looks like an API key: take it out of the "
            "record before you share it"
        )
