"""Files of a dataset's tables: JSON lines or Parquet, one file for each table and split, written row by row."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from accord.datasets.tables import ColumnType, Row, Table
from common.errors import PrerequisiteError
from common.text import well_formed

if TYPE_CHECKING:
    import pyarrow

BATCH = 2_000
"""Number of rows that are kept in memory for one write."""


class TableFile(Protocol):
    """File that takes the rows of one table and split."""

    def write(self, row: Row) -> None:
        """Append a row."""

    def close(self) -> None:
        """Write what is pending and close the file."""


class JsonLines:
    """Table as JSON lines in UTF-8."""

    suffix = ".jsonl"

    def __init__(self, path: Path, table: Table) -> None:
        """Create the file."""
        self._file: IO[str] = path.open("w", encoding="utf-8", newline="\n")
        self._columns = [column.name for column in table.columns]

    def write(self, row: Row) -> None:
        """Append a row with all columns in order."""
        self._file.write(
            well_formed(json.dumps({name: row[name] for name in self._columns}, ensure_ascii=False)) + "\n"
        )

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Parquet:
    """Table as Parquet with zstd compression. It needs pyarrow."""

    suffix = ".parquet"

    def __init__(self, path: Path, table: Table) -> None:
        """Create the file. Raises PrerequisiteError without pyarrow."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise PrerequisiteError(
                "Parquet needs pyarrow: `pip install pyarrow` into Accord's environment, or choose --format jsonl"
            ) from None
        self._schema = pyarrow.schema([(column.name, _arrow_type(pyarrow, column.type)) for column in table.columns])
        self._table: Callable[..., Any] = pyarrow.Table.from_pylist
        self._writer = pyarrow.parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._rows: list[Row] = []

    def write(self, row: Row) -> None:
        """Append a row."""
        self._rows.append({name: _well_formed(value) for name, value in row.items()})
        if len(self._rows) >= BATCH:
            self._flush()

    def close(self) -> None:
        """Write pending rows and close the file."""
        with ExitStack() as stack:
            stack.callback(self._writer.close)
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._table(self._rows, schema=self._schema))
            self._rows = []


def _arrow_type(arrow: Any, kind: ColumnType) -> pyarrow.DataType:  # noqa: ANN401 - the module, imported on demand
    plain: Mapping[str, Callable[[], Any]] = {
        "text": arrow.string, "json": arrow.string, "whole": arrow.int64, "number": arrow.float64, "flag": arrow.bool_,
    }  # fmt: skip
    if kind == "texts":
        return arrow.list_(arrow.string())
    if kind == "messages":
        return arrow.list_(arrow.struct([("role", arrow.string()), ("content", arrow.string())]))
    return plain[kind]()


def _well_formed(value: Any) -> Any:  # noqa: ANN401 - a value of a row
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, list):
        return [_well_formed(each) for each in value]
    if isinstance(value, dict):
        return {name: _well_formed(each) for name, each in value.items()}
    return value


FORMATS: Mapping[str, type[JsonLines] | type[Parquet]] = {"jsonl": JsonLines, "parquet": Parquet, "hf": Parquet}
"""Format -> writer of its files. `hf` is Parquet; the card of every dataset names its files for Hugging Face."""
