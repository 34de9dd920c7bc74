"""Recorded setup of a condition: models, sampling and prompts by role, and a hash of all settings that are played.

Runs with equal hashes and seeds are replicates. Endpoints, keys, prices, budgets and jobs are not part of the hash,
since they do not change the measured outcome.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from accord.studies.fitting import Assignment
from accord.studies.models import model_for, sampling_of
from accord.studies.option_groups import ModelOptions, PlayerOptions, SeatingOptions
from accord.studies.players import agent_options, seating
from accord.studies.settings import StudySettings
from accord.studies.sight import SEEING
from bridge.worlds import ENGINE
from common.plain_files import is_folder, is_plain, read_text
from common.text import well_formed_data
from contracts.yaml12 import load_own
from dilemmas.errors import RecordError, UsageError
from dilemmas.modes.protocol import Mode
from dilemmas.records.manifest import digest
from dilemmas.records.record import CONFIG
from dilemmas.records.replaying import PREFIX
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.institutions import institutions_of
from dilemmas.scenarios.observables import GOAL_MEASURE
from dilemmas.scenarios.protocol import SHARE
from voyager_agents import ModelError
from voyager_agents.models import is_local
from voyager_agents.models.cascade import stages_of
from voyager_agents.models.local.settings import EngineOptions, local_spec
from voyager_agents.models.sampling import RUN
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.registry import FAMILIES, files_of
from voyager_agents.roles import CIVIC, JUDGE, JUDGING, MARKET_PROMPTS, RATER, RATING

if TYPE_CHECKING:
    from accord.studies.conditions import Condition

KEPT = "prompts"
"""Folder for prompts in a study's directory."""
PLAYED = ("world", "episodes", "players", "agents", "agents_options", "think", "hosts", "no_progress", "rounds")
"""Settings that are part of the hash."""


@dataclass(frozen=True)
class StudyPart:
    """Setup of the runs with one value of each factor."""

    settings: StudySettings
    """Settings with one value of each factor that the study varies."""
    mode: Mode
    prompts: Prompts = STANDARD


def setup_of(part: StudyPart, scenario: Scenario, condition: Condition) -> dict[str, Any]:
    """Return the setup for config.yaml: models and sampling by player and role, hashes of prompts and files, a hash."""
    models = models_of(part.settings, scenario)
    places = dict.fromkeys(seating(part.settings, scenario).values())
    families = dict.fromkeys(place.family for place in places)
    used = [name for family in families for name in FAMILIES[family].prompts]
    asked = {name for roles in models.values() for name in roles}
    used += [*(JUDGING if JUDGE in asked else ()), *(RATING if RATER in asked else ())]
    parts = institutions_of(scenario, condition.name.partition("+")[0], dict(condition.factors))
    used += [*(CIVIC if parts else ()), *(MARKET_PROMPTS if "market" in parts else ())]
    prompts = part.prompts.hashes(used) if models else {}
    found: dict[str, Any] = {"models": models, "sampling": _sampling(part.settings, models), "prompts": prompts}
    if engines := _engines(part.settings, models):
        found["local"] = engines
    if own := _own_files(part.settings, scenario, places, condition):
        found["files"] = own
    plain = part.settings.to_dict()
    played = {name: plain[name] for name in PLAYED} | {"time_limit_s": part.settings.time_limit_s}
    # Defaults are left out, so that hashes of earlier versions stay valid.
    if plain.get("bodies") == ENGINE:
        played["bodies"] = ENGINE
    for name in ("adversaries", "words"):
        if name in plain:
            played[name] = plain[name]
    if models:
        asked_in = {"reasoning": part.settings.reasoning, "answers": part.settings.answers}
        played |= {name: value for name, value in asked_in.items() if value != getattr(ModelOptions, name)}
        if part.settings.see != ModelOptions.see:
            played |= {name: getattr(part.settings, name) for name in SEEING}
        if part.prompts.limits:
            played["prompt_limits"] = dict(part.prompts.limits)
    if part.settings.on_unreadable not in (None, scenario.stand_ins[0]):
        played["on_unreadable"] = part.settings.on_unreadable
    whole = {"scenario": scenario.spec.resolved(), "condition": condition.definition, "settings": played, **found}
    return {"hash": _hash(whole), **found}


def value_bounds(part: StudyPart, scenario: Scenario, condition: Condition) -> dict[str, list[float | None]]:
    """Return measure -> least and most possible value for a player, also of `reward` and `payoff`; None for no bound.

    A payoff has the reward's bounds where no contract, deal, council or institution can move emeralds.
    """
    parts = institutions_of(scenario, condition.name.partition("+")[0], dict(condition.factors))
    bounds = scenario.under(parts).bounds()
    if any(player.goal for player in scenario.spec.players.values()):
        bounds[GOAL_MEASURE] = SHARE
    council = part.mode.name == "rounds"
    agreed = condition.kind != "none" or condition.axes.channels is not None
    if "reward" in bounds and not (agreed or council or parts):
        bounds["payoff"] = bounds["reward"]
    return {name: list(ends) for name, ends in bounds.items()}


def _engines(settings: StudySettings, models: dict[str, dict[str, str]]) -> dict[str, dict[str, Any]]:
    """Return local model -> engine, weights and options; empty for models that are not installed, as in a replay."""
    specs = sorted(
        {stage for roles in models.values() for spec in roles.values() for stage in stages_of(spec) if is_local(stage)}
    )
    options = EngineOptions.parse(settings.local)
    with suppress(ModelError):
        return {spec: local_spec(spec.partition(":")[2] or None, options).to_dict() for spec in specs}
    return {}


def _own_files(
    settings: PlayerOptions, scenario: Scenario, played: Iterable[Assignment], condition: Condition
) -> dict[str, str]:
    """Return path -> SHA-256 of the user's files that the families' options name, such as modules."""
    named = {
        path
        for place in played
        for path in files_of(place.family, agent_options(settings, scenario, place, condition.name))
    }
    return {str(path): digest([path]) for path in sorted(named)}


def keep_prompts(parts: Iterable[StudyPart], study: Path) -> None:
    """Copy prompts and limits that are not the standard ones into the study's directory, for resuming.

    Raises:
        RecordError: The directory cannot be written.
    """
    chosen = (part.prompts for part in parts if part.prompts.own or part.prompts.limits)
    for prompts in {each.label: each for each in chosen}.values():
        try:
            prompts.write(study / KEPT / prompts.label)
        except OSError as error:
            raise RecordError(f"cannot write {study / KEPT / prompts.label}: {error.strerror}") from None


def with_kept_prompts(settings: StudySettings, study: Path) -> StudySettings:
    """Return the settings with their own prompts, if any, replaced by the copies in the study's directory."""

    def kept(path: Path) -> Path:
        return study / KEPT / path.absolute().name

    own = None if settings.prompts is None else kept(settings.prompts)
    varied = {"prompts": tuple(str(kept(Path(each))) for each in settings.vary.get("prompts", ()))}
    vary = {**settings.vary, **varied} if varied["prompts"] else settings.vary
    return replace(settings, prompts=own, vary=vary)


def replayed_prompts(settings: ModelOptions, varied: Collection[str]) -> Path | None:
    """Return the folder of prompts: the one kept in RUN, if the model is `replay:RUN` and no prompts are given.

    Args:
        settings: Options of the study's models.
        varied: Factors that the study varies.

    Raises:
        UsageError: The kept prompts are missing, or the runs below RUN had different prompts.
    """
    model = settings.model or ""
    if settings.prompts is not None or "prompts" in varied or not model.startswith(PREFIX):
        return settings.prompts
    path = Path(model.removeprefix(PREFIX))
    found = {_kept_by(config) for config in [path / CONFIG, *sorted(path.rglob(CONFIG))] if is_plain(config)}
    if len(found) > 1:
        names = ", ".join(sorted("Accord's own" if each is None else each.name for each in found))
        raise UsageError(f"{model}: its runs had different prompts ({names}): give --prompts")
    prompts = next(iter(found), None)
    if prompts is not None and not is_folder(prompts):
        raise UsageError(f"{model}: its prompts {prompts} are gone: put them back, or give --prompts")
    return prompts


def _kept_by(config: Path) -> Path | None:
    """Return the folder of prompts kept by the run or study of a config.yaml; None if it used Accord's prompts."""
    try:
        told = load_own(read_text(config))
        name = (told.get("settings") or {}).get("prompts")
    except (OSError, ValueError, RecursionError, AttributeError, yaml.YAMLError):
        return None
    if not isinstance(name, str):
        return None
    folders = [above / KEPT / Path(name).name for above in list(config.absolute().parents)[:3]]
    return next((each for each in folders if is_folder(each) and is_folder(each.parent)), folders[0])


def models_of(settings: SeatingOptions, scenario: Scenario) -> dict[str, dict[str, str]]:
    """Return player (or judge) -> role -> spec of the model; players without a model are left out."""
    wanted = {player: FAMILIES[place.family].roles for player, place in seating(settings, scenario).items()}
    wanted[scenario.spec.observer.name] = (JUDGE, RATER) if "rating" in scenario.abilities else (JUDGE,)
    found = {
        player: {role: spec for role in roles if (spec := model_for(settings, player, role)) is not None}
        for player, roles in wanted.items()
    }
    return {player: roles for player, roles in found.items() if roles}


def _sampling(settings: ModelOptions, models: dict[str, dict[str, str]]) -> dict[str, dict[str, Any]]:
    """Return player -> role -> sampling parameters; a seed that follows the run's is written as `run`."""
    found: dict[str, dict[str, Any]] = {}
    for player, roles in models.items():
        for role in roles:
            if asked := sampling_of(settings, player, role, RUN):
                found.setdefault(player, {})[role] = asked
    return found


def _hash(whole: Any) -> str:  # noqa: ANN401 - any plain data
    plain = json.dumps(well_formed_data(whole), sort_keys=True, default=str)
    return hashlib.sha256(plain.encode()).hexdigest()
