"""Plan of a study that plays many runs as a sweep and is written before the first of them, so that it resumes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar

from accord.studies.option_checks import check_values
from accord.studies.settings import NAMES, StudySettings
from dilemmas.errors import UsageError
from dilemmas.scenarios.registry import load_scenario

OF_A_STUDY = ("scenario", "repeat", "seed", "jobs", "model")
"""Options that are those of a study and are checked by its definitions, as are all in `settings`."""


@dataclass(frozen=True)
class KeptPlan:
    """Options of all kept plans, checked when created: an illegal value raises UsageError with a one-line message."""

    KIND: ClassVar[str]
    """Kind of the study, for its folder and its plan on disk."""
    TOLD: ClassVar[str]
    """Name of the kind in messages."""
    NEEDED: ClassVar[frozenset[str]] = frozenset({"scenario"})
    """Keys that every recorded plan has."""

    scenario: str
    """Name or YAML file of a scenario."""
    _: KW_ONLY
    repeat: int | None = None
    """Rounds of a repeated game; None for the scenario's number."""
    seed: int = 0
    """First seed."""
    world: str | None = None
    """World of the runs; None for the usual one."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the studies in a world, such as `base_url`."""
    model: str | None = None
    budget: Mapping[str, float] = field(default_factory=dict)
    jobs: int = 1

    def __post_init__(self) -> None:
        for name, value in check_values(type(self), vars(self)).items():
            object.__setattr__(self, name, value)
        if unknown := sorted(set(self.settings) - set(NAMES)):
            raise UsageError(f"settings: {unknown[0]!r} is no option of a study; leave it out")
        check_values(StudySettings, {name: getattr(self, name) for name in OF_A_STUDY} | dict(self.settings))

    def round_changes(self) -> dict[str, Any]:
        """Return the changes to the scenario's file that set its number of rounds.

        Raises:
            UsageError: A number is given, and the scenario is no repeated game.
        """
        if self.repeat is None:
            return {}
        scenario = load_scenario(self.scenario)
        if "repeats" not in scenario.abilities:
            raise UsageError(f"{scenario.spec.name} is no repeated game: see docs/matrix-games.md")
        return dict(scenario.with_rounds(self.repeat))

    @property
    def title(self) -> str:
        """Name of the study's folder, without the time."""
        raise NotImplementedError

    @property
    def played_in(self) -> str:
        """Name of the world, or `none`."""
        raise NotImplementedError

    @property
    def all_seeds(self) -> range:
        """Seeds of the runs with the same players."""
        raise NotImplementedError

    @property
    def condition(self) -> str:
        """Condition of the scenario."""
        return "none"
