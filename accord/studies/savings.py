"""Savings that an estimate tells: cascades by stage, prefixes that stay equal, skipped calls and cached answers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Any

from dilemmas.errors import UsageError
from voyager_agents import ModelError, Prices
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.cost import CallCost
from voyager_agents.models.answer_cache import OFF, open_cache
from voyager_agents.models.cascade import CascadeSpec, is_cascade
from voyager_agents.models.confidence import IN_OBJECT, IN_TEXT, STATED_CHARS

SKIPPING_MEASURED = 0.5
"""Share of a village's calls that is left with `skip=unchanged`, as `benchmarks/skipping.py` measured it."""


@dataclass(frozen=True)
class Expected:
    """Estimated use of a model by a role.

    The minimum `least` assumes that everything succeeds at once, the maximum `most` that every round, episode and retry
    is used.
    """

    role: str
    model: str
    least: CallCost
    most: CallCost


def by_stage(expected: Expected) -> list[Expected]:
    """Return the use of each stage of a cascade; that of another model as it is.

    All answers of the first stage may be good enough, or all may be escalated. The rule `agree` asks each stage but the
    last twice for an answer that can be read, and the rule `confidence` lengthens their prompts and answers.

    Raises:
        ModelError: The cascade is not legal.
    """
    if not is_cascade(expected.model):
        return [expected]
    spec = CascadeSpec.parse(expected.model)
    samples = 2 if spec.rule == "agree" else 1
    found = []
    for place, stage in enumerate(spec.stages):
        last = place == len(spec.stages) - 1
        times = 1 if last else samples
        least, most = CallCost() if place else expected.least.times(times), expected.most.times(times)
        if spec.rule == "confidence" and not last:
            least, most = _stating(least), _stating(most)
        found.append(replace(expected, model=stage, least=least, most=most))
    return found


def _stating(cost: CallCost) -> CallCost:
    """Return the cost of calls whose answers also state their confidence."""
    request = ceil(max(len(IN_OBJECT), len(IN_TEXT)) / CHARS_A_TOKEN)
    return cost.plus(CallCost(0, cost.calls * request, cost.calls * ceil(STATED_CHARS / CHARS_A_TOKEN)))


def cascades(expected: Sequence[Expected], prices: Prices) -> list[dict[str, Any]]:
    """Return each cascade with the price of its roles if its last stage answered alone; None if it is unknown."""
    found: dict[str, dict[str, Any]] = {}
    for each in expected:
        if not is_cascade(each.model):
            continue
        price = prices.of(CascadeSpec.parse(each.model).stages[-1])
        entry = found.setdefault(each.model, {"model": each.model, "last_alone": {"least": 0.0, "most": 0.0}})
        for bound, cost in (("least", each.least), ("most", each.most)):
            before = entry["last_alone"][bound]
            known = None if price is None or before is None else round(before + price.of(cost.usage), 6)
            entry["last_alone"][bound] = known
    return list(found.values())


def equal_prefix(expected: Sequence[Expected]) -> float:
    """Return the share of prompt tokens in beginnings that stay equal between the calls of a player's role."""
    prompt = sum(each.most.prompt for each in expected)
    return sum(each.most.stable for each in expected) / prompt if prompt else 0.0


def cached_answers(cache: str) -> int | None:
    """Return the number of answers in a cache, which an estimate never creates; None without a cache.

    Raises UsageError for a file that is no cache.
    """
    if cache == OFF:
        return None
    if not Path(cache).expanduser().exists():
        return 0
    try:
        answers = open_cache(cache)
        assert answers is not None, "the cache is not off"
        with closing(answers):
            return len(answers)
    except ModelError as error:
        raise UsageError(str(error)) from None
