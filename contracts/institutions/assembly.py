"""An assembly that amends its own law: feedback, amendments, ballots, a count by code, adoption. No model, no clock.

1. At the start all members are told the law.
2. Members are asked for feedback, which is data and read by the manager alone.
3. The manager drafts amendments: each names a clause and its new value. An amendment that names no clause, or an
illegal
   value, is refused; the rest of the list stands.
4. Voters say yes, no or abstain to each amendment. A ballot that cannot be read counts as an abstention.
5. Code counts the votes. Of several passed amendments of one clause, the one with most yes votes becomes law; of equals
   the earlier one.
6. All members are told the new law, or the unchanged one if the law is frozen.

The caller gives the time (`advance`) and the answers (`hear`); both return entries for the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import Field, ValidationError

from common.answers.reading import MAX_ANSWER, Strict, first_problem, json_of
from common.answers.spoken import spoken
from contracts.errors import ContractFormatError, Refused
from contracts.institutions.ballots import BallotChoice, VotingRule, outcome
from contracts.institutions.charter import Charter, Value, WrittenLaw
from contracts.institutions.norms import Entry

Step = Literal["before", "feedback", "amendments", "ballots", "counting", "counted", "adopted"]


@dataclass(frozen=True)
class Calendar:
    """Start of each step, in seconds. Raises ContractFormatError for another order."""

    feedback: float = 300
    amendments: float = 360
    ballots: float = 420
    count: float = 480
    adoption: float = 600

    def __post_init__(self) -> None:
        times = [self.feedback, self.amendments, self.ballots, self.count, self.adoption]
        if times != sorted(set(times)) or times[0] < 0:
            raise ContractFormatError(
                f"at: {times}: feedback, amendments, ballots, count, adoption, each after the last"
            )


@dataclass(frozen=True)
class AssemblySettings:
    """Settings of an assembly."""

    at: Calendar = field(default_factory=Calendar)
    voting: VotingRule = VotingRule.PLURALITY
    frozen: bool = False
    """True if all steps take place and the law stays as it is."""
    most_amendments: int = 20
    """Maximum number of amendments put to the vote; further ones of the manager's list are refused."""
    most_words: int = 500
    """Maximum characters of a feedback that the manager reads."""


@dataclass(frozen=True)
class Roll:
    """Participants of an assembly."""

    members: tuple[str, ...]
    """Members that are told the law."""
    heard: tuple[str, ...]
    """Members that are asked for feedback."""
    voters: tuple[str, ...]
    manager: str


@dataclass(frozen=True)
class Summons:
    """A message to members, or a question."""

    kind: str
    """`constitution`, `feedback`, `amendments` or `ballot`; other institutions use kinds of their own."""
    to: tuple[str, ...]
    text: str
    data: Mapping[str, Any]
    until_s: float | None = None
    """Deadline of the answer in seconds; None if no answer is expected."""


@dataclass
class Amendment:
    """An amendment put to the vote."""

    id: str
    clause: str
    value: Value
    says: str
    by: list[str]
    """Members whose feedback it follows, according to the manager."""
    votes: dict[str, BallotChoice] = field(default_factory=dict)

    def to_dict(self) -> Entry:
        """Return the amendment as plain data for records and ballots."""
        plain = self.value.to_data()
        return {"amendment": self.id, "clause": self.clause, "value": plain, "says": self.says, "by": list(self.by)}


class Proposed(Strict):
    """An amendment as written by the manager."""

    clause: str = Field(max_length=60)
    value: Any
    by: list[str] = Field(default_factory=list, max_length=200)


class ProposedList(Strict):
    """The manager's answer."""

    amendments: list[Any] = Field(max_length=5000)


class Ballot(Strict):
    """A voter's answer: amendment -> yes, no or abstain."""

    votes: dict[str, Any]


class Assembly:
    """One round of law-making."""

    def __init__(self, law: WrittenLaw, roll: Roll, settings: AssemblySettings) -> None:
        self.law = law
        """The law in force."""
        self.roll = roll
        self.settings = settings
        self.step: Step = "before"
        self.feedback: dict[str, str] = {}
        self.amendments: dict[str, Amendment] = {}
        self._next: WrittenLaw = law
        self._managed = False
        self._voted: set[str] = set()
        self._told = False

    @property
    def charter(self) -> Charter:
        """The charter of the law."""
        return self.law.charter

    def advance(self, t_s: float) -> tuple[list[Entry], list[Summons]]:
        """Return the entries that are due up to a second of the game."""
        entries: list[Entry] = []
        calls: list[Summons] = []
        if not self._told:
            self._told = True
            roll = {"heard": list(self.roll.heard), "voters": list(self.roll.voters), "manager": self.roll.manager}
            entries.append({"what": "roll", **roll})
            entries.append({"what": "law", "when": "start", **self.law.entry()})
            calls.append(self._told_law("This is the law."))
        at = self.settings.at
        steps = [
            ("before", at.feedback, self._open_feedback),
            ("feedback", at.amendments, self._open_amendments),
            ("amendments", at.ballots, self._open_ballots),
            ("ballots", at.count, self._count),
            ("counted", at.adoption, self._adopt),
        ]
        for before, due, work in steps:
            if self.step == before and t_s >= due:
                told, asked = work()
                entries += told
                calls += asked
        return entries, calls

    def hear(self, member: str, kind: str, text: str) -> list[Entry]:
        """Take an answer and return the entries that follow.

        An answer that is late, repeated or unasked is refused and changes nothing.
        """
        head: Entry = {"member": member, "kind": kind}
        handlers = {
            "feedback": ("feedback", self.roll.heard, self._hear_feedback),
            "amendments": ("amendments", (self.roll.manager,), self._hear_amendments),
            "ballot": ("ballots", self.roll.voters, self._hear_ballot),
        }
        if kind not in handlers:
            return [{"what": "refused", **head, "why": "nothing of this kind was asked", "text": _cut(text)}]
        step, asked, handler = handlers[kind]
        if member not in asked:
            return [{"what": "refused", **head, "why": "it was not asked", "text": _cut(text)}]
        if self.step != step:
            return [
                {
                    "what": "refused",
                    **head,
                    "why": f"too late or too early: the step is {self.step}",
                    "text": _cut(text),
                }
            ]
        try:
            return handler(member, text)
        except Refused as error:
            return [{"what": "refused", **head, "why": str(error), "text": _cut(text)}]

    def _open_feedback(self) -> tuple[list[Entry], list[Summons]]:
        self.step = "feedback"
        text = "Say in one or two sentences what should change in the law, if anything."
        ask = Summons("feedback", self.roll.heard, text, self._known(), self.settings.at.amendments)
        return [{"what": "feedback_asked", "of": list(self.roll.heard)}], [ask]

    def _hear_feedback(self, member: str, text: str) -> list[Entry]:
        if member in self.feedback:
            raise Refused("again", "it has said already what should change")
        words = " ".join(text.split())
        kept = words[: self.settings.most_words]
        self.feedback[member] = kept
        return [{"what": "feedback", "member": member, "text": kept, "cut": len(words) - len(kept)}]

    def _open_amendments(self) -> tuple[list[Entry], list[Summons]]:
        self.step = "amendments"
        silent = [name for name in self.roll.heard if not self.feedback.get(name)]
        text = "Make amendments of what members said: for each change that somebody wants, its clause and new value."
        said = [{"member": name, "text": words} for name, words in self.feedback.items() if words]
        clauses = {name: _form(clause) for name, clause in self.charter.clauses.items()}
        form = {"amendments": [{"clause": "NAME", "value": "VALUE", "by": ["MEMBER"]}]}
        data = {**self._known(), "feedback": said, "clauses": clauses, "form": form}
        ask = Summons("amendments", (self.roll.manager,), text, data, self.settings.at.ballots)
        return [{"what": "amendments_asked", "of": self.roll.manager, "silent": silent}], [ask]

    def _hear_amendments(self, member: str, text: str) -> list[Entry]:
        if self._managed:
            raise Refused("again", "its amendments are made")
        try:
            asked = ProposedList.model_validate(_json(text)).amendments
        except ValidationError as error:
            raise Refused("form", first_problem(error)) from None
        self._managed = True
        entries: list[Entry] = []
        for number, one in enumerate(asked):
            try:
                entries.append(self._propose(one))
            except Refused as error:
                refused = {"what": "amendment_refused", "number": number, "why": str(error)}
                entries.append({**refused, "proposed": _cut(repr(one))})
        return entries

    def _propose(self, one: object) -> Entry:
        try:
            proposed = Proposed.model_validate(one)
        except ValidationError as error:
            raise Refused("form", first_problem(error)) from None
        value = self.charter.clause(proposed.clause).read(proposed.value)
        by = [name for name in dict.fromkeys(proposed.by) if self.feedback.get(name)]
        unknown = [name for name in proposed.by if name not in by]
        if value == self.law.values[proposed.clause]:
            raise Refused("again", f"the law says that already: {proposed.clause} is {value.says()}")
        same = [each for each in self.amendments.values() if (each.clause, each.value) == (proposed.clause, value)]
        if same:
            raise Refused("again", f"{same[0].id} says that already")
        if len(self.amendments) >= self.settings.most_amendments:
            raise Refused("many", f"{len(self.amendments)} amendments are enough: no more are put to the vote")
        says = self.charter.clauses[proposed.clause].says.replace("{value}", value.says())
        made = Amendment(f"A{len(self.amendments) + 1}", proposed.clause, value, says, by)
        self.amendments[made.id] = made
        return {"what": "amendment", **made.to_dict(), "not_heard": [_cut(name) for name in unknown[:20]]}

    def _open_ballots(self) -> tuple[list[Entry], list[Summons]]:
        self.step = "ballots"
        listed = [each.to_dict() for each in self.amendments.values()]
        entry: Entry = {"what": "ballots_asked", "of": list(self.roll.voters), "amendments": list(self.amendments)}
        if not listed:
            return [entry], []
        text = "Vote yes, no or abstain on each amendment."
        data = {**self._known(), "amendments": listed, "form": {"votes": {"A1": "yes, no or abstain"}}}
        return [entry], [Summons("ballot", self.roll.voters, text, data, self.settings.at.count)]

    def _hear_ballot(self, member: str, text: str) -> list[Entry]:
        if member in self._voted:
            raise Refused("again", "it has voted")
        self._voted.add(member)
        try:
            said = Ballot.model_validate(_json(text)).votes
        except (Refused, ValidationError) as error:
            why = first_problem(error) if isinstance(error, ValidationError) else str(error)
            return [{"what": "ballot_spoilt", "member": member, "why": why, "text": _cut(text)}]
        counted, spoilt = {}, {}
        for name, each in self.amendments.items():
            choice = _choice(said.get(name, BallotChoice.ABSTAIN))
            each.votes[member] = choice or BallotChoice.ABSTAIN
            counted[name] = each.votes[member].value
            if choice is None:
                spoilt[name] = _cut(repr(said[name]))
        spoilt |= {_cut(name): "there is no such amendment" for name in said if name not in self.amendments}
        return [{"what": "ballot", "member": member, "votes": counted, "spoilt": spoilt}]

    def _count(self) -> tuple[list[Entry], list[Summons]]:
        self.step = "counted"
        entries: list[Entry] = [{"what": "missing", "voters": [v for v in self.roll.voters if v not in self._voted]}]
        passed: dict[str, list[tuple[int, int, Amendment]]] = {}
        for number, each in enumerate(self.amendments.values()):
            yes, no = (
                sum(vote is choice for vote in each.votes.values()) for choice in (BallotChoice.YES, BallotChoice.NO)
            )
            won = bool(outcome(each.votes, self.roll.voters, self.settings.voting, closed=True))
            tally = {"yes": yes, "no": no, "abstain": len(self.roll.voters) - yes - no}
            entries.append({"what": "count", **each.to_dict(), **tally, "passed": won})
            if won:
                passed.setdefault(each.clause, []).append((-yes, number, each))
        for clause, found in passed.items():
            (_, _, first), *rest = sorted(found, key=lambda each: each[:2])
            self._next = self._next.changed(clause, first.value)
            entries += [
                {"what": "overruled", "amendment": each.id, "by": first.id, "clause": clause} for _, _, each in rest
            ]
        return entries, []

    def _adopt(self) -> tuple[list[Entry], list[Summons]]:
        self.step = "adopted"
        before, voted = self.law, self._next
        if not self.settings.frozen:
            self.law = voted
        changed = self.law.values != before.values
        why = "frozen" if self.settings.frozen else "adopted" if changed else "nothing was changed"
        entry: Entry = {
            "what": "law",
            "when": "adoption",
            "why": why,
            **self.law.entry(),
            "before": before.entry(),
            "voted": voted.entry(),
        }
        return [entry], [self._told_law("This is the law from now on." if changed else "The law stays as it is.")]

    def _told_law(self, text: str) -> Summons:
        return Summons("constitution", self.roll.members, text, self._known())

    def _known(self) -> dict[str, Any]:
        return {"law": self.law.text, "terms": self.law.to_dict()}


def _form(clause: Any) -> dict[str, Any]:  # noqa: ANN401 - a Clause, as plain data
    """Return the legal values of a clause, for the manager's prompt."""
    if clause.kind == "share":
        return {"says": clause.says, "value": f"percent from {clause.least:g} to {clause.most:g}, or [low, high]"}
    return {"says": clause.says, "value": f"some of {', '.join(clause.legal)}"}


def _json(text: str) -> object:
    text = spoken(text)
    if len(text) > MAX_ANSWER:
        raise Refused("long", f"it has {len(text)} characters: {MAX_ANSWER} are read")
    try:
        return json_of(text)
    except ValueError as error:
        raise Refused("form", f"it is no JSON object: {error}") from None


def _choice(said: object) -> BallotChoice | None:
    """Return the vote in an answer, or None if it is no vote."""
    if isinstance(said, str) and said.strip().lower() in ("yes", "no", "abstain"):
        return BallotChoice(said.strip().lower())
    return None


def _cut(text: str) -> str:
    return text if len(text) <= 300 else text[:297] + "..."
