"""Records, opened for Python: `Run` for one run, `Study` for all runs at or below a directory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from accord.analysis.figures import figures
from accord.analysis.report.reader import LOG, find_runs
from common.plain_files import read_text
from contracts.yaml12 import load_own
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.events import LogLine, VerdictGiven
from dilemmas.records.record import CONFIG, read_events
from dilemmas.records.results import read_result

if TYPE_CHECKING:
    import pandas

RESULT = "result.json"


class Run:
    """Record of one run. Only the result is kept in memory; events are read from the log on demand."""

    def __init__(self, path: str | Path) -> None:
        """Open a record. Raises UsageError if the directory is no run, RecordError if the record cannot be read."""
        self.path = Path(path)
        """Directory of the run."""
        if not (self.path / LOG).is_file():
            below = find_runs([self.path])
            raise UsageError(f"{self.path} holds {len(below)} runs: open it with accord.open_study")
        self.result: dict[str, Any] = read_result(self.path / RESULT)
        """Content of result.json (docs/results.md)."""

    def __repr__(self) -> str:
        return f"<Run {self.scenario} {self.condition} seed {self.seed}: {self.status}, {self.path}>"

    @property
    def scenario(self) -> str:
        """Name of the scenario."""
        return str(self.result["scenario"])

    @property
    def condition(self) -> str:
        """Name of the condition."""
        return str(self.result["condition"])

    @property
    def seed(self) -> int:
        """Seed of the run."""
        return int(self.result["seed"])

    @property
    def status(self) -> str:
        """Status: complete, failed, infrastructure or budget."""
        return str(self.result["status"])

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players, in the scenario's order."""
        return tuple(self.result.get("players") or ())

    @property
    def measures(self) -> dict[str, float]:
        """Measure -> figure of all players together, such as `welfare` (emeralds), `gini` and `game_s` (seconds)."""
        return {measure: value for (measure, player), value in figures(self.result).items() if not player}

    @property
    def player_measures(self) -> dict[str, dict[str, float]]:
        """Player -> measure -> figure, such as `reward`, `transfer` and `payoff` (emeralds)."""
        found: dict[str, dict[str, float]] = {player: {} for player in self.players}
        for (measure, player), value in figures(self.result).items():
            if player:
                found.setdefault(player, {})[measure] = value
        return found

    @cached_property
    def config(self) -> dict[str, Any]:
        """config.yaml: settings, scenario, condition, versions. Raises RecordError."""
        return _config(self.path)

    def events(self, *kinds: str) -> Iterator[LogLine]:
        """Yield the events of the log in order; with `kinds`, only events of these kinds.

        An event has `seq`, `kind`, `tick`, `time`, `episode` and `event`, whose fields are listed in docs/results.md.
        Raises RecordError.
        """
        yield from read_events(self.path / LOG, kinds or None)

    def verdicts(self) -> list[VerdictGiven]:
        """Return the judge's verdicts, one event each. Raises RecordError."""
        return [line.event for line in self.events("verdict") if isinstance(line.event, VerdictGiven)]

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per player: condition and seed, the player's own figures, and the run's common figures."""
        head = {"scenario": self.scenario, "condition": self.condition, "seed": self.seed, "status": self.status}
        found = []
        for player, own in self.player_measures.items():
            together = {measure: value for measure, value in self.measures.items() if measure not in own}
            found.append({**head, "player": player, **own, **together})
        return found

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a DataFrame. Raises UsageError if pandas is not installed."""
        return _frame(self.rows())


class Study:
    """All runs at or below a directory, sorted by condition and seed."""

    def __init__(self, path: str | Path) -> None:
        """Open the records. Raises UsageError if the directory holds no run, RecordError if a record cannot be read."""
        self.path = Path(path)
        """Directory of the study."""
        found = [Run(each) for each in find_runs([self.path]) if (each / RESULT).is_file()]
        if not found:
            raise UsageError(f"{self.path}: no run in it has ended: go on with `accord resume {self.path}`")
        order = list(_config(self.path).get("conditions") or ()) if (self.path / CONFIG).is_file() else []
        places = {name: place for place, name in enumerate(order)}
        found.sort(key=lambda run: (places.get(run.condition, len(places)), run.condition, run.seed))
        self.runs: tuple[Run, ...] = tuple(found)
        """Finished runs of the study."""

    def __repr__(self) -> str:
        return f"<Study of {len(self.runs)} runs, {self.path}>"

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    @property
    def conditions(self) -> tuple[str, ...]:
        """Names of the played conditions, in order."""
        return tuple(dict.fromkeys(run.condition for run in self.runs))

    @property
    def status(self) -> str:
        """Status of the study: complete if every run is, otherwise the status of the first incomplete run."""
        return next((run.status for run in self.runs if run.status != "complete"), "complete")

    @property
    def report(self) -> Path | None:
        """Path of the report's page, or None if no report was written."""
        page = self.path / "report.html"
        return page if page.is_file() else None

    def under(self, condition: str) -> tuple[Run, ...]:
        """Return the runs under a condition. Raises UsageError if no run was played under it."""
        found = tuple(run for run in self.runs if run.condition == condition)
        if not found:
            raise UsageError(f"no run under {condition!r}: the conditions are {', '.join(self.conditions)}")
        return found

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of all runs (`Run.rows`)."""
        return [row for run in self.runs for row in run.rows()]

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a DataFrame. Raises UsageError if pandas is not installed."""
        return _frame(self.rows())


def open_run(path: str | Path) -> Run:
    """Return the record of one run from a directory that `accord run` has written.

    Raises UsageError and RecordError.
    """
    return Run(path)


def open_study(path: str | Path) -> Study:
    """Return all runs at or below a directory, which may hold a single run, a study or a sweep.

    Raises UsageError and RecordError.
    """
    return Study(path)


def _config(directory: Path) -> dict[str, Any]:
    path = directory / CONFIG
    try:
        config = load_own(read_text(path))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise RecordError(f"{path} cannot be read ({type(error).__name__}): is the record whole?") from None
    return config if isinstance(config, dict) else {}


def _frame(rows: list[dict[str, Any]]) -> pandas.DataFrame:
    try:
        import pandas
    except ImportError:
        raise UsageError("to_pandas needs pandas, which is not installed: run `pip install pandas`") from None
    return pandas.DataFrame(rows)
