"""Helpers of the tests of grid games as scenarios."""

from __future__ import annotations

import json
import re
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
    """Return the actions that a prompt offers a player by words."""
    shown = next(each["content"] for each in request.messages if each["role"] == "user")
    return [name for line in shown.partition("Your actions:\n")[2].splitlines() for name in line.split(", ")]


def first(request: Request) -> str:
    """Return a model that takes the last action on offer: join the last group, pick up rather than walk."""
    return json.dumps({"why": "", "action": legal(request)[-1]})


def open_goals(request: Request) -> dict[str, dict[str, list[str]]]:
    """Return goal -> field -> legal values, as a prompt offers them to a planner."""
    shown = next(each["content"] for each in request.messages if each["role"] == "user")
    found: dict[str, dict[str, list[str]]] = {}
    for line in shown.partition("Your plans now:\n")[2].splitlines():
        fields = re.findall(r'"(\w+)": <([^>]*?)(?: or [^>]*)?>', line)
        found[line.partition('"goal": "')[2].partition('"')[0]] = {name: values.split(", ") for name, values in fields}
    return found


def first_plan(request: Request) -> str:
    """Return a model that takes the first plan on offer, with its first details: gather rather than walk."""
    goal, fields = next((goal, fields) for goal, fields in open_goals(request).items() if goal != "go")
    details: dict[str, Any] = {name: values[0] for name, values in fields.items() if name not in ("cell", "words")}
    for name, kind in (("group", int), ("share", float)):
        if name in details:
            details[name] = kind(details[name])
    if "amount" in details:
        details["amount"] = 2 if goal == "gather" else 1
    if goal == "drop":
        details.pop("partner")
    return json.dumps({"why": "it is the first", "plan": {"goal": goal, **details}})
