"""Recorded runs that `--model replay:RUN` repeats."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from dilemmas.errors import RecordError, UsageError
from dilemmas.records.events import RunStarted
from dilemmas.records.folders import find_below
from dilemmas.records.record import read_events
from voyager_agents import ModelError
from voyager_agents.models.recorded import REPLAY, RecordedCalls, ReplayModel

PREFIX = "replay:"
"""Prefix of a model name that requests a replay."""
_MODELS = re.compile(r"\+(?:[^+=]*\.)?model=[^+]*")


class Replay:
    """All recorded runs at or below a directory, by condition and seed."""

    def __init__(self, path: Path, *, renamed: bool = True) -> None:
        """Load the runs.

        Args:
            path: Directory of a study or run.
            renamed: Name replayed models after the replay instead of the recorded model.

        Raises:
            UsageError: There is no run at or below `path`.
        """
        self.name = f"{REPLAY}{path}"
        self._renamed = renamed
        self._path = path
        self._runs: dict[tuple[str, int], RecordedCalls] = {}
        for run in sorted(find_below(path, "events.jsonl")):
            self._add(run / "events.jsonl")
        if not self._runs:
            raise UsageError(f"{PREFIX}{path}: there is no run; give a directory that 'accord run' has written")

    def check(self, wanted: Iterable[tuple[str, int]]) -> None:
        """Check that all wanted runs (condition, seed) were recorded.

        Raises:
            UsageError: A run is missing.
        """
        for run in wanted:
            if self._find(*run) is None:
                known = "; ".join(f"{condition}, seed {seed}" for condition, seed in self._runs)
                raise UsageError(f"{PREFIX}{self._path}: has no run of {run[0]} with seed {run[1]}; it has {known}")

    def part(self, condition: str, seed: int, player: str, role: str) -> ReplayModel:
        """Return the model that replays the answers to one role of a player in a run.

        Args:
            condition: Name of the run's condition.
            seed: Seed of the run.
            player: Name of the player.
            role: Role of the player.
        """
        return ReplayModel(self._calls(condition, seed), player, role, renamed=self._renamed)

    def stages(self, condition: str, seed: int, player: str, role: str) -> list[ReplayModel]:
        """Return the models that replay a role's cascade, the first stage first; empty if the role had none.

        Args:
            condition: Name of the run's condition.
            seed: Seed of the run.
            player: Name of the player.
            role: Role of the player.
        """
        calls = self._calls(condition, seed)
        count = calls.stages(player, role)
        # A cascade whose answers were all good enough has no call of its last stage.
        places = range(1, max(count, 2) + 1) if count else ()
        return [ReplayModel(calls, player, role, renamed=self._renamed, stage=place) for place in places]

    def _calls(self, condition: str, seed: int) -> RecordedCalls:
        calls = self._find(condition, seed)
        assert calls is not None, "the study has checked its runs"
        return calls

    def _find(self, condition: str, seed: int) -> RecordedCalls | None:
        """Return the calls of a run, or of the only run whose condition differs just in the model that is replaced."""
        if (condition, seed) in self._runs:
            return self._runs[condition, seed]
        alike = [
            calls
            for (name, other), calls in self._runs.items()
            if other == seed and _without_models(name) == _without_models(condition)
        ]
        return alike[0] if len(alike) == 1 else None

    async def close(self) -> None:
        """Do nothing: a replay holds no open resources."""

    def _add(self, log: Path) -> None:
        try:
            with closing(read_events(log)) as lines:
                first = next(lines, None)
            if first is not None and isinstance(first.event, RunStarted):
                run = (first.event.condition, first.event.seed)
                self._runs[run] = RecordedCalls.load(log.with_name("calls.jsonl"))
        except (RecordError, ModelError) as error:
            raise UsageError(f"{PREFIX}{self._path}: {error}") from None


def _without_models(condition: str) -> str:
    """Return a condition's name without the models that a study varies (`accord.studies.factors`)."""
    return _MODELS.sub("", condition)
