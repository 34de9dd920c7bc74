"""Files of a league: the league itself, and its scenarios, which are in a file of their own with a recorded hash.

A scenario is a game with a background population, as in Melting Pot (arXiv 2211.13746). Held-out scenarios are read
only to play and to verify the league; games for training come from another file, and share no scenario with them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from accord.studies.sweeps.spec import SETTINGS, Name, Seeds
from bridge.worlds import WORLDS
from dilemmas.errors import UsageError
from dilemmas.records.manifest import digest
from dilemmas.scenarios.loader import explain_error, read_yaml
from voyager_agents.models import is_model

LEAGUE, SCENARIOS, TRAINING = "league.yaml", "scenarios.yaml", "training.yaml"
"""Names of the copies of the files in a league's folder."""
MAX_PLAYERS, MAX_SEEDS, MAX_ROUNDS = 64, 10_000, 10_000
TAKEN = ("agents", "players", "models")
"""Settings that the seats of a league fix."""
Mode = Literal["visitor", "resident", "universal"]
Agent = Annotated[str, Field(min_length=1, max_length=300)]
ModelT = TypeVar("ModelT", bound=BaseModel)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _as_list(given: object) -> object:
    return [given] if isinstance(given, str) else given


class FocalPlayer(_Strict):
    """Focal player of a league: one agent, or a population from which each seat is drawn."""

    name: Annotated[str, Field(pattern=r"^[^,;\x00-\x1f]{1,100}$")]
    agents: tuple[Agent, ...] | dict[str, tuple[Agent, ...]] = ()
    """Population: strategies, reference players, families, `NAME:FILE`, models; or game -> population."""
    model: Agent | None = None
    """Model of a family that asks one."""

    @model_validator(mode="before")
    @classmethod
    def _short(cls, given: object) -> object:
        """Accept a name alone for the agent of that name, and one agent for a population of one."""
        if isinstance(given, str):
            return {"name": given, "agents": [given]}
        if isinstance(given, Mapping) and "agents" in given:
            agents = given["agents"]
            several = isinstance(agents, Mapping)
            return {**given, "agents": {k: _as_list(v) for k, v in agents.items()} if several else _as_list(agents)}
        return given

    @model_validator(mode="after")
    def _known(self) -> Self:
        if not self.agents or not all(self.populations.values()):
            raise ValueError(f"{self.name}: names no agents; give e.g. agents: tit-for-tat")
        if self.model is not None and not is_model(self.model):
            raise ValueError(f"{self.name}: model {self.model!r} is not legal; write openai/NAME")
        return self

    @property
    def populations(self) -> dict[str, tuple[str, ...]]:
        """Game -> population; the key is empty for a population in all games."""
        return dict(self.agents) if isinstance(self.agents, dict) else {"": self.agents}

    def agents_in(self, game: str) -> tuple[str, ...]:
        """Return the population in a game. Raises UsageError if there is none."""
        found = self.populations.get(game) or self.populations.get("")
        if found is None:
            raise UsageError(
                f"focal: {self.name} has no agents for {game}; add {game} to {', '.join(self.populations)}"
            )
        return found


class HeldOut(_Strict):
    """Reference to the file of the held-out scenarios."""

    file: str
    sha256: str = ""
    """Hash of the file, so that nobody changes what is played without a trace."""


class LeagueSpec(_Strict):
    """Content of a league's file."""

    name: Name
    about: str = ""
    focal: tuple[FocalPlayer, ...] = Field(default=(), max_length=MAX_PLAYERS)
    programs: str = ""
    """Folder of programs, each a focal player: `NAME.js` plays in every episode of a game in the world."""
    baselines: tuple[str, ...] = ()
    """Focal players that fix 0 and 1 of normalized returns; all if empty."""
    held_out: HeldOut
    training: str = ""
    """File of the scenarios of training, which players may see."""
    seeds: Seeds = Seeds(count=10)
    world: str = "mock"
    """World of games that need one."""
    settings: dict[str, Any] = Field(default_factory=dict)
    budget: dict[Literal["usd", "tokens", "calls"], float] = Field(default_factory=dict)

    @field_validator("seeds", mode="before")
    @classmethod
    def _count(cls, given: object) -> object:
        return {"count": given} if isinstance(given, int) and not isinstance(given, bool) else given

    @field_validator("seeds")
    @classmethod
    def _few(cls, given: Seeds) -> Seeds:
        if given.count > MAX_SEEDS:
            raise ValueError(f"{given.count} seeds are too many; give at most {MAX_SEEDS}")
        return given

    @model_validator(mode="after")
    def _known(self) -> Self:
        if self.world not in WORLDS:
            raise ValueError(f"world: {self.world!r} is not legal; choose one of {', '.join(sorted(WORLDS))}")
        for key in self.settings:
            if key in TAKEN or key not in SETTINGS:
                legal = ", ".join(each for each in SETTINGS if each not in TAKEN)
                raise ValueError(f"settings: {key!r} is not legal; choose from {legal}")
        for measure, cap in self.budget.items():
            if not 0 < cap < float("inf"):
                raise ValueError(f"budget: {measure} {cap:g} is not legal; give a number above 0")
        return self


class ScenarioEntry(_Strict):
    """Scenario of a league: a game, its focal seats, and the population of the others."""

    game: str
    """Registered scenario or variant, or a YAML file beside this one."""
    about: str = ""
    mode: Mode
    """`visitor`: focal players are the minority, `resident`: the majority, `universal`: they have all seats."""
    focal: int | tuple[str, ...] | None = None
    """Focal seats, or their number, drawn for each seed. None: 1 (visitor), all but 1 (resident), all (universal)."""
    background: tuple[Agent, ...] | dict[str, Agent] = ()
    """Population of the other seats, from which each is drawn, or seat -> agent."""
    condition: str = "none"
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS)] | None = None
    """Rounds of a repeated game; None for the game's own."""
    change: dict[str, Any] = Field(default_factory=dict)
    """Keys and values laid over the game's file."""

    @property
    def own_file(self) -> bool:
        """True if the game is a YAML file beside the scenarios' file."""
        return self.game.endswith(".yaml")

    @field_validator("game")
    @classmethod
    def _beside(cls, given: str) -> str:
        named = given.endswith(".yaml") and Path(given).name == given and given not in (LEAGUE, SCENARIOS, TRAINING)
        if given.endswith((".yaml", ".yml")) and not named:
            raise ValueError(
                f"{given!r} is not legal; name a .yaml file in the same folder, not {LEAGUE} or {SCENARIOS}"
            )
        return given

    @field_validator("background", mode="before")
    @classmethod
    def _several(cls, given: object) -> object:
        return _as_list(given)

    @field_validator("focal", mode="before")
    @classmethod
    def _seats(cls, given: object) -> object:
        if isinstance(given, bool):
            raise ValueError("give a number of seats, or their names")
        return _as_list(given)

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        if self.mode == "universal" and self.background:
            raise ValueError("background: in mode universal nobody else plays; leave it out")
        if self.mode != "universal" and not self.background:
            raise ValueError(f"background: is empty; in mode {self.mode} name who else plays")
        for agent in self.background.values() if isinstance(self.background, dict) else self.background:
            if is_model(agent):
                raise ValueError(f"background: {agent!r} is a model, which no hash can fix; name agents without one")
        return self


class ScenariosFile(_Strict):
    """Content of a file of scenarios."""

    about: str = ""
    scenarios: dict[Name, ScenarioEntry] = Field(min_length=1)


def read_league(path: Path) -> LeagueSpec:
    """Return the content of a league's file. Raises UsageError and SpecError, with one line that names the file."""
    data = read_yaml(path)
    found = _checked(LeagueSpec, {"name": re.sub(r"[^A-Za-z0-9._-]", "-", path.stem), **data}, path)
    names = [each.name for each in found.focal]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"{path}: focal: {name!r} is named twice; give one of them another name")
    return found


def read_scenarios(path: Path) -> ScenariosFile:
    """Return the content of a file of scenarios. Raises UsageError and SpecError, with one line that names the file."""
    return _checked(ScenariosFile, read_yaml(path), path)


def held_out_file(path: Path, spec: LeagueSpec) -> Path:
    """Return the path of the held-out scenarios of a league's file, after checking their hash. Raises UsageError."""
    file = path.absolute().parent / spec.held_out.file
    try:
        found = digest([file])
    except OSError as error:
        raise UsageError(
            f"{path}: held_out: {file} cannot be read ({error.strerror}); name the scenarios' file"
        ) from None
    if not spec.held_out.sha256:
        raise UsageError(f"{path}: held_out: has no hash; write sha256: {found} below file: {spec.held_out.file}")
    if spec.held_out.sha256 != found:
        raise UsageError(
            f"{path}: held_out: {file} has the hash {found}, and the league names {spec.held_out.sha256}: put the "
            "file back, or write the new hash, which makes another league"
        )
    return file


def check_apart(path: Path, held_out: ScenariosFile, training: ScenariosFile) -> None:
    """Check that no held-out scenario is one of training, whatever its name and text. Raises UsageError."""
    shown = {_essence(each): name for name, each in training.scenarios.items()}
    for name, each in held_out.scenarios.items():
        if (other := shown.get(_essence(each))) is not None:
            raise UsageError(
                f"{path}: training: {other!r} is the held-out scenario {name!r}; take one of them out, or give them "
                "other backgrounds"
            )


def _essence(entry: ScenarioEntry) -> str:
    """Return what makes a scenario: all but its text."""
    plain = entry.model_dump(mode="json", exclude={"about"})
    if isinstance(plain["background"], list):
        plain["background"] = sorted(plain["background"])
    return repr(sorted(plain.items()))


def _checked(model: type[ModelT], data: Mapping[str, Any], path: Path) -> ModelT:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise UsageError(f"{path}: {explain_error(error, model)}") from None
