"""Council of generative agents: members meet before some rounds, and its court judges after each round.

A meeting has phases. In each phase all members in the game write one message simultaneously, so a message can answer
those of earlier phases only. The order in which messages take effect rotates by one member each meeting, which removes
the advantage of moving first. Where a model judges reputation, it does so before each meeting but the first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from contracts.institutions import Entry, InstitutionAct
from voyager_agents.commons_harvest import HarvestAct, HarvestTurn
from voyager_agents.generative.court import CouncilCourt
from voyager_agents.generative.reputation import PromiseRecord, ReputationJudge
from voyager_agents.generative.settings import GenerativeSettings
from voyager_agents.generative.terms import TermScope

T = TypeVar("T")


@dataclass(frozen=True)
class CouncilView:
    """A member's view of the council: public, except for refusals of its own acts."""

    meeting: int
    """Number of meetings so far, the current one included."""
    members: tuple[str, ...]
    said: tuple[tuple[str, str, str], ...]
    """Messages since the start of the last meeting: (speaker, addressee, text)."""
    agreements: tuple[Mapping[str, Any], ...]
    """Proposed and binding agreements."""
    motions: tuple[Mapping[str, Any], ...]
    rules: tuple[Mapping[str, Any], ...]
    news: tuple[str, ...]
    """Findings of the court since the start of the last meeting, in words."""
    scores: Mapping[str, float]
    """Member -> reputation; empty without the reputation module."""
    transfers: Mapping[str, float]
    """Member -> apples received less apples paid."""
    refused: tuple[str, ...] = ()
    """Reasons for which acts of this member were refused."""

    def to_dict(self) -> dict[str, Any]:
        """Return the view as JSON-compatible data, for prompts."""
        return {
            "members": list(self.members),
            "said": [{"speaker": who, "to": to, "text": text} for who, to, text in self.said],
            "agreements": [dict(each) for each in self.agreements],
            "motions": [dict(each) for each in self.motions],
            "rules": [dict(each) for each in self.rules],
            "news": list(self.news),
            "reputation": dict(self.scores),
            "apples_moved": dict(self.transfers),
            "your_refused_acts": list(self.refused),
        }


class Member(Protocol):
    """Interface of a council's member."""

    name: str

    async def speak(self, turn: HarvestTurn, view: CouncilView) -> Sequence[InstitutionAct]:
        """Return the member's acts in one phase; empty for silence. Raises AgentError if it cannot go on."""

    def attend(self, view: CouncilView) -> None:
        """Receive the member's current view of the council."""


class SocialCouncil:
    """A `voyager_agents.turn_agent.Council` of generative agents."""

    def __init__(
        self,
        members: Sequence[Member],
        players: Sequence[str],
        trees: Sequence[str],
        settings: GenerativeSettings,
        judges: Mapping[str, ReputationJudge] = MappingProxyType({}),
    ) -> None:
        """Create the council.

        Args:
            members: Members of the council.
            players: All players of the game, members or not.
            trees: Names of the trees.
            settings: Settings of all members.
            judges: Member -> judge of its reputation; empty if reputation is counted or there is none.
        """
        self._members = {member.name: member for member in members}
        self._players = tuple(players)
        self._trees = tuple(trees)
        self._settings = settings
        self._judges = judges
        self._promises = PromiseRecord()
        self.court = self._convene(self._trees)
        self._talked = 0
        """Last round for which `talk` was called; 0 before the first call."""
        self._meetings = 0
        self._recent: list[Entry] = []
        """Entries since the start of the last meeting."""

    async def talk(self, turns: Mapping[str, HarvestTurn]) -> Sequence[Entry]:
        """Hold the meeting before a round, if one is due, and return its entries. Call once per round.

        Raises AgentError.
        """
        round = next((each.round for each in turns.values()), 0)
        entries = [self._open(turns)] if self._talked == 0 or round <= self._talked else []
        self._talked = round
        if round and (round - 1) % self._settings.talk_every == 0:
            entries += await self._rate(round)
            self._recent = []
            self._meetings += 1
            for _ in range(self._settings.phases):
                entries += await self._phase(round, turns)
        for name, member in self._members.items():
            member.attend(self.view(name))
        return entries

    def judge(self, round: int, deeds: Sequence[HarvestAct]) -> Sequence[Entry]:
        """Return the court's entries for the actions of a round."""
        return self._keep(self.court.judge(round, deeds))

    def close(self, round: int) -> Sequence[Entry]:
        """Return the court's settlements after the last round."""
        return self._keep(self.court.close(round))

    def transfers(self) -> Mapping[str, float]:
        """Return the apples received less apples paid of each member; they sum to zero."""
        return self.court.accounts.transfers()

    def view(self, name: str) -> CouncilView:
        """Return the member's view of the council."""
        court, recent = self.court, self._recent
        return CouncilView(
            meeting=self._meetings,
            members=court.members,
            said=tuple((str(each["player"]), str(each["to"]), str(each["text"])) for each in recent if _spoken(each)),
            agreements=tuple(
                {**each.to_dict(), "state": each.state, "accepted": list(each.accepted), "until": each.until}
                for each in court.agreements.open()
            ),
            motions=tuple(
                {**each.to_dict(), "votes": dict(each.votes)} for each in court.constitution.motions.values()
            ),
            rules=tuple(each.to_dict() for each in court.constitution.laws.values()),
            news=tuple(_news(each) for each in recent if each["what"] in _NEWS),
            scores={who: round(score, 3) for who, score in self._scores().items()},
            transfers=self.transfers(),
            refused=tuple(str(each["why"]) for each in recent if each["what"] == "refused" and each["player"] == name),
        )

    def _open(self, turns: Mapping[str, HarvestTurn]) -> Entry:
        """Start a game with a new court, and return its first entry.

        Without tree names from the scenario, terms may name the trees in sight now.
        """
        seen = {each.name for turn in turns.values() for each in turn.seen if each.what != "player"}
        self.court = self._convene(self._trees or tuple(sorted(seen)))
        self._meetings, self._recent, self._promises = 0, [], PromiseRecord()
        return self.court.opening()

    def _convene(self, trees: tuple[str, ...]) -> CouncilCourt:
        return CouncilCourt(list(self._members), TermScope(self._players, trees), self._settings)

    def _scores(self) -> dict[str, float]:
        """Return the reputation of each member that has one; empty without the module."""
        if self._settings.judges:
            return self.court.ratings
        scored = "reputation" in self._settings.modules
        return {who: each.score for who, each in self.court.standings.items()} if scored else {}

    async def _rate(self, round: int) -> list[Entry]:
        """Have every member judged that an agreement has bound since the last meeting."""
        since = round - self._settings.talk_every
        documents = {name: self._promises.of(name, round, since) for name in self._judges}
        asked = {name: self._judges[name].judge(each) for name, each in documents.items() if each is not None}
        verdicts = await _gather_all(asked)
        return [
            entry
            for name, each in verdicts.items()
            if each is not None
            for entry in self._keep(self.court.rate(round, name, each.score, each.why))
        ]

    async def _phase(self, round: int, turns: Mapping[str, HarvestTurn]) -> list[Entry]:
        speakers = [name for name in self._members if name in turns and not turns[name].out]
        if not speakers:
            return []
        views = {name: self.view(name) for name in speakers}
        acts = await _gather_all({name: self._members[name].speak(turns[name], views[name]) for name in speakers})
        first = (self._meetings - 1) % len(speakers)
        order = speakers[first:] + speakers[:first]
        return [
            entry for name in order for act in acts[name] for entry in self._keep(self.court.hear(round, name, act))
        ]

    def _keep(self, entries: list[Entry]) -> list[Entry]:
        self._recent += entries
        self._promises.add(entries)
        return entries


async def _gather_all(asked: Mapping[str, Coroutine[Any, Any, T]]) -> dict[str, T]:
    """Await all members' answers; raise the first failure after all have ended, so that no call outlives the run."""
    found = await asyncio.gather(*asked.values(), return_exceptions=True)
    for each in found:
        if isinstance(each, BaseException):
            raise each
    return {name: each for name, each in zip(asked, found, strict=True) if not isinstance(each, BaseException)}


_NEWS = {
    "broken": "{player} broke {ground} {id}",
    "kept": "{player} kept {ground} {id}",
    "penalty": "{player} paid {paid:g} apples for a breach of rule {rule}",
    "rule_passed": "rule {rule} was passed: {says}",
    "rule_repealed": "rule {rule} was repealed",
    "rule_failed": "motion {motion} failed: {why}",
    "agreement_made": "agreement {agreement} was made: {says}",
    "agreement_declined": "{player} declined agreement {agreement}",
    "agreement_ended": "agreement {agreement} ended: {why}",
}
"""Kind of entry -> format of its news for members."""


def _news(entry: Mapping[str, Any]) -> str:
    return _NEWS[str(entry["what"])].format(**entry)


def _spoken(entry: Mapping[str, Any]) -> bool:
    return entry["what"] == "act" and entry["act"] in ("ask", "answer")
