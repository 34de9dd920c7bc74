"""Helpers of the tests of grid games as scenarios."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.records.events import LogLine
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA
from voyager_agents.models.fake_server import Request

RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
PATTERN = '"action"'


def settings(scenario: str, out: Path, **chosen: Any) -> StudySettings:  # noqa: ANN401 - settings of any kind
    return StudySettings(scenario, out=out, **{"world": "none", **chosen})


async def played(scenario: str, out: Path, **chosen: Any) -> StudyResult:  # noqa: ANN401 - settings of any kind
    return await run_study(settings(scenario, out, **chosen))


def lines(run: Path) -> list[LogLine]:
    return list(read_events(run / "events.jsonl"))


def of_kind(run: Path, kind: str) -> list[Any]:
    return [line.event for line in lines(run) if line.kind == kind]


def legal(request: Request) -> list[str]:
    """Return the answers that a prompt offers a player by words, as they are typed."""
    shown = next(each["content"] for each in request.messages if each["role"] == "user")
    offers = shown.partition("Answer with one of:\n")[2].splitlines()
    found = []
    for offer in offers:
        form, _, values = offer.partition(" with X one of ")
        found += [form.replace("X", value) for value in values.split(", ")]
    return found


def first(request: Request) -> str:
    """Return a model that takes the last answer on offer: join the last group, pick up rather than walk."""
    return legal(request)[-1]
