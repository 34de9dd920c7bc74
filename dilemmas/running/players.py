"""Who plays and who judges in a run: a table from settings to agents, and the models that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from contracts import FormalJudge, Judge
from dilemmas.errors import UsageError
from dilemmas.modes.protocol import Agents, Mode
from dilemmas.modes.registry import MODES
from dilemmas.modes.thinking import Thinking, ThinkingCost
from dilemmas.records.metering import Books, Meter, MeteredModel
from dilemmas.records.record import RunRecord
from dilemmas.records.replaying import PREFIX, Replay
from dilemmas.running.conditions import Condition
from dilemmas.running.settings import StudySettings
from dilemmas.scenarios.protocol import Scenario
from dilemmas.skills.docs import skill_docs
from voyager_agents import (
    AgentError,
    Model,
    ModelError,
    Purse,
    language_judge,
    load_prices,
    open_model,
)
from voyager_agents import registry as families
from voyager_agents.budget import ALL, EACH
from voyager_agents.errors import IndexUnusable
from voyager_agents.index import OFFLINE, model_of
from voyager_agents.models.recorded import RecordedCalls
from voyager_agents.registry import EMBEDDING, FAMILIES, JUDGE, PAPER, Family, Seat, make_agents, roles


@dataclass(frozen=True)
class Players:
    """Who plays one run, and who judges it."""

    mode: Mode
    """How they play."""
    agents: Agents
    authors: Mapping[str, str]
    """Player -> who writes its programs or decides, for the record."""
    judge: Judge
    meter: Meter
    purse: Purse
    """The study's."""
    thinking: Thinking = field(default_factory=lambda: Thinking(ThinkingCost("run"), lambda: None))
    """What their models' calls cost in game time."""


@dataclass(frozen=True)
class Assignment:
    """Which family plays a player, and which kind of it."""

    family: str
    kind: str


def _open(spec: str, settings: StudySettings) -> Model | Replay:
    if spec.startswith(PREFIX):
        return Replay(Path(spec.removeprefix(PREFIX)))
    return open_model(spec, base_url=settings.base_url, api_key_file=settings.api_key_file)


def role_specs(settings: StudySettings) -> dict[str, str]:
    """Role -> its model's spec, such as `openai/gpt-4o`; a role without a model is not in it."""
    wanted = {role: settings.models.get(role, settings.model) for role in roles()}
    return {role: spec for role, spec in wanted.items() if spec is not None}


class Models:
    """The models of a study by role, each opened once, and the purse that pays for them; close them in the end."""

    def __init__(self, settings: StudySettings, purse: Callable[..., Purse] = Purse) -> None:
        """`purse` makes the purse from caps and prices.

        Raises UsageError for a model that cannot be used: unknown kind, no key, an unusable base URL, no price.
        """
        wanted = role_specs(settings)
        specs = sorted(set(wanted.values()))
        try:
            self._open = {spec: _open(spec, settings) for spec in specs}
            self.purse = purse(settings.budget, load_prices(settings.prices))
        except ModelError as error:
            raise UsageError(str(error)) from None
        self._embeddings: dict[str, Model] = {}
        self._roles = {role: self._open[spec] for role, spec in wanted.items()}
        check_prices(self.purse, [*(model.name for model in self._open.values()), *_embedding(settings)])
        self.docs = skill_docs() if self._roles else ""
        """What agents that write programs read about the primitives."""

    def has(self, role: str) -> bool:
        """Whether there is a model for that role."""
        return role in self._roles

    def of(self, role: str, player: str, condition: str, seed: int) -> Model | None:
        """The model for that role of that player in that run, if there is one."""
        model = self._roles.get(role)
        return model.part(condition, seed, player, role) if isinstance(model, Replay) else model

    def embedding(self, name: str, opened: Callable[[], Model], player: str, condition: str, seed: int) -> Model:
        """What that player's embedding asks in that run: the recorded run where the action role's model is one, else
        the model of that name, opened once. Raises UsageError, ModelError."""
        replay = self._roles.get("action")
        if isinstance(replay, Replay):
            return replay.part(condition, seed, player, EMBEDDING)
        check_prices(self.purse, [name])
        if name not in self._embeddings:
            self._embeddings[name] = opened()
        return self._embeddings[name]

    def check(self, runs: Iterable[tuple[str, int]]) -> None:
        """Whether the models can be used for these runs (condition, seed). Raises UsageError."""
        wanted = list(runs)
        for model in self._open.values():
            if isinstance(model, Replay):
                model.check(wanted)

    async def close(self) -> None:
        """Close the connections of all models."""
        for model in (*self._open.values(), *self._embeddings.values()):
            await model.close()


def _embedding(settings: StudySettings) -> list[str]:
    """The model behind the embedding that the agents are told to use; none where it asks nobody, or cannot be."""
    try:
        name = model_of(str(settings.agents_options.get("embedding", OFFLINE)))
    except AgentError:
        return []
    return [] if name is None else [name]


def check_prices(purse: Purse, models: Iterable[str]) -> None:
    """A budget in dollars needs prices. Raises UsageError."""
    unknown = [name for name in models if purse.prices.of(name) is None]
    if unknown and "usd" in purse.caps:
        raise UsageError(
            f"no price is known for {unknown[0]}, so --max-usd cannot hold: give --prices FILE or use --max-tokens"
        )


def seating(settings: StudySettings, scenario: Scenario) -> dict[str, Assignment]:
    """Player -> who plays it. Raises UsageError for players, kinds and families that do not exist or do not fit."""
    for player in settings.players:
        if player not in scenario.spec.players:
            raise UsageError(f"unknown player {player!r}; this scenario's are {', '.join(scenario.spec.players)}")
    plays = mode_of(settings, scenario).name
    fitting = {name: each for name, each in FAMILIES.items() if each.plays == plays}
    usual = _usual(settings, fitting, scenario)
    return {
        player: _place(player, settings.players.get(player, spec.bot or usual), fitting, settings)
        for player, spec in scenario.spec.players.items()
    }


def mode_of(settings: StudySettings, scenario: Scenario) -> Mode:
    """How the players play: as the agents asked for do, else as is usual in that scenario."""
    legal = scenario.spec.plays
    family = FAMILIES.get(settings.agents or "")
    if family is not None and family.plays in legal:
        return MODES[family.plays]
    return MODES[next((plays for plays in legal if set(settings.players.values()) <= _wanted(plays)), legal[0])]


def _wanted(plays: str) -> set[str]:
    """The families that play so, and their kinds."""
    found = {name: each for name, each in FAMILIES.items() if each.plays == plays}
    return {*found, *(kind for each in found.values() for kind in each.known())}


def _usual(settings: StudySettings, fitting: Mapping[str, Family], scenario: Scenario) -> str:
    """The family of players of whom nothing is said."""
    if settings.agents is not None:
        if settings.agents not in fitting:
            raise UsageError(
                f"unknown agents {settings.agents!r} for {scenario.spec.name}: {', '.join(fitting)} play it"
            )
        return settings.agents
    known = role_specs(settings)
    for name, family in fitting.items():
        if family.roles and family.roles[0] in known:
            return name
    return next(name for name, family in fitting.items() if not family.roles)


def _place(player: str, wanted: str, fitting: Mapping[str, Family], settings: StudySettings) -> Assignment:
    """The family or kind of that name."""
    for name, family in fitting.items():
        kinds = family.known()
        if wanted in kinds:
            return Assignment(name, wanted)
        if wanted == name:
            if family.roles and family.roles[0] not in role_specs(settings):
                raise UsageError(f"{player}: agents of the family {name!r} need a model: give --model openai/NAME")
            return Assignment(name, kinds[0] if kinds else "")
    legal = [kind for name, family in fitting.items() for kind in (family.known() or [name])]
    raise UsageError(f"unknown reference player {wanted!r} for {player}; choose one of {', '.join(legal)}")


def check_players(settings: StudySettings, scenario: Scenario) -> None:
    """Whether the settings name players and kinds that exist. Raises UsageError."""
    seating(settings, scenario)
    mode_of(settings, scenario).check(scenario)
    agents = [*scenario.spec.players, scenario.spec.observer.name]
    for scope in (scope for caps in settings.budget.values() for scope in caps):
        if scope not in (ALL, EACH, *agents):
            raise UsageError(f"budget for {scope!r}: name one of {', '.join(agents)}, or {EACH} for each of them")


def check_options(settings: StudySettings, scenario: Scenario, conditions: Iterable[str]) -> None:
    """Whether the agents that play can do with their options under these conditions. Raises UsageError."""
    playing = dict.fromkeys(place.family for place in seating(settings, scenario).values())
    able = [name for name in playing if FAMILIES[name].check] or list(playing)
    for condition in conditions:
        for family in able:
            try:
                families.check_options(family, agent_options(settings, scenario, family, condition))
            except IndexUnusable as error:
                raise UsageError(f"agents of the family {family!r}: {error}") from None
            except AgentError as error:
                raise UsageError(f"--agents-option: {error}") from None


def check_table(settings: StudySettings, scenario: Scenario, conditions: Iterable[Condition]) -> None:
    """Whether those who play can come to their contracts as the conditions have it. Raises UsageError."""
    playing = dict.fromkeys(place.family for place in seating(settings, scenario).values())
    mode = mode_of(settings, scenario)
    silent = [family for family in playing if not FAMILIES[family].negotiates]
    for condition in conditions:
        if condition.kind == "negotiated" and silent:
            raise UsageError(
                f"condition {condition.name!r}: agents of the family {silent[0]!r} do not negotiate before a game: "
                "choose none or a contract that is given, or let them meet in it (--agents-option modules=...)"
            )
        if condition.renegotiates and not mode.several:
            raise UsageError(
                f"condition {condition.name!r}: again is for several episodes, and in {mode.name} a run is one: "
                "leave it out"
            )


def agent_options(settings: StudySettings, scenario: Scenario, family: str, condition: str) -> dict[str, Any]:
    """What agents of that family are told: by the condition, where it speaks to them, and over it by the settings."""
    own = scenario.spec.agent_options(condition) if FAMILIES[family].conditioned else {}
    return {**own, **settings.agents_options}


def seat_of(settings: StudySettings, scenario: Scenario, player: str, place: Assignment, run: tuple[str, int]) -> Seat:
    """That player's seat in the run of that condition and seed, as long as nobody is asked and nothing is kept."""
    condition, seed = run
    return Seat(
        player=player,
        players=tuple(scenario.spec.players),
        condition=condition,
        seed=seed,
        kind=place.kind,
        about=scenario.spec.character(player, condition),
        text=scenario.spec.text,
        task=scenario.spec.task,
        model=lambda _role: None,
        docs="",
        options=agent_options(settings, scenario, place.family, condition),
        folder=Path(),
        base_url=settings.base_url,
        api_key_file=settings.api_key_file,
        persona=scenario.spec.persona(player, condition),
    )


def make_players(
    settings: StudySettings,
    models: Models,
    scenario: Scenario,
    run: tuple[str, int],
    record: RunRecord,
    memory: RecordedCalls | None = None,
    done: int = 0,
    thinking: Thinking | None = None,
) -> Players:
    """Agents and judge for the run of that condition and seed: models where there are some, reference players
    elsewhere. `memory` holds the calls that the run has made before it was interrupted, `done` episodes of it."""
    condition, seed = run
    thinking = thinking or Thinking(settings.thinking_cost(), lambda: None)
    books = Books(record, Meter(), models.purse, memory or RecordedCalls(), spend=thinking.spend)

    def metered(player: str, role: str) -> MeteredModel | None:
        model = models.of(role, player, condition, seed)
        return None if model is None else MeteredModel(model, player, role, books)

    def embedder(player: str, name: str, opened: Callable[[], Model]) -> Model:
        return MeteredModel(models.embedding(name, opened, player, condition, seed), player, EMBEDDING, books)

    def seat(player: str, place: Assignment) -> Seat:
        return replace(
            seat_of(settings, scenario, player, place, run),
            model=partial(metered, player),
            docs=models.docs,
            folder=record.directory / "agents" / player,
            done=done,
            embedder=partial(embedder, player),
        )

    agents: dict[str, Any] = {}
    seats = {player: (place.family, seat(player, place)) for player, place in seating(settings, scenario).items()}
    for family in dict.fromkeys(family for family, _ in seats.values()):
        agents |= make_agents(family, [each for of, each in seats.values() if of == family])
    agents = {player: agents[player] for player in seats}
    authors = {player: _author(*each) for player, each in seats.items()}
    judging = metered(scenario.spec.observer.name, JUDGE)
    judge = FormalJudge() if judging is None else language_judge(judging)
    return Players(mode_of(settings, scenario), agents, authors, judge, books.meter, models.purse, thinking)


def _author(family: str, seat: Seat) -> str:
    """Who writes or decides, for the record."""
    needed = FAMILIES[family].roles[:1]
    model = seat.model(needed[0]) if needed else None
    if model is None:
        return "/".join(part for part in (family, seat.kind) if part)
    return model.name if family == PAPER else f"{model.name} ({family})"
