"""Expression and recognition of companions' feelings, as pure functions. Sentiments are 0 (hate) to 10 (love)."""

from __future__ import annotations

import random
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

NEUTRAL, MAX_SENTIMENT = 5.0, 10.0
_WORD = re.compile(r"[a-z]+")
_ENDINGS = ("", "s", "d", "ed", "ing")
"""Inflections that a word of the table may have in a text."""


def within(sentiment: float) -> float:
    """Clip the sentiment to the scale."""
    return min(MAX_SENTIMENT, max(0.0, sentiment))


def shown_in(text: str, table: Mapping[str, float]) -> float:
    """Return the sentiment that a text shows: the mean of the table's words in it; neutral without any."""
    said = _WORD.findall(text.lower())
    found = [worth for word in said if (worth := _worth(word, table)) is not None]
    return NEUTRAL + NEUTRAL * sum(found) / len(found) if found else NEUTRAL


def _worth(word: str, table: Mapping[str, float]) -> float | None:
    for ending in _ENDINGS:
        if word.endswith(ending) and (stem := word[: len(word) - len(ending)]) in table:
            return table[stem]
    return None


def level_of(sentiment: float, levels: int) -> int:
    """Return the index of the nearest of `levels` evenly spaced levels of sentiment."""
    return round(within(sentiment) / MAX_SENTIMENT * (levels - 1))


def words_for(sentiment: float, name: str, says: Sequence[Sequence[str]], chance: random.Random) -> str:
    """Return a sentence that shows a sentiment to a player.

    Args:
        sentiment: The sentiment, 0 (hate) to 10 (love).
        name: Name of the addressed player.
        says: Sentences for each level of sentiment.
        chance: Random number generator.
    """
    return str(chance.choice(says[level_of(sentiment, len(says))])).replace("{name}", name)


def summary_of(sentiment: float, name: str, thinks: Sequence[str]) -> str:
    """Return a sentence that describes the sentiment towards a player."""
    return thinks[level_of(sentiment, len(thinks))].replace("{name}", name)


def scripted(script: Sequence[Sequence[float]], now: float) -> float:
    """Return the sentiment of a script at time `now`, by linear interpolation.

    Args:
        script: Ordered pairs [second, sentiment].
        now: Current game time, in seconds.
    """
    times = [each[0] for each in script]
    place = bisect_right(times, now)
    if place == 0:
        return float(script[0][1])
    if place == len(script):
        return float(script[-1][1])
    (t0, low), (t1, high) = script[place - 1], script[place]
    return float(low + (high - low) * (now - t0) / (t1 - t0))


def towards(persona: Mapping[str, Any], other: str, felt: float, answers: float, now: float) -> float:
    """Return a player's feeling for another player, 0 to 10.

    A script takes precedence. Otherwise the feeling is a weighted mean of the player's kindness and its opinion.

    Args:
        persona: Persona of the player.
        other: Name of the other player.
        felt: Opinion of the other player, 0 to 10.
        answers: Weight of the opinion, 0 to 1.
        now: Current game time, in seconds.
    """
    script = persona.get("feelings", {}).get(other)
    if script:
        return scripted(script, now)
    return within((1 - answers) * MAX_SENTIMENT * float(persona.get("kindness", 0.5)) + answers * felt)
