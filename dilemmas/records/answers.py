"""Answers of language models by player, role and model: usable ones, and unusable ones by kind.

A question is asked again after an unusable answer, so it has one or more answers. It is given up after the last
unusable one; what the player does then is recorded as a choice that stood in, never as the player's own. All counts
come from the event log, so that a resumed or replayed run has the same ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from common.answers.faults import FaultKind
from contracts.negotiation import MESSAGE_TRIES
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from voyager_agents.roles import EMBEDDING, JUDGE, NEGOTIATOR, NOT_DECIDING, RATER
from voyager_agents.thought_events import CRITIC, Reviewed, Unusable

Respondent = tuple[str, str, str]
"""(player, role, model)."""
Role = tuple[str, str]
"""(player, role)."""
COUNTED = (
    "model_call", "mind", "mind_step", "negotiation", "talk", "terms_typed", "verdict", "life_rated",
    "summaries_rated",
)  # fmt: skip
"""Kinds of events from which answers are counted."""


@dataclass(frozen=True)
class RoleAnswers:
    """Answers of one model in one role of one player."""

    player: str
    role: str
    model: str
    questions: int = 0
    """Number of questions with at least one answer."""
    answers: int = 0
    unreadable: int = 0
    """Number of answers that were not of the form asked for, or not legal."""
    refused: int = 0
    cut_off: int = 0
    """Number of answers that ended at a token limit."""
    given_up: int = 0
    """Number of questions without a usable answer after the last try."""

    @property
    def unusable(self) -> int:
        """Number of unusable answers of any kind."""
        return self.unreadable + self.refused + self.cut_off

    def plus(self, other: RoleAnswers) -> RoleAnswers:
        """Return this entry with the counts of another added."""
        mine, others = asdict(self), asdict(other)
        return RoleAnswers(self.player, self.role, self.model, **{key: mine[key] + others[key] for key in _COUNTS})

    def to_dict(self) -> dict[str, Any]:
        """Return the entry for result.json."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RoleAnswers:
        """Return the entry that `to_dict` wrote.

        Raises:
            ValueError: A count is negative or beyond 64 bits.
        """
        counts = {key: int(data[key]) for key in _COUNTS}
        if not all(0 <= count < 2**63 for count in counts.values()):
            raise ValueError("answers: a count is not from 0 to 2^63 - 1")
        return cls(str(data["player"]), str(data["role"]), str(data["model"]), **counts)


_COUNTS = ("questions", "answers", "unreadable", "refused", "cut_off", "given_up")


@dataclass
class _Tally:
    answers: int = 0
    unusable: Counter[FaultKind] = field(default_factory=Counter)
    given_up: int = 0
    set_aside: int = 0
    """Answers after which a cascade asked again; their questions count for the model that answers next."""


class AnswerCounter:
    """Counter of answers over the events of a run, in their order."""

    def __init__(self) -> None:
        """Create a counter without answers."""
        self._tallies: dict[Respondent, _Tally] = {}
        self._latest: dict[Role, Respondent] = {}
        """Model that answered last, by player and role."""
        self._speaking: dict[str, Respondent] = {}
        """Model that answered last, by player."""
        self._reviewed: set[str] = set()
        """Players whose critic told its unusable answers."""

    def take(self, event: object) -> None:
        """Count an event; an unusable answer belongs to the model that answered last in the role."""
        match event:
            case log.ModelCalled() if event.purpose != EMBEDDING:
                asker = event.player, event.purpose, event.model
                if event.why and (before := self._latest.get((event.player, event.purpose))) is not None:
                    # The question goes on: a cascade has set the answer before aside.
                    self._tallies[before].set_aside += 1
                self._latest[event.player, event.purpose] = self._speaking[event.player] = asker
                self._tallies.setdefault(asker, _Tally()).answers += 1
            case log.MindTold(step=Unusable() as step):
                if step.part == CRITIC:
                    self._reviewed.add(event.player)
                self._add((event.player, step.role or step.part), [step.kind], given_up=step.final)
            case log.MindTold(step=Reviewed(success=None)) if event.player not in self._reviewed:
                # Older records have no other trace of a critic's unusable answer.
                self._add((event.player, CRITIC), ["unreadable"], given_up=True)
            case log.MindNoted(what="unreadable"):
                self._add((event.player, event.module), ["unreadable"], given_up=True)
            case log.NegotiationTurn() | log.TalkMessageSent():
                given_up = len(event.faults) == MESSAGE_TRIES
                self._add((event.speaker, NEGOTIATOR), _kinds(event.faults, event.fault_kinds), given_up=given_up)
            case _:
                self._observe(event)

    def _observe(self, event: object) -> None:
        """Count an event of the judge or the rater."""
        match event:
            case log.TermsTyped():
                faults = event.faults or [event.fault] * bool(event.fault and event.raw)
                self._add(self._of(JUDGE), _kinds(faults, event.fault_kinds), given_up=bool(event.fault and faults))
            case log.VerdictGiven():
                beside = event.beside or {"readable": True}
                self._judge(event.faults, event.fault_kinds, readable=event.readable)
                self._judge(beside.get("faults", ()), beside.get("fault_kinds", ()), readable=beside["readable"])
            case log.LifeRated() | log.SummariesRated():
                self._add(self._of(RATER), _kinds(event.unreadable, ()))
            case _:
                pass

    def _judge(self, faults: Sequence[str], kinds: Sequence[FaultKind], *, readable: bool) -> None:
        """Count the unusable answers of a verdict; an unreadable one without faults has one."""
        self._add(self._of(JUDGE), _kinds(faults or [""] * (not readable), kinds), given_up=not readable)

    def counts(self) -> list[RoleAnswers]:
        """Return the counts in the order of the first answers."""
        return [
            RoleAnswers(
                *asker,
                questions=tally.answers - tally.set_aside - tally.unusable.total() + tally.given_up,
                answers=tally.answers,
                unreadable=tally.unusable["unreadable"],
                refused=tally.unusable["refused"],
                cut_off=tally.unusable["cut-off"],
                given_up=tally.given_up,
            )
            for asker, tally in self._tallies.items()
        ]

    def _add(self, role: Role, kinds: Sequence[FaultKind], *, given_up: bool = False) -> None:
        # A role without a model of its own is played by that of another role.
        asker = self._latest.get(role) or self._speaking.get(role[0])
        if asker is None or not kinds:  # without a model, a person or a program wrote the answer
            return
        tally = self._tallies[asker]
        tally.unusable.update(kinds)
        tally.given_up += given_up

    def _of(self, role: str) -> Role:
        """Return the last (player, role) that was asked in a role of one player only, such as the judge's."""
        return next((each for each in reversed(self._latest) if each[1] == role), ("", role))


def _kinds(faults: Sequence[str], kinds: Sequence[FaultKind]) -> list[FaultKind]:
    """Return the kind of each fault; older records have no kinds."""
    unknown: list[FaultKind] = ["unreadable"] * (len(faults) - len(kinds))
    return [*kinds, *unknown]


def read_answers(directory: Path) -> list[RoleAnswers]:
    """Return the answers of a run by player, role and model, from its event log.

    Args:
        directory: Directory of the run.

    Raises:
        RecordError: The log cannot be read.
    """
    counter = AnswerCounter()
    for line in read_events(directory / "events.jsonl", only=COUNTED):
        counter.take(line.event)
    return counter.counts()


def given_up_shares(answers: Iterable[RoleAnswers], out: Collection[str] = NOT_DECIDING) -> Mapping[str, float]:
    """Return player -> share of its questions that were given up, over all roles in which it decides.

    Args:
        answers: Answers of a run.
        out: Roles that decide nothing.
    """
    found: dict[str, RoleAnswers] = {}
    for each in answers:
        if each.role not in out:
            found[each.player] = found.get(each.player, RoleAnswers(each.player, "", "")).plus(each)
    return {player: each.given_up / each.questions for player, each in found.items() if each.questions}
