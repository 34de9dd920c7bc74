"""State of a run in progress, and the part of result.json made from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from accord.analysis import scoring
from accord.analysis.validity import Verdicts
from accord.studies.outcomes import Outcome
from accord.studies.players import Players
from bridge.types import PolicyResult
from contracts import Contract, Negotiated, contract_as_mapping
from contracts.bargaining.deals import Deal, DealBook
from contracts.bargaining.merging import merged
from contracts.enforcement import Breach
from dilemmas.modes.observation import PastEpisodes
from dilemmas.modes.protocol import PlayedEpisode
from dilemmas.records.events import PlayerAccount


@dataclass
class RunState:
    """State of a run, updated step by step. A result can be made from it at any time."""

    contract: Contract | None = None
    """Contract of all players; None without one, or if they bargain on channels."""
    book: DealBook | None = None
    """Deals of players that bargain on channels."""
    said: int = 0
    """Number of messages in talks."""
    breaches: tuple[Breach, ...] = ()
    """Breaches in all episodes, in order."""
    outcomes: list[Outcome] = field(default_factory=list)
    """Outcomes of the agreements in the last episode, in the order in which they were judged."""
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

    @property
    def agreements(self) -> list[tuple[int | None, Contract]]:
        """Agreements in force in the order in which they are judged: number of the deal, or None, and its contract."""
        if self.book is not None:
            return [(deal.number, deal.contract) for deal in self.book.in_force]
        return [] if self.contract is None else [(None, self.contract)]

    def contract_of(self, player: str) -> Contract | None:
        """Return all that the player has agreed to, as one contract."""
        return self.contract if self.book is None else merged(self.book.deals_of(player))

    @property
    def contract_of_all(self) -> Contract | None:
        """All that all players have agreed to together, as one contract."""
        if self.book is None:
            return self.contract
        return merged([deal for deal in self.book.in_force if len(deal.parties) == len(self.book.players)])

    @property
    def is_readable(self) -> bool:
        """True if all verdicts of the last episode could be read."""
        return all(each.verdict["readable"] for each in self.outcomes)

    def settle(
        self,
        played: PlayedEpisode,
        outcomes: Sequence[Outcome],
        accounts: dict[str, PlayerAccount],
        earlier: Sequence[Outcome] = (),
    ) -> None:
        """Update the state with an episode that was played.

        Args:
            played: The episode.
            outcomes: Outcomes of the agreements that were in force at its end.
            accounts: Player -> its account.
            earlier: Outcomes before talks between its rounds, which are counted already (`count_outcomes`).
        """
        self.unchanged = self.unchanged + 1 if accounts == self.accounts else 0
        self.played, self.accounts, self.outcomes = played, accounts, [*earlier, *outcomes]
        self.verdict = outcomes[0].verdict if outcomes and self.book is None else None
        self.count_outcomes(outcomes)

    def count_outcomes(self, outcomes: Sequence[Outcome]) -> None:
        """Count the verdicts and breaches of agreements that were judged."""
        for each in outcomes:
            self.verdicts = self.verdicts.plus(Verdicts.of(each.verdict))
            self.breaches += tuple(Breach(**breach) for breach in each.enforced["breaches"])

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
            **self._bargained(),
        }

    def _bargained(self) -> dict[str, Any]:
        """Return the deals of a run on channels, and the enforcement of agreements that do not bind."""
        found: dict[str, Any] = {}
        told = [each for each in self.outcomes if each.deal is not None or each.enforced["force"] != "binding"]
        if told:
            found["enforced"] = [{"deal": each.deal, **each.enforced} for each in told]
        if self.book is not None:
            found["deals"] = [_deal(deal) for deal in self.book.deals.values()]
        return found

    def _policies(self, authors: Mapping[str, str]) -> dict[str, Any]:
        ended = self.played.results if self.played is not None else {}
        return {
            player: {"author": authors[player], "file": file, **_end(ended.get(player))}
            for player, file in self.files.items()
        }


def past_episodes(state: RunState, played: PlayedEpisode) -> PastEpisodes:
    """Return the episode that was just settled, as observations show it."""
    return past_play(state, played, state.outcomes, state.accounts)


def past_play(
    state: RunState, played: PlayedEpisode, outcomes: Sequence[Outcome], accounts: Mapping[str, PlayerAccount]
) -> PastEpisodes:
    """Return an episode, or a period between two talks, as observations show it.

    The judge's critique of a secret deal is shown to its parties alone. Under the force `reputation`, all players are
    told of every breach.

    Args:
        state: State of the run.
        played: The episode or period.
        outcomes: Outcomes of the agreements that were judged on it.
        accounts: Player -> its account for it.
    """
    book, common, apart = state.book, [], dict[str, list[str]]()
    for each in outcomes:
        critique = str(each.verdict.get("critique", ""))
        deal = book.deals[each.deal] if book is not None and each.deal is not None else None
        parties = book.players if book is not None and deal is not None and not deal.secret else ()
        if deal is None:
            common.append(critique)
        for name in parties or (deal.parties if deal else ()):
            apart.setdefault(name, []).append(f"Deal {each.deal}: {critique}")
        if each.enforced["force"] == "reputation":
            common += [f"{breach['party']} broke a promise." for breach in each.enforced["breaches"]]
    critiques = {name: "\n".join(lines) for name, lines in apart.items()}
    return PastEpisodes(dict(state.policies), played, accounts, "\n".join(filter(None, common)), critiques)


def _deal(deal: Deal) -> dict[str, Any]:
    return {
        "number": deal.number,
        "state": deal.state,
        "proposer": deal.proposer,
        "accepted": list(deal.accepted),
        "secret": deal.secret,
        "age": deal.age,
        "contract": contract_as_mapping(deal.contract),
    }


def _end(result: PolicyResult | None) -> dict[str, Any]:
    """Return outcome and error of a program; both are None if it has not ended."""
    error = result.error if result is not None else None
    return {
        "outcome": None if result is None else str(result.outcome),
        "error": None if error is None else asdict(error),
    }
