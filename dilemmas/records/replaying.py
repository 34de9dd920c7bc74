"""The recorded runs that `--model replay:RUN` repeats."""

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
"""How such a model is asked for."""
_MODELS = re.compile(r"\+(?:[^+=]*\.)?model=[^+]*")


class Replay:
    """All runs at or below a directory, by condition and seed."""

    def __init__(self, path: Path, *, renamed: bool = True) -> None:
        """`renamed`: what answers says by its name that it repeats another's answers.

        Raises UsageError when there is no run.
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
        """Whether all these runs (condition, seed) were recorded. Raises UsageError."""
        for run in wanted:
            if self._find(*run) is None:
                known = "; ".join(f"{condition}, seed {seed}" for condition, seed in self._runs)
                raise UsageError(f"{PREFIX}{self._path}: has no run of {run[0]} with seed {run[1]}; it has {known}")

    def part(self, condition: str, seed: int, player: str, role: str) -> ReplayModel:
        """What answers that player in that run."""
        calls = self._find(condition, seed)
        assert calls is not None, "the study has checked its runs"
        return ReplayModel(calls, player, role, renamed=self._renamed)

    def _find(self, condition: str, seed: int) -> RecordedCalls | None:
        """The calls of that run; else of the only one of which just the model, which is replaced, had another name."""
        if (condition, seed) in self._runs:
            return self._runs[condition, seed]
        alike = [
            calls
            for (name, other), calls in self._runs.items()
            if other == seed and _without_models(name) == _without_models(condition)
        ]
        return alike[0] if len(alike) == 1 else None

    async def close(self) -> None:
        """Nothing to give back."""

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
    """A condition's name less the models that a study varies (`accord.studies.factors`)."""
    return _MODELS.sub("", condition)
