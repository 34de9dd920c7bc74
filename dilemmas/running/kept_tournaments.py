"""Tournaments on disk: what is to be played is written down before the first game, so that one that was stopped goes
on, however it was stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from bridge.plugins import active
from bridge.plugins import add as add_plugin
from dilemmas.errors import UsageError
from dilemmas.records.record import to_json, write_atomically
from dilemmas.running.tournament import Plan

PLAN = "plan.json"
MOST = 1000
"""Tournaments that may begin in one second."""


def claim(plan: Plan, out: Path, clock: Callable[[], float] = time.time) -> Path:
    """A new directory in `out` for the tournament, called by time and game, with its plan. Raises UsageError."""
    name = plan.game().spec.name
    base = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(clock()))}-{name}-tournament"
    for number in range(1, MOST):
        directory = out / (base if number == 1 else f"{base}-{number}")
        try:
            directory.mkdir(parents=True)
            write_atomically(directory / PLAN, to_json(plain(plan)))
        except FileExistsError:
            continue
        except OSError as error:
            raise UsageError(f"{out}: cannot be written ({error.strerror}); choose another folder with --out") from None
        return directory
    raise UsageError(f"{out} holds {MOST} tournaments of one second; choose another folder with --out")


def is_tournament(directory: Path) -> bool:
    """Whether a tournament, and not a study, is in that directory."""
    return (directory / PLAN).is_file()


def read_plan(directory: Path, *, jobs: int | None = None, budget: Mapping[str, float] | None = None) -> Plan:
    """The plan of the tournament in that directory, with other jobs (None: as it was begun) and caps laid over its own.

    The plugins that it was begun with are used again. Raises UsageError.
    """
    try:
        data = json.loads((directory / PLAN).read_text(encoding="utf-8"))
        named = data.pop("plugins")
        known = {each.name for each in fields(Plan)}
        if not set(data) <= known:
            raise ValueError("other keys")
        given = {**data, "names": tuple(data["names"])}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"{directory / PLAN} cannot be read: it is no plan of this version of Accord") from None
    for folder in named:
        add_plugin(Path(folder))
    kept = Plan(**given)
    return replace(kept, jobs=jobs or kept.jobs, budget={**kept.budget, **(budget or {})})


def plain(plan: Plan) -> dict[str, Any]:
    """For JSON; `read_plan` takes it back."""
    file = Path(plan.scenario).expanduser()
    where = str(file.absolute()) if file.suffix in (".yaml", ".yml") and file.is_file() else plan.scenario
    return {**asdict(plan), "scenario": where, "plugins": [str(folder) for folder in active()]}
