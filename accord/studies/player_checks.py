"""Checks of a study's players and conditions against the scenario, before anything starts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from accord.studies.conditions import Condition
from accord.studies.fitting import fitting_families
from accord.studies.limit_options import LimitOptions
from accord.studies.models import model_for
from accord.studies.option_groups import ModelOptions, PlanOptions, SeatingOptions
from accord.studies.players import TOOLS, agent_options, callers, mode_of, own_options, seating
from contracts.institutions.frame import part_class
from dilemmas.errors import UsageError
from dilemmas.modes.protocol import Mode
from dilemmas.modes.registry import MODES
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.institutions import governed, institutions_of
from voyager_agents import AgentError
from voyager_agents import registry as families
from voyager_agents.budget import ALL, EACH
from voyager_agents.errors import IndexUnusable
from voyager_agents.family import Family
from voyager_agents.human.connection import HUMAN
from voyager_agents.models.sampling import Sampling
from voyager_agents.registry import FAMILIES, role_names

BY_CALLS = ("episodes", "life")
"""Modes in which players can act by tool calls."""
BY_LETTERS = "life"
"""Mode in which institutions ask by letters, which people answer too."""


def check_episodes(settings: PlanOptions, mode: Mode) -> None:
    """Check that a run in this mode can have as many episodes as the settings say. Raises UsageError."""
    if settings.episodes > 1 and not mode.several:
        raise UsageError(
            f"episodes: {settings.episodes} are not possible: in {mode.name} a run is one episode; "
            "give --runs for more runs with other seeds, or leave it out"
        )


def check_institutions(scenario: Scenario, condition: Condition, mode: Mode, playing: Collection[str]) -> None:
    """Check that the condition's institutions are legal, can act in the mode and ask the players. Raises UsageError.

    Args:
        scenario: The scenario.
        condition: The condition.
        mode: Mode of play.
        playing: Families of the players.
    """
    base = condition.name.partition("+")[0]
    factors = dict(condition.factors)
    governed(scenario, base, factors)
    parts = institutions_of(scenario, base, factors)
    if not parts:
        return
    able = [
        name
        for name, each in FAMILIES.items()
        if each.plays in scenario.civic_modes and _is_asked(each) and HUMAN not in each.kind_names()
    ]
    if not mode.civic or mode.name not in scenario.civic_modes:
        raise UsageError(
            f"condition {condition.name!r}: institutions cannot act in mode {mode.name}; choose --agents from "
            f"{', '.join(able)} or turn them off"
        )
    if silent := next((name for name in playing if not _is_asked(FAMILIES[name])), None):
        raise UsageError(
            f"condition {condition.name!r}: agents of the family {silent!r} write programs by a model and cannot be "
            f"asked during an episode; choose --agents from {', '.join(able)} or turn the institutions off"
        )
    people = any(HUMAN in FAMILIES[name].kind_names() for name in playing)
    asking = [name for name in parts if part_class(name).asks()]
    if people and asking and mode.name != BY_LETTERS:
        raise UsageError(
            f"condition {condition.name!r}: its institutions ask the players ({', '.join(asking)}), and a person "
            f"cannot be asked in {mode.name}; turn them off or leave out --human"
        )


def _is_asked(family: Family) -> bool:
    """Return True if institutions can ask agents of the family while they play."""
    return not (family.roles and MODES[family.plays].several)


def check_models(settings: ModelOptions, scenario: Scenario) -> None:
    """Check that models and sampling are for roles and players of the scenario. Raises UsageError."""
    for who in (*settings.models, *Sampling.parse(settings.sampling).names):
        _check_who(who, _agents(scenario))


def check_budget(settings: LimitOptions, scenario: Scenario) -> None:
    """Check that budgets are for players of the scenario. Raises UsageError."""
    agents = _agents(scenario)
    for scope in (scope for caps in settings.budget.values() for scope in caps):
        if scope not in (ALL, EACH, *agents):
            raise UsageError(f"budget for {scope!r}: name one of {', '.join(agents)}, or {EACH} for each of them")


def check_acting(settings: SeatingOptions, scenario: Scenario) -> None:
    """Check that the players who ask models can act by tool calls where these are wanted. Raises UsageError."""
    if settings.act != TOOLS:
        return
    able = ", ".join(name for name, family in FAMILIES.items() if family.by_calls)
    for player, place in seating(settings, scenario).items():
        if FAMILIES[place.family].roles and not FAMILIES[place.family].by_calls:
            raise UsageError(
                f"act: {player}'s agents of the family {place.family!r} make no tool calls; leave out --act tools, or "
                f"choose one of {able}"
            )
    if not callers(settings, scenario):
        raise UsageError(f"act: no player asks a model; leave out --act tools, or give --model and one of {able}")
    if (mode := mode_of(settings, scenario).name) not in BY_CALLS:
        raise UsageError(f"act: in mode {mode} players act by programs alone; leave out --act tools")


def _agents(scenario: Scenario) -> list[str]:
    return [*scenario.spec.players, scenario.spec.observer.name]


def _check_who(who: str, agents: Sequence[str]) -> None:
    """Check that a name is a role, a player, or a player's role. Raises UsageError."""
    player, dot, role = who.rpartition(".")
    names = role_names()
    if who in names or (not dot and who in agents) or (player in agents and role in names):
        return
    legal = f"it can be for {', '.join(names)}, for {', '.join(agents)}, or for both, as {agents[0]}.{names[0]}"
    what = "player" if dot and player not in agents else "role"
    raise UsageError(f"unknown {what} {(player if what == 'player' else role if dot else who)!r} in {who!r}; {legal}")


def check_options(settings: SeatingOptions, scenario: Scenario, conditions: Iterable[str]) -> None:
    """Check the agents' options under these conditions. Raises UsageError."""
    seats = seating(settings, scenario)
    playing = dict.fromkeys(place.family for place in seats.values())
    able = [name for name in playing if FAMILIES[name].check] or list(playing)
    for condition in conditions:
        for place in dict.fromkeys(each for each in seats.values() if each.family in able):
            family = place.family
            try:
                options = own_options(family, playing, agent_options(settings, scenario, place, condition))
                families.check_options(family, options)
            except IndexUnusable as error:
                raise UsageError(f"agents of the family {family!r}: {error}") from None
            except AgentError as error:
                raise UsageError(f"--agents-option: {error}") from None
            _check_required(
                settings, family, options, [each for each, place in seats.items() if place.family == family]
            )


def _check_required(settings: SeatingOptions, family: str, options: Mapping[str, Any], players: Iterable[str]) -> None:
    """Check that these players of a family have a model for all roles that they need. Raises UsageError."""
    for player in players:
        for role in FAMILIES[family].required(options):
            if model_for(settings, player, role) is None:
                raise UsageError(
                    f"{player}: agents of the family {family!r} need a model for the role {role!r}: "
                    f"give --model openai/NAME, or --model-for {role}=openai/NAME"
                )


def check_table(settings: SeatingOptions, scenario: Scenario, conditions: Iterable[Condition], rounds: int) -> None:
    """Check that the players can negotiate as the conditions require. Raises UsageError.

    Args:
        settings: Players and models of the study.
        scenario: The scenario.
        conditions: Conditions of the study.
        rounds: Maximum number of messages in a negotiation whose condition sets none.
    """
    count = len(scenario.spec.players)
    playing = dict.fromkeys(place.family for place in seating(settings, scenario).values())
    mode = mode_of(settings, scenario)
    silent = [family for family in playing if not FAMILIES[family].negotiates]
    for condition in conditions:
        if condition.kind == "negotiated" and silent:
            raise UsageError(f"condition {condition.name!r}: {_silence(silent[0], mode.name, scenario)}")
        at_table = condition.kind == "negotiated" and condition.axes.channels is None
        if at_table and condition.axes.rounds is None and rounds < count:
            raise UsageError(
                f"condition {condition.name!r}: in {rounds} messages {count} players cannot all accept a proposal: "
                f"give --rounds {count} or more"
            )
        carrier = condition.axes.channels.carrier if condition.axes.channels is not None else ""
        if carrier in ("whisper", "meeting") and "grid-game" in scenario.abilities:
            raise UsageError(
                f"condition {condition.name!r}: channels.carrier: a {carrier} needs a world, and "
                f"{scenario.spec.name} is played on arrays; choose out-of-band or letter"
            )
        if condition.axes.every is not None and not mode.round_count(scenario, scenario.spec.end.time_limit_s):
            raise UsageError(
                f"condition {condition.name!r}: every is for talks between rounds, and in {mode.name} there are none: "
                "leave it out"
            )
        if condition.renegotiates and not mode.several and condition.axes.every is None:
            raise UsageError(
                f"condition {condition.name!r}: again is for several episodes, and in {mode.name} a run is one: "
                "leave it out"
            )


def check_secrets(settings: SeatingOptions, scenario: Scenario) -> None:
    """Check that players with a model read the facts and goals that they alone are told. Raises UsageError."""
    for player, place in seating(settings, scenario).items():
        family = FAMILIES[place.family]
        if scenario.spec.players[player].secrets and family.roles and not family.reads_about:
            raise UsageError(
                f"{player}: agents of the family {place.family!r} do not read the facts and the goal that "
                f"{scenario.spec.name} tells one player alone; choose another family with --agents, or leave out "
                f"knows and goal of {player}"
            )


def _silence(name: str, plays: str, scenario: Scenario) -> str:
    """Return an error message: agents of a family do not negotiate before a game, and what to do instead."""
    family = FAMILIES[name]
    fitting = fitting_families(plays, scenario).items()
    able = {each: of for each, of in fitting if of.negotiates and HUMAN not in of.kind_names()}
    if family.roles or not able:
        return (
            f"agents of the family {name!r} do not negotiate before a game: choose none or a contract that is given, "
            "or let them meet in it (--agents-option modules=...)"
        )
    legal = " or ".join(f"--agents {each}{' --model openai/NAME' if of.roles else ''}" for each, of in able.items())
    return (
        f"agents of the family {name!r} follow a policy that does not talk: let all players negotiate ({legal}), or "
        "choose none or a contract that is given"
    )
