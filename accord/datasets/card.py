"""Card of a dataset: README.md with its origin, tables and how to load them, and metadata for Hugging Face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import yaml

from accord.analysis.report.text import one_line
from accord.datasets.rows import RowFilter, RunRows
from accord.datasets.tables import DATASET_VERSION, TABLES, Row

MAX_NAMES = 20
"""Maximum number of names in a line of the card."""


@dataclass
class DatasetFacts:
    """Facts of a dataset that its card states."""

    folder: str
    """Name of the dataset's folder."""
    suffix: str
    """Suffix of its tables' files."""
    shares: Mapping[str, float]
    wanted: RowFilter
    runs: list[Row] = field(default_factory=list)
    """Rows of the table of runs."""
    splits: Counter[str] = field(default_factory=Counter)
    """Split -> number of runs."""
    rows: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(table, split) -> number of rows."""
    unfinished: int = 0
    """Number of runs that had not ended."""
    left_out: int = 0
    """Number of runs that the filter left out."""

    def rows_of(self, table: str) -> int:
        """Return the number of rows of a table in all splits."""
        return sum(self.rows[table, split] for split in self.shares)

    def add_run(self, run: RunRows, split: str) -> None:
        """Count a run."""
        self.runs.extend(run.rows("runs"))
        self.splits[split] += 1


def dataset_card(facts: DatasetFacts) -> str:
    """Return README.md. Names in it come from records of others and are quoted."""
    parts = (
        _front_matter(facts),
        "# Records of studies with Accord",
        *_origin(facts),
        *_tables(facts),
        *_loading(facts),
    )
    return "\n\n".join(parts) + "\n"


def _front_matter(facts: DatasetFacts) -> str:
    # Files without rows are not named: loaders cannot tell the columns of JSON lines without a line.
    configs = [
        {
            "config_name": table.name,
            "data_files": [
                {"split": split, "path": f"{table.name}/{split}{facts.suffix}"}
                for split in facts.shares
                if facts.rows[table.name, split]
            ],
            **({"default": True} if table.name == "turns" else {}),
        }
        for table in TABLES
        if facts.rows_of(table.name)
    ]
    told = {"pretty_name": "Records of studies with Accord", "tags": ["multi-agent", "minecraft"], "configs": configs}
    return f"---\n{yaml.safe_dump(told, sort_keys=False)}---"


def _origin(facts: DatasetFacts) -> list[str]:
    lines = [
        f"{len(facts.runs)} runs, made from event logs by `accord export` (tables' version {DATASET_VERSION}).",
    ]
    for label, column in (("Scenarios", "scenario"), ("Conditions", "condition"), ("Worlds", "world"),
                          ("Seeds", "seed"), ("Versions of Accord", "accord")):  # fmt: skip
        lines.append(f"- {label}: {_names([str(row[column]) for row in facts.runs if row[column] is not None])}")
    models = _names([model for row in facts.runs for model in row["models"]])
    lines.append(f"- Language models: {models or 'none was called'}")
    calls, usd = sum(row["calls"] or 0 for row in facts.runs), sum(row["usd"] or 0 for row in facts.runs)
    lines.append(f"- Calls of models: {calls:,}; price as far as known: ${usd:,.2f}")
    with_people = sum(bool(row["people"]) for row in facts.runs)
    if not with_people:
        lines.append("- People: none played")
    elif facts.wanted.people:
        lines.append(f"- People: played in {with_people} runs; their words are **included**")
    else:
        lines.append(f"- People: played in {with_people} runs; all texts of these runs are left out (null)")
    if facts.unfinished:
        lines.append(f"- Left out: {facts.unfinished} runs that have not ended")
    if facts.wanted.worked:
        lines.append(
            f"- Only what worked: {facts.left_out} runs that are not complete or not valid are left out, and programs "
            "that did not return, steps in which something went wrong, and unusable answers of models"
        )
    shares = ", ".join(f"{name} {facts.splits[name]} runs" for name in facts.shares)
    lines.append(f"- Splits, by seed: {shares}")
    return [lines[0], "\n".join(lines[1:])]


def _tables(facts: DatasetFacts) -> list[str]:
    head = "| table | a row is | rows |\n|---|---|---|\n"
    rows = "\n".join(f"| `{table.name}` | {table.about} | {facts.rows_of(table.name):,} |" for table in TABLES)
    return ["## Tables", head + rows, "`schema.json` describes every column, as JSON Schema. Columns of type JSON hold "
            "JSON as text."]  # fmt: skip


def _loading(facts: DatasetFacts) -> list[str]:
    kind, first = facts.suffix.removeprefix("."), next(iter(facts.shares))
    path = f"turns/{first}{facts.suffix}"
    lines = "lines=True" if kind == "jsonl" else ""
    pandas = f'pandas.read_json("{path}", {lines})' if lines else f'pandas.read_parquet("{path}")'
    polars = f'polars.read_ndjson("{path}")' if lines else f'polars.read_parquet("{path}")'
    code = f'{pandas}\n{polars}\ndatasets.load_dataset("{facts.folder}", "turns")  # from the folder above'
    return ["## Loading", f"```python\n{code}\n```"]


def _names(names: Sequence[str]) -> str:
    found = list(dict.fromkeys(f"`{one_line(name, 120).replace('`', chr(39))}`" for name in names))
    more = f" and {len(found) - MAX_NAMES} more" if len(found) > MAX_NAMES else ""
    return ", ".join(found[:MAX_NAMES]) + more
