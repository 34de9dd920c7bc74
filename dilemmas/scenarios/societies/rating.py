"""Ratings of lives by a model, after they were lived; measures prefer its ratings to the table of words.

The model reads only the log of each life: sets of five goals in a row, and words and deeds of each decision. Without a
usable answer the table of words counts, as without a model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from dilemmas.records import events as log
from dilemmas.scenarios.societies import mind, roles
from dilemmas.scenarios.societies.lives import PlayerLife, life_histories
from voyager_agents.errors import AgentError, BudgetExhausted, QuotaExhausted
from voyager_agents.piano.role_classifier import RoleClassifier


async def rate_lives(lines: Iterable[log.LogLine], rater: RoleClassifier) -> list[log.LifeRated]:
    """Return the ratings of all lives, in the players' order. Raises BudgetExhausted and QuotaExhausted."""
    lives = life_histories(lines).lives
    return list(await asyncio.gather(*(_life(name, life, rater) for name, life in lives.items())))


async def _life(player: str, life: PlayerLife, rater: RoleClassifier) -> log.LifeRated:
    """Rate one life. If the model cannot be used, log the reason and leave the life to the table of words."""
    fault = ""
    steps: list[tuple[str, ...] | None] = []
    agree: dict[int, bool] = {}
    try:
        steps = await _roles(life, rater)
        agree = await _agreements(life, rater)
    except (BudgetExhausted, QuotaExhausted):
        raise
    except AgentError as error:
        fault = str(error)
    unrated = [place for place, found in enumerate(steps) if found is None]
    given = [list(found or ()) for found in steps]
    return log.LifeRated(player=player, roles=given, unrated=unrated, agree=agree, fault=fault)


async def _roles(life: PlayerLife, rater: RoleClassifier) -> list[tuple[str, ...] | None]:
    """Return the roles of each step, the best first; None without a usable answer.

    A repeated set of goals is asked about once.
    """
    texts = [text for _, text in life.goals]
    sets = [tuple(texts[end - roles.GOALS_PER_ROLE : end]) for end in range(roles.GOALS_PER_ROLE, len(texts) + 1)]
    distinct = list(dict.fromkeys(sets))
    known = dict(zip(distinct, await rater.roles(distinct), strict=True))
    return [known[each] for each in sets]


async def _agreements(life: PlayerLife, rater: RoleClassifier) -> dict[int, bool]:
    """Return number of a decision -> True if its words and deeds agree, for decisions that the model rates."""
    pairs = mind.spoken_and_done(life)
    asked = [{"decided": life.decided.get(each.choice, ""), "said": each.said, "did": each.did} for each in pairs]
    found = await rater.agreements(asked)
    return {each.choice: agrees for each, agrees in zip(pairs, found, strict=True) if agrees is not None}


def share(lives: Sequence[PlayerLife]) -> float:
    """Return the share of the lives that a model has rated."""
    return sum(life.rated for life in lives) / len(lives) if lives else 0.0
