"""What a player is shown before an episode: the parts that the scenario grants, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from contracts import Contract
from dilemmas.modes.protocol import Played
from dilemmas.records.events import PlayerAccount
from dilemmas.scenarios.protocol import Scenario
from voyager_agents.agent import LastRun, Observation, permitted


@dataclass(frozen=True)
class Past:
    """The episode before."""

    policies: Mapping[str, str]
    played: Played
    accounts: Mapping[str, PlayerAccount]
    critique: str
    """The judge's; empty without a contract."""


def observation(
    scenario: Scenario, player: str, episode: int, contract: Contract | None, past: Past | None, condition: str = ""
) -> Observation:
    """What that player sees before the episode (counted from 1) of a run under that condition."""
    spec = scenario.spec
    text = "\n".join(part for part in (spec.text, spec.character(player, condition)) if part)
    offered: dict[str, Any] = {"scenario": text, "facts": scenario.facts(), "contract": contract}
    if past is not None:
        offered |= {
            "inventories": {name: held.items for name, held in past.played.state.players.items()},
            "chat": past.played.chat,
            "last_run": _last_run(player, past),
            "reward": past.accounts[player].payoff,
            "judge_critique": past.critique,
        }
    granted = {key: value for key, value in offered.items() if key in spec.observables}
    always = {"player": player, "players": tuple(spec.players), "episode": episode - 1, "task": spec.task}
    return permitted(always | granted)


def _last_run(player: str, past: Past) -> LastRun | None:
    """How the player's program ended; None where players have none for an episode."""
    if player not in past.played.results:
        return None
    result = past.played.results[player]
    error = result.error
    return LastRun(
        policy=past.policies[player],
        outcome=str(result.outcome),
        error=f"{error.name}: {error.message}" if error else "",
        line=error.line if error else None,
        log=past.played.logs[player],
    )
