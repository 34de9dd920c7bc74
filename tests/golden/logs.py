"""SHA-256 sums of the logs of every scenario on the mock world, to tell whether a change alters behaviour.

    python -m tests.golden.logs            compare all sums with sums.json
    python -m tests.golden.logs --write    write sums.json anew, after an intended change

`short` plays the first condition of each scenario for 5 game seconds, `long` every condition for 30. Conditions that
reference players refuse are left out.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from accord.studies.players import mode_of
from accord.studies.runner import usual_world
from accord.studies.settings import StudySettings
from accord.studies.study import run_study
from dilemmas.errors import UsageError
from dilemmas.scenarios.registry import SCENARIOS, load_scenario

SUMS = Path(__file__).with_name("sums.json")
LIMITS_S = {"short": 5.0, "long": 30.0}
"""Name of a set of plays -> time limit of an episode, in game seconds."""


async def play_scenario(name: str, kind: str, out: Path) -> dict[str, str]:
    """Play a scenario with reference players and return the sum of each condition's log.

    Args:
        name: The scenario's name in the registry.
        kind: `short` or `long`.
        out: The folder for the records.
    """
    scenario = load_scenario(name)
    world = usual_world(scenario, "off")
    conditions = list(scenario.spec.conditions)
    sums = dict[str, str]()
    for condition in conditions if kind == "long" else conditions[:1]:
        settings = StudySettings(
            name, (condition,), out=out / condition, world="mock" if world == "embedded" else world,
            time_limit_s=LIMITS_S[kind],
        )  # fmt: skip
        several = mode_of(settings, scenario).several
        try:
            await run_study(replace(settings, episodes=2 if several else 1))
        except UsageError:  # its players have no stand-in that talks
            continue
        logs = sorted(settings.out.rglob("events.jsonl"))
        for number, log in enumerate(logs, 1):
            run = condition if len(logs) == 1 else f"{condition} {number}"
            sums[f"{name}: {run}"] = hashlib.sha256(log.read_bytes()).hexdigest()
    return sums


async def play_all(kind: str) -> dict[str, str]:
    """Play all scenarios and return the sums by condition."""
    sums = dict[str, str]()
    with tempfile.TemporaryDirectory() as folder:
        for name in SCENARIOS:
            sums |= await play_scenario(name, kind, Path(folder) / name)
    return sums


def main() -> int:
    """Compare all sums, or write them; return the exit code."""
    found = {kind: asyncio.run(play_all(kind)) for kind in LIMITS_S}
    if "--write" in sys.argv:
        SUMS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        return 0
    kept = json.loads(SUMS.read_text())
    wrong = [f"{kind} {name}" for kind in kept for name in kept[kind] if found[kind].get(name) != kept[kind][name]]
    print("\n".join(wrong) or "all sums are equal")  # noqa: T201
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
