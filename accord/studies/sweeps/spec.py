"""Format of a sweep's file: scenarios, conditions, worlds, models, seeds, and parameters (grid, list or random)."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from accord.studies.option_checks import options_of_type
from accord.studies.settings import NAMES, StudySettings
from bridge.worlds import WORLDS
from dilemmas.errors import UsageError
from dilemmas.scenarios.loader import explain_error

Value = bool | int | float | str | None
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
SEED = "seed"
"""Key of a point that is played with one seed alone."""
NO_MODEL = "none"
"""Entry of `models` for reference players without a model."""
OWN = (
    "scenario",
    "contracts",
    "world",
    "seed",
    "runs",
    "jobs",
    "model",
    "out",
    "port",
    "budget",
    "vary",
    "invalid",
    "plugins",
)
"""Settings that a sweep's file cannot set, because it has its own keys for them."""
SETTINGS = tuple(name for name in NAMES if name not in OWN)
"""Settings that can be fixed (under `settings`) or varied (as parameters)."""
MAPPINGS = options_of_type(StudySettings, Mapping[str, str], Mapping[str, Path])
"""Settings that are mappings of texts; a parameter can name one of their keys, such as `sampling.temperature`."""
PARTS = ("scenario", "contract")
"""Files whose keys can be parameters, as `scenario.KEY` and `contract.KEY`."""
MAX_TASKS = 1_000_000


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Seeds(_Strict):
    """Consecutive seeds."""

    count: int = Field(ge=1, le=MAX_TASKS)
    first: int = 0

    def all(self) -> list[int]:
        """Return all seeds."""
        return list(range(self.first, self.first + self.count))


class Draw(_Strict):
    """Distribution of one parameter; exactly one field is set."""

    uniform: tuple[float, float] | None = None
    """Minimum and maximum of a uniform distribution."""
    log_uniform: tuple[float, float] | None = None
    """Minimum and maximum of a log-uniform distribution, both above 0."""
    integer: tuple[int, int] | None = None
    """Minimum and maximum of uniform integers, both included."""
    choice: tuple[Value, ...] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of uniform, log_uniform, integer, choice")
        bounds = self.uniform or self.log_uniform or self.integer
        if bounds is not None and bounds[0] > bounds[1]:
            raise ValueError(f"{given[0]}: {list(bounds)} is not legal; give the least, then the most")
        if self.log_uniform is not None and self.log_uniform[0] <= 0:
            raise ValueError(f"log_uniform: {list(self.log_uniform)} is not legal; give numbers above 0")
        if self.choice is not None and not self.choice:
            raise ValueError("choice: is empty; give at least one value")
        return self

    def value(self, chance: random.Random) -> Value:
        """Return one draw."""
        if self.uniform is not None:
            return chance.uniform(*self.uniform)
        if self.log_uniform is not None:
            least, most = map(math.log, self.log_uniform)
            return math.exp(chance.uniform(least, most))
        if self.integer is not None:
            return chance.randint(*self.integer)
        assert self.choice is not None
        return chance.choice(self.choice)


class RandomPoints(_Strict):
    """Points drawn at random. Equal seeds give equal points."""

    draws: int = Field(ge=1, le=MAX_TASKS)
    seed: int = 0
    parameters: dict[str, Draw] = Field(min_length=1)


class SweepSpec(_Strict):
    """Content of a sweep's file. The sweep is the product of all its lists."""

    name: Name
    scenarios: tuple[str, ...] = Field(min_length=1)
    conditions: tuple[str, ...] = Field(default=("none",), min_length=1)
    worlds: tuple[str, ...] = Field(default=("mock",), min_length=1)
    models: tuple[str | None, ...] = Field(default=(None,), min_length=1)
    seeds: Seeds | tuple[int, ...] = Seeds(count=1)
    settings: dict[str, Any] = Field(default_factory=dict)
    """Settings of all runs, as in the `settings` of a config.yaml."""
    grid: dict[str, tuple[Value, ...]] = Field(default_factory=dict)
    """Parameter -> values; all combinations are played."""
    points: tuple[dict[str, Value], ...] = ()
    """Listed points, each combined with all combinations of the grid. One with a `seed` is played with it alone."""
    random: RandomPoints | None = None
    budget: dict[Literal["usd", "tokens", "calls"], float] = Field(default_factory=dict)
    """Measure -> cap on the sum over all runs."""

    @field_validator("seeds", mode="before")
    @classmethod
    def _count(cls, given: object) -> object:
        return {"count": given} if isinstance(given, int) and not isinstance(given, bool) else given

    @model_validator(mode="after")
    def _known(self) -> Self:
        _check_each("worlds", self.worlds, sorted(WORLDS))
        _check_each("settings", self.settings, SETTINGS)
        several = [name for name in self.parameters if sum(name in group for group in self._groups()) > 1]
        if several:
            raise ValueError(f"parameter {several[0]!r} is given twice; give it in one of grid, points, random")
        for name in self.parameters:
            if name != SEED or name in self.grid or (self.random is not None and name in self.random.parameters):
                _check_parameter(name, self.settings)
        for point in self.points:
            if not isinstance(seed := point.get(SEED, 0), int) or isinstance(seed, bool):
                raise ValueError(f"points: seed {seed!r} is not legal; give a whole number")
        for name, values in self.grid.items():
            if not values:
                raise ValueError(f"grid: {name!r} has no value; give at least one")
        for measure, cap in self.budget.items():
            if not (math.isfinite(cap) and cap > 0):
                raise ValueError(f"budget: {measure} {cap:g} is not legal; give a number above 0")
        return self

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of all varied parameters, in the order of the file."""
        return tuple(dict.fromkeys(name for group in self._groups() for name in group))

    @property
    def all_seeds(self) -> list[int]:
        """All seeds."""
        return self.seeds.all() if isinstance(self.seeds, Seeds) else list(self.seeds)

    def values(self) -> Iterator[dict[str, Value]]:
        """Yield all points in the space of parameters."""
        grid = [dict(zip(self.grid, values, strict=True)) for values in itertools.product(*self.grid.values())]
        for drawn in self._drawn():
            for point in self.points or ({},):
                for fixed in grid:
                    yield {**fixed, **point, **drawn}

    def _drawn(self) -> list[dict[str, Value]]:
        if self.random is None:
            return [{}]
        chance = random.Random(f"sweep/{self.random.seed}")
        drawn = self.random.parameters
        return [{name: each.value(chance) for name, each in drawn.items()} for _ in range(self.random.draws)]

    def _groups(self) -> list[list[str]]:
        listed = list(dict.fromkeys(name for point in self.points for name in point))
        return [list(self.grid), listed, [] if self.random is None else list(self.random.parameters)]


def _check_each(key: str, given: Iterable[str], legal: Sequence[str]) -> None:
    for name in given:
        if name not in legal:
            raise ValueError(f"{key}: {name!r} is not legal; choose from {', '.join(legal)}")


def _check_parameter(name: str, settings: dict[str, Any]) -> None:
    part, dot, key = name.partition(".")
    if dot and part in (*PARTS, *MAPPINGS) and key:
        if key in settings.get(part, {}):
            raise ValueError(f"parameter {name!r} is fixed in settings too; take it out of one")
        return
    if name not in SETTINGS:
        raise ValueError(
            f"parameter {name!r} is not legal; give scenario.KEY, contract.KEY or one of {', '.join(SETTINGS)}, where "
            f"{', '.join(MAPPINGS)} have keys"
        )
    if name in settings:
        raise ValueError(f"parameter {name!r} is fixed in settings too; take it out of one")


def read_sweep(data: dict[str, Any], path: Path) -> SweepSpec:
    """Parse the data of a sweep's file. Raises UsageError.

    `path` is named in errors, and its stem is the default name of the sweep.
    """
    data = {**data, "name": data.get("name", path.stem)}
    try:
        return SweepSpec.model_validate(data)
    except ValidationError as error:
        raise UsageError(f"{path}: {explain_error(error, SweepSpec)}") from None
