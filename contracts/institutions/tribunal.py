"""The court: due process for charges. A person in office finds guilty or not, on evidence; code keeps the record.

The court cannot carry anything out. Without guards its convictions stay on paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import names_schema
from contracts.institutions.appointments import Officers
from contracts.institutions.elections import MAX_REASONING
from contracts.institutions.frame import CivicQuestion, Desk, Group, InstitutionPart, PartSettings
from contracts.institutions.slots import (
    BREACHES,
    CHARGES,
    CONVICTIONS,
    PAYMENTS,
    POWERS,
    PRESENT,
    Charge,
    Conviction,
    LawBreach,
)

MAX_TRIALS = 5
"""Maximum trials in one step; later charges wait."""


class CourtSettings(PartSettings):
    """Settings of the court."""

    evidence: Literal["record", "witnesses"] = "record"
    """Evidence for the judge: the world's record of the breach, or the names of those who claim to have seen it."""
    false_charge: float = Field(default=2, ge=0, le=1000)
    """Amount that an accuser pays to the accused if the charge fails and the record shows no breach."""
    complaints: bool = True
    """True if witnesses may bring charges where no guard does."""


class Complaint(Strict):
    """A witness's answer: breaches that it charges."""

    reasoning: str = Field(max_length=MAX_REASONING)
    charge: list[str] = Field(max_length=MAX_TRIALS)


class Finding(Strict):
    """A judge's answer."""

    reasoning: str = Field(max_length=MAX_REASONING)
    guilty: bool


class Tribunal(InstitutionPart):
    """Trials of charges."""

    name = "court"
    Settings = CourtSettings
    reads = (PRESENT, BREACHES)
    may_read = (POWERS, CHARGES)
    writes = (PAYMENTS,)
    may_write = (CONVICTIONS,)
    settings: CourtSettings

    def __init__(self, settings: CourtSettings, group: Group) -> None:
        super().__init__(settings, group)
        self._officers = Officers("judge", group)
        self._waiting: list[Charge] = []
        self._complaints = 0

    @classmethod
    def max_questions(cls, settings: CourtSettings, people: int, steps: int) -> int:
        """Return the trials and one complaint of each step."""
        return (steps + 1) * (MAX_TRIALS + 1)

    async def step(self, desk: Desk) -> None:
        """Take charges and complaints, and try them."""
        judges = self._officers.holders(desk)
        self._waiting += desk.take(CHARGES)
        if self.settings.complaints and not desk.has(CONVICTIONS):
            self._waiting += await self._hear_complaints(desk)
        due, self._waiting = self._waiting[:MAX_TRIALS], self._waiting[MAX_TRIALS:]
        for charge in due:
            await self._try(desk, charge, judges)

    async def _hear_complaints(self, desk: Desk) -> list[Charge]:
        """Ask the first witness of each breach whether it charges; without guards nobody else does."""
        seen: dict[str, list[LawBreach]] = {}
        for breach in desk.read(BREACHES):
            witnesses = [name for name in breach.act.witnesses if name in desk.read(PRESENT)]
            if witnesses and breach.clause.sentence.any:
                seen.setdefault(witnesses[0], []).append(breach)
        questions = [self._complaint(name, cases[:MAX_TRIALS]) for name, cases in seen.items()]
        answers = await desk.ask(questions) if questions else []
        found = []
        for (name, cases), answer in zip(seen.items(), answers, strict=True):
            for breach in cases:
                if isinstance(answer, Complaint) and breach.id in answer.charge:
                    self._complaints += 1
                    charge = Charge(f"P{self._complaints}", name, breach.player, breach.clause, breach)
                    why = f"charged by {name}, who saw it"
                    desk.tell("charged", breach.player, why, charge=charge.id, by=name, clause=breach.clause.id)
                    found.append(charge)
        return found

    async def _try(self, desk: Desk, charge: Charge, judges: Sequence[str]) -> None:
        """Try one charge. Nobody judges itself or its own charge; without a judge the record decides."""
        free = [name for name in judges if name not in (charge.against, charge.by)]
        proved = charge.breach is not None
        guilty, why, judge = proved, "no judge is free: the record decides", ""
        if free:
            judge = free[0]
            [answer] = await desk.ask([self._trial(judge, charge)])
            guilty = isinstance(answer, Finding) and answer.guilty
            why = answer.reasoning if isinstance(answer, Finding) else "unreadable: in doubt for the accused"
        desk.tell(
            "tried",
            charge.against,
            why,
            charge=charge.id,
            by=charge.by,
            judge=judge,
            clause=charge.clause.id,
            guilty=guilty,
        )
        desk.tell("audited", charge.against, "by the record", (), charge=charge.id, just=guilty == proved)
        if guilty:
            desk.add(CONVICTIONS, Conviction(charge, True))
            if not desk.has(CONVICTIONS):
                why = "nobody is there to carry it out"
                desk.tell("unenforced", charge.against, why, charge=charge.id, clause=charge.clause.id)
        elif not proved:
            due = Fraction(self.settings.false_charge).limit_denominator(100)
            await desk.pay(charge.by, charge.against, due, "damages for a false charge")

    def _complaint(self, witness: str, cases: Sequence[LawBreach]) -> CivicQuestion[Complaint]:
        text = "You saw breaches of the law. In `charge` name those that you charge before the court; empty for none."
        ids = [each.id for each in cases]
        form = AnswerForm(
            "complaint",
            Complaint,
            {"reasoning": "<one short sentence>", "charge": ids[:1]},
            reasoning="reasoning",
            choices={"charge": ids},
            narrowed={"charge": names_schema(ids)},
        )
        listed = [{"case": each.id, "offender": each.player, "law": each.clause.says()} for each in cases]
        return CivicQuestion(witness, self.name, "complaint", text, {"cases": listed}, form)

    def _trial(self, judge: str, charge: Charge) -> CivicQuestion[Finding]:
        text = (
            f"You are the judge. {charge.by} charges {charge.against} with a breach of the law: "
            f"{charge.clause.says()}. Find guilty or not on the evidence."
        )
        witnesses = [charge.by, *(charge.breach.act.witnesses if charge.breach else ())]
        evidence: dict[str, Any] = {"witnesses": list(dict.fromkeys(witnesses))}
        if self.settings.evidence == "record":
            evidence["record_shows_breach"] = charge.breach is not None
        facts = {"accused": charge.against, "accuser": charge.by, "law": charge.clause.says(), "evidence": evidence}
        form = AnswerForm(
            "finding", Finding, {"reasoning": "<one short sentence>", "guilty": False}, reasoning="reasoning"
        )
        return CivicQuestion(judge, self.name, "trial", text, facts, form)
