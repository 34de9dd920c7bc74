"""Reputation judged by a model from agreements and actions, as Mosquera et al. (2024) propose in section 7.2.

Periodically a model is shown a member's agreements and the member's recorded actions under them, and asked for a score,
which all members see. The question comes from no player: its prompt has no personality, memory or message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import integer_schema
from contracts.institutions import Entry
from voyager_agents.commons_harvest import HarvestAct, act_text
from voyager_agents.errors import ReplyError
from voyager_agents.generative.asking import MAX_REASONING, Mind
from voyager_agents.generative.court import read_deed

BEST = 10
"""Largest score in an answer; the paper gives no scale."""
MAX_AGREEMENTS = 20
"""Maximum number of a member's agreements in a prompt; the latest are kept."""
MAX_ACTIONS = 60
"""Maximum number of a member's actions in a prompt; the latest are kept."""


class ReputationAnswer(Strict):
    """Model answer to the question for a member's reputation."""

    reasoning: str = Field(max_length=MAX_REASONING)
    score: int = Field(ge=0, le=BEST)


REPUTATION_FORM = AnswerForm(
    "reputation",
    ReputationAnswer,
    {"reasoning": "step by step", "score": 5},
    reasoning="reasoning",
    narrowed={"score": integer_schema(0, BEST)},
)


@dataclass(frozen=True)
class ReputationVerdict:
    """Judgement of one member's reputation."""

    score: float
    """From 0 (kept no agreement) to 1 (kept all)."""
    why: str


class ReputationJudge:
    """Judge of one member's reputation, with the member's access to models."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    async def judge(self, document: Mapping[str, Any]) -> ReputationVerdict | None:
        """Return the verdict on a member's record (`PromiseRecord.of`), or None if the answers are unusable.

        Model errors propagate.
        """
        constants = {"world": self._mind.world}
        try:
            answer = await self._mind.ask("reputation", document, REPUTATION_FORM, constants=constants, as_player=False)
        except ReplyError:
            # The mind has recorded the fault; the member keeps the score that it has.
            return None
        return ReputationVerdict(answer.score / BEST, answer.reasoning)


class PromiseRecord:
    """Agreements of a game and the actions of its members, from the council's entries."""

    def __init__(self) -> None:
        self._agreements: dict[str, dict[str, Any]] = {}
        self._actions: list[tuple[int, HarvestAct]] = []

    def add(self, entries: Iterable[Entry]) -> None:
        """Add entries of the council, oldest first."""
        for entry in entries:
            match entry["what"]:
                case "agreement_made":
                    keys = ("agreement", "parties", "says", "first", "until")
                    self._agreements[entry["agreement"]] = {key: entry[key] for key in keys}
                case "agreement_ended" if entry["agreement"] in self._agreements:
                    made = self._agreements[entry["agreement"]]
                    made["until"] = min(made["until"], entry["round"])
                case "deed":
                    self._actions.append((int(entry["round"]), read_deed(entry)))

    def of(self, member: str, round: int, since: int) -> dict[str, Any] | None:
        """Return a member's agreements and its actions while they bound it; None if none has bound it lately.

        Args:
            member: Name of the member.
            round: Number of the present round.
            since: First round of the time that is judged.
        """
        agreements = [each for each in self._agreements.values() if member in each["parties"]]
        if not any(each["until"] >= since for each in agreements):
            return None
        actions = [
            {"round": number, "action": act_text(act)}
            for number, act in self._actions
            if act.player == member and any(each["first"] <= number <= each["until"] for each in agreements)
        ]
        shown = [dict(each) for each in agreements[-MAX_AGREEMENTS:]]
        return {"round": round, "member": member, "agreements": shown, "actions": actions[-MAX_ACTIONS:]}
