"""Study files of populations: a scenario, `population:` with who plays and who survives, and settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from accord.studies.generations import FOUR, WRITER, GenerationsPlan
from common.plain_files import read_text
from contracts.yaml12 import load_yaml
from dilemmas.errors import UsageError
from dilemmas.scenarios.loader import explain_error
from voyager_agents.models import is_model

KEY = "population"
"""Key that makes a YAML file a study of a population."""
MAX_PROGRAMS = 200
"""Maximum number of programs in a folder."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PopulationSpec(_Strict):
    """Members, survival and learning; the options of `accord generations`."""

    agents: dict[str, int] | tuple[str, ...] | None = None
    """Participants, with numbers of members or in equal parts."""
    programs: str | None = None
    """Folder of programs, relative to the file; each file with the ending .js is a participant of its name."""
    size: int | None = None
    generations: int = 10
    survivors: int | Literal["half", "none"] = "half"
    mutation: float = 0.0
    games: int | None = None


class PopulationStudy(_Strict):
    """Content of a study file."""

    scenario: str
    """A scenario's name, or its YAML file relative to the study's file."""
    population: PopulationSpec
    seeds: int = 5
    seed: int = 0
    repeat: int | None = None
    noise: float | None = None
    world: str | None = None
    jobs: int = 1
    model: str | None = None
    settings: dict[str, Any] = Field(default_factory=dict)
    """Settings of every game, as in the `settings` of a config.yaml."""
    budget: dict[Literal["usd", "tokens", "calls"], float] = Field(default_factory=dict)


def is_population_file(name: str) -> bool:
    """Return True for a YAML file with the key `population`, False for a scenario's name or another file."""
    path = Path(name)
    if path.suffix not in (".yaml", ".yml") or not path.is_file():
        return False
    try:
        data = load_yaml(read_text(path))
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return False
    return isinstance(data, dict) and KEY in data


def read_population_study(path: Path) -> GenerationsPlan:
    """Return the plan in a study's file. Raises UsageError with one line."""
    try:
        study = PopulationStudy.model_validate(load_yaml(read_text(path)))
    except ValidationError as error:
        raise UsageError(f"{path}: {explain_error(error, PopulationStudy)}") from None
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise UsageError(f"{path}: cannot be read ({' '.join(str(error).split())[:200]})") from None
    given, folder = study.population, path.absolute().parent
    scenario = study.scenario
    if scenario.endswith((".yaml", ".yml")):
        scenario = str(folder / scenario)
    programs = read_programs(folder / given.programs) if given.programs is not None else {}
    counts = given.agents if isinstance(given.agents, dict) else {}
    try:
        return GenerationsPlan(
            scenario,
            names=tuple(given.agents or programs) or FOUR,
            counts=tuple(counts.values()),
            generations=given.generations,
            population=given.size,
            survivors=str(given.survivors),
            mutation=given.mutation,
            games=given.games,
            programs=programs,
            seeds=study.seeds,
            seed=study.seed,
            repeat=study.repeat,
            noise=study.noise,
            world=study.world,
            jobs=study.jobs,
            model=study.model,
            settings=study.settings,
            budget={str(measure): cap for measure, cap in study.budget.items()},
        )
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def read_programs(folder: Path) -> dict[str, str]:
    """Return name -> program of the files with the ending .js in a folder. Raises UsageError."""
    try:
        files = sorted(each for each in folder.iterdir() if each.suffix == ".js" and each.is_file())
        found = {each.stem: read_text(each) for each in files[: MAX_PROGRAMS + 1]}
    except (OSError, ValueError) as error:
        raise UsageError(f"programs: {folder} cannot be read ({' '.join(str(error).split())[:200]})") from None
    if not found:
        raise UsageError(f"programs: {folder} has no NAME.js; put one program into each file")
    if len(found) > MAX_PROGRAMS:
        raise UsageError(f"programs: {folder} has more than {MAX_PROGRAMS} programs; leave some out")
    if taken := next((name for name in found if name == WRITER or is_model(name)), None):
        raise UsageError(f"programs: {taken}.js: {taken} means a model here; rename the file")
    return found
