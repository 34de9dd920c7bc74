"""A model that rates lives after they were lived: roles that goals show, whether words and deeds agree, sentiments.

It is asked about many at a time, and each answer is read strictly. What cannot be read, after a second try, is not
rated: measures take the table of words for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import Field

from common.untrusted_text import quote_document
from contracts.answers import Strict
from contracts.spoken import spoken
from voyager_agents.answers import with_cause
from voyager_agents.cost import CallCost, Range, Sizing, total
from voyager_agents.errors import ReplyError
from voyager_agents.generative.asking import parse
from voyager_agents.models import ChatMessage, Model, Settings
from voyager_agents.prompts.folder import STANDARD, Prompts

BATCH = 20
"""Sets of goals, or decisions, that are asked about at once."""
TRIES = 2
ROLE = re.compile(r"[a-z]{3,20}")
ANSWER_TOKENS = 160
"""Tokens of an answer that are usual."""
GOAL_S, CHOICE_S = 8.0, 2.0
"""Seconds between two goals, and between two decisions, at least."""
_Answer = TypeVar("_Answer", bound=Strict)


class Roles(Strict):
    """Roles of each set of goals, in order."""

    roles: list[list[str]] = Field(max_length=BATCH)


class RatedAgreements(Strict):
    """Verdict on each decision, in order."""

    agree: list[bool | None] = Field(max_length=BATCH)


class Scores(Strict):
    """Score of each text, in order."""

    scores: list[Annotated[float, Field(ge=0, le=10, strict=False)] | None] = Field(max_length=BATCH)


class RoleClassifier:
    """Asks this model."""

    def __init__(self, model: Model, prompts: Prompts = STANDARD) -> None:
        self._model = model
        self._prompts = prompts
        self.faults: list[str] = []
        """Why answers could not be read."""

    def afresh(self) -> RoleClassifier:
        """Return the same classifier without any faults."""
        return RoleClassifier(self._model, self._prompts)

    async def roles(self, sets: Sequence[Sequence[str]]) -> list[tuple[str, ...] | None]:
        """Return the roles that each set of goals shows, the best first; None for a set that could not be rated.

        Raises what the model raises.
        """
        found: list[tuple[str, ...] | None] = []
        for part in _batches(sets):
            data = {"sets": [{"number": number, "goals": list(goals)} for number, goals in enumerate(part, 1)]}
            answer = await self._ask("rate_roles", data, Roles, len(part))
            found += [None] * len(part) if answer is None else [tuple(each) for each in answer.roles]
        return found

    async def agreements(self, decisions: Sequence[Mapping[str, Any]]) -> list[bool | None]:
        """Return whether words and deeds of each decision agree; None for one that says nothing, or could not be rated.

        Raises what the model raises.
        """
        found: list[bool | None] = []
        for part in _batches(decisions):
            data = {"decisions": [{"number": number, **each} for number, each in enumerate(part, 1)]}
            answer = await self._ask("rate_coherence", data, RatedAgreements, len(part))
            found += [None] * len(part) if answer is None else answer.agree
        return found

    async def sentiments(self, texts: Sequence[str]) -> list[float | None]:
        """Return the sentiment that each text shows, 0 (hate) to 10 (love); None for one that shows none, or could
        not be rated. Raises what the model raises."""
        found: list[float | None] = []
        for part in _batches(texts):
            data = {"texts": [{"number": number, "text": text} for number, text in enumerate(part, 1)]}
            answer = await self._ask("rate_sentiments", data, Scores, len(part))
            found += [None] * len(part) if answer is None else answer.scores
        return found

    async def _ask(self, prompt: str, data: Mapping[str, Any], shape: type[_Answer], count: int) -> _Answer | None:
        messages = [ChatMessage("system", self._prompts.load(prompt).system), ChatMessage("user", quote_document(data))]
        for _ in range(TRIES):
            reply = await self._model.complete(messages, Settings(temperature=0.1))
            try:
                return _fitting(parse(reply.text, shape), count)
            except ReplyError as wrong:
                error = with_cause(wrong, reply)
                self.faults.append(f"{prompt}: {error}")
                told = f"That answer cannot be used: {error}. Answer again, in the form that was asked for."
                messages += [
                    ChatMessage("assistant", spoken(reply.text)[:2000] or "(empty)"),
                    ChatMessage("user", told),
                ]
        return None


def _batches(values: Sequence[Any]) -> list[Sequence[Any]]:
    return [values[start : start + BATCH] for start in range(0, len(values), BATCH)]


def _fitting(answer: _Answer, count: int) -> _Answer:
    """Return the answer, if it is about so many, and its roles are words. Raises ReplyError."""
    listed: Sequence[Any] = next(iter(answer.__dict__.values()))
    if len(listed) != count:
        raise ReplyError("form", f"it is about {len(listed)}, and {count} were asked about")
    for role in (role for roles in (listed if isinstance(answer, Roles) else ()) for role in roles):
        if not ROLE.fullmatch(role):
            raise ReplyError("form", f"{role[:40]!r} is no role: give one lowercase word")
    if isinstance(answer, Roles) and any(len(roles) > 3 for roles in answer.roles):
        raise ReplyError("form", "a set has more than three roles")
    return answer


async def cost(seconds: float, players: int, prompts: Prompts = STANDARD) -> Range:
    """Estimate the calls about `players` lives of `seconds` each: at least one call each for roles, at most all sets
    and decisions that the schedule allows, each asked twice."""
    goals, said = ["You farm the fields, so that all of us have bread for the evening."] * 5, ["I farm the fields."]
    sizing = Sizing("none", ANSWER_TOKENS)
    rater = RoleClassifier(sizing, prompts)
    await rater.roles([goals] * BATCH)
    roles = total(sizing.asked[:1])
    await rater.agreements([{"decided": "farm", "said": said * 2, "did": ["harvest wheat"] * 3}] * BATCH)
    agreements = total(sizing.asked[TRIES : TRIES + 1])
    sets, decisions = int(seconds / GOAL_S) + 1 - 4, int(seconds / CHOICE_S) + 1
    few = CallCost(1, roles.prompt // BATCH * 2, ANSWER_TOKENS // BATCH) if sets > 0 else CallCost()
    most = roles.times(-(-max(0, sets) // BATCH) * TRIES).plus(agreements.times(-(-decisions // BATCH) * TRIES))
    return few.times(players if sets > 4 else 0), most.times(players)


async def sentiments_cost(fewest: int, most: int, prompts: Prompts = STANDARD) -> Range:
    """Estimate the calls about these numbers of texts: each asked once at least, twice at most."""
    sizing = Sizing("none", ANSWER_TOKENS)
    await RoleClassifier(sizing, prompts).sentiments(
        ["She is kind to me, and I like to talk with her when we meet."] * BATCH
    )
    once = total(sizing.asked[:1])
    return once.times(-(-fewest // BATCH)), total(sizing.asked).times(-(-most // BATCH))
