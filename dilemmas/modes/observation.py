"""Players' observations before an episode, limited to what the scenario grants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from contracts import Contract
from dilemmas.modes.protocol import PlayedEpisode, Preparation
from dilemmas.records.events import PlayerAccount, Shown
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.base import Scenario
from voyager_agents.agent import LastRun, Observation, PicturedTexts, permitted
from voyager_agents.eyes import See, without_places


@dataclass(frozen=True)
class PastEpisodes:
    """The previous episode as observations show it."""

    policies: Mapping[str, str]
    played: PlayedEpisode
    accounts: Mapping[str, PlayerAccount]
    critique: str
    """The judge's critique for all players; empty without a contract."""
    critiques: Mapping[str, str] = field(default_factory=dict)
    """Player -> the judge's critique of deals that only their parties know."""

    def critique_for(self, player: str) -> str:
        """Return all critiques that the player sees."""
        return "\n".join(part for part in (self.critique, self.critiques.get(player, "")) if part)


def observation(
    scenario: Scenario,
    player: str,
    episode: int,
    contract: Contract | None,
    past: PastEpisodes | None,
    condition: str = "",
    *,
    remaining: int = 0,
    played: int = 0,
    see: See = "words",
) -> Observation:
    """Return a player's observation before an episode.

    Args:
        scenario: Scenario of the run.
        player: Name of the player.
        episode: Number of the coming episode, from 1.
        contract: Contract that binds the players, if any.
        past: Previous episode; None before the first.
        condition: Name of the run's condition.
        remaining: Number of episodes of the run after the coming one.
        played: Number of rounds of the episode played so far.
        see: What the player's models are shown.
    """
    spec = scenario.spec
    offered: dict[str, Any] = {**_description(scenario, player, condition), "contract": contract}
    if past is not None:
        offered |= {
            "inventories": {name: held.items for name, held in past.played.state.players.items()},
            "chat": past.played.chat,
            "last_run": _last_run(player, past),
            "reward": past.accounts[player].payoff,
            "judge_critique": past.critique_for(player),
        }
    granted: dict[str, Any] = {key: value for key, value in offered.items() if key in spec.observables}
    if see == "image":
        described = _description(scenario, player, condition, drawn=True)
        granted["pictured"] = PicturedTexts(**{key: each for key, each in described.items() if key in granted})
    always = {
        "player": player,
        "players": tuple(spec.players),
        "episode": episode - 1,
        "task": spec.task,
        "remaining": max(0, remaining),
        "played": played,
    }
    return permitted(always | granted)


def _description(scenario: Scenario, player: str, condition: str, *, drawn: bool = False) -> dict[str, Any]:
    """Return a player's `scenario` and `facts`; if they are drawn, without the words for what pictures show."""
    spec, facts = scenario.spec, scenario.facts_of(player, condition)
    texts = (spec.text, spec.character(player, condition, drawn=drawn))
    return {"scenario": "\n".join(part for part in texts if part), "facts": without_places(facts) if drawn else facts}


def _last_run(player: str, past: PastEpisodes) -> LastRun | None:
    """Return the end of the player's last program; None in modes without one program per episode."""
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


def log_shown(record: RunRecord, seen: Observation) -> Observation:
    """Log the observation, and return it unchanged."""
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
    """Return the player's observation before an episode or after the last one, and log it."""
    return log_shown(preparation.record, preparation.show(player))
