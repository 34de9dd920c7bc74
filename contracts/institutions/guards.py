"""Guards: people who carry out the law's sanctions in the world, at a cost, with due process or without.

A guard acts on breaches that it has seen itself. Without a court its word is enough: it sanctions at once, also people
who broke nothing. If a court takes charges, it charges, and sanctions whom the court convicts. An offender may offer a
bribe to a guard that caught it. Of every fine a guard gets a share from the treasury, and each sanction costs it moves.
The record, which knows every breach, shows afterwards how often guards sanctioned, let go, took bribes or made things
up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import integer_schema, names_schema
from contracts.institutions.appointments import Officers
from contracts.institutions.elections import MAX_REASONING
from contracts.institutions.frame import TREASURY, CivicQuestion, Desk, Group, InstitutionPart, PartSettings
from contracts.institutions.slots import (
    BREACHES,
    CHARGES,
    CONVICTIONS,
    LAW,
    ORDERS,
    PAYMENTS,
    POWERS,
    PRESENT,
    Charge,
    CivicOrder,
    Conviction,
    LawBreach,
    LawClause,
)

MAX_CASES = 20
"""Maximum cases that a guard decides in one step; the earliest come first."""


class GuardSettings(PartSettings):
    """Settings of guards."""

    seats: int = Field(default=1, ge=1, le=20)
    """Number of guards that are drawn by lot for the whole game if no elections fill the office."""
    share: float = Field(default=0.5, ge=0, le=1)
    """Share of a collected fine that the guard gets."""
    effort: int = Field(default=1, ge=0, le=100)
    """Moves that a sanction costs the guard."""
    bribes: bool = True
    """True if offenders may offer bribes."""
    highest_bribe: int = Field(default=3, ge=1, le=1000)
    accusations: bool = True
    """True if guards may accuse people of breaches that they have not seen."""


class BribeOffer(Strict):
    """An offender's answer: amount offered to the guard, 0 for none."""

    reasoning: str = Field(max_length=MAX_REASONING)
    amount: int = Field(ge=0)


class Duty(Strict):
    """A guard's answer. A case in neither list is let go."""

    reasoning: str = Field(max_length=MAX_REASONING)
    sanction: list[str] = Field(max_length=MAX_CASES)
    """Cases that it sanctions or charges."""
    take_bribe: list[str] = Field(max_length=MAX_CASES)
    """Cases that it lets go for the offered bribe."""
    accuse: list[str] = Field(max_length=MAX_CASES)
    """People that it sanctions or charges without having seen a breach."""


@dataclass(frozen=True)
class Case:
    """Breaches of one person that a guard saw in one step, with the bribe that it was offered for them."""

    breaches: tuple[LawBreach, ...]
    offer: int = 0

    @property
    def id(self) -> str:
        """Id of the first breach."""
        return self.breaches[0].id

    @property
    def offender(self) -> str:
        """The person that broke the law."""
        return self.breaches[0].player

    @property
    def fine(self) -> Fraction:
        """Fines of all breaches together."""
        return sum((each.clause.sentence.fine for each in self.breaches), Fraction(0))

    def says(self) -> str:
        """Return the clauses that were broken, in words."""
        return "; ".join(dict.fromkeys(each.clause.says() for each in self.breaches))

    def to_dict(self) -> dict[str, Any]:
        """Return the case as plain data for the guard."""
        return {
            "case": self.id,
            "offender": self.offender,
            "law": self.says(),
            "fine": float(self.fine),
            "bribe_offered": self.offer,
        }


class Guards(InstitutionPart):
    """Sanctions by people in office."""

    name = "guards"
    Settings = GuardSettings
    reads = (PRESENT, LAW, BREACHES)
    may_read = (POWERS, CONVICTIONS)
    writes = (ORDERS, PAYMENTS)
    may_write = (CHARGES,)
    settings: GuardSettings

    def __init__(self, settings: GuardSettings, group: Group) -> None:
        super().__init__(settings, group)
        self._officers = Officers("guard", group, settings.seats)
        self._sanctions: Counter[tuple[str, str]] = Counter()
        self._charges = 0

    @classmethod
    def max_questions(cls, settings: GuardSettings, people: int, steps: int) -> int:
        """Return one decision of a guard and one bribe for each guard in each step."""
        return (steps + 1) * (1 + people)

    async def step(self, desk: Desk) -> None:
        """Carry out convictions, then let every guard decide its cases."""
        guards = self._officers.holders(desk)
        for conviction in desk.take(CONVICTIONS):
            await self._execute(desk, conviction, guards)
        for guard in guards:
            await self._serve(desk, guard)

    async def _execute(self, desk: Desk, conviction: Conviction, guards: Sequence[str]) -> None:
        """Carry out a conviction by the guard that charged, else by the first other guard than the convict."""
        charge = conviction.charge
        if not conviction.guilty:
            return
        able = [name for name in guards if name != charge.against]
        if not able:
            desk.tell("unenforced", charge.against, "no guard is there", charge=charge.id, clause=charge.clause.id)
            return
        await self._sanction(desk, charge.by if charge.by in able else able[0], charge)

    async def _serve(self, desk: Desk, guard: str) -> None:
        """Let a guard decide the cases that it saw in this step."""
        seen = [each for each in desk.read(BREACHES) if guard in each.act.witnesses and each.clause.sentence.any]
        cases = await self._cases(desk, guard, seen[:MAX_CASES])
        clauses = sorted((each for each in desk.read(LAW) if each.sentence.any), key=lambda each: -each.sentence.fine)
        others = [name for name in desk.read(PRESENT) if name != guard] if self.settings.accusations else []
        if not clauses or not (cases or others):
            return
        [answer] = await desk.ask(
            [self._duty(guard, cases, others, clauses[0].sentence.fine, with_court=desk.has(CHARGES))]
        )
        duty = answer if isinstance(answer, Duty) else Duty(reasoning="", sanction=[], take_bribe=[], accuse=[])
        for case in cases:
            await self._decide(desk, guard, case, duty, readable=answer is not None)
        for name in dict.fromkeys(duty.accuse):
            if name in others:
                await self._charge(desk, guard, name, clauses[0], None)

    async def _cases(self, desk: Desk, guard: str, seen: Sequence[LawBreach]) -> list[Case]:
        """Return a case for each offender, with what it offers."""
        found: dict[str, list[LawBreach]] = {}
        for breach in seen:
            found.setdefault(breach.player, []).append(breach)
        cases = [Case(tuple(each)) for each in found.values()]
        if not self.settings.bribes or not cases:
            return cases
        offered = []
        for case, answer in zip(cases, await desk.ask([self._offer(guard, each) for each in cases]), strict=True):
            amount = answer.amount if isinstance(answer, BribeOffer) else 0
            able = min(amount, self.settings.highest_bribe, max(0, int(desk.holds(case.offender))))
            if able:
                known = (guard, case.offender)
                desk.tell("bribe_offered", case.offender, "", known, guard=guard, case=case.id, amount=able)
            offered.append(Case(case.breaches, able))
        return offered

    async def _decide(self, desk: Desk, guard: str, case: Case, duty: Duty, *, readable: bool) -> None:
        known, offender = (guard, case.offender), case.offender
        if case.id in duty.sanction:
            for breach in case.breaches:
                await self._charge(desk, guard, offender, breach.clause, breach)
        elif case.id in duty.take_bribe and case.offer:
            paid = await desk.pay(offender, guard, Fraction(case.offer), "a bribe", known)
            desk.tell("bribe_taken", guard, "", known, offender=offender, case=case.id, amount=float(paid))
        else:
            why = "the guard let it go" if readable else "the guard's answer was unreadable"
            desk.tell("let_go", guard, why, known, offender=offender, case=case.id)

    async def _charge(self, desk: Desk, guard: str, against: str, clause: LawClause, breach: LawBreach | None) -> None:
        """Charge somebody before the court, or sanction at once if there is none."""
        self._charges += 1
        charge = Charge(f"C{self._charges}", guard, against, clause, breach)
        if desk.has(CHARGES):
            desk.add(CHARGES, charge)
            desk.tell("charged", against, f"charged by {guard}", charge=charge.id, by=guard, clause=clause.id)
        else:
            await self._sanction(desk, guard, charge)

    async def _sanction(self, desk: Desk, guard: str, charge: Charge) -> None:
        """Carry out a sanction in the world, and pay the guard."""
        who, clause = charge.against, charge.clause
        sentence, key = clause.sentence, (clause.id, charge.against)
        self._sanctions[key] += 1
        banished = bool(sentence.banish_after) and self._sanctions[key] >= sentence.banish_after
        fined = Fraction(0)
        if sentence.fine:
            fined = await desk.pay(who, TREASURY, sentence.fine, f"fine under {clause.id}")
            share = fined * Fraction(self.settings.share).limit_denominator(100)
            if share:
                await desk.pay(TREASURY, guard, share, "the guard's share of the fine")
        why = clause.norm.says()
        if banished:
            desk.add(ORDERS, CivicOrder("banish", who, 0, why))
        elif sentence.hold:
            desk.add(ORDERS, CivicOrder("hold", who, sentence.hold, why))
        if self.settings.effort:
            desk.add(ORDERS, CivicOrder("busy", guard, self.settings.effort, "carrying out a sanction"))
        desk.tell(
            "sanctioned",
            who,
            why,
            by=guard,
            charge=charge.id,
            clause=clause.id,
            number=self._sanctions[key],
            fined=float(fined),
            held=0 if banished else sentence.hold,
            banished=banished,
        )
        # The game's people do not know what the record knows.
        desk.tell("audited", who, "by the record", (), charge=charge.id, false=charge.breach is None)

    def _offer(self, guard: str, case: Case) -> CivicQuestion[BribeOffer]:
        most = self.settings.highest_bribe
        text = (
            f"{guard}, a guard, saw you break the law: {case.says()}. You may offer {guard} a bribe of 1 to {most} "
            f"{self.group.unit} to be let go; nobody else will know. An amount of 0 offers nothing."
        )
        form = AnswerForm(
            "bribe",
            BribeOffer,
            {"reasoning": "<one short sentence>", "amount": 0},
            reasoning="reasoning",
            narrowed={"amount": integer_schema(0, most)},
        )
        facts: Mapping[str, Any] = {"guard": guard, "case": case.id, "fine": float(case.fine), "most": most}
        return CivicQuestion(case.offender, self.name, "bribe", text, facts, form)

    def _duty(
        self, guard: str, cases: Sequence[Case], others: Sequence[str], highest_fine: Fraction, *, with_court: bool
    ) -> CivicQuestion[Duty]:
        what = "charge before the court" if with_court else "sanction at once"
        text = (
            f"You are a guard. In `sanction` name the cases that you {what}, in `take_bribe` those that you let go for "
            f"the bribe offered; you let go all others. In `accuse` name people that you {what} without a case, or "
            "nobody."
        )
        ids = [each.id for each in cases]
        offered = [each.id for each in cases if each.offer]
        lists: Mapping[str, Sequence[str]] = {"sanction": ids, "take_bribe": offered, "accuse": list(others)}
        form = AnswerForm(
            "duty",
            Duty,
            {"reasoning": "<one short sentence>", "sanction": ids[:1], "take_bribe": [], "accuse": []},
            reasoning="reasoning",
            choices={name: legal for name, legal in lists.items() if legal},
            narrowed={name: names_schema(legal) for name, legal in lists.items()},
        )
        facts = {
            "cases": [each.to_dict() for each in cases],
            "people": list(others),
            "court": with_court,
            "share": self.settings.share,
            "highest_fine": float(highest_fine),
        }
        return CivicQuestion(guard, self.name, "duty", text, facts, form)
