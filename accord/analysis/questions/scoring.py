"""Scores of answers to questions about moments, by kind: right ones with intervals, unreadable ones apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from accord.analysis.intervals import Interval, mean_interval
from accord.analysis.questions.drawing import MomentQuestion

ALL = "all"


@dataclass(frozen=True)
class Answer:
    """An answerer's answer to a question."""

    answerer: str
    question: MomentQuestion
    chosen: int | None
    """Number of the chosen option, from 0; None if no answer could be read."""
    reason: str = ""

    @property
    def right(self) -> bool:
        """True if the right option was chosen."""
        return self.chosen == self.question.answer

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data, with its question."""
        told = {"answerer": self.answerer, "chosen": self.chosen, "right": self.right, "reason": self.reason}
        return {**told, "question": self.question.to_dict()}


@dataclass(frozen=True)
class KindScore:
    """Score of an answerer in questions of one kind."""

    answerer: str
    kind: str
    """Kind of the questions; `all` for all of them."""
    questions: int
    unreadable: int
    right: int
    share: float | None
    """Share of right answers among those that could be read; None without any."""
    ci95: Interval | None
    """95 % interval of the share over such questions; None where a share is 0 or 1, or for fewer than ten answers."""
    chance: float
    """Expected share of answers by chance."""

    def to_dict(self) -> dict[str, Any]:
        """Return the score as plain data."""
        return asdict(self)


def scores(answers: Iterable[Answer]) -> list[KindScore]:
    """Return the scores of each answerer by kind, and over all kinds."""
    found: list[KindScore] = []
    given = list(answers)
    for answerer in dict.fromkeys(each.answerer for each in given):
        own = [each for each in given if each.answerer == answerer]
        kinds = list(dict.fromkeys(each.question.kind for each in own))
        found += [_score(answerer, kind, [each for each in own if each.question.kind == kind]) for kind in kinds]
        found.append(_score(answerer, ALL, own))
    return found


def _score(answerer: str, kind: str, answers: Sequence[Answer]) -> KindScore:
    readable = [float(each.right) for each in answers if each.chosen is not None]
    return KindScore(
        answerer,
        kind,
        questions=len(answers),
        unreadable=len(answers) - len(readable),
        right=int(sum(readable)),
        share=sum(readable) / len(readable) if readable else None,
        ci95=mean_interval(readable),
        chance=sum(each.question.chance for each in answers) / len(answers),
    )
