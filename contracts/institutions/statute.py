"""Law in words: feedback, amendments, votes, and the consolidated text that a legislator writes.

Every clause is text. A clause that has a typed form besides is judged by the world's record and can be enforced; all
others bind by words alone, and a rater says afterwards who kept them. In a session all people give feedback, those with
the power to propose write amendments, all vote, and code counts. A legislator may put the amendments that passed into
better words; unless a vote of all ratifies its words, the amendments' own words become law. So nothing becomes law that
was not voted on as it stands. The procedure follows Project Sid (section 6): feedback, amendments, vote, law.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import integer_schema, list_schema, text_schema
from contracts.errors import ContractFormatError, Refused
from contracts.institutions.appointments import Officers
from contracts.institutions.ballots import BallotChoice, VotingRule, outcome
from contracts.institutions.elections import MAX_REASONING
from contracts.institutions.frame import CivicQuestion, Desk, Group, InstitutionPart, PartSettings
from contracts.institutions.law import (
    MAX_CLAUSES,
    MAX_SANCTION,
    BreachWatch,
    MotionVotes,
    SanctionSettings,
    ballot_choice,
    motion_votes_form,
)
from contracts.institutions.norms import Norm
from contracts.institutions.slots import ACTS, BREACHES, LAW, POWERS, PRESENT, LawClause, Sentence

MAX_WORDS = 300
"""Maximum length of feedback and of a clause, in characters."""
QUESTIONS = 5
"""Questions to one person in a session: feedback, amendment, votes, draft, ratification."""


class WordedClauseSettings(SanctionSettings):
    """A clause in a file: text, and a typed form and sanction where it has some."""

    text: str = Field(min_length=1, max_length=MAX_WORDS)
    term: dict[str, Any] | None = None
    """Typed norm of the scenario's world; None for a clause of words alone."""


class StatuteSettings(PartSettings):
    """Settings of the law in words; without clauses for a society that starts without laws."""

    clauses: dict[str, WordedClauseSettings] = Field(default_factory=dict, max_length=MAX_CLAUSES)
    session_every: int = Field(default=20, ge=0, le=10_000)
    """Steps between two sessions in which the law can be changed; 0 for never."""
    voting: VotingRule = VotingRule.MAJORITY
    """Condition under which an amendment passes and a draft is ratified."""
    legislator: Literal["office", "clerk"] = "office"
    """`office`: the holder of the power to legislate; `clerk`: code, which keeps the amendments' own words."""
    frozen: bool = False
    """True if sessions take place and the law stays as it is."""
    highest_fine: int = Field(default=10, ge=0, le=MAX_SANCTION)
    longest_hold: int = Field(default=10, ge=0, le=MAX_SANCTION)


class StatuteFeedback(Strict):
    """A person's answer: what should change in the law; empty for nothing."""

    reasoning: str = Field(max_length=MAX_REASONING)
    text: str = Field(max_length=MAX_WORDS)


class AmendmentText(Strict):
    """A proposer's answer: a new clause, new words for one, the repeal of one (no text), or nothing."""

    reasoning: str = Field(max_length=MAX_REASONING)
    clause: str = Field(max_length=40)
    """Clause to replace or to repeal; empty for a new one."""
    text: str = Field(max_length=MAX_WORDS)
    term: list[dict[str, Any]] = Field(max_length=1)
    """Typed form of the text; empty if it has none."""
    fine: int = Field(ge=0)
    hold: int = Field(ge=0)


class DraftClause(Strict):
    """The legislator's words for one amendment that passed."""

    amendment: str = Field(max_length=40)
    text: str = Field(min_length=1, max_length=MAX_WORDS)
    term: list[dict[str, Any]] = Field(max_length=1)
    fine: int = Field(ge=0)
    hold: int = Field(ge=0)


class StatuteDraft(Strict):
    """The legislator's answer; an amendment that it leaves out keeps its own words."""

    reasoning: str = Field(max_length=MAX_REASONING)
    clauses: list[DraftClause] = Field(max_length=MAX_CLAUSES)


class RatificationVote(Strict):
    """A voter's answer on the legislator's draft."""

    reasoning: str = Field(max_length=MAX_REASONING)
    vote: str


@dataclass(frozen=True)
class WordedClause:
    """A clause of the law in words. Its id stands for these words alone: new words get a new id."""

    id: str
    text: str
    norm: Norm | None
    sentence: Sentence

    @property
    def typed(self) -> LawClause | None:
        """The clause as it is judged and enforced; None without a typed form."""
        return None if self.norm is None else LawClause(self.id, self.norm, self.sentence)

    def says(self) -> str:
        """Return text, typed form and sanction in words."""
        clause = self.typed
        if clause is None:
            return self.text
        return clause.says() if self.text == clause.norm.says() else f"{self.text} [{clause.says()}]"

    def to_dict(self) -> dict[str, Any]:
        """Return the clause as plain data for records and questions."""
        return {
            "clause": self.id,
            "text": self.text,
            "says": self.says(),
            "term": {} if self.norm is None else self.norm.model_dump(),
            "fine": float(self.sentence.fine),
            "hold": self.sentence.hold,
            "banish_after": self.sentence.banish_after,
        }


@dataclass(frozen=True)
class WordedAmendment:
    """An amendment that is put to the vote."""

    id: str
    by: str
    replaces: WordedClause | None
    """Clause that it replaces or repeals; None for a new clause."""
    clause: WordedClause | None
    """Clause that it makes; None to repeal."""

    def to_dict(self) -> dict[str, Any]:
        """Return the amendment as plain data."""
        shown = self.clause or self.replaces
        assert shown is not None, "an amendment makes a clause or repeals one"
        replaces = self.replaces.id if self.replaces is not None else ""
        return {
            "motion": self.id,
            "by": self.by,
            "replaces": replaces,
            "repeals": self.clause is None,
            **shown.to_dict(),
        }


class Statute(InstitutionPart):
    """The law in words, its making, and who breaks its typed clauses."""

    name = "statute"
    Settings = StatuteSettings
    reads = (ACTS, PRESENT)
    may_read = (POWERS,)
    writes = (LAW, BREACHES)
    settings: StatuteSettings

    def __init__(self, settings: StatuteSettings, group: Group) -> None:
        super().__init__(settings, group)
        self._clauses = tuple(self._founding(name, each) for name, each in settings.clauses.items())
        self._watch = BreachWatch()
        self._legislators = Officers("legislate", group)
        self._amendments = 0

    @classmethod
    def max_questions(cls, settings: StatuteSettings, people: int, steps: int) -> int:
        """Return all questions of each session."""
        return QUESTIONS * (steps // settings.session_every) if settings.session_every else 0

    def _founding(self, name: str, given: WordedClauseSettings) -> WordedClause:
        sentence = Sentence(Fraction(given.fine).limit_denominator(100), given.hold, given.banish_after)
        if given.term is None and sentence.any:
            raise ContractFormatError(
                f"institutions.statute.clauses.{name}: nobody can enforce a sanction of words alone: "
                "give the clause a term, or leave fine, hold and banish_after out"
            )
        try:
            return WordedClause(name, _one_line(given.text), self._norm([given.term] if given.term else []), sentence)
        except Refused as error:
            raise ContractFormatError(f"institutions.statute.clauses.{name}: {error}") from None

    def _norm(self, term: Sequence[Mapping[str, Any]]) -> Norm | None:
        """Return the typed form, or None without one. Raises Refused."""
        if not term:
            return None
        if self.group.read_norm is None:
            raise Refused("term", "this scenario has no typed clauses")
        return self.group.read_norm(term[0])

    async def step(self, desk: Desk) -> None:
        """Tell the breaches of this step, and hold the session that is due; a new law binds from the next step on."""
        if self.settings.session_every and self.settings.legislator == "office":
            self._legislators.holders(desk)
        if desk.step == 0:
            self._publish(desk, "the founding law")
        desk.put(BREACHES, tuple(self._watch.judge(desk, desk.read(ACTS), self._typed())))
        every = self.settings.session_every
        if every and desk.step and desk.step % every == 0:
            await self._session(desk)

    def _typed(self) -> tuple[LawClause, ...]:
        return tuple(each.typed for each in self._clauses if each.typed is not None)

    def _publish(self, desk: Desk, why: str) -> None:
        desk.put(LAW, self._typed())
        desk.tell("law_in_force", why=why, clauses=[each.to_dict() for each in self._clauses])

    async def _session(self, desk: Desk) -> None:
        feedback = await self._feedback(desk)
        amendments = await self._proposed(desk, feedback)
        if not amendments:
            desk.tell("no_motion", why="nobody amends anything")
            return
        passed = await self._voted(desk, amendments)
        if not passed:
            return
        if self.settings.frozen:
            desk.tell("frozen", why="the law is frozen and stays as it is")
            return
        self._clauses = consolidated(self._clauses, await self._worded(desk, passed))
        self._publish(desk, "by vote")

    async def _feedback(self, desk: Desk) -> list[dict[str, str]]:
        """Return what people want to change, in their own words."""
        text = "Say in `text` what should change in the law, in one or two sentences; an empty text wants no change."
        example = {"reasoning": "<one short sentence>", "text": ""}
        form = AnswerForm("feedback", StatuteFeedback, example, reasoning="reasoning")
        facts = {"law": self._law()}
        asked = [CivicQuestion(name, self.name, "feedback", text, facts, form) for name in desk.read(PRESENT)]
        found = []
        for question, answer in zip(asked, await desk.ask(asked), strict=True):
            if not isinstance(answer, StatuteFeedback):
                desk.tell("refused", question.to, "unreadable feedback")
            elif words := _one_line(answer.text):
                desk.tell("feedback", question.to, answer.reasoning, text=words)
                found.append({"from": question.to, "text": words})
        return found

    async def _proposed(self, desk: Desk, feedback: Sequence[Mapping[str, str]]) -> list[WordedAmendment]:
        people = desk.read(PRESENT)
        able = desk.read(POWERS).get("propose") if desk.has(POWERS) else None
        # If no office has the power to propose, everybody has it.
        asked = [self._asks_to_amend(name, feedback) for name in people if able is None or name in able]
        found: list[WordedAmendment] = []
        for question, answer in zip(asked, await desk.ask(asked) if asked else [], strict=True):
            if not isinstance(answer, AmendmentText):
                desk.tell("refused", question.to, "unreadable")
                continue
            try:
                amendment = self._amendment(question.to, answer, found)
            except Refused as error:
                desk.tell("refused", question.to, str(error))
                continue
            if amendment is not None:
                found.append(amendment)
                desk.tell("amendment", question.to, answer.reasoning, **amendment.to_dict())
        return found

    def _amendment(
        self, by: str, answer: AmendmentText, open_ones: Sequence[WordedAmendment]
    ) -> WordedAmendment | None:
        """Return a proposer's amendment, or None if it changes nothing. Raises Refused for an illegal one."""
        text = _one_line(answer.text)
        old = next((each for each in self._clauses if each.id == answer.clause), None)
        if answer.clause and old is None:
            raise Refused("clause", f"clause: {answer.clause!r} is no clause of this law")
        if not text and old is None:
            return None
        number = self._amendments + 1
        made = self._clause(f"S{number}", text, answer.term, answer.fine, answer.hold) if text else None
        known = [*self._clauses, *(each.clause for each in open_ones if each.clause is not None)]
        if made is not None and any(replace(each, id=made.id) == made for each in known):
            raise Refused("again", "the law or an amendment says that already")
        if old is not None and any(each.replaces is old for each in open_ones):
            raise Refused("again", f"an amendment of {old.id} is open already")
        if old is None and len(self._clauses) + len(open_ones) >= MAX_CLAUSES:
            raise Refused("many", f"a law has at most {MAX_CLAUSES} clauses")
        self._amendments = number
        return WordedAmendment(f"A{number}", by, old, made)

    def _clause(self, name: str, text: str, term: Sequence[Mapping[str, Any]], fine: int, hold: int) -> WordedClause:
        """Return a clause; sanctions above the limits are cut, and words alone have none. Raises Refused."""
        norm = self._norm(term)
        fine, hold = min(fine, self.settings.highest_fine), min(hold, self.settings.longest_hold)
        return WordedClause(name, text, norm, Sentence() if norm is None else Sentence(Fraction(fine), hold))

    async def _voted(self, desk: Desk, amendments: Sequence[WordedAmendment]) -> list[WordedAmendment]:
        """Return the amendments that pass; a vote for and against one is an abstention."""
        people, form = desk.read(PRESENT), motion_votes_form([each.id for each in amendments])
        text = "The people vote on amendments. Name in `yes` and `no` the amendments that you are for and against."
        facts = {"law": self._law(), "motions": [each.to_dict() for each in amendments]}
        asked = [CivicQuestion(name, self.name, "vote", text, facts, form) for name in people]
        ballots = {
            each.to: answer if isinstance(answer, MotionVotes) else None
            for each, answer in zip(asked, await desk.ask(asked), strict=True)
        }
        spoilt = [name for name, each in ballots.items() if each is None]
        found = []
        for amendment in amendments:
            votes = {name: ballot_choice(each, amendment.id) for name, each in ballots.items()}
            passed = bool(outcome(votes, people, self.settings.voting, closed=True))
            found += [amendment] if passed else []
            shown = amendment.to_dict()
            desk.tell(
                "voted",
                amendment.by,
                f"counted by {self.settings.voting}",
                motion=amendment.id,
                clause=shown["clause"],
                says=shown["says"],
                replaces=shown["replaces"],
                repeals=shown["repeals"],
                votes={name: str(vote) for name, vote in votes.items()},
                spoilt=spoilt,
                passed=passed,
            )
        return found

    async def _worded(self, desk: Desk, passed: Sequence[WordedAmendment]) -> Sequence[WordedAmendment]:
        """Return the amendments in the legislator's words if all ratify them, else in their own."""
        holders = self._legislators.holders(desk) if self.settings.legislator == "office" else []
        to_word = [each for each in passed if each.clause is not None]
        if not holders or not to_word:
            return passed
        legislator = holders[0]
        [answer] = await desk.ask([self._asks_to_draft(legislator, to_word)])
        if not isinstance(answer, StatuteDraft):
            desk.tell("refused", legislator, "unreadable draft: the amendments keep their own words")
            return passed
        drafted = [self._redrafted(desk, legislator, each, answer) for each in passed]
        changes = [(old, new) for old, new in zip(passed, drafted, strict=True) if old != new]
        if not changes:
            desk.tell("draft", legislator, "the amendments' own words", clauses=[])
            return passed
        desk.tell("draft", legislator, answer.reasoning, clauses=[new.to_dict() for _, new in changes])
        return drafted if await self._ratified(desk, legislator, changes) else passed

    def _redrafted(
        self, desk: Desk, legislator: str, amendment: WordedAmendment, draft: StatuteDraft
    ) -> WordedAmendment:
        own = amendment.clause
        found = next((each for each in draft.clauses if each.amendment == amendment.id), None)
        if own is None or found is None or not (text := _one_line(found.text)):
            return amendment
        try:
            return replace(amendment, clause=self._clause(own.id, text, found.term, found.fine, found.hold))
        except Refused as error:
            desk.tell("refused", legislator, str(error), amendment=amendment.id)
            return amendment

    async def _ratified(self, desk: Desk, by: str, changes: Sequence[tuple[WordedAmendment, WordedAmendment]]) -> bool:
        people = desk.read(PRESENT)
        text = (
            f"{by} put amendments that passed into other words. Vote whether `draft` becomes law; if it does not, the "
            "amendments become law in the words of `passed`."
        )
        form = AnswerForm(
            "ratification",
            RatificationVote,
            {"reasoning": "<one short sentence>", "vote": "abstain"},
            reasoning="reasoning",
            choices={"vote": [str(each) for each in BallotChoice]},
        )
        facts = {"passed": [old.to_dict() for old, _ in changes], "draft": [new.to_dict() for _, new in changes]}
        asked = [CivicQuestion(name, self.name, "ratify", text, facts, form) for name in people]
        votes = {
            each.to: BallotChoice(answer.vote) if isinstance(answer, RatificationVote) else BallotChoice.ABSTAIN
            for each, answer in zip(asked, await desk.ask(asked), strict=True)
        }
        passed = bool(outcome(votes, people, self.settings.voting, closed=True))
        told = {name: str(vote) for name, vote in votes.items()}
        desk.tell("ratified", by, f"counted by {self.settings.voting}", votes=told, passed=passed)
        return passed

    def _law(self) -> list[dict[str, Any]]:
        return [each.to_dict() for each in self._clauses]

    def _narrowed(self) -> dict[str, Mapping[str, Any]]:
        """Return the schemas of a clause's typed form and sanction."""
        schema = self.group.norm_schema
        return {
            "term": list_schema(schema, 0, 1) if schema else list_schema(text_schema(1), 0, 0),
            "fine": integer_schema(0, self.settings.highest_fine),
            "hold": integer_schema(0, self.settings.longest_hold),
        }

    def _asks_to_amend(self, name: str, feedback: Sequence[Mapping[str, str]]) -> CivicQuestion[AmendmentText]:
        text = (
            "You may propose one amendment. `text` is a clause in words; `clause` names the clause that it replaces, "
            "or is empty for a new one. Name a clause without a text to repeal it; leave both empty for no amendment. "
            "Where a typed form says the same, write it in `term`, with `fine` and `hold` as its sanction."
        )
        form = AnswerForm(
            "amendment",
            AmendmentText,
            {"reasoning": "<one short sentence>", "clause": "", "text": "", "term": [], "fine": 0, "hold": 0},
            reasoning="reasoning",
            choices={"clause": ["", *(each.id for each in self._clauses)]},
            narrowed=self._narrowed(),
        )
        facts = {
            "law": self._law(),
            "feedback": [dict(each) for each in feedback],
            "forms_of_terms": self.group.norm_forms,
            "highest_fine": self.settings.highest_fine,
        }
        return CivicQuestion(name, self.name, "amendment", text, facts, form)

    def _asks_to_draft(self, name: str, passed: Sequence[WordedAmendment]) -> CivicQuestion[StatuteDraft]:
        text = (
            "You are the legislator. The people passed these amendments. Write for each its clause of the consolidated "
            "law: clear words that say the same, and the typed form that says so, if there is one. The people vote on "
            "your words. An amendment that you leave out keeps its own words."
        )
        ids = [each.id for each in passed]
        fields: dict[str, Any] = {
            "amendment": {"type": "string", "enum": ids},
            "text": text_schema(MAX_WORDS),
            **self._narrowed(),
        }
        entry = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
        first = {"amendment": ids[0], "text": "<the clause>", "term": [], "fine": 0, "hold": 0}
        form = AnswerForm(
            "draft",
            StatuteDraft,
            {"reasoning": "<one short sentence>", "clauses": [first]},
            reasoning="reasoning",
            narrowed={"clauses": list_schema(entry, 0, len(ids))},
        )
        facts = {
            "law": self._law(),
            "amendments": [each.to_dict() for each in passed],
            "forms_of_terms": self.group.norm_forms,
        }
        return CivicQuestion(name, self.name, "draft", text, facts, form)


def consolidated(law: Sequence[WordedClause], passed: Sequence[WordedAmendment]) -> tuple[WordedClause, ...]:
    """Return the law with amendments applied: replaced in place, repealed ones left out, new ones at the end.

    Args:
        law: Clauses in force; those that no amendment touches stay the same bytes.
        passed: Amendments that passed; at most one for each clause.
    """
    touched = {each.replaces.id: each for each in passed if each.replaces is not None}
    kept = [touched[each.id].clause if each.id in touched else each for each in law]
    return tuple(each for each in (*kept, *(new.clause for new in passed if new.replaces is None)) if each is not None)


def _one_line(text: str) -> str:
    return " ".join(text.split())
