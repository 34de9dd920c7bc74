"""Prompts within a limit of tokens: values shrink by stated rules until the prompt fits.

A rule shortens one value a step at a time. Rules apply in their order: the first one as often as it shortens its value,
then the next one. The caller records which values were shortened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Build = Callable[[Mapping[str, Any]], tuple[str, str]]
"""Makes system and user message of a prompt from its values."""


@dataclass(frozen=True)
class ShrinkRule:
    """Rule to shorten one value of a prompt."""

    key: str
    """Name of the value."""
    shorten: Callable[[Any], Any]
    """Returns a shorter value, or an equal one if there is none."""


@dataclass(frozen=True)
class FittedPrompt:
    """A prompt and the values that were shortened for it."""

    system: str
    user: str
    tokens: int
    """Estimated tokens."""
    values: Mapping[str, Any]
    """Values that were filled in."""
    shortened: Mapping[str, int]
    """Name of a value -> number of steps that it was shortened by."""


def fit_prompt(
    values: Mapping[str, Any], rules: Sequence[ShrinkRule], build: Build, limit: int, tokens: Callable[[str], int]
) -> FittedPrompt:
    """Return the prompt with its values shortened until it fits the limit or no rule shortens any further.

    Args:
        values: Values of the prompt.
        rules: Rules in the order in which they apply; those of values that the prompt has not are left out.
        build: Makes the messages.
        limit: Maximum tokens of both messages.
        tokens: Estimates the tokens of a text.
    """
    steps = Counter[str]()
    waiting = list(rules)
    while True:
        system, user = build(values)
        count = tokens(system) + tokens(user)
        if count <= limit or not waiting:
            return FittedPrompt(system, user, count, values, dict(steps))
        rule = waiting[0]
        shorter = rule.shorten(values[rule.key]) if rule.key in values else None
        if shorter is None or shorter == values[rule.key]:
            waiting.pop(0)
            continue
        values = {**values, rule.key: shorter}
        steps[rule.key] += 1


def keep_ends(*keys: str) -> tuple[ShrinkRule, ...]:
    """Return rules that drop the first lines of texts, in the order of these keys."""
    return tuple(ShrinkRule(key, keep_last_lines) for key in keys)


def drop_oldest(items: Sequence[Any]) -> Sequence[Any]:
    """Return the newer half of a list that is ordered from old to new; one item stays."""
    return items[len(items) // 2 :] if len(items) > 1 else items


def drop_last(items: Sequence[Any]) -> Sequence[Any]:
    """Return the better half of a list that is ordered from good to bad; one item stays."""
    return items[: -(len(items) // 2)] if len(items) > 1 else items


def keep_last_lines(text: str) -> str:
    """Return the later half of a text's lines, such as a log's; one line stays."""
    return "\n".join(drop_oldest(text.splitlines()))


def shorten_inside(key: str, shorten: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that shortens the value of a key in each mapping of a list."""
    return lambda items: [{**each, key: shorten(each[key])} if key in each else each for each in items]
