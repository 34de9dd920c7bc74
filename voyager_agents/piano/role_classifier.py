"""Model-based rating of finished runs: roles shown by goals, agreement of words and deeds, sentiments of texts.

Items are rated in batches. A batch without a usable answer stays unrated; measures then fall back to word tables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Annotated, Any, TypeVar

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import list_schema, points_schema
from common.untrusted_text import quote_document
from voyager_agents.asking import TRIES, Asker
from voyager_agents.cost import CallCost, Range, Sizing, total
from voyager_agents.errors import ReplyError
from voyager_agents.prompts.fitting import CHARS_A_TOKEN
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.roles import RATER

BATCH = 20
"""Maximum number of items (sets of goals, decisions or texts) per call."""
ROLE = re.compile(r"[a-z]{3,20}")
MAX_ROLES = 3
"""Maximum number of roles of a set of goals."""
ANSWER_TOKENS = 160
"""Typical number of tokens of an answer."""
FORM_CHARS, ENTRY_CHARS = 300, 30
"""Characters of a prompt for the form of the answer, and for the frame of each entry."""
GOAL_S, CHOICE_S = 8.0, 2.0
"""Minimum game seconds between two goals, and between two decisions."""
T = TypeVar("T", bound=Strict)


class Roles(Strict):
    """Answer schema: the roles of each set of goals, in order."""

    roles: list[list[str]] = Field(max_length=BATCH)


class RatedAgreements(Strict):
    """Answer schema: agreement of words and deeds for each decision, in order; None if it cannot be judged."""

    agree: list[bool | None] = Field(max_length=BATCH)


class Scores(Strict):
    """Answer schema: the sentiment of each text, 0 to 10, in order; None for a text without a sentiment."""

    scores: list[Annotated[float, Field(ge=0, le=10, strict=False)] | None] = Field(max_length=BATCH)


def roles_form(count: int) -> AnswerForm[Roles]:
    """Return the form of the roles of `count` sets of goals."""
    role = {"type": "string", "pattern": f"^{ROLE.pattern}$"}
    narrowed = {"roles": list_schema(list_schema(role, 0, MAX_ROLES), count, count)}
    return AnswerForm("rate_roles", Roles, {"roles": [["farmer"], ["farmer", "trader"], []]}, narrowed=narrowed)


def agreements_form(count: int) -> AnswerForm[RatedAgreements]:
    """Return the form of the ratings of `count` decisions."""
    narrowed = {"agree": list_schema({"anyOf": [{"type": "boolean"}, {"type": "null"}]}, count, count)}
    return AnswerForm("rate_coherence", RatedAgreements, {"agree": [True, False, None]}, narrowed=narrowed)


def scores_form(count: int) -> AnswerForm[Scores]:
    """Return the form of the scores of `count` texts."""
    narrowed = {"scores": list_schema({"anyOf": [points_schema(10), {"type": "null"}]}, count, count)}
    return AnswerForm("rate_sentiments", Scores, {"scores": [7.5, 2, None]}, narrowed=narrowed)


class RoleClassifier:
    """Rater of roles, agreements and sentiments by a model."""

    def __init__(self, asker: Asker, prompts: Prompts = STANDARD) -> None:
        self._asker = asker
        self._prompts = prompts

    async def roles(self, sets: Sequence[Sequence[str]]) -> list[tuple[str, ...] | None]:
        """Return the roles of each set of goals, best first; None for a set that could not be rated.

        Errors of the model are passed on.
        """
        found: list[tuple[str, ...] | None] = []
        for part in batches(sets, self._prompts, "rate_roles"):
            data = {"sets": [{"number": number, "goals": list(goals)} for number, goals in enumerate(part, 1)]}
            answer = await self._ask("rate_roles", data, roles_form, len(part))
            found += [None] * len(part) if answer is None else [tuple(each) for each in answer.roles]
        return found

    async def agreements(self, decisions: Sequence[Mapping[str, Any]]) -> list[bool | None]:
        """Return whether the words and deeds of each decision agree; None if it has no words or could not be rated.

        Errors of the model are passed on.
        """
        found: list[bool | None] = []
        for part in batches(decisions, self._prompts, "rate_coherence"):
            data = {"decisions": [{"number": number, **each} for number, each in enumerate(part, 1)]}
            answer = await self._ask("rate_coherence", data, agreements_form, len(part))
            found += [None] * len(part) if answer is None else answer.agree
        return found

    async def sentiments(self, texts: Sequence[str]) -> list[float | None]:
        """Return the sentiment of each text, 0 (hate) to 10 (love); None if it shows none or could not be rated.

        Errors of the model are passed on.
        """
        found: list[float | None] = []
        for part in batches(texts, self._prompts, "rate_sentiments"):
            data = {"texts": [{"number": number, "text": text} for number, text in enumerate(part, 1)]}
            answer = await self._ask("rate_sentiments", data, scores_form, len(part))
            found += [None] * len(part) if answer is None else answer.scores
        return found

    async def _ask(
        self, prompt: str, data: Mapping[str, Any], form: Callable[[int], AnswerForm[T]], count: int
    ) -> T | None:
        answer = await self._asker.ask(
            self._prompts.load(prompt).system,
            quote_document(data),
            form(count),
            lambda read: _check(read, count),
            part=prompt,
        )
        return answer.value


def batches(values: Sequence[Any], prompts: Prompts, prompt: str, most: int = BATCH) -> Iterator[Sequence[Any]]:
    """Yield values in batches that fit the limit of tokens of a rater's prompt, at least one each.

    Args:
        values: Values for the prompt, as plain data.
        prompts: Prompts with their limits.
        prompt: Name of the prompt.
        most: Maximum number of values in a batch.
    """
    limit = prompts.limit(RATER)
    left = inf if limit is None else limit * CHARS_A_TOKEN - len(prompts.load(prompt).system) - FORM_CHARS
    batch: list[Any] = []
    for value in values:
        # Sizes are counted only under a limit, since counting takes longer with each value.
        long = left < inf and len(json.dumps([*batch, value])) + len(batch) * ENTRY_CHARS > left
        if batch and (long or len(batch) == most):
            yield batch
            batch = []
        batch.append(value)
    if batch:
        yield batch


def _check(answer: Strict, count: int) -> None:
    """Check that an answer has `count` entries, each with at most `MAX_ROLES` one-word roles. Raises ReplyError."""
    listed: Sequence[Any] = next(iter(answer.__dict__.values()))
    if len(listed) != count:
        raise ReplyError("form", f"it is about {len(listed)}, and {count} were asked about")
    for role in (role for roles in (listed if isinstance(answer, Roles) else ()) for role in roles):
        if not ROLE.fullmatch(role):
            raise ReplyError("form", f"{role[:40]!r} is no role: give one lowercase word")
    if isinstance(answer, Roles) and any(len(roles) > MAX_ROLES for roles in answer.roles):
        raise ReplyError("form", f"a set has more than {MAX_ROLES} roles")


async def cost(seconds: float, players: int, prompts: Prompts = STANDARD) -> Range:
    """Estimate the calls to rate `players` agents over a run of `seconds` each.

    The minimum is one set of goals per agent. The maximum is every set and decision that the schedule allows, with
    every batch asked twice.
    """
    goals, said = ["You farm the fields, so that all of us have bread for the evening."] * 5, ["I farm the fields."]
    sizing = Sizing("none", ANSWER_TOKENS)
    rater = RoleClassifier(Asker(sizing, RATER), prompts)
    await rater.roles([goals] * BATCH)
    asked = len(sizing.asked)
    # Each batch is asked `TRIES` times.
    roles = total(sizing.asked[::TRIES])
    await rater.agreements([{"decided": "farm", "said": said * 2, "did": ["harvest wheat"] * 3}] * BATCH)
    agreements = total(sizing.asked[asked::TRIES])
    sets, decisions = int(seconds / GOAL_S) + 1 - 4, int(seconds / CHOICE_S) + 1
    few = CallCost(1, roles.prompt // BATCH * 2, ANSWER_TOKENS // BATCH) if sets > 0 else CallCost()
    most = roles.times(-(-max(0, sets) // BATCH) * TRIES).plus(agreements.times(-(-decisions // BATCH) * TRIES))
    return few.times(players if sets > 4 else 0), most.times(players)


async def sentiments_cost(fewest: int, most: int, prompts: Prompts = STANDARD) -> Range:
    """Estimate the calls to rate between `fewest` and `most` texts, with every batch asked once or twice."""
    sizing = Sizing("none", ANSWER_TOKENS)
    await RoleClassifier(Asker(sizing, RATER), prompts).sentiments(
        ["She is kind to me, and I like to talk with her when we meet."] * BATCH
    )
    once = total(sizing.asked[::TRIES])
    return once.times(-(-fewest // BATCH)), total(sizing.asked).times(-(-most // BATCH))
