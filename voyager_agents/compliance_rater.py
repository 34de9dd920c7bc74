"""Rater of compliance with a law in words: a model says of each person whether it kept a clause, from its acts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import list_schema
from common.untrusted_text import quote_document
from voyager_agents.asking import Asker
from voyager_agents.errors import ReplyError
from voyager_agents.prompts.folder import STANDARD, Prompts

RATE_COMPLIANCE = "rate_compliance"
MAX_ACTS = 120
"""Maximum number of acts of a prompt; of more, the first and the last are shown."""
MAX_SHOWN = 300
"""Maximum length of an act in a prompt, in characters."""


class PersonVerdict(Strict):
    """The verdict on one person."""

    player: str = Field(max_length=64)
    verdict: str = Field(max_length=10)


class ComplianceAnswer(Strict):
    """Answer schema: one verdict on each person."""

    verdicts: list[PersonVerdict] = Field(max_length=200)


class ComplianceRater:
    """Rater of one clause at a time."""

    def __init__(self, asker: Asker, verdicts: Sequence[str], prompts: Prompts = STANDARD) -> None:
        """Prepare the rater.

        Args:
            asker: Access to the model.
            verdicts: Legal verdicts.
            prompts: Prompts.
        """
        self._asker = asker
        self._verdicts = tuple(verdicts)
        self._prompts = prompts

    async def rate(
        self, clause: str, players: Sequence[str], acts: Sequence[tuple[float, str, str]], unit: str = "round"
    ) -> dict[str, str | None]:
        """Return player -> verdict, None without a usable answer. Errors of the model are passed on.

        Args:
            clause: Words of the clause.
            players: Names of all players.
            acts: (time, player, act in words) while the clause was in force, oldest first.
            unit: Unit of the times: `round` or `second`.
        """
        half = MAX_ACTS // 2
        shown = acts if len(acts) <= MAX_ACTS else [*acts[:half], *acts[-half:]]
        told = [{unit: time, "player": player, "act": act[:MAX_SHOWN]} for time, player, act in shown]
        data = {"clause": clause, "players": list(players), "acts": told, "acts_left_out": len(acts) - len(shown)}
        answer = await self._asker.ask(
            self._prompts.load(RATE_COMPLIANCE).system,
            quote_document(data),
            self._form(players),
            lambda found: _check(found, players, self._verdicts),
            part=RATE_COMPLIANCE,
        )
        found = {} if answer.value is None else {each.player: each.verdict for each in answer.value.verdicts}
        return {player: found.get(player) for player in players}

    def _form(self, players: Sequence[str]) -> AnswerForm[ComplianceAnswer]:
        fields: dict[str, Any] = {
            "player": {"type": "string", "enum": list(players)},
            "verdict": {"type": "string", "enum": list(self._verdicts)},
        }
        entry = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
        first = {"player": players[0] if players else "<name>", "verdict": self._verdicts[0]}
        narrowed = {"verdicts": list_schema(entry, len(players), len(players))}
        return AnswerForm(RATE_COMPLIANCE, ComplianceAnswer, {"verdicts": [first]}, narrowed=narrowed)


def _check(answer: ComplianceAnswer, players: Sequence[str], verdicts: Sequence[str]) -> None:
    """Check that an answer has one legal verdict on each player. Raises ReplyError."""
    named = [each.player for each in answer.verdicts]
    if sorted(named) != sorted(players):
        raise ReplyError("form", f"verdicts: give one on each of {', '.join(players)}")
    if strange := next((each.verdict for each in answer.verdicts if each.verdict not in verdicts), None):
        raise ReplyError("form", f"verdict: {strange!r} is not legal: choose from {', '.join(verdicts)}")
