"""Talks between the rounds of an episode, and the deals that are settled before each of them.

The rounds between two talks are a period. At its end the deals in force are judged on what the players hold then, and
on what they have mined, done and earned in the period, as deals between episodes are judged on an episode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from accord.analysis.validity import Verdicts
from accord.studies import judging
from accord.studies.agreement import Again, NegotiationInput
from accord.studies.outcomes import Outcome
from accord.studies.progress import past_play
from accord.studies.talks import RunTalk
from contracts.bargaining.carriers import Place
from contracts.bargaining.deals import DealBook
from contracts.enforcement import Breach
from dilemmas.modes.observation import PastEpisodes, observation
from dilemmas.modes.protocol import PlayedEpisode
from dilemmas.records.events import Holdings, PeriodSettled, TalksVoided
from dilemmas.scenarios.observables import holdings_since
from dilemmas.scenarios.protocol import EndState


@dataclass(frozen=True)
class _Standing:
    """State of a run's bargaining before an attempt, to which a broken attempt returns."""

    entries: int
    """Number of changes of deals."""
    said: int
    """Number of messages."""
    breaches: tuple[Breach, ...]
    verdicts: Verdicts


@dataclass
class RoundTalks:
    """Talks of one attempt at an episode (`dilemmas.modes.arena.TalksBetween`)."""

    talk: RunTalk
    """Talks of the run."""
    every: int
    """Number of rounds between two talks."""
    last: int
    """Maximum number of rounds of the episode."""
    seed: int
    episode: int
    """Number of the episode, from 1."""
    remaining: int
    """Number of episodes after this one."""
    transfers: list[tuple[str, str, float]] = field(default_factory=list)
    """(payer, payee, emeralds) of the periods that are settled."""
    outcomes: list[Outcome] = field(default_factory=list)
    """Outcomes of the agreements in the periods that are settled."""
    _since: Mapping[str, Holdings] = field(default_factory=dict)
    """Holdings at the last talk."""
    _heard: int = 0
    """Number of chat messages at the last talk."""
    _before: _Standing = field(init=False)

    def __post_init__(self) -> None:
        state = self.talk.state
        entries = len(state.book.entries) if state.book is not None else 0
        self._before = _Standing(entries, state.said, state.breaches, state.verdicts)

    def is_due(self, played: int) -> bool:
        """Return True if the players talk after that number of rounds."""
        return 0 < played < self.last and played % self.every == 0

    async def hold(
        self, played: int, state: EndState, chat: Sequence[tuple[str, str]], places: Mapping[str, Place]
    ) -> None:
        """Settle the deals in force, let the players talk, and show them the deals that they have now.

        Args:
            played: Number of rounds played.
            state: State of the episode now.
            chat: (speaker, text) of the chat in the episode so far.
            places: Player -> its position in the world; empty without a world.
        """
        past = await self._settle(played, state, chat)
        talk, breaches = self.talk, self.talk.state.breaches
        again = Again(None, past, None, self.episode, played)
        await talk.hold(NegotiationInput(1, self.seed, again, self._following(played) - 1, breaches), places)
        self._since, self._heard = state.players, len(chat)
        for player, agent in talk.players.agents.items():
            agreed, condition = talk.state.contract_of(player), talk.condition.name
            agent.observe(
                observation(
                    talk.scenario, player, self.episode, agreed, past, condition, remaining=self.remaining,
                    played=played, see=talk.players.eyes.see_of(player),
                )
            )  # fmt: skip

    def end_last_period(self, played: PlayedEpisode) -> PlayedEpisode:
        """Return the rounds after the last talk of an episode that is over, and log the period if there was a talk."""
        period = self._period(played, played.chat)
        if self._since:
            self._log_period(int(played.game_s), period)
        return period

    def void(self) -> None:
        """Forget the talks of a broken attempt."""
        talk, before = self.talk, self._before
        state = talk.state
        if state.book is None or (len(state.book.entries), state.said) == (before.entries, before.said):
            return
        state.book = DealBook.restore(state.book.players, state.book.entries[: before.entries])
        state.said, state.breaches, state.verdicts = before.said, before.breaches, before.verdicts
        talk.record.log(TalksVoided(entries=before.entries, messages=before.said))

    def _following(self, played: int) -> int:
        """Return the number of settlements that follow after that number of rounds."""
        return -(-(self.last - played) // self.every)

    async def _settle(self, played: int, state: EndState, chat: Sequence[tuple[str, str]]) -> PastEpisodes:
        """Judge the deals in force on the period that is over; return the period as observations show it."""
        talk = self.talk
        period = self._period(PlayedEpisode("time_limit", state, {}, (), {}, float(played), 0.0), chat)
        self._log_period(played, period)
        judged = await talk.judge_agreements(period, self._following(played))
        accounts = judging.book(talk.record, judged, period)
        talk.age_deals()
        self.outcomes += [each.outcome for each in judged]
        self.transfers += judging.booked_transfers(judged, period.state)
        talk.state.count_outcomes([each.outcome for each in judged])
        return past_play(talk.state, period, [each.outcome for each in judged], accounts)

    def _period(self, played: PlayedEpisode, chat: Sequence[tuple[str, str]]) -> PlayedEpisode:
        """Return the part of an episode since the last talk."""
        counters = self.talk.scenario.vocabulary().counters
        holdings = holdings_since(self._since, played.state.players, counters)
        return replace(played, state=replace(played.state, players=holdings), chat=tuple(chat[self._heard :]))

    def _log_period(self, played: int, period: PlayedEpisode) -> None:
        state = period.state
        self.talk.record.log(PeriodSettled(played=played, players=state.players, chest=state.chest))
