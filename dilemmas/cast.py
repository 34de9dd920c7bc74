"""Who plays and who judges in a run: a table from settings to agents, and the models that they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from contracts import FormalJudge, Judge
from dilemmas.errors import UsageError
from dilemmas.metering import Books, Meter, MeteredModel
from dilemmas.record import RunRecord
from dilemmas.replaying import PREFIX, Replay
from dilemmas.scenario import Scenario
from dilemmas.settings import ROLES, StudySettings
from dilemmas.skill_docs import skill_docs
from voyager_agents import (
    PLAYERS,
    Agent,
    Model,
    ModelError,
    Purse,
    ReferenceAgent,
    VoyagerAgent,
    language_judge,
    load_prices,
    open_model,
    standard_parts,
)
from voyager_agents.budget import ALL, EACH
from voyager_agents.models.recorded import RecordedCalls

DEFAULT_PLAYER = "reference"
"""Keeps a contract where there is one, is greedy where there is none, bargains where one is negotiated."""


@dataclass(frozen=True)
class Cast:
    """The agents of one run."""

    agents: Mapping[str, Agent]
    authors: Mapping[str, str]
    """Player -> who writes its programs, for the record."""
    judge: Judge
    meter: Meter
    purse: Purse
    """The study's."""


def _open(spec: str, settings: StudySettings) -> Model | Replay:
    if spec.startswith(PREFIX):
        return Replay(Path(spec.removeprefix(PREFIX)))
    return open_model(spec, base_url=settings.base_url, api_key_file=settings.api_key_file)


def role_specs(settings: StudySettings) -> dict[str, str]:
    """Role -> its model's spec, such as `openai/gpt-4o`; a role without a model is not in it."""
    wanted = {role: settings.models.get(role, settings.model) for role in ROLES}
    return {role: spec for role, spec in wanted.items() if spec is not None}


class Models:
    """The models of a study by role, each opened once, and the purse that pays for them; close them in the end."""

    def __init__(self, settings: StudySettings) -> None:
        """Raises UsageError for a model that cannot be used: unknown kind, no key, an unusable base URL, no price."""
        wanted = role_specs(settings)
        specs = sorted(set(wanted.values()))
        try:
            self._open = {spec: _open(spec, settings) for spec in specs}
            self.purse = Purse(settings.budget, load_prices(settings.prices))
        except ModelError as error:
            raise UsageError(str(error)) from None
        self._roles = {role: self._open[spec] for role, spec in wanted.items()}
        check_prices(self.purse, [model.name for model in self._open.values()])
        self.docs = skill_docs() if "action" in self._roles else ""
        """What the action role reads about the primitives."""

    def has(self, role: str) -> bool:
        """Whether there is a model for that role."""
        return role in self._roles

    def of(self, role: str, player: str, condition: str, seed: int) -> Model | None:
        """The model for that role of that player in that run, if there is one."""
        model = self._roles.get(role)
        return model.part(condition, seed, player, role) if isinstance(model, Replay) else model

    def check(self, runs: Iterable[tuple[str, int]]) -> None:
        """Whether the models can be used for these runs (condition, seed). Raises UsageError."""
        wanted = list(runs)
        for model in self._open.values():
            if isinstance(model, Replay):
                model.check(wanted)

    async def close(self) -> None:
        """Close the connections of all models."""
        for model in self._open.values():
            await model.close()


def check_prices(purse: Purse, models: Iterable[str]) -> None:
    """A budget in dollars needs prices. Raises UsageError."""
    unknown = [name for name in models if purse.prices.of(name) is None]
    if unknown and "usd" in purse.caps:
        raise UsageError(
            f"no price is known for {unknown[0]}, so --max-usd cannot hold: give --prices FILE or use --max-tokens"
        )


def check_players(settings: StudySettings, scenario: Scenario) -> None:
    """Whether the settings name players and kinds that exist. Raises UsageError."""
    for player, kind in settings.players.items():
        if player not in scenario.spec.players:
            raise UsageError(f"unknown player {player!r}; this scenario's are {', '.join(scenario.spec.players)}")
        if kind not in PLAYERS:
            raise UsageError(f"unknown reference player {kind!r} for {player}; choose one of {', '.join(PLAYERS)}")
    agents = [*scenario.spec.players, scenario.spec.observer.name]
    for scope in (scope for caps in settings.budget.values() for scope in caps):
        if scope not in (ALL, EACH, *agents):
            raise UsageError(f"budget for {scope!r}: name one of {', '.join(agents)}, or {EACH} for each of them")


def make_cast(
    settings: StudySettings,
    models: Models,
    scenario: Scenario,
    run: tuple[str, int],
    record: RunRecord,
    memory: RecordedCalls | None = None,
) -> Cast:
    """Agents and judge for the run of that condition and seed: models where there are some, reference players
    elsewhere. `memory` holds the calls that the run has made before it was interrupted."""
    condition, seed = run
    books = Books(record, Meter(), models.purse, memory or RecordedCalls())
    agents: dict[str, Agent] = {}
    authors: dict[str, str] = {}

    def metered(player: str, role: str) -> MeteredModel | None:
        model = models.of(role, player, condition, seed)
        return None if model is None else MeteredModel(model, player, role, books)

    for player in scenario.spec.players:
        action = metered(player, "action")
        if action is None or player in settings.players:
            kind = settings.players.get(player, DEFAULT_PLAYER)
            agents[player], authors[player] = ReferenceAgent(player, kind, seed=seed), f"reference/{kind}"
            continue
        parts = standard_parts(
            action, models.docs, critic=metered(player, "critic"), negotiator=metered(player, "negotiator")
        )
        agents[player], authors[player] = VoyagerAgent(player, parts), action.name
    judging = metered(scenario.spec.observer.name, "judge")
    judge = FormalJudge() if judging is None else language_judge(judging)
    return Cast(agents, authors, judge, books.meter, models.purse)
