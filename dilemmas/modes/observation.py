"""What a player is shown before an episode: the parts that the scenario grants, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from contracts import Contract
from dilemmas.modes.protocol import PlayedEpisode, Preparation
from dilemmas.records.events import PlayerAccount, Shown
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.protocol import Scenario
from voyager_agents.agent import LastRun, Observation, permitted


@dataclass(frozen=True)
class PastEpisodes:
    """The episode before."""

    policies: Mapping[str, str]
    played: PlayedEpisode
    accounts: Mapping[str, PlayerAccount]
    critique: str
    """The judge's; empty without a contract."""


def observation(
    scenario: Scenario,
    player: str,
    episode: int,
    contract: Contract | None,
    past: PastEpisodes | None,
    condition: str = "",
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


def _last_run(player: str, past: PastEpisodes) -> LastRun | None:
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


def tell_shown(record: RunRecord, seen: Observation) -> Observation:
    """Notes in the record what the player is shown; the same observation."""
    last = seen.last_run
    ended = "" if last is None else last.outcome + (f": {last.error}" if last.error else "")
    record.log(
        Shown(
            player=seen.player,
            contract=None if seen.contract is None else seen.contract.name,
            inventories={name: dict(held) for name, held in seen.inventories.items()},
            chat=len(seen.chat),
            outcome=ended,
            printed=0 if last is None else len(last.log),
            reward=seen.reward,
            critique=seen.judge_critique,
        )
    )
    return seen


def shown(preparation: Preparation, player: str) -> Observation:
    """What the player is shown before an episode or after the last one; noted in the record."""
    return tell_shown(preparation.record, preparation.show(player))
