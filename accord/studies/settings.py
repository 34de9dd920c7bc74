"""Settings of a study: one scenario under one or more conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from accord.analysis.mixed_model import check_installed
from accord.analysis.plan import SEPARATOR
from accord.studies.analysis_options import AnalysisOptions
from accord.studies.factors import check_factors
from accord.studies.option_checks import check_values
from accord.studies.option_groups import (
    GROUPS,
    Embodied,
    ModelOptions,
    PlayerOptions,
    RecordOptions,
    RunOptions,
    SeatingOptions,
    WorldOptions,
)
from accord.studies.sight import SEEING, sight_options
from bridge.worlds import (
    BODIES,
    FLAT,
    HOST_PER_PLAYER,
    MINEFLAYER,
    SURVIVAL_TERRAIN,
    TERRAINS,
    VIRTUAL_CLOCK,
    WORLDS,
    bodies_of,
    capabilities,
)
from common.plugins import active
from common.plugins import add as add_plugin
from dilemmas.errors import UsageError
from dilemmas.modes.eyes import SightOptions
from dilemmas.modes.thinking import ThinkingCost, thinking_cost
from dilemmas.scenarios.axes import judge_name
from voyager_agents import BudgetError, ModelError
from voyager_agents.budget import check_caps
from voyager_agents.errors import did_you_mean
from voyager_agents.models.local.settings import EngineOptions
from voyager_agents.models.sampling import Sampling
from voyager_agents.registry import FAMILIES, role_names

MANY = 60
"""Maximum number of players that are Mineflayer clients by default; with more, players are bodies in the embedded
server. A walking client takes 0.7 to 0.8 % of a core, so 60 clients take about half a core."""
OFF: Embodied = "off"


def _bodies_of(world: str) -> tuple[str, ...]:
    """Return the legal kinds of players' bodies in a world; empty for an unregistered world."""
    return bodies_of(world) if world in WORLDS else ()


@dataclass(frozen=True)
class StudySettings(RunOptions, WorldOptions, SeatingOptions, AnalysisOptions, RecordOptions):
    """All options of a study, checked when created: an illegal value raises UsageError with a one-line message."""

    scenario: str
    """Name of a registered scenario, or path of a variant's YAML file."""
    contracts: tuple[str, ...] = ("none",)
    """Conditions of the scenario or paths of contract files, in the order of play."""

    def __post_init__(self) -> None:
        for name, value in check_values(type(self), vars(self)).items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "plugins", tuple(add_plugin(each) for each in self.plugins))
        self._name_file()
        if self.port is not None and self.jobs > 1:
            raise UsageError(f"port {self.port} cannot be shared by {self.jobs} jobs; leave out --port or --jobs")
        if not self.contracts:
            raise UsageError("no condition was given; name one with --contract")
        if len(set(self.contracts)) != len(self.contracts):
            raise UsageError(f"a condition is given twice ({', '.join(self.contracts)}); use --runs to repeat one")
        try:
            check_caps(self.budget)
        except BudgetError as error:
            raise UsageError(str(error)) from None
        self._check_agents()
        self._check_judge()
        self.thinking_cost()
        self.sight()
        self._check_hosts()
        self._check_terrain()
        self._check_bodies()
        try:
            Sampling.parse(self.sampling)
            EngineOptions.parse(self.local)
        except ModelError as error:
            raise UsageError(str(error)) from None
        check_factors(self.vary)
        if self.mixed:
            check_installed()
        for text in self.compare:
            if len({part.strip() for part in text.split(SEPARATOR)} - {""}) != 2 or text.count(SEPARATOR) != 1:
                raise UsageError(f"compare: {text!r} is not legal; give two conditions, such as none,contract-1")

    def _name_file(self) -> None:
        """Replace `FAMILY:FILE` for all players in `agents` by the family and its option `file`."""
        family, sign, file = (self.agents or "").partition(":")
        if sign and family in FAMILIES and FAMILIES[family].by_file and "," not in file:
            object.__setattr__(self, "agents", family)
            object.__setattr__(self, "agents_options", {**self.agents_options, "file": file})

    def _check_judge(self) -> None:
        try:
            if self.judge is not None:
                judge_name(self.judge)
        except ValueError as error:
            raise UsageError(f"judge: {error}") from None

    def _check_agents(self) -> None:
        """Check that `agents` names a family, or kinds of agents. Raises UsageError."""
        for named in () if self.agents is None else self.agents.split(","):
            name, sign, _ = named.partition(":")
            name = name if sign and name in FAMILIES and FAMILIES[name].by_file else named
            if name not in FAMILIES and not any(name in family.kind_names() for family in FAMILIES.values()):
                known = [*FAMILIES, *(kind for family in FAMILIES.values() for kind in family.kind_names())]
                hint = did_you_mean(name, known)
                legal = f"choose one of {', '.join(FAMILIES)}, or a kind of theirs"
                raise UsageError(f"unknown agents {name!r}{hint}; {legal}")

    def _check_hosts(self) -> None:
        if self.hosts == "per-player" and self.world in WORLDS and HOST_PER_PLAYER not in capabilities(self.world):
            raise UsageError(f"hosts: the {self.world} world is one process; leave out --hosts per-player, or --world")

    def _check_terrain(self) -> None:
        if self.terrain not in TERRAINS:
            raise UsageError(f"terrain: {self.terrain!r} is not legal; choose one of {', '.join(TERRAINS)}")
        if self.terrain != FLAT and self.world in WORLDS and SURVIVAL_TERRAIN not in capabilities(self.world):
            raise UsageError(f"terrain: the {self.world} world is flat here; leave out --terrain or --world")

    def _check_bodies(self) -> None:
        if self.bodies is None:
            return
        if self.bodies not in BODIES:
            raise UsageError(f"bodies: {self.bodies!r} is not legal; choose one of {', '.join(BODIES)}")
        if self.world not in WORLDS or self.bodies in (legal := _bodies_of(self.world)):
            return
        why = "players there have clients only" if legal else "there is no server to have players in"
        raise UsageError(
            f"bodies: {self.bodies} is not for the {self.world} world, {why}; leave out --bodies or --world"
        )

    def thinking_cost(self) -> ThinkingCost:
        """Return the cost of a model call in game time. Raises UsageError."""
        # The names of roles take the import of every family of agents.
        return thinking_cost(self.think, virtual=self.virtual, roles=role_names() if self.think else ())

    def sight(self) -> SightOptions:
        """Return what models are shown. Raises UsageError for an illegal size of pictures."""
        return sight_options(self)

    @property
    def virtual(self) -> bool:
        """True if the world's clock is virtual; False for unregistered worlds, which count as servers."""
        return self.world in WORLDS and VIRTUAL_CLOCK in capabilities(self.world)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain data for config.yaml. The inverse is `from_dict`."""
        plain: dict[str, Any] = {name: plain_value(getattr(self, name)) for name in NAMES}
        # Keys that do not apply are left out, as in records of earlier versions.
        if not _bodies_of(self.world):
            del plain["bodies"]
        for name in ("plugins", "local", "primary", "compare", "paired", "mixed", "adversaries"):
            if not getattr(self, name):
                del plain[name]
        if self.words == PlayerOptions.words:
            del plain["words"]
        if self.cache == ModelOptions.cache:
            del plain["cache"]
        if self.see == ModelOptions.see and "see" not in self.vary:
            for name in SEEING:
                del plain[name]
        return plain

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> StudySettings:
        """Return the settings in the data of a config.yaml. Raises UsageError.

        Plugins named in the data are not imported: the caller adds the ones that it trusts before
        (`accord.studies.received`).
        """
        given = {name: value for name, value in data.items() if value is not None} if isinstance(data, Mapping) else {}
        if not {"scenario", "contracts"} <= set(given) <= set(NAMES):
            raise UsageError("settings: not those of a study; give the directory that 'accord run' has written")
        values = check_values(cls, given, "settings: ")
        if "bodies" not in data and _bodies_of(values.get("world", "embedded")):
            values["bodies"] = MINEFLAYER  # the only kind of body in versions that record none
        return cls(**{**values, "plugins": active()})


NAMES = ("scenario", "contracts", *(each.name for group in GROUPS.values() for each in fields(group)))
"""Options of a study, in the order of config.yaml."""


def plain_value(value: object) -> Any:  # noqa: ANN401 - plain data of any shape
    """Return the value of an option as plain data, as `accord.studies.option_checks` accepts it."""
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {key: plain_value(each) for key, each in value.items()}
    return [plain_value(each) for each in value] if isinstance(value, list | tuple) else value
