"""Players and judge of a run, created from the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.studies.adversaries import (
    acting_kind,
    adversaries_of,
    check_adversaries,
    persona_of,
    with_words,
)
from accord.studies.answer_draws import draw_of
from accord.studies.fitting import Assignment, fitting_families
from accord.studies.models import Models, model_for, sampling_of
from accord.studies.option_groups import QUARANTINED, Acting, PlayerOptions, SeatingOptions
from accord.studies.people import check_mode, person_seat
from accord.studies.sight import MIN_SIDE, eyes_of, imagined_look, imagined_tokens
from contracts import FormalJudge, Judge
from dilemmas.errors import UsageError
from dilemmas.modes.eyes import Eyes
from dilemmas.modes.protocol import Agents, Mode
from dilemmas.modes.registry import MODES
from dilemmas.modes.thinking import Thinking, ThinkingCost
from dilemmas.people import HumanPlayers
from dilemmas.records.events import MindTold
from dilemmas.records.metering import CallAccounts, Meter, MeteredModel, OrphanedCalls
from dilemmas.records.progress_events import ProgressListener, ignore_progress
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.base import Scenario
from voyager_agents import Budget, Model, language_judge
from voyager_agents.asking import Asker
from voyager_agents.context import AgentContext
from voyager_agents.errors import did_you_mean
from voyager_agents.family import Family
from voyager_agents.human.connection import HUMAN
from voyager_agents.models.recorded import RecordedCalls
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.registry import FAMILIES, PAPER, REFERENCE, make_agents
from voyager_agents.roles import EMBEDDING, JUDGE, RATER
from voyager_agents.thought_events import Step, Tell

if TYPE_CHECKING:
    from voyager_agents.piano.role_classifier import RoleClassifier


TOOLS: Acting = "tools"
FILE = "file"
"""Option with the file that agents of a family with `by_file` play by."""


@dataclass(frozen=True)
class Players:
    """Players and judge of one run."""

    mode: Mode
    """Mode of play."""
    agents: Agents
    authors: Mapping[str, str]
    """Player -> author of its programs or decisions, as recorded."""
    judge: Judge
    meter: Meter
    budget: Budget
    """Budget of the study."""
    keepers: frozenset[str] = frozenset()
    """Players who keep a program that ended without an error (`Family.keeps_programs`)."""
    thinking: Thinking = field(default_factory=lambda: Thinking(ThinkingCost("run"), lambda: None))
    """Cost of model calls in game time."""
    prompts: Prompts = STANDARD
    """Prompts of all roles."""
    late: OrphanedCalls = field(default_factory=OrphanedCalls)
    """Model calls whose caller is gone."""
    rater: RoleClassifier | None = None
    """Classifier of the agents' roles after lives have ended; None without a model."""
    people: HumanPlayers | None = None
    """Human players, or None."""
    quarantined: bool = False
    """True if judges are shown nothing of what players say in the game."""
    anew: Callable[[], Agents] = dict
    """Factory of new agents, in their state before the run."""
    eyes: Eyes = field(default_factory=Eyes)
    """Pictures that the players' models are shown."""


def seating(settings: SeatingOptions, scenario: Scenario) -> dict[str, Assignment]:
    """Return the assignment of each player. Raises UsageError for unknown or unsuitable players, kinds and families."""
    for player in settings.players:
        if player not in scenario.spec.players:
            hint = did_you_mean(player, scenario.spec.players)
            raise UsageError(f"unknown player {player!r}{hint}; this scenario's are {', '.join(scenario.spec.players)}")
    plays = mode_of(settings, scenario).name
    if HUMAN in settings.players.values():
        check_mode(scenario, plays)
    fitting = fitting_families(plays, scenario)
    found = {}
    listed = lineup(settings, scenario)
    for player, spec in scenario.spec.players.items():
        wanted = settings.players.get(player) or spec.bot or listed.get(player)
        wanted = wanted or _usual(settings, fitting, scenario, player)
        found[player] = _place(player, wanted, fitting, settings)
    for player, adversary in adversaries_of(settings, scenario).items():
        if adversary.plays and not FAMILIES[found[player].family].roles:
            found[player] = _place(player, acting_kind(adversary, scenario, plays), fitting, settings)
    check_adversaries(settings, scenario, plays, found)
    return found


def humans_of(settings: SeatingOptions, scenario: Scenario) -> list[str]:
    """Return the names of the human players. Raises UsageError."""
    return [player for player, place in seating(settings, scenario).items() if place.kind == HUMAN]


def lineup(settings: PlayerOptions, scenario: Scenario) -> dict[str, str]:
    """Return player -> kind of agent from a list such as `--agents A,B`. Raises UsageError.

    A list of one kind applies to all players. The result is empty if `agents` names a family or nothing.
    """
    if settings.agents is None or (settings.agents in FAMILIES and not _is_kind_alone(settings.agents, scenario)):
        return {}
    names = settings.agents.split(",")
    players = [name for name, spec in scenario.spec.players.items() if spec.bot is None]
    if len(names) not in (1, len(players)):
        raise UsageError(
            f"agents: {settings.agents!r} names {len(names)}; give one for all, or one for each of {', '.join(players)}"
        )
    return dict(zip(players, names * len(players), strict=False))


def _is_kind_alone(name: str, scenario: Scenario) -> bool:
    """Return whether a family's name means a kind here: the family does not play the scenario, and the kind does."""
    fitting = {each: of for plays in scenario.spec.plays for each, of in fitting_families(plays, scenario).items()}
    return name not in fitting and any(name in family.kind_names() for family in fitting.values())


def mode_of(settings: PlayerOptions, scenario: Scenario) -> Mode:
    """Return the mode of play: the first legal mode that the chosen agents support, else the scenario's default."""
    legal = scenario.spec.plays
    asked = {_without_file(name) for name in (*lineup(settings, scenario).values(), *settings.players.values())}
    family = FAMILIES.get(settings.agents or "")
    if family is not None and (able := [plays for plays in family.modes if plays in legal]):
        return MODES[able[0]]
    return MODES[next((plays for plays in legal if asked <= _wanted(plays, scenario)), legal[0])]


def _without_file(name: str) -> str:
    """Return the family in `FAMILY:FILE`; other names as they are."""
    family = name.partition(":")[0]
    return family if family in FAMILIES and FAMILIES[family].by_file else name


def _wanted(plays: str, scenario: Scenario) -> set[str]:
    """Return the names of the families that fit a mode and a scenario, and of their kinds."""
    found = fitting_families(plays, scenario)
    return {*found, *(kind for each in found.values() for kind in each.kind_names())}


def _usual(settings: SeatingOptions, fitting: Mapping[str, Family], scenario: Scenario, player: str) -> str:
    """Return the default family or kind of a player that the settings do not name."""
    if settings.agents is not None:
        if settings.agents not in fitting:
            raise UsageError(_misfit(settings.agents, scenario))
        return settings.agents
    for name, family in fitting.items():
        if family.roles and model_for(settings, player, family.roles[0]):
            return name
    name = next(name for name, family in fitting.items() if not family.roles)
    dilemma = scenario.spec.dilemma
    return dilemma.usual if name == REFERENCE and dilemma and dilemma.usual else name


def _misfit(name: str, scenario: Scenario) -> str:
    """Return an error message: the reason for which a family cannot play the scenario, and the families that can."""
    family, spec = FAMILIES.get(name), scenario.spec
    play = {each: of for plays in spec.plays for each, of in fitting_families(plays, scenario).items()}
    people = [each for each, of in play.items() if HUMAN in of.kind_names()]
    legal = [f"{each} (with a model)" if of.roles else each for each, of in play.items() if each not in people]
    why = "they are a kind, not a family"
    if family is not None and not set(family.modes) & set(spec.plays):
        why = f"they play in mode {' and '.join(family.modes)}, and it is played in {' and '.join(spec.plays)}"
    elif family is not None:
        why = f"they take turns of {family.takes}, and its turns are {spec.TURNS or 'others'}"
    return f"agents {name!r} do not play {spec.name}: {why}; choose one of {', '.join(legal)}"


def _place(player: str, wanted: str, fitting: Mapping[str, Family], settings: SeatingOptions) -> Assignment:
    """Return the assignment for the name of a family or kind, or `FAMILY:FILE`. Raises UsageError."""
    named, sign, file = wanted.partition(":")
    if sign and named in fitting and fitting[named].by_file:
        return Assignment(named, "", file)
    for name, family in fitting.items():
        kinds = family.kind_names()
        if wanted in kinds:
            return Assignment(name, wanted)
        if wanted == name:
            if family.roles and not model_for(settings, player, family.roles[0]):
                raise UsageError(f"{player}: agents of the family {name!r} need a model: give --model openai/NAME")
            return Assignment(name, kinds[0] if kinds else "")
    legal = [kind for name, family in fitting.items() for kind in (family.kind_names() or [name])]
    hint = did_you_mean(wanted, legal)
    raise UsageError(f"unknown reference player {wanted!r} for {player}{hint}; choose one of {', '.join(legal)}")


def callers(settings: SeatingOptions, scenario: Scenario) -> dict[str, str]:
    """Return player -> role of its model, for the players who act by tool calls."""
    if settings.act != TOOLS:
        return {}
    families = {player: FAMILIES[place.family] for player, place in seating(settings, scenario).items()}
    return {player: family.by_calls for player, family in families.items() if family.by_calls}


def own_options(family: str, playing: Iterable[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a family: all but those that only other families in the game declare."""
    others = {key for other in playing for key in FAMILIES[other].options} - set(FAMILIES[family].options)
    return {key: value for key, value in options.items() if key not in others}


def agent_options(settings: PlayerOptions, scenario: Scenario, place: Assignment, condition: str) -> dict[str, Any]:
    """Return the options of an agent: the condition's options, overridden by the settings, and its own file.

    Args:
        settings: Settings of the study.
        scenario: The scenario.
        place: Family and kind of the agent.
        condition: Name of the condition.
    """
    own = scenario.spec.agent_options(condition) if FAMILIES[place.family].conditioned else {}
    return {**own, **settings.agents_options, **({FILE: place.file} if place.file else {})}


def context_of(
    settings: SeatingOptions,
    scenario: Scenario,
    player: str,
    place: Assignment,
    run: tuple[str, int],
    prompts: Prompts = STANDARD,
    *,
    playing: Iterable[str] = (),
) -> AgentContext:
    """Return the context of a player's agent in a run, without models and without a folder.

    Args:
        settings: Options of the study's players and models.
        scenario: The scenario.
        player: Name of the player.
        place: Family and kind of the agent.
        run: Condition and seed.
        prompts: Prompts of the roles.
        playing: Families of all players, whose own options the agent does not get.
    """
    condition, seed = run
    options = agent_options(settings, scenario, place, condition)
    seen = settings.see if FAMILIES[place.family].sees else "words"
    drawn = None if seen == "words" else scenario.plan_picture(player, (MIN_SIDE, MIN_SIDE))
    plan = None if drawn is None else drawn[1]
    return AgentContext(
        player=player,
        players=tuple(scenario.spec.players),
        condition=condition,
        seed=seed,
        kind=place.kind,
        about=scenario.spec.character(player, condition),
        about_pictured=scenario.spec.character(player, condition, drawn=True) if seen == "image" else None,
        text=scenario.spec.text,
        task=scenario.spec.task,
        model=lambda _role: None,
        prompts=prompts,
        reasoning=settings.reasoning,
        docs="",
        options=own_options(place.family, playing, options),
        folder=Path(),
        base_url=settings.base_url,
        api_key_file=settings.api_key_file,
        persona=persona_of(settings, scenario, player, condition),
        by_calls=settings.act == TOOLS,
        see=seen,
        sees=FAMILIES[place.family].sees,
        look=partial(imagined_look, settings, player, place, plan=plan),
        look_tokens=partial(imagined_tokens, settings, player, place, plan=plan),
    )


def make_players(
    settings: SeatingOptions,
    models: Models,
    scenario: Scenario,
    run: tuple[str, int],
    record: RunRecord,
    *,
    thinking: Thinking,
    memory: RecordedCalls | None = None,
    done: int = 0,
    prompts: Prompts = STANDARD,
    watch: ProgressListener = ignore_progress,
    people: HumanPlayers | None = None,
) -> Players:
    """Return the agents and the judge of a run.

    Args:
        settings: Options of the study's players and models.
        models: Models of the study.
        scenario: The scenario.
        run: Condition and seed.
        record: Record of the run.
        thinking: Cost of model calls in game time.
        memory: Recorded model calls of an interrupted run; None for a new run.
        done: Number of episodes that the interrupted run has finished.
        prompts: Prompts of the roles.
        watch: Listener for progress events of model calls.
        people: Human players of the study; None without any.
    """
    books = CallAccounts(record, Meter(), models.budget, memory or RecordedCalls(), spend=thinking.spend, watch=watch)
    metered = _metering(settings, models, scenario, run, books)

    def embedder(player: str, family: str, name: str, opened: Callable[[], Model]) -> Model:
        # Recorded vectors fit recorded texts: if one part answers anew, the texts of its player may be new.
        replay = models.replay_of(settings, player, FAMILIES[family].roles)
        model = models.embedding(name, opened) if replay is None else replay.part(*run, player, EMBEDDING)
        cache = None if replay else models.cached_embedding(settings, name)
        return MeteredModel(model, player, EMBEDDING, books, cache=cache)

    def note(player: str, step: Step) -> None:
        record.log(MindTold(player=player, step=step))

    judging = metered(scenario.spec.observer.name, JUDGE)
    places = seating(settings, scenario)
    playing = frozenset(place.family for place in places.values())
    eyes = eyes_of(settings, places, record)
    eyes.show_plans(scenario.plan_picture)

    def seat(player: str, place: Assignment) -> AgentContext:
        human = people is not None and player in people.sessions
        return replace(
            context_of(settings, scenario, player, place, run, prompts, playing=playing),
            model=partial(metered, player),
            docs=models.docs,
            folder=record.directory / "agents" / player,
            done=done,
            embedder=partial(embedder, player, place.family),
            tell=partial(note, player),
            look=partial(eyes.look, player),
            look_tokens=partial(eyes.tokens, player),
            person=person_seat(people, player, scenario, judged=judging is not None) if people and human else None,
        )

    seats = {player: (place.family, seat(player, place)) for player, place in places.items()}

    def anew() -> Agents:
        return with_words(settings, scenario, run[1], places, _seated(seats))

    spoken = adversaries_of(settings, scenario)
    authors = {
        player: _author(*each) + (f" ({spoken[player].name})" if player in spoken else "")
        for player, each in seats.items()
    }
    judge = FormalJudge() if judging is None else language_judge(judging, prompts=prompts, reasoning=settings.reasoning)
    rating = metered(scenario.spec.observer.name, RATER) if "rating" in scenario.abilities else None
    return Players(
        mode=mode_of(settings, scenario), agents=anew(), authors=authors, judge=judge, meter=books.meter,
        budget=models.budget,
        keepers=frozenset(player for player, (family, _) in seats.items() if FAMILIES[family].keeps_programs),
        thinking=thinking, prompts=prompts, late=books.orphaned,
        rater=_role_classifier(rating, partial(note, scenario.spec.observer.name), prompts), people=people,
        quarantined=settings.words == QUARANTINED, anew=anew, eyes=eyes,
    )  # fmt: skip


def _metering(
    settings: SeatingOptions, models: Models, scenario: Scenario, run: tuple[str, int], books: CallAccounts
) -> Callable[[str, str], Model | None]:
    """Return the function that opens the metered model of a player's role in a run."""
    draw = draw_of(settings, scenario, run)

    def metered(player: str, role: str) -> Model | None:
        def stage(spec: str, model: Model) -> MeteredModel:
            sampling = sampling_of(settings, player, role, run[1], spec)
            cache = models.cached_role(settings, spec, role, player, draw)
            return MeteredModel(model, player, role, books, sampling, cache)

        return models.asked(settings, role, player, run, stage)

    return metered


def _role_classifier(model: Model | None, tell: Tell, prompts: Prompts) -> RoleClassifier | None:
    """Return the classifier of roles that asks a model, or None without one."""
    if model is None:
        return None
    from voyager_agents.piano.role_classifier import RoleClassifier

    return RoleClassifier(Asker(model, RATER, tell=tell), prompts)


def _seated(seats: Mapping[str, tuple[str, AgentContext]]) -> Agents:
    """Return player -> agent for contexts (player -> family and context), in the same order."""
    agents: dict[str, Any] = {}
    for family in dict.fromkeys(family for family, _ in seats.values()):
        agents |= make_agents(family, [each for of, each in seats.values() if of == family])
    return {player: agents[player] for player in seats}


def _author(family: str, seat: AgentContext) -> str:
    """Return the recorded author of a player's programs or decisions, such as a model's name."""
    if seat.kind == HUMAN:
        return HUMAN
    needed = FAMILIES[family].roles[:1]
    model = seat.model(needed[0]) if needed else None
    if model is None:
        return "/".join(part for part in (family, seat.kind) if part)
    return model.name if family == PAPER else f"{model.name} ({family})"
