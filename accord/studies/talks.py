"""Talks of a run's players on channels, before the game and between its episodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from accord.studies.agreement import (
    Again,
    NegotiationInput,
    examples,
    is_signed,
    log_signing,
    opener,
    past_experience,
    signing_of,
)
from accord.studies.conditions import Condition
from accord.studies.judging import Agreement, JudgedAgreement, appointed, judge_all
from accord.studies.players import Players
from accord.studies.progress import RunState
from contracts import Negotiator
from contracts.bargaining.carriers import Carrier, Letters, Meeting, OutOfBand, Place, Places, Whispers
from contracts.bargaining.channels import ChannelRule, Channels
from contracts.bargaining.deals import Deal, DealBook, DealEntry
from contracts.bargaining.merging import can_merge
from contracts.bargaining.messages import TalkMessage
from contracts.bargaining.table import talk_as_at_table
from contracts.bargaining.talk import TalkEntry, TalkRules, TalkSession, TalkView
from contracts.forces import Force
from dilemmas.modes.observation import log_shown, observation
from dilemmas.modes.protocol import PlayedEpisode
from dilemmas.records.events import DealChanged, TalkEnded, TalkMessageSent
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.axes import ChannelSpec, ChannelsSpec
from dilemmas.scenarios.base import Scenario
from voyager_agents.adversaries.quarantine import QuarantinedJudge

ROUNDS = 3
"""Usual number of rounds of talk."""


class AgentTalker:
    """Part of an agent in talks; one that knows the negotiating table alone bargains as it would there."""

    def __init__(self, agent: Any) -> None:  # noqa: ANN401 - an agent of any family
        self.name: str = agent.name
        self._agent = agent

    async def talk(self, view: TalkView) -> TalkMessage:
        """Return the agent's message. Raises MessageError for a malformed one."""
        if hasattr(self._agent, "talk"):
            said: TalkMessage = await self._agent.talk(view)
            return said
        return await talk_as_at_table(cast(Negotiator, self._agent), view)


def channels_of(spec: ChannelsSpec) -> Channels:
    """Return the channels of a condition."""

    def rule(given: ChannelSpec | None) -> ChannelRule | None:
        return None if given is None else ChannelRule(given.messages, given.opens, given.first, given.last)

    return Channels(rule(spec.public), rule(spec.pairwise), rule(spec.group))


def carrier_of(spec: ChannelsSpec, places: Places) -> Carrier:
    """Return the carrier of a condition's messages; `places` returns the players' positions in the world."""
    match spec.carrier:
        case "letter":
            return Letters()
        case "whisper":
            return Whispers(places, spec.reach)
        case "meeting" if spec.at is not None:
            x, y, z = spec.at
            return Meeting(places, (float(x), float(y), float(z)), spec.reach)
        case _:
            return OutOfBand()


def talk_rules(
    scenario: Scenario, condition: Condition, state: RunState, asked: NegotiationInput, places: Places
) -> TalkRules:
    """Return the rules of a talk under a condition.

    Args:
        scenario: The scenario.
        condition: The condition of the run.
        state: State of the run, with the breaches so far.
        asked: Input of the run to the talk.
        places: Function that returns the players' positions in the world.

    Raises:
        ValueError: The condition has no channels.
    """
    axes = condition.axes
    if axes.channels is None:
        raise ValueError(f"condition {condition.name!r} has no channels")
    force, deposit = condition.force
    return TalkRules(
        channels=channels_of(axes.channels),
        rounds=axes.rounds or ROUNDS,
        scope=condition.scope,
        force=force,
        deposit=deposit,
        secret=axes.secret,
        opens=opener(scenario, condition, asked),
        greedy=axes.greedy,
        carrier=carrier_of(axes.channels, places),
        remaining=asked.remaining,
        every=axes.every,
        before=past_experience(scenario, condition, asked.again),
        breaches=state.breaches if force is Force.REPUTATION else (),
    )


@dataclass
class RunTalk:
    """Talks of one run; its book of deals is the one in the state of the run."""

    scenario: Scenario
    condition: Condition
    players: Players
    record: RunRecord
    state: RunState

    async def hold(self, asked: NegotiationInput, places: Mapping[str, Place] | None = None) -> None:
        """Hold a talk before an episode or between its rounds, sign what was agreed, and log the end of the talk.

        Args:
            asked: Input of the run to the talk.
            places: Player -> its position in the world; None for the spawns.
        """
        book = self._book()
        again = asked.again
        if again is not None and self.condition.axes.renegotiate == "lapses":
            self._log_changes(book.end_all("deals lapse before each talk"))
        self._observe(again)
        at = places or {name: _place(player.spawn) for name, player in self.scenario.spec.players.items()}
        await self._talk(talk_rules(self.scenario, self.condition, self.state, asked, lambda: at))
        self.record.log(TalkEnded(in_force=[deal.number for deal in book.in_force]))

    async def judge_agreements(self, played: PlayedEpisode, remaining: int) -> list[JudgedAgreement]:
        """Return the agreements in force, judged on an episode or a period; payers decide where nothing binds them.

        Args:
            played: The episode or period.
            remaining: Number of settlements that follow.
        """
        judge = appointed(self.players.judge, self.condition.axes.judge)
        if self.players.quarantined:
            judge = QuarantinedJudge(judge)
        agreements = [Agreement(contract, deal) for deal, contract in self.state.agreements]
        return await judge_all(self.scenario, agreements, judge, played, self.players.agents, remaining)

    def age_deals(self) -> None:
        """Count an episode or a period for all deals in force, and end those whose time is over."""
        if self.state.book is not None:
            self._log_changes(self.state.book.grow_older())

    async def _talk(self, rules: TalkRules) -> None:
        """Hold one talk and sign the deals that were made in it."""

        def listen(entry: TalkEntry | DealEntry) -> None:
            if isinstance(entry, DealEntry):
                self.record.log(DealChanged(entry=entry.to_dict()))
            else:
                self.state.said = entry.number
                self.record.log(_sent(entry))

        book = self._book()
        old = {deal.number for deal in book.in_force}
        talkers = [AgentTalker(agent) for agent in self.players.agents.values()]
        await TalkSession(talkers, book, listen, self.state.said).hold(rules)
        for deal in book.in_force:
            if deal.number not in old and is_signed(self.condition, deal.contract):
                await self._sign(book, deal)

    async def _sign(self, book: DealBook, deal: Deal) -> None:
        """Let the parties ratify the deal's terms; a deal without ratified terms is ended."""
        signers = [self.players.agents[name] for name in deal.parties]
        outcomes = examples(self.scenario, deal.parties)
        signing = await signing_of(deal.contract, signers, outcomes, self.players)
        log_signing(self.record, signing, deal.number)
        terms = signing.contract
        others = {name: [each for each in book.deals_of(name) if each.number != deal.number] for name in deal.parties}
        if terms is not None and not all(can_merge([*own, replace(deal, contract=terms)]) for own in others.values()):
            self._log_changes(book.end_one(deal.number, "its terms are too many beside those of other deals"))
            return
        self._log_changes(book.sign(deal.number, terms))

    def _observe(self, again: Again | None) -> None:
        """Give the agents their observation before the talk."""
        for player, agent in self.players.agents.items():
            contract, past = (None, None) if again is None else (self.state.contract_of(player), again.past)
            episode = 1 if again is None else again.episode
            played = 0 if again is None else again.played
            see, condition = self.players.eyes.see_of(player), self.condition.name
            seen = observation(self.scenario, player, episode, contract, past, condition, played=played, see=see)
            agent.observe(seen if again is None else log_shown(self.record, seen))

    def _log_changes(self, changes: Sequence[DealEntry]) -> None:
        for change in changes:
            self.record.log(DealChanged(entry=change.to_dict()))

    def _book(self) -> DealBook:
        if self.state.book is None:
            self.state.book = DealBook(tuple(self.scenario.spec.players))
        return self.state.book


def _sent(entry: TalkEntry) -> TalkMessageSent:
    return TalkMessageSent(
        number=entry.number,
        round=entry.round,
        speaker=entry.speaker,
        members=list(entry.members),
        channel=entry.channel,
        act=entry.act,
        message=entry.message,
        thought=entry.thought,
        deal=entry.deal,
        arrives=dict(entry.arrives),
        faults=list(entry.faults),
        fault_kinds=list(entry.fault_kinds),
        raw=list(entry.raw),
    )


def _place(cell: tuple[int, int, int]) -> Place:
    x, y, z = cell
    return (float(x), float(y), float(z))
