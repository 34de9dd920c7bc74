"""The treasury: taxes set by an office, and spending that an office proposes and the people vote on."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import integer_schema, names_schema
from contracts.institutions.appointments import Officers
from contracts.institutions.ballots import BallotChoice, VotingRule, outcome
from contracts.institutions.elections import MAX_REASONING
from contracts.institutions.frame import TREASURY, CivicQuestion, Desk, Group, InstitutionPart, PartSettings
from contracts.institutions.slots import PAYMENTS, POWERS, PRESENT

PERCENT = 100


class TreasurySettings(PartSettings):
    """Settings of the treasury."""

    every: int = Field(default=10, ge=1, le=10_000)
    """Steps between two budgets."""
    highest_tax: int = Field(default=20, ge=0, le=PERCENT)
    """Maximum tax of a budget, in percent of what a person holds."""
    approval: VotingRule | None = VotingRule.MAJORITY
    """Condition under which spending passes a vote of all; None if the office spends alone."""


class TaxRate(Strict):
    """Answer of the holder of the power to tax, in percent."""

    reasoning: str = Field(max_length=MAX_REASONING)
    percent: int = Field(ge=0, le=PERCENT)


class Spending(Strict):
    """Answer of the holder of the power to spend: people who share the whole treasury; empty to spend nothing."""

    reasoning: str = Field(max_length=MAX_REASONING)
    to: list[str] = Field(max_length=200)


class BudgetVote(Strict):
    """A voter's answer."""

    reasoning: str = Field(max_length=MAX_REASONING)
    vote: str


class Treasury(InstitutionPart):
    """Budgets."""

    name = "treasury"
    Settings = TreasurySettings
    reads = (PRESENT,)
    may_read = (POWERS,)
    writes = (PAYMENTS,)
    settings: TreasurySettings

    def __init__(self, settings: TreasurySettings, group: Group) -> None:
        super().__init__(settings, group)
        self._collectors, self._spenders = Officers("tax", group), Officers("spend", group)

    @classmethod
    def max_questions(cls, settings: TreasurySettings, people: int, steps: int) -> int:
        """Return rate, spending and vote of each budget."""
        return 3 * (steps // settings.every)

    async def step(self, desk: Desk) -> None:
        """Hold the budget that is due."""
        collectors, spenders = self._collectors.holders(desk), self._spenders.holders(desk)
        if not desk.step or desk.step % self.settings.every:
            return
        if collectors:
            await self._tax(desk, collectors[0])
        if spenders and desk.holds(TREASURY) > 0:
            await self._spend(desk, spenders[0])

    async def _tax(self, desk: Desk, collector: str) -> None:
        [answer] = await desk.ask([self._rate(collector)])
        percent = min(answer.percent, self.settings.highest_tax) if isinstance(answer, TaxRate) else 0
        why = answer.reasoning if isinstance(answer, TaxRate) else "unreadable: no tax"
        desk.tell("taxed", collector, why, percent=percent)
        for name in desk.read(PRESENT) if percent else ():
            await desk.pay(name, TREASURY, desk.holds(name) * percent / PERCENT, f"tax of {percent} %")

    async def _spend(self, desk: Desk, spender: str) -> None:
        people, held = desk.read(PRESENT), desk.holds(TREASURY)
        [answer] = await desk.ask([self._spending(spender, people, held)])
        named = answer.to if isinstance(answer, Spending) else []
        to = [name for name in dict.fromkeys(named) if name in self.group.members]
        if not to:
            desk.tell("nothing_spent", spender, "nobody is named" if answer is not None else "unreadable")
            return
        votes: dict[str, BallotChoice] = {}
        passed = True
        if self.settings.approval is not None:
            votes = await self._votes(desk, spender, to, held)
            passed = bool(outcome(votes, people, self.settings.approval, closed=True))
        desk.tell(
            "spending",
            spender,
            f"needs {self.settings.approval} of all" if self.settings.approval else "the office spends alone",
            to=to,
            amount=float(held),
            votes={name: str(vote) for name, vote in votes.items()},
            passed=passed,
        )
        for name in to if passed else ():
            await desk.pay(TREASURY, name, held / len(to), f"spending proposed by {spender}")

    async def _votes(self, desk: Desk, spender: str, to: Sequence[str], held: Fraction) -> dict[str, BallotChoice]:
        people = desk.read(PRESENT)
        form = AnswerForm(
            "budget",
            BudgetVote,
            {"reasoning": "<one short sentence>", "vote": "abstain"},
            reasoning="reasoning",
            choices={"vote": [str(each) for each in BallotChoice]},
        )
        text = f"{spender} proposes to pay the whole treasury, {float(held):g} {self.group.unit}, to {', '.join(to)}."
        facts = {"by": spender, "to": list(to), "amount": float(held), "people": list(people)}
        questions = [CivicQuestion(name, self.name, "budget", text, facts, form) for name in people]
        answers = await desk.ask(questions)
        return {
            each.to: BallotChoice(answer.vote) if isinstance(answer, BudgetVote) else BallotChoice.ABSTAIN
            for each, answer in zip(questions, answers, strict=True)
        }

    def _rate(self, collector: str) -> CivicQuestion[TaxRate]:
        most = self.settings.highest_tax
        text = f"You set the tax of this budget: a share of what each person holds, 0 to {most} percent."
        form = AnswerForm(
            "tax",
            TaxRate,
            {"reasoning": "<one short sentence>", "percent": 0},
            reasoning="reasoning",
            narrowed={"percent": integer_schema(0, most)},
        )
        return CivicQuestion(collector, self.name, "tax", text, {"most": most}, form)

    def _spending(self, spender: str, people: Sequence[str], held: Fraction) -> CivicQuestion[Spending]:
        text = (
            f"The treasury holds {float(held):g} {self.group.unit}. Name in `to` the people that you propose to share "
            "it equally; an empty list spends nothing."
        )
        form: AnswerForm[Any] = AnswerForm(
            "spending",
            Spending,
            {"reasoning": "<one short sentence>", "to": list(people)[:1]},
            reasoning="reasoning",
            choices={"to": list(people)},
            narrowed={"to": names_schema(people)},
        )
        return CivicQuestion(spender, self.name, "spend", text, {"people": list(people), "amount": float(held)}, form)
