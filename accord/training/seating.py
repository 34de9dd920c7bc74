"""Settings of an environment's rollouts: learners in some seats, frozen partners in the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from accord.playing import study_settings
from accord.studies.fitting import fitting_families
from accord.studies.keyword_options import Options
from accord.studies.players import humans_of, seating
from accord.studies.runner import StudyPlan, usual_world
from accord.studies.settings import OFF, StudySettings
from bridge.worlds import NOWHERE
from dilemmas.errors import UsageError
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.registry import load_scenario
from voyager_agents.errors import did_you_mean
from voyager_agents.models import is_model
from voyager_agents.models.learner import SPEC
from voyager_agents.registry import FAMILIES

ALL_SEATS = "all"
"""Value of `seats` for learners in all seats."""
MOCK = "mock"
Partners = str | Sequence[str] | Mapping[str, str]


def learner_settings(
    scenario: str | Path,
    contract: str,
    seats: str | Sequence[str] | None,
    partners: Partners | None,
    options: Options,
) -> tuple[StudySettings, tuple[str, ...]]:
    """Return the settings of every rollout, with seed 0, and the learners' seats.

    Args:
        scenario: Name of a scenario, or path of a YAML file.
        contract: A condition of the scenario, or path of a contract's YAML file.
        seats: Players whose models are learners; None for the first player, `all` for all.
        partners: Kinds, families or models of the other players: one for all, one each in order, or by name.
        options: Options of the study.

    Raises:
        UsageError: A seat, a partner or an option is unknown or does not fit.
    """
    loaded = load_scenario(str(scenario))
    learners = _seats(loaded, seats)
    others = [name for name, spec in loaded.spec.players.items() if spec.bot is None and name not in learners]
    chosen: dict[str, Any] = {"world": _usual_world(loaded, options.get("embodied", OFF)), **options}
    named = _partners(others, learners, partners)
    models, players = dict(chosen.get("models") or {}), dict(chosen.get("players") or {})
    if clash := next((name for name in named if name in players or name in models), None):
        raise UsageError(f"partners: {clash} is named in players or models too: name it once")
    models |= {name: partner for name, partner in named.items() if is_model(partner)}
    players |= {name: partner for name, partner in named.items() if not is_model(partner)}
    models |= {seat: SPEC for seat in learners}
    family = FAMILIES.get(chosen.get("agents") or "")
    if family is not None and family.roles:
        # A family that asks models is for those who have one; the others keep their partners or the usual ones.
        agents = chosen.pop("agents")
        asking = [*learners, *(name for name in others if name in models)]
        players = {**dict.fromkeys(asking, agents), **players}
    whole = cast(Options, {**chosen, "models": models, "players": players})
    settings = study_settings(scenario, (contract,), {}, whole)
    _check_asked(settings, loaded, learners)
    _check_single(settings)
    return settings, learners


def _usual_world(scenario: Scenario, embodied: str) -> str:
    """Return `none` for scenarios without a world, else the mock world, in which rollouts are fast and repeat."""
    usual = usual_world(scenario, embodied)
    return usual if usual == NOWHERE else MOCK


def _seats(scenario: Scenario, seats: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the learners' seats. Raises UsageError."""
    free = [name for name, spec in scenario.spec.players.items() if spec.bot is None]
    if seats is None:
        return tuple(free[:1])
    if seats == ALL_SEATS:
        return tuple(free)
    wanted = (seats,) if isinstance(seats, str) else tuple(dict.fromkeys(seats))
    for seat in wanted:
        if seat not in free:
            raise UsageError(
                f"seats: unknown player {seat!r}{did_you_mean(seat, free)}; choose from {', '.join(free)}, or "
                f"{ALL_SEATS!r}"
            )
    if not wanted:
        raise UsageError(f"seats: name at least one player of {', '.join(free)}")
    return wanted


def _partners(others: Sequence[str], learners: Sequence[str], partners: Partners | None) -> dict[str, str]:
    """Return partner's player -> kind, family or model. Raises UsageError."""
    if partners is None:
        return {}
    if isinstance(partners, str):
        return dict.fromkeys(others, partners)
    if not isinstance(partners, Mapping):
        if len(partners) != len(others):
            raise UsageError(
                f"partners: {len(partners)} are named; give one for each of {', '.join(others) or 'nobody'}"
            )
        return dict(zip(others, partners, strict=True))
    for name in partners:
        if name in learners:
            raise UsageError(f"partners: {name} is a learner's seat; name one of {', '.join(others) or 'nobody'}")
        if name not in others:
            raise UsageError(
                f"partners: unknown player {name!r}{did_you_mean(name, others)}; the partners are "
                f"{', '.join(others) or 'nobody'}"
            )
    return dict(partners)


def _check_asked(settings: StudySettings, scenario: Scenario, learners: Sequence[str]) -> None:
    """Check that the learners' agents ask a model. Raises UsageError."""
    places = seating(settings, scenario)
    for seat in learners:
        if not FAMILIES[places[seat].family].roles:
            able = dict.fromkeys(
                name
                for plays in scenario.spec.plays
                for name, family in fitting_families(plays, scenario).items()
                if family.roles
            )
            raise UsageError(
                f"seats: {seat} is played by {places[seat].kind or places[seat].family}, which asks no model; give "
                f"agents, one of {', '.join(able)}"
            )


def _check_single(settings: StudySettings) -> None:
    """Check the study's plan, and that it is a single run. Raises UsageError."""
    plan = StudyPlan.of(settings)
    if not plan.single:
        raise UsageError(f"{settings.contracts[0]!r} names {len(plan.conditions)} conditions: an environment has one")
    if humans := humans_of(plan.settings, plan.scenario):
        raise UsageError(f"{humans[0]}: people play in 'accord run' alone; name another partner")
