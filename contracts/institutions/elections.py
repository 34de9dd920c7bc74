"""Elections: offices with seats, terms, recall and powers as data. People vote and code counts (`voting`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field, field_validator

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import names_schema
from contracts.errors import ContractFormatError
from contracts.institutions.frame import CivicQuestion, Desk, Group, InstitutionPart, PartSettings
from contracts.institutions.slots import POWER_NAMES, POWERS, PRESENT, Power
from contracts.institutions.voting import ElectionMethod, count_election

MAX_REASONING = 400


class OfficeSettings(PartSettings):
    """An office."""

    powers: tuple[Power, ...] = Field(min_length=1)
    seats: int = Field(default=1, ge=1, le=20)
    term: int = Field(default=10, ge=0, le=10_000)
    """Steps of a term; 0 for life."""
    recall_every: int = Field(default=0, ge=0, le=10_000)
    """Steps between two votes on the recall of the holders; 0 for never."""


def _usual_offices() -> dict[str, OfficeSettings]:
    return {"guard": OfficeSettings(powers=("guard",)), "judge": OfficeSettings(powers=("judge",))}


class ElectionSettings(PartSettings):
    """Settings of elections."""

    method: ElectionMethod = ElectionMethod.APPROVAL
    offices: dict[str, OfficeSettings] = Field(default_factory=_usual_offices, min_length=1, max_length=20)
    one_office: bool = True
    """True if nobody holds two offices, as long as there are other candidates."""

    @field_validator("offices")
    @classmethod
    def _powers_once(cls, offices: dict[str, OfficeSettings]) -> dict[str, OfficeSettings]:
        held = [power for each in offices.values() for power in each.powers]
        for power in POWER_NAMES:
            if held.count(power) > 1:
                raise ValueError(f"the power {power} belongs to two offices; give it to one")
        return offices


class ElectionBallot(Strict):
    """A voter's answer."""

    reasoning: str = Field(max_length=MAX_REASONING)
    choices: list[str] = Field(max_length=40)


class RecallVote(Strict):
    """A voter's answer about a holder: recall it or not."""

    reasoning: str = Field(max_length=MAX_REASONING)
    recall: bool


class Elections(InstitutionPart):
    """Offices, their holders, elections and recalls."""

    name = "elections"
    Settings = ElectionSettings
    reads = (PRESENT,)
    writes = (POWERS,)
    settings: ElectionSettings

    def __init__(self, settings: ElectionSettings, group: Group) -> None:
        super().__init__(settings, group)
        for name, office in settings.offices.items():
            if office.seats >= len(group.members):
                raise ContractFormatError(
                    f"institutions.elections.offices.{name}.seats: {office.seats}: "
                    f"give fewer seats than people ({len(group.members)})"
                )
        self._holders: dict[str, tuple[str, ...]] = dict.fromkeys(settings.offices, ())

    @classmethod
    def max_questions(cls, settings: ElectionSettings, people: int, steps: int) -> int:
        """Return a ballot for each term, vacancy and recall of each office, and the votes on recalls."""
        found = 0
        for office in settings.offices.values():
            terms = 1 + (steps // office.term if office.term else 0)
            recalls = steps // office.recall_every if office.recall_every else 0
            found += terms + people + recalls * (1 + office.seats)
        return found

    async def step(self, desk: Desk) -> None:
        """Hold the elections and recalls that are due, and fill seats whose holders are gone."""
        present = desk.read(PRESENT)
        ending = [name for name, each in self.settings.offices.items() if _is_due(each, desk.step)]
        # Terms that end together leave their holders free to stand for any of the offices.
        self._holders |= dict.fromkeys(ending, ())
        for name, office in self.settings.offices.items():
            holders, due = self._holders[name], name in ending
            stayed = tuple(each for each in holders if each in present)
            barred: tuple[str, ...] = ()
            if not due and stayed and office.recall_every and desk.step % office.recall_every == 0:
                barred = await self._recalled(desk, name, stayed)
            if due or barred or (holders and not stayed):
                why = "a new term" if due else "a recall" if barred else "the office is empty"
                await self._elect(desk, name, barred, why)
        desk.put(POWERS, self._powers())

    def _powers(self) -> dict[str, tuple[str, ...]]:
        return {power: self._holders[name] for name, each in self.settings.offices.items() for power in each.powers}

    async def _elect(self, desk: Desk, office: str, barred: Sequence[str], why: str) -> None:
        settings, voters = self.settings.offices[office], desk.read(PRESENT)
        busy = {each for name, held in self._holders.items() if name != office for each in held}
        free = [name for name in voters if name not in barred]
        candidates = [name for name in free if not self.settings.one_office or name not in busy] or free
        ballots: dict[str, tuple[str, ...]] = {}
        spoilt: list[str] = []
        if self.settings.method is not ElectionMethod.LOT and len(candidates) > settings.seats:
            questions = [self._ballot(name, office, candidates) for name in voters]
            for question, answer in zip(questions, await desk.ask(questions), strict=True):
                ballots[question.to] = self._choices(answer, candidates)
                if answer is None:
                    spoilt.append(question.to)
        count = count_election(self.settings.method, candidates, ballots, settings.seats, desk.dice(f"lot:{office}"))
        self._holders[office] = count.winners
        if count.cycle:
            desk.tell("cycle", why="no candidate beats all others pairwise", office=office, members=list(count.cycle))
        desk.tell(
            "elected",
            ", ".join(count.winners),
            why,
            office=office,
            powers=list(settings.powers),
            method=str(self.settings.method),
            candidates=candidates,
            ballots={name: list(each) for name, each in ballots.items()},
            spoilt=spoilt,
            tally=dict(count.tally),
            pairs=dict(count.pairs),
            tied=list(count.tied),
            how=count.how,
        )

    def _ballot(self, voter: str, office: str, candidates: Sequence[str]) -> CivicQuestion[ElectionBallot]:
        method, powers = self.settings.method, ", ".join(self.settings.offices[office].powers)
        asked = {
            ElectionMethod.PLURALITY: "Name one candidate",
            ElectionMethod.APPROVAL: "Name all candidates that you approve of",
            ElectionMethod.CONDORCET: "Rank the candidates, best first",
        }[method]
        text = f"The people elect the office {office} (powers: {powers}). {asked} in `choices`; an empty list abstains."
        form = AnswerForm(
            "ballot",
            ElectionBallot,
            {"reasoning": "<one short sentence>", "choices": list(candidates)[:1]},
            reasoning="reasoning",
            choices={"choices": list(candidates)},
            narrowed={"choices": names_schema(candidates, 1 if method is ElectionMethod.PLURALITY else None)},
        )
        facts = {"office": office, "method": str(method), "candidates": list(candidates)}
        return CivicQuestion(voter, self.name, "ballot", text, facts, form)

    def _choices(self, answer: Any, candidates: Sequence[str]) -> tuple[str, ...]:  # noqa: ANN401 - a Ballot or None
        """Return the choices of a ballot; a ballot that is unreadable or names too many abstains."""
        if not isinstance(answer, ElectionBallot):
            return ()
        choices = tuple(dict.fromkeys(name for name in answer.choices if name in candidates))
        too_many = self.settings.method is ElectionMethod.PLURALITY and len(choices) > 1
        return () if too_many else choices

    async def _recalled(self, desk: Desk, office: str, holders: Sequence[str]) -> tuple[str, ...]:
        """Return the holders whom more than half of all people recall."""
        voters, found = desk.read(PRESENT), []
        for holder in holders:
            text = f"Shall {holder} be recalled from the office {office}?"
            form = AnswerForm(
                "recall", RecallVote, {"reasoning": "<one short sentence>", "recall": False}, reasoning="reasoning"
            )
            facts = {"office": office, "holder": holder}
            asked = [CivicQuestion(name, self.name, "recall", text, facts, form) for name in voters]
            answers = await desk.ask(asked)
            votes = {
                each.to: answer.recall if isinstance(answer, RecallVote) else None
                for each, answer in zip(asked, answers, strict=True)
            }
            yes = sum(vote is True for vote in votes.values())
            passed = yes * 2 > len(voters)
            if passed:
                found.append(holder)
            desk.tell(
                "recall",
                holder,
                "a recall passes with the votes of more than half of all people",
                office=office,
                votes=votes,
                yes=yes,
                needed=len(voters) // 2 + 1,
                passed=passed,
            )
        return tuple(found)


def _is_due(office: OfficeSettings, step: int) -> bool:
    """Return True if a term begins in this step."""
    return step == 0 or (office.term > 0 and step % office.term == 0)
