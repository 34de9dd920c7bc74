"""The families of agents: a literal table. A family is imported only when one of its agents plays.

A family makes the agents of all its seats in a run, so that they can share something. It says which mode its agents
play: in `episodes` an agent writes a program for each episode (`agent.Agent`), in `rounds` it decides turn by turn
(`turns.TurnTaker`). A scenario says in which modes it can be played (`ScenarioSpec.plays`). A new family is one file
and one entry here (docs/adding-agents.md).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from common.plugins import PluginEntry, PluginTable
from voyager_agents.agent import Agent
from voyager_agents.commons_harvest import TAKES as HARVEST
from voyager_agents.errors import AgentError, ModelError
from voyager_agents.models import Model
from voyager_agents.person import PersonSeat
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.reference import ReferenceAgent
from voyager_agents.stage_games.turns import TAKES as CHOICES
from voyager_agents.thought_events import Tell, silent
from voyager_agents.voyager.agent import VoyagerAgent, VoyagerParts, standard_parts

JUDGE = "judge"
"""The role of the judge, in every family."""
RATER = "rater"
"""The role of whoever rates lives after they were lived."""
RATING = ("rate_coherence", "rate_roles", "rate_sentiments")
"""The rater's prompts."""
EMBEDDING = "embedding"
"""The role of calls that turn texts into vectors. Its model is an option of the agents, not a study's model."""
NEGOTIATOR = "negotiator"
"""The role that negotiates before a game."""
JUDGING = ("judge", "typist")
"""The judge's prompts, in every family."""
REFERENCE = "reference"
"""The family of players without a model who write programs."""
PAPER = "paper"
"""The family of the contracts paper."""


@dataclass(frozen=True)
class AgentContext:
    """One player's place in a run, for which a family makes the agent."""

    player: str
    players: tuple[str, ...]
    """All players of the run, in the scenario's order."""
    condition: str
    seed: int
    """The run's seed. All chance of the agent comes from it and the player's name."""
    kind: str
    """One of the family's kinds; empty for a family without any."""
    about: str
    """What the scenario tells this player about itself under this condition, such as a personality; may be empty."""
    text: str
    """The scenario's description as players read it."""
    task: str
    model: Callable[[str], Model | None]
    """Role -> this player's model for it; None where there is none. The study records and pays every call."""
    docs: str
    """The primitives' documentation, for agents that write programs; empty where no model plays."""
    options: Mapping[str, Any]
    """What the scenario's condition sets for agents; `--agents-option KEY=VALUE` (text) overrides it."""
    folder: Path
    """A folder in the run's record for the agent's own files; not made yet."""
    done: int = 0
    """Episodes that an interrupted run has finished before this agent was made."""
    base_url: str | None = None
    """The endpoint of the study's models; None for the provider's own."""
    api_key_file: Path | None = None
    embedder: Callable[[str, Callable[[], Model]], Model] = lambda _name, opened: opened()
    """What this player's embeddings are asked through (`voyager_agents.index.Through`): their calls are recorded and
    paid, too."""
    prompts: Prompts = STANDARD
    """What its parts ask with."""
    persona: Mapping[str, Any] = field(default_factory=dict)
    """Who the player is, where agents live (`voyager_agents.personas.Persona.plain`, and the places it knows)."""
    person: PersonSeat | None = None
    """What connects it to the person who plays, where one does."""
    tell: Tell = silent
    """Takes down what goes on in the agent's mind, for the record alone."""


@dataclass(frozen=True)
class Family:
    """One family."""

    plays: str
    """The mode of play that its agents are for (`dilemmas.modes.registry.MODES`)."""
    make: str
    """`module:function`; the function takes the family's seats, in the scenario's order, and returns an agent each."""
    roles: tuple[str, ...] = ()
    """The roles of its models; the first is needed, the others fall back on the study's model. Empty: no model."""
    check: str = ""
    """`module:function` of a seat's options; raises AgentError in one line. Empty: no option is legal."""
    cost: str = ""
    """`module:function` that tells what one of its agents asks of models in a run (`cost.Describe`); every family with
    roles has one."""
    negotiates: bool = True
    """Whether its agents can come to a contract before they play (`contracts.Negotiator`, `contracts.Signer`)."""
    conditioned: bool = False
    """Whether a scenario's settings for agents (`agents:` of a condition) are meant for this family."""
    prompts: tuple[str, ...] = ()
    """The prompts that its agents ask with (`voyager_agents.prompts.folder.catalog`)."""
    files: str = ""
    """`module:function` of a seat's options: the user's own files that they name, which records hold the hashes of."""
    takes: str = ""
    """In rounds: the kind of turns that its agents understand (`ScenarioSpec.TURNS`)."""
    kinds: str = ""
    """`module:NAME` of a collection of its kinds; the first is the default. Empty: it has one kind only."""
    also: tuple[str, ...] = ()
    """Other modes that its agents can play as they are."""
    keeps_programs: bool = False
    """In episodes: an agent whose program ended well keeps it for the next episode. A run ends before `--episodes` when
    nobody writes another program. An agent with a critic (`agent.Reviewer`) decides for itself."""

    @property
    def modes(self) -> tuple[str, ...]:
        """All modes that its agents play, its own first."""
        return (self.plays, *self.also)

    def known(self) -> list[str]:
        """Its kinds."""
        found: Collection[str] = load(self.kinds) if self.kinds else ()
        return list(found)


OWN: dict[str, Family] = {
    REFERENCE: Family(
        "episodes",
        "voyager_agents.registry:reference",
        kinds="voyager_agents.reference:PLAYERS",
        keeps_programs=True,
    ),
    PAPER: Family(
        "episodes",
        "voyager_agents.registry:paper",
        roles=("action", "critic", NEGOTIATOR),
        cost="voyager_agents.voyager.cost:paper",
        prompts=("action", "critic", "negotiator", "ratify"),
        keeps_programs=True,
    ),
    "voyager": Family(
        "episodes",
        "voyager_agents.voyager.learner:voyager",
        roles=("action", "critic", "curriculum", NEGOTIATOR),
        check="voyager_agents.voyager.learner:check",
        files="voyager_agents.voyager.learner:files",
        cost="voyager_agents.voyager.cost:learner",
        prompts=("action", "critic_task", "curriculum", "describe", "negotiator", "questions"),
        also=("iterations",),
    ),
    "foragers": Family(
        "rounds",
        "voyager_agents.reference.turn_takers:make",
        takes=HARVEST,
        kinds="voyager_agents.reference.turn_takers:TURN_TAKERS",
    ),
    "generative": Family(
        "rounds",
        "voyager_agents.generative.family:make",
        takes=HARVEST,
        roles=("mind",),
        check="voyager_agents.generative.family:check",
        cost="voyager_agents.generative.sizing:cost",
        negotiates=False,
        conditioned=True,
        prompts=(
            "act",
            "council",
            "perceive",
            "plan",
            "preamble",
            "reflect_insights",
            "reflect_questions",
            "understand",
        ),
    ),
    "strategies": Family(
        "rounds",
        "voyager_agents.stage_games.family:make",
        takes=CHOICES,
        kinds="voyager_agents.stage_games.strategies:STRATEGIES",
    ),
    "chooser": Family(
        "rounds",
        "voyager_agents.stage_games.family:choosers",
        takes=CHOICES,
        roles=("player",),
        check="voyager_agents.stage_games.family:check",
        cost="voyager_agents.stage_games.cost:cost",
        prompts=("choice",),
        negotiates=False,
    ),
    "dwellers": Family(
        "life",
        "voyager_agents.piano.family:make",
        check="voyager_agents.piano.family:check",
        files="voyager_agents.piano.family:files",
        negotiates=False,
        conditioned=True,
        kinds="voyager_agents.piano.family:KINDS",
    ),
    "piano": Family(
        "life",
        "voyager_agents.piano.family:make",
        roles=(
            "controller",
            "talking",
            "goal_generation",
            "planning",
            "social_awareness",
            "action_awareness",
            "memory",
            "skill_execution",
            "citizen",
        ),
        check="voyager_agents.piano.family:check",
        files="voyager_agents.piano.family:files",
        cost="voyager_agents.piano.cost:cost",
        prompts=(
            "action_awareness",
            "citizen",
            "controller",
            "goal_generation",
            "memory",
            "mind",
            "planning",
            "skill_execution",
            "skill_library",
            "social_awareness",
            "talking",
        ),
        negotiates=False,
        conditioned=True,
    ),
    "human": Family("episodes", "voyager_agents.person:make", kinds="voyager_agents.person:KINDS"),
    "human-life": Family(
        "life", "voyager_agents.person:make_living", negotiates=False, kinds="voyager_agents.person:KINDS"
    ),
    "random": Family("grid", "voyager_agents.grid.family:random", negotiates=False),
    "greedy": Family("grid", "voyager_agents.grid.family:greedy", negotiates=False),
    "oracle-plan": Family("grid", "voyager_agents.grid.family:oracle_plan", negotiates=False),
    "policy": Family(
        "grid",
        "voyager_agents.grid.family:of_file",
        check="voyager_agents.grid.family:check_file",
        files="voyager_agents.grid.family:files",
        negotiates=False,
    ),
    "text": Family(
        "grid",
        "voyager_agents.grid.family:text",
        roles=("player",),
        check="voyager_agents.grid.family:check_text",
        cost="voyager_agents.grid.cost:cost",
        prompts=("grid",),
        negotiates=False,
    ),
    "climbers": Family(
        "iterations",
        "voyager_agents.reference.climbers:make",
        check="voyager_agents.reference.climbers:check",
        files="voyager_agents.reference.climbers:files",
        negotiates=False,
        kinds="voyager_agents.reference.climbers:KINDS",
    ),
}
"""Name -> family of Accord's own."""


def _of_plugin(entry: PluginEntry) -> Family:
    """The family that a plugin adds. Raises PluginError."""
    family = entry.load()
    if not isinstance(family, Family):
        raise entry.broken(f"is {type(family).__name__}, not a Family (voyager_agents.registry)")
    return family


FAMILIES: PluginTable[Family] = PluginTable("agents", OWN, _of_plugin)
"""Name -> family. Of those that fit a scenario the first with a model plays, without a model the first without."""


def load(path: str) -> Any:  # noqa: ANN401 - whatever stands under that name
    """What "module:name" names."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


def roles() -> tuple[str, ...]:
    """Every role that a model can have."""
    return tuple(dict.fromkeys([role for family in FAMILIES.values() for role in family.roles] + [JUDGE, RATER]))


def check_options(family: str, options: Mapping[str, Any]) -> None:
    """Whether that family can do with these options. Raises AgentError."""
    check = FAMILIES[family].check
    if check:
        load(check)(options)
    elif options:
        raise AgentError(f"{next(iter(options))!r} is no option of {family!r} agents: they have none")


def files_of(family: str, options: Mapping[str, Any]) -> list[Path]:
    """The user's own files that options of that family name."""
    named = FAMILIES[family].files
    return list(load(named)(options)) if named else []


def make_agents(family: str, seats: Sequence[AgentContext]) -> dict[str, Any]:
    """Player -> its agent of that family: an `Agent`, a `TurnTaker` and so on, as the family plays."""
    agents: Sequence[Any] = load(FAMILIES[family].make)(seats)
    return {seat.player: agent for seat, agent in zip(seats, agents, strict=True)}


def reference(seats: Sequence[AgentContext]) -> list[Agent]:
    """Players without a model."""
    return [ReferenceAgent(seat.player, seat.kind, seed=seat.seed) for seat in seats]


def paper(seats: Sequence[AgentContext]) -> list[Agent]:
    """Multi-agent Voyager as the contracts paper has it: no curriculum, no skill library."""
    return [VoyagerAgent(seat.player, _paper_parts(seat), seat.tell) for seat in seats]


def _paper_parts(seat: AgentContext) -> VoyagerParts:
    critic, negotiator = seat.model("critic"), seat.model(NEGOTIATOR)
    action = needed(seat, "action")
    made = {"critic": critic, "negotiator": negotiator}
    return standard_parts(action, seat.docs, **made, prompts=seat.prompts, tell=seat.tell)


def needed(seat: AgentContext, role: str) -> Model:
    """The seat's model for a role that its family cannot do without; the study has checked that there is one."""
    model = seat.model(role)
    if model is None:
        raise ModelError(f"{seat.player}: there is no model for the role {role!r}: give --model openai/NAME")
    return model
