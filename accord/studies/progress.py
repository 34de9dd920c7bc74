"""State of a run in progress, and the part of result.json made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from accord.analysis import scoring
from accord.analysis.validity import Verdicts
from accord.studies.players import Players
from bridge.types import PolicyResult
from contracts import Contract, Negotiated, contract_as_mapping
from dilemmas.modes.protocol import PlayedEpisode
from dilemmas.records.events import PlayerAccount


@dataclass
class RunState:
    """State of a run, updated step by step. A result can be made from it at any time."""

    contract: Contract | None = None
    negotiation: Negotiated | None = None
    policies: dict[str, str] = field(default_factory=dict)
    """Player -> source of its current program."""
    files: dict[str, str] = field(default_factory=dict)
    """Player -> file of its current program, relative to the run's directory."""
    episodes: int = 0
    repeats: int = 0
    played: PlayedEpisode | None = None
    """Last finished episode, to which `verdict` and `accounts` belong."""
    verdict: dict[str, Any] | None = None
    """Judge's verdict as plain data; None without a contract."""
    accounts: dict[str, PlayerAccount] = field(default_factory=dict)
    verdicts: Verdicts = field(default_factory=Verdicts)
    """Quality of a model's verdicts over all episodes."""
    unchanged: int = 0
    """Number of consecutive episodes, up to the last one, with the same accounts as the episode before."""

    def settle(self, played: PlayedEpisode, verdict: dict[str, Any] | None, accounts: dict[str, PlayerAccount]) -> None:
        """Update the state with an episode that was played and judged, and its accounts."""
        self.unchanged = self.unchanged + 1 if accounts == self.accounts else 0
        self.played, self.verdict, self.accounts = played, verdict, accounts
        self.verdicts = self.verdicts.plus(Verdicts.of(verdict))

    def result(self, players: Players, wall_s: float, *, scored: bool) -> dict[str, Any]:
        """Return the run's part of result.json, which has no payoffs unless `scored`."""
        played = self.played
        return {
            **(scoring.score(self.accounts) if scored else scoring.unscored()),
            "episodes": self.episodes,
            "repeats": self.repeats,
            "end": None if played is None else played.reason,
            "wall_s": round(wall_s, 3),
            "episode_wall_s": None if played is None else round(played.wall_s, 3),
            "game_s": None if played is None else round(played.game_s, 3),
            "usage": players.meter.to_dict(),
            "policies": self._policies(players.authors),
            "contract": None if self.contract is None else contract_as_mapping(self.contract),
            "verdict": self.verdict,
            **({"verdicts": self.verdicts.to_dict()} if self.verdicts.given else {}),
            "negotiation": None if self.negotiation is None else self.negotiation.to_dict(),
        }

    def _policies(self, authors: Mapping[str, str]) -> dict[str, Any]:
        ended = self.played.results if self.played is not None else {}
        return {
            player: {"author": authors[player], "file": file, **_end(ended.get(player))}
            for player, file in self.files.items()
        }


def _end(result: PolicyResult | None) -> dict[str, Any]:
    """Return outcome and error of a program; both are None if it has not ended."""
    error = result.error if result is not None else None
    return {
        "outcome": None if result is None else str(result.outcome),
        "error": None if error is None else asdict(error),
    }
