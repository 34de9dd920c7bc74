"""Who plays and who judges in a run: a table from settings to agents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from contracts import FormalJudge, Judge
from dilemmas.errors import UsageError
from dilemmas.scenario import Scenario
from dilemmas.settings import StudySettings
from voyager_agents.agent import Agent
from voyager_agents.players import PLAYERS, ReferenceAgent

DEFAULT_PLAYER = "reference"
"""Keeps a contract where there is one, is greedy where there is none, bargains where one is negotiated."""


@dataclass(frozen=True)
class Cast:
    """The agents of one run."""

    agents: Mapping[str, Agent]
    authors: Mapping[str, str]
    """Player -> who writes its programs, for the record."""
    judge: Judge


def check_players(settings: StudySettings, scenario: Scenario) -> None:
    """Whether the settings name players and kinds that exist. Raises UsageError."""
    for player, kind in settings.players.items():
        if player not in scenario.spec.players:
            raise UsageError(f"unknown player {player!r}; this scenario's are {', '.join(scenario.spec.players)}")
        if kind not in PLAYERS:
            raise UsageError(f"unknown reference player {kind!r} for {player}; choose one of {', '.join(PLAYERS)}")


def make_cast(settings: StudySettings, scenario: Scenario, seed: int) -> Cast:
    """Agents and judge for the run with that seed."""
    kinds = {player: settings.players.get(player, DEFAULT_PLAYER) for player in scenario.spec.players}
    return Cast(
        agents={player: ReferenceAgent(player, kind, seed=seed) for player, kind in kinds.items()},
        authors={player: f"reference/{kind}" for player, kind in kinds.items()},
        judge=FormalJudge(),
    )
