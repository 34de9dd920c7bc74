"""Table of a sweep's results: one row per run, with all parameters and all measures."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from accord.analysis.answers import answer_total, decisions
from accord.analysis.figures import figure_name
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.tasks import SweepTask
from common.errors import PrerequisiteError
from dilemmas.errors import RecordError
from dilemmas.records.answers import RoleAnswers
from dilemmas.records.record import write_atomically

CSV, PARQUET = "results.csv", "results.parquet"
FIXED = ("task", "id", "scenario", "condition", "world", "model", "seed")
OF_RESULT = ("status", "reason", "welfare", "gini", "episodes", "repeats", "end", "game_s", "wall_s")
OF_USAGE = ("calls", "tokens", "usd")
OF_ANSWERS = ("questions", "answers", "unreadable", "refused", "cut_off", "given_up")
PENDING = "pending"
"""Status of a run that has not been played yet."""
Row = dict[str, Any]


def rows(folder: SweepFolder) -> Iterator[Row]:
    """Yield a row for each task, in order. Raises RecordError for an unreadable result."""
    for index, task in enumerate(folder.tasks):
        result = folder.result(task)
        try:
            yield {**_of_task(index, task), **_of_result(result)}
        except (KeyError, TypeError, AttributeError) as error:
            raise RecordError(
                f"{folder.home(task)}: is no record of a run ({type(error).__name__}); take it away, and the run is "
                "played again"
            ) from None


def write_table(folder: SweepFolder) -> list[Path]:
    """Write the table as CSV, and as Parquet if pyarrow is installed; return the files. Raises RecordError."""
    found = list(rows(folder))
    columns = list(dict.fromkeys([*FIXED, *folder.spec.parameters, *OF_RESULT, *OF_USAGE, *_others(found)]))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(found)
    path = folder.path / CSV
    write_atomically(path, text.getvalue())
    try:
        return [path, _parquet(folder.path / PARQUET, columns, found)]
    except PrerequisiteError:
        return [path]


def _of_task(index: int, task: SweepTask) -> Row:
    own = {"task": index, "id": task.id, "model": task.model or ""}
    plain = {name: getattr(task, name) for name in ("scenario", "condition", "world", "seed")}
    return {**own, **plain, **task.parameters}


def _of_result(result: dict[str, Any] | None) -> Row:
    if result is None:
        return {"status": PENDING}
    row: Row = {name: result.get(name) for name in OF_RESULT}
    row |= {name: (result.get("usage") or {}).get(name) for name in OF_USAGE}
    if replies := decisions(map(RoleAnswers.from_dict, result.get("answers") or ())):
        found = answer_total(replies)
        row |= {"invalid": result.get("invalid", ""), **{f"answers.{key}": getattr(found, key) for key in OF_ANSWERS}}
    for player, told in result["players"].items():
        row |= {f"{name}.{player}": told.get(name) for name in ("reward", "transfer", "payoff")}
    for measure, by_player in (result.get("measures") or {}).items():
        row |= {figure_name((measure, player)): value for player, value in by_player.items()}
    return row


def _others(found: list[Row]) -> list[str]:
    return sorted({name for row in found for name in row} - {*FIXED, *OF_RESULT, *OF_USAGE})


def _parquet(path: Path, columns: list[str], found: list[Row]) -> Path:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise PrerequisiteError("Parquet needs pyarrow: pip install pyarrow into Accord's environment") from None
    table = pyarrow.table({name: _column([row.get(name) for row in found]) for name in columns})
    staging = path.with_name(f".{path.name}")
    pyarrow.parquet.write_table(table, staging)
    staging.replace(path)
    return path


def _column(values: list[Any]) -> list[Any]:
    """Return a column with values of one type: floats for mixed numbers, texts for other mixed types."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float} or len(kinds) <= 1:
        return [float(value) if kinds == {int, float} and value is not None else value for value in values]
    return [None if value is None else str(value) for value in values]
