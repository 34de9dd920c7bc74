"""Compliance checks of agent families, and of modules of living agents."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from accord.compliance.finding import ComplianceFinding, require, run_check
from accord.compliance.plays import Plays, check_ended, check_same_bytes, play
from accord.studies.estimate import expect
from accord.studies.runner import usual_world
from accord.studies.settings import OFF, StudySettings
from bridge.worlds import NOWHERE
from dilemmas.modes.registry import MODES
from dilemmas.scenarios.registry import load_scenario
from voyager_agents.family import Family
from voyager_agents.piano.settings import PianoSettings
from voyager_agents.piano.wiring import wire
from voyager_agents.registry import FAMILIES, role_names

STAGES = {
    "episodes": "double-vein",
    "grid": "ada-contract",
    "iterations": "voyager-progress",
    "life": "village",
    "rounds": "commons-harvest",
}
"""Mode -> scenario in which its agents are tried."""
SECONDS = {"episodes": 12.0, "grid": 20.0, "iterations": 6.0, "life": 4.0, "rounds": 5.0}
"""Mode -> game time of the trial, in seconds."""


async def check_family(name: str, out: Path, *, played: bool = True) -> AsyncIterator[ComplianceFinding]:
    """Yield the findings for a family of agents.

    Args:
        name: Name of the family.
        out: Folder for records of what is played.
        played: Include the checks that play a scenario.
    """
    thing = f"agents {name}"
    loaded: list[Family] = []
    yield await run_check(thing, "can be loaded", lambda: loaded.append(FAMILIES[name]))
    if not loaded:
        return
    family = loaded[0]
    finding = await run_check(thing, "says what it needs", lambda: check_entry(family))
    yield finding
    if not finding.ok or not played:
        return
    if family.roles:
        yield await run_check(thing, "says what it costs", lambda: check_cost(name, family))
        return
    async for finding in _played(thing, STAGES[family.plays], SECONDS[family.plays], out, agents=name):
        yield finding


async def check_module(name: str, out: Path, *, played: bool = True) -> AsyncIterator[ComplianceFinding]:
    """Yield the findings for a module of living agents.

    Args:
        name: Name of the module.
        out: Folder for records of what is played.
        played: Include the checks that play a scenario.
    """
    thing = f"module {name}"
    finding = await run_check(thing, "fits the others", lambda: check_wiring(name))
    yield finding
    if not finding.ok or not played:
        return
    chosen = {"agents": "dwellers", "agents_options": {"modules": name}}
    async for finding in _played(thing, STAGES["life"], SECONDS["life"], out, **chosen):
        yield finding


def check_entry(family: Family) -> None:
    """Check that the family's registration is complete. Raises NotMet."""
    for plays in family.modes:
        require(plays in MODES, f"plays {plays!r}; choose from {', '.join(MODES)}")
    require(set(family.roles) <= set(role_names()), "declares unknown roles")
    require(bool(family.cost) == bool(family.roles), "says what it asks of models exactly where it has roles: see cost")


async def check_cost(name: str, family: Family) -> None:
    """Check that the family declares its model calls, as `--dry-run` needs. Raises UsageError and AgentError."""
    stage = STAGES[family.plays]
    world = NOWHERE if usual_world(load_scenario(stage), OFF) == NOWHERE else "mock"
    await expect(StudySettings(stage, _first(stage), agents=name, model="openai/imagined", world=world))


def check_wiring(name: str) -> None:
    """Check that a mind with the module is complete: all slots read are written. Raises WiringError and NotMet."""
    wiring = wire(PianoSettings.read({"modules": name}))
    require(name in {module.name for module in wiring.modules}, f"no module of the mind is called {name!r}")


async def _played(
    thing: str,
    scenario: str,
    seconds: float,
    out: Path,
    **chosen: Any,  # noqa: ANN401 - settings of any kind
) -> AsyncIterator[ComplianceFinding]:
    plays: list[Plays] = []

    async def playing() -> str:
        plays.append(await play(scenario, seconds, out, _first(scenario), **chosen))
        return check_ended(plays[0])

    yield await run_check(thing, f"plays {scenario} to its end", playing)
    if plays:
        yield await run_check(thing, "the same seed gives the same bytes", lambda: check_same_bytes(plays[0]))


def _first(scenario: str) -> tuple[str, ...]:
    return tuple(load_scenario(scenario).spec.conditions)[:1]
