"""Readers of the records of a study that a test has played."""

from __future__ import annotations

import json
from typing import Any

from accord.studies.study import StudyResult

TOLD = ("cached", "saved_usd", "usd", "tokens", "usage", "costs", "wall_ms")
"""Fields in which a repeated study differs."""


def runs(study: StudyResult) -> list[dict[str, Any]]:
    return [run for each in study.results for run in each.get("runs", [each])]


def lines(study: StudyResult, name: str = "events.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for path in sorted(study.directory.rglob(name)) for line in path.read_text().splitlines()]


def played(study: StudyResult) -> list[Any]:
    """Return the log's lines without prices."""
    return [_without(each) for each in lines(study)]


def _without(value: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {key: _without(each) for key, each in value.items() if key not in TOLD and not key.endswith("wall_s")}
    return [_without(each) for each in value] if isinstance(value, list) else value
