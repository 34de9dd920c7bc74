"""What a person asks for: one study of one scenario under one or more conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dilemmas.errors import UsageError

ROLES = ("action", "critic", "negotiator", "judge")
"""What a model can be used for; each role may have its own."""


@dataclass(frozen=True)
class StudySettings:
    """Checked when made: every wrong value is a UsageError of one line."""

    scenario: str
    """A registered scenario, or the path of a variant's YAML file."""
    contracts: tuple[str, ...] = ("none",)
    """Conditions of the scenario, or paths of contract files; played in this order on one server."""
    world: str = "embedded"
    seed: int = 0
    runs: int = 1
    """Runs per condition, with the seeds seed, seed + 1, ..."""
    episodes: int = 1
    """At most so many episodes a run; it ends after the first in which every program worked."""
    players: Mapping[str, str] = field(default_factory=dict)
    """Player -> reference player (`voyager_agents.players.PLAYERS`), where it is not the default."""
    model: str | None = None
    """`openai/NAME` for all roles; None for reference players."""
    models: Mapping[str, str] = field(default_factory=dict)
    """Role -> `openai/NAME`, where it is not `model`."""
    base_url: str | None = None
    api_key_file: Path | None = None
    """A file that holds the key; None for the environment's. Neither gets into a record."""
    rounds: int = 6
    """Messages that a negotiation may take."""
    out: Path = Path("runs")
    port: int | None = None
    time_limit_s: float | None = None
    """Seconds of game time an episode may take; None for the scenario's own limit."""

    def __post_init__(self) -> None:
        for name in ("runs", "episodes", "rounds"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name}: {getattr(self, name)} is not legal; give 1 or more")
        if not self.contracts:
            raise UsageError("no condition was given; name one with --contract")
        if len(set(self.contracts)) != len(self.contracts):
            raise UsageError(f"a condition is given twice ({', '.join(self.contracts)}); use --runs to repeat one")
        if self.time_limit_s is not None and not 0 < self.time_limit_s < float("inf"):
            raise UsageError(f"time limit {self.time_limit_s:g} s is not legal; give seconds above 0")
        if self.port is not None and not 1 <= self.port <= 65535:
            raise UsageError(f"port {self.port} is not legal; give one from 1 to 65535")
        for role in self.models:
            if role not in ROLES:
                raise UsageError(f"unknown role {role!r}; a model can be given for {', '.join(ROLES)}")

    def plain(self) -> dict[str, Any]:
        """For config.yaml."""
        key_file = None if self.api_key_file is None else str(self.api_key_file)
        return {**asdict(self), "contracts": list(self.contracts), "out": str(self.out), "api_key_file": key_file}
