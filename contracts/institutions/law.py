"""Law of typed clauses: breaches follow from the world's record alone, and nothing is enforced by it.

The law may be founded empty. In a session those who have the power to propose move clauses, changes and repeals; all
people vote, and code counts. A frozen law goes through the same sessions and stays as it is.
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
from common.answers.schema import integer_schema, list_schema, names_schema, text_schema
from contracts.errors import ContractFormatError, Refused
from contracts.institutions.ballots import BallotChoice, VotingRule, outcome
from contracts.institutions.elections import MAX_REASONING
from contracts.institutions.frame import CivicQuestion, Desk, Group, InstitutionPart, PartSettings
from contracts.institutions.slots import (
    ACTS,
    BREACHES,
    LAW,
    POWERS,
    PRESENT,
    LawBreach,
    LawClause,
    Sentence,
    WitnessedAct,
)

MAX_SANCTION = 1000
MAX_CLAUSES = 40
"""Maximum clauses of a law; motions for more are refused."""


class SanctionSettings(PartSettings):
    """Sanctions of a clause in a file."""

    fine: float = Field(default=0, ge=0, le=MAX_SANCTION)
    hold: int = Field(default=0, ge=0, le=MAX_SANCTION)
    banish_after: int = Field(default=0, ge=0, le=MAX_SANCTION)


class ClauseSettings(SanctionSettings):
    """A clause in a file."""

    term: dict[str, Any]
    """Typed norm of the scenario's world, such as `{kind: leave, tree: "*", apples: 6}`."""


class LawSettings(PartSettings):
    """Settings of the law: clause -> norm and sanction; empty for a society that starts without laws."""

    clauses: dict[str, ClauseSettings] = Field(default_factory=dict, max_length=MAX_CLAUSES)
    session_every: int = Field(default=0, ge=0, le=10_000)
    """Steps between two sessions in which the law can be changed; 0 for never."""
    voting: VotingRule = VotingRule.MAJORITY
    """Condition under which a motion passes."""
    frozen: bool = False
    """True if sessions take place and the law stays as it is."""
    highest_fine: int = Field(default=10, ge=0, le=MAX_SANCTION)
    longest_hold: int = Field(default=10, ge=0, le=MAX_SANCTION)


class LawMotion(Strict):
    """A proposer's answer: a clause to add, one to repeal, or neither."""

    reasoning: str = Field(max_length=MAX_REASONING)
    repeal: str = Field(max_length=40)
    """Clause to repeal; empty for none."""
    add: list[dict[str, Any]] = Field(max_length=1)
    """Typed norm to add; empty for none."""
    fine: int = Field(ge=0)
    hold: int = Field(ge=0)


class MotionVotes(Strict):
    """A voter's answer: the motions that it votes for and against; it abstains on all others."""

    reasoning: str = Field(max_length=MAX_REASONING)
    yes: list[str] = Field(max_length=MAX_CLAUSES)
    no: list[str] = Field(max_length=MAX_CLAUSES)


@dataclass(frozen=True)
class OpenMotion:
    """A motion that is put to the vote."""

    id: str
    by: str
    clause: LawClause
    """Clause to add or to repeal."""
    repeals: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the motion as plain data."""
        plain = plain_clause(self.clause)
        return {"motion": self.id, "by": self.by, "repeals": self.repeals, **plain}


class BreachWatch:
    """Finds breaches of typed clauses in the world's record, and counts acts under clauses with a bound."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._breaches = 0

    def judge(self, desk: Desk, acts: tuple[WitnessedAct, ...], clauses: Sequence[LawClause]) -> list[LawBreach]:
        """Tell the breaches in these acts to those who saw them, and return them.

        Args:
            desk: Desk of the part whose law it is.
            acts: Acts since the last step.
            clauses: Clauses in force.
        """
        found = []
        for act in acts:
            for clause in clauses:
                key = (clause.id, act.player)
                self._counts[key] += clause.norm.counts(act.deed)
                if clause.norm.binds(act.player) and clause.norm.breaks(act.deed, self._counts[key]):
                    self._breaches += 1
                    breach = LawBreach(f"B{self._breaches}", act, clause)
                    found.append(breach)
                    seen, facts = list(act.witnesses), {"breach": breach.id, "clause": clause.id, "act": act.number}
                    known = (act.player, *act.witnesses)
                    desk.tell("breach", act.player, clause.norm.says(), known, **facts, witnesses=seen)
        return found


class Law(InstitutionPart):
    """The clauses in force, their making, and who breaks them."""

    name = "law"
    Settings = LawSettings
    reads = (ACTS, PRESENT)
    may_read = (POWERS,)
    writes = (LAW, BREACHES)
    settings: LawSettings

    def __init__(self, settings: LawSettings, group: Group) -> None:
        super().__init__(settings, group)
        if settings.session_every and group.read_norm is None:
            raise ContractFormatError(
                "institutions.law.session_every: this scenario has no typed clauses; leave it out"
            )
        self._clauses = tuple(self._founding(name, each) for name, each in settings.clauses.items())
        self._watch = BreachWatch()
        self._motions = 0

    @classmethod
    def max_questions(cls, settings: LawSettings, people: int, steps: int) -> int:
        """Return a motion and a vote in each session."""
        return 2 * (steps // settings.session_every) if settings.session_every else 0

    def _founding(self, name: str, given: ClauseSettings) -> LawClause:
        try:
            sentence = Sentence(Fraction(given.fine).limit_denominator(100), given.hold, given.banish_after)
            return self._clause(name, given.term, sentence)
        except Refused as error:
            raise ContractFormatError(f"institutions.law.clauses.{name}: {error}") from None

    def _clause(self, name: str, term: Mapping[str, Any], sentence: Sentence) -> LawClause:
        if self.group.read_norm is None:
            raise Refused("term", "this scenario has no typed clauses")
        return LawClause(name, self.group.read_norm(term), sentence)

    async def step(self, desk: Desk) -> None:
        """Tell the breaches of this step, and hold the session that is due; a new law binds from the next step on."""
        if desk.step == 0:
            self._publish(desk, "the founding law")
        desk.put(BREACHES, tuple(self._watch.judge(desk, desk.read(ACTS), self._clauses)))
        every = self.settings.session_every
        if every and desk.step and desk.step % every == 0:
            await self._session(desk)

    def _publish(self, desk: Desk, why: str) -> None:
        desk.put(LAW, self._clauses)
        desk.tell("law_in_force", why=why, clauses=[plain_clause(each) for each in self._clauses])

    async def _session(self, desk: Desk) -> None:
        people = desk.read(PRESENT)
        able = desk.read(POWERS).get("propose") if desk.has(POWERS) else None
        # Where no office has the power to propose, everybody has it.
        proposers = [name for name in people if able is None or name in able]
        asked = [self._question(name) for name in proposers]
        motions: list[OpenMotion] = []
        for question, answer in zip(asked, await desk.ask(asked) if asked else [], strict=True):
            motions += self._moved(desk, question.to, answer, motions)
        if not motions:
            desk.tell("no_motion", why="nobody moved anything")
            return
        votes = await self._votes(desk, motions)
        before = self._clauses
        for motion in motions:
            self._count(desk, motion, votes, people)
        if self._clauses != before:
            self._publish(desk, "by vote")
        elif self.settings.frozen:
            desk.tell("frozen", why="the law is frozen and stays as it is")

    def _moved(self, desk: Desk, by: str, answer: object, motions: Sequence[OpenMotion]) -> list[OpenMotion]:
        """Return the motions of one proposer; an illegal one is refused."""
        if not isinstance(answer, LawMotion):
            desk.tell("refused", by, "unreadable")
            return []
        found: list[OpenMotion] = []
        try:
            if answer.repeal:
                clause = next((each for each in self._clauses if each.id == answer.repeal), None)
                if clause is None:
                    raise Refused("clause", f"repeal: {answer.repeal!r} is no clause of this law")
                if any(each.repeals and each.clause.id == clause.id for each in motions):
                    raise Refused("again", f"repeal: a motion to repeal {clause.id} is open already")
                found.append(self._open(by, clause, repeals=True))
            for term in answer.add:
                fine = Fraction(min(answer.fine, self.settings.highest_fine))
                sentence = Sentence(fine, min(answer.hold, self.settings.longest_hold))
                clause = self._clause(f"L{self._motions + 1}", term, sentence)
                known = [*self._clauses, *(each.clause for each in motions if not each.repeals)]
                if any((each.norm, each.sentence) == (clause.norm, sentence) for each in known):
                    raise Refused("again", "the law or a motion says that already")
                if len(self._clauses) + len(motions) >= MAX_CLAUSES:
                    raise Refused("many", f"a law has at most {MAX_CLAUSES} clauses")
                found.append(self._open(by, clause, repeals=False))
        except Refused as error:
            desk.tell("refused", by, str(error))
            return []
        for motion in found:
            desk.tell("motion", by, answer.reasoning, **motion.to_dict())
        return found

    def _open(self, by: str, clause: LawClause, *, repeals: bool) -> OpenMotion:
        self._motions += 1
        return OpenMotion(f"M{self._motions}", by, clause, repeals)

    async def _votes(self, desk: Desk, motions: Sequence[OpenMotion]) -> dict[str, MotionVotes | None]:
        """Return voter -> its votes, None for an unreadable ballot."""
        ids = [each.id for each in motions]
        form = motion_votes_form(ids)
        text = "The people vote on changes of the law. Name in `yes` and `no` the motions that you are for and against."
        facts = {"motions": [each.to_dict() for each in motions]}
        asked = [CivicQuestion(name, self.name, "vote", text, facts, form) for name in desk.read(PRESENT)]
        answers = await desk.ask(asked)
        return {
            each.to: answer if isinstance(answer, MotionVotes) else None
            for each, answer in zip(asked, answers, strict=True)
        }

    def _count(
        self, desk: Desk, motion: OpenMotion, ballots: Mapping[str, MotionVotes | None], people: Sequence[str]
    ) -> None:
        """Count the votes on a motion, and change the law if it passes; a vote for and against is an abstention."""
        votes = {name: ballot_choice(each, motion.id) for name, each in ballots.items()}
        passed = bool(outcome(votes, people, self.settings.voting, closed=True))
        desk.tell(
            "voted",
            motion.by,
            f"counted by {self.settings.voting}",
            motion=motion.id,
            clause=motion.clause.id,
            says=motion.clause.says(),
            repeals=motion.repeals,
            votes={name: str(vote) for name, vote in votes.items()},
            spoilt=[name for name, each in ballots.items() if each is None],
            passed=passed,
        )
        if not passed or self.settings.frozen:
            return
        kept = tuple(each for each in self._clauses if each.id != motion.clause.id)
        self._clauses = kept if motion.repeals else (*kept, motion.clause)

    def _question(self, proposer: str) -> CivicQuestion[LawMotion]:
        ids = [each.id for each in self._clauses]
        schema = self.group.norm_schema
        text = (
            "You may move to change the law. In `repeal` name a clause that shall end, or leave it empty. In `add` "
            "write one typed clause, or leave the list empty; `fine` and `hold` are its sanction."
        )
        form = AnswerForm(
            "motion",
            LawMotion,
            {"reasoning": "<one short sentence>", "repeal": "", "add": [], "fine": 0, "hold": 0},
            reasoning="reasoning",
            choices={"repeal": ["", *ids]},
            narrowed={
                "add": list_schema(schema, 0, 1) if schema else list_schema(text_schema(1), 0, 0),
                "fine": integer_schema(0, self.settings.highest_fine),
                "hold": integer_schema(0, self.settings.longest_hold),
            },
        )
        facts = {
            "law": [plain_clause(each) for each in self._clauses],
            "forms_of_terms": self.group.norm_forms,
            "highest_fine": self.settings.highest_fine,
        }
        return CivicQuestion(proposer, self.name, "motion", text, facts, form)


def motion_votes_form(ids: Sequence[str]) -> AnswerForm[MotionVotes]:
    """Return the form of a ballot on motions.

    Args:
        ids: Ids of the motions.
    """
    return AnswerForm(
        "motions",
        MotionVotes,
        {"reasoning": "<one short sentence>", "yes": list(ids[:1]), "no": []},
        reasoning="reasoning",
        choices={"yes": list(ids), "no": list(ids)},
        narrowed={"yes": names_schema(ids), "no": names_schema(ids)},
    )


def ballot_choice(ballot: MotionVotes | None, motion: str) -> BallotChoice:
    """Return the choice on one motion; an unreadable ballot, and a vote both for and against, abstain."""
    yes, no = (False, False) if ballot is None else (motion in ballot.yes, motion in ballot.no)
    return BallotChoice.ABSTAIN if yes == no else BallotChoice.YES if yes else BallotChoice.NO


def plain_clause(clause: LawClause) -> dict[str, Any]:
    """Return a clause as plain data for records and questions."""
    sentence = clause.sentence
    return {
        "clause": clause.id,
        "says": clause.says(),
        "term": clause.norm.model_dump(),
        "fine": float(sentence.fine),
        "hold": sentence.hold,
        "banish_after": sentence.banish_after,
    }
