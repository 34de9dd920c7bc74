"""Registry of agent families; each `module:FAMILY` is imported on first lookup.

A family creates the agents of all its players in a run, so that they can share resources. Its mode decides how the
agents play: in `episodes` an agent writes a program for each episode (`agent.Agent`), in `rounds` it decides turn by
turn (`turn_agent.TurnTaker`). A scenario lists its modes in `ScenarioSpec.plays`. docs/adding-agents.md shows a new
family.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from common.lazy_imports import import_object
from common.plugins import PluginEntry, PluginTable
from voyager_agents.context import AgentContext, require_model
from voyager_agents.errors import AgentError
from voyager_agents.family import Family, agent
from voyager_agents.roles import JUDGE, RATER

__all__ = [
    "BUILT_IN",
    "FAMILIES",
    "PAPER",
    "REFERENCE",
    "AgentContext",
    "Family",
    "Seat",
    "agent",
    "check_options",
    "files_of",
    "is_kind",
    "make_agents",
    "needed",
    "role_names",
]

Seat = AgentContext
"""Former name of `AgentContext`, kept for older packages."""
needed = require_model
"""Former name of `require_model`, kept for older packages."""
REFERENCE = "reference"
"""Family of players that write programs without a model."""
PAPER = "paper"
"""Family of the agents in the contracts paper."""

BUILT_IN: dict[str, str | Family] = {
    REFERENCE: "voyager_agents.reference.family:REFERENCE",
    PAPER: "voyager_agents.voyager.family:PAPER",
    "voyager": "voyager_agents.voyager.family:VOYAGER",
    "evolved": "voyager_agents.reference.family:EVOLVED",
    "foragers": "voyager_agents.reference.family:FORAGERS",
    "learned": "voyager_agents.reference.family:LEARNED",
    "generative": "voyager_agents.generative.family:GENERATIVE",
    "strategies": "voyager_agents.stage_games.family:STRATEGIES",
    "chooser": "voyager_agents.stage_games.family:CHOOSER",
    "commanders": "voyager_agents.conquest.family:COMMANDERS",
    "marshal": "voyager_agents.conquest.family:MARSHAL",
    "word-players": "voyager_agents.hidden_roles.family:WORD_PLAYERS",
    "speaker": "voyager_agents.hidden_roles.family:SPEAKER",
    "dwellers": "voyager_agents.piano.family:DWELLERS",
    "piano": "voyager_agents.piano.family:PIANO",
    "human": "voyager_agents.human.family:HUMAN",
    "human-life": "voyager_agents.human.family:HUMAN_LIFE",
    "random": "voyager_agents.grid.family:RANDOM",
    "greedy": "voyager_agents.grid.family:GREEDY",
    "oracle-plan": "voyager_agents.grid.family:ORACLE_PLAN",
    "policy": "voyager_agents.grid.family:POLICY",
    "text": "voyager_agents.grid.family:TEXT",
    "planner": "voyager_agents.grid.family:PLANNERS",
    "scripted-planner": "voyager_agents.grid.family:SCRIPTED_PLANNERS",
    "program": "voyager_agents.reference.family:PROGRAM",
    "climbers": "voyager_agents.reference.family:CLIMBERS",
    "idle": "voyager_agents.grid.family:IDLE",
    "human-grid": "voyager_agents.human.family:HUMAN_GRID",
    "human-words": "voyager_agents.human.family:HUMAN_WORDS",
    "human-choices": "voyager_agents.human.family:HUMAN_CHOICES",
    "human-orders": "voyager_agents.human.family:HUMAN_ORDERS",
    "human-harvest": "voyager_agents.human.family:HUMAN_HARVEST",
    "bystanders": "voyager_agents.reference.family:LIVING_BYSTANDERS",
}
"""Name of a built-in family -> the family, or the `module:NAME` that holds it."""


@cache
def _imported(place: str) -> Family:
    """Return the family that `module:NAME` holds: a run looks all of them up dozens of times."""
    family = import_object(place)
    if not isinstance(family, Family):
        raise TypeError(f"{place} is {type(family).__name__}, not a Family")
    return family


class _BuiltInFamilies(Mapping[str, Family]):
    """The built-in families, each imported on first use."""

    def __getitem__(self, name: str) -> Family:
        place = BUILT_IN[name]
        return place if isinstance(place, Family) else _imported(place)

    def __iter__(self) -> Iterator[str]:
        return iter(BUILT_IN)

    def __len__(self) -> int:
        return len(BUILT_IN)


def _of_plugin(entry: PluginEntry) -> Family:
    """Return the family that a plugin adds.

    Packages for earlier versions name the family's functions as strings, `module:function`.

    Raises:
        PluginError: The entry is no family, or names a function that cannot be imported.
    """
    family = entry.load()
    if isinstance(family, type):
        family = agent(family)
    if not isinstance(family, Family):
        raise entry.broken(f"is {type(family).__name__}, not a Family (voyager_agents.family)")
    functions: dict[str, Any] = {}
    for each in ("make", "check", "cost", "files", "kinds"):
        place = getattr(family, each)
        if isinstance(place, str):
            functions[each] = _function(entry, each, place, next(f.default for f in fields(Family) if f.name == each))
    return replace(family, **functions)


def _function(entry: PluginEntry, name: str, place: str, default: Any) -> Any:  # noqa: ANN401 - a function of any kind
    if not place:
        return default
    try:
        found = import_object(place)
    except (ImportError, AttributeError, ValueError) as error:
        raise entry.broken(f"{name}: {place} cannot be loaded ({type(error).__name__}: {error})") from error
    if name == "kinds":
        return lambda: found
    if not callable(found):
        raise entry.broken(f"{name}: {place} is no function")
    return found


FAMILIES: PluginTable[Family] = PluginTable("agents", _BuiltInFamilies(), _of_plugin)
"""Name -> family. The default for a scenario is the first matching family that has models, or the first without if no
model is given."""


def role_names() -> tuple[str, ...]:
    """Return all roles that a model can have."""
    return tuple(dict.fromkeys([role for family in FAMILIES.values() for role in family.roles] + [JUDGE, RATER]))


def is_kind(name: str) -> bool:
    """Return True if a family without a model has players of that kind."""
    return any(name in family.kind_names() for family in FAMILIES.values() if not family.roles)


def check_options(name: str, options: Mapping[str, Any]) -> None:
    """Check the options for agents of the family `name`.

    Raises:
        AgentError: An option is unknown, or its value is not legal.
    """
    check = FAMILIES[name].check
    if check is not None:
        check(options)
    elif options:
        raise AgentError(f"{next(iter(options))!r} is no option of {name!r} agents: they have none")


def files_of(name: str, options: Mapping[str, Any]) -> list[Path]:
    """Return the user's files that the options refer to, for agents of the family `name`."""
    return list(FAMILIES[name].files(options))


def make_agents(name: str, contexts: Sequence[AgentContext]) -> dict[str, Any]:
    """Create the agents of the family `name`.

    Args:
        name: The family's name.
        contexts: The family's players in the run, in the scenario's order.

    Returns:
        Player -> agent: an `Agent`, a `TurnTaker` or another type, depending on the family's mode.
    """
    family = FAMILIES[name]
    agents = family.make([replace(context, roles=family.roles) for context in contexts])
    return {context.player: agent for context, agent in zip(contexts, agents, strict=True)}
