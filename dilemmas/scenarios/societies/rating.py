"""Lives as a model rates them, after they were lived, into the log: measures take its word where it gave one.

The model reads what a run's log tells of each life, and nothing else: sets of five goals in a row, and what was said
and done for each decision. Where its answer could not be read, the table of words counts, as without a model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from dilemmas.records import events as log
from dilemmas.scenarios.societies import mind, roles
from dilemmas.scenarios.societies.lives import PlayerLife, chronicle
from voyager_agents.errors import AgentError, BudgetExhausted, QuotaExhausted
from voyager_agents.piano.role_classifier import RoleClassifier


async def rated(lines: Iterable[log.LogLine], rater: RoleClassifier) -> list[log.LifeRated]:
    """The ratings of all lives, in the players' order. Raises BudgetExhausted, QuotaExhausted."""
    lives = chronicle(lines).lives
    return list(await asyncio.gather(*(_life(name, life, rater) for name, life in lives.items())))


async def _life(player: str, life: PlayerLife, rater: RoleClassifier) -> log.LifeRated:
    """One life's. A model that cannot be used leaves it to the table of words, and the record says why."""
    fault = ""
    rater = rater.afresh()
    steps: list[list[str]] = []
    agree: dict[int, bool] = {}
    try:
        steps = await _roles(life, rater)
        agree = await _agreements(life, rater)
    except (BudgetExhausted, QuotaExhausted):
        raise
    except AgentError as error:
        fault = str(error)
    return log.LifeRated(player=player, roles=steps, agree=agree, unreadable=rater.faults, fault=fault)


async def _roles(life: PlayerLife, rater: RoleClassifier) -> list[list[str]]:
    """The roles of each step, the best first; a set of goals that comes again is asked about once."""
    texts = [text for _, text in life.goals]
    sets = [tuple(texts[end - roles.SET : end]) for end in range(roles.SET, len(texts) + 1)]
    distinct = list(dict.fromkeys(sets))
    known = dict(zip(distinct, await rater.roles(distinct), strict=True))
    return [list(known[each] or ()) for each in sets]


async def _agreements(life: PlayerLife, rater: RoleClassifier) -> dict[int, bool]:
    """Number of a decision -> whether its words and deeds agree, where the model says."""
    pairs = mind.spoken_and_done(life)
    asked = [{"decided": life.decided.get(each.choice, ""), "said": each.said, "did": each.did} for each in pairs]
    found = await rater.agreements(asked)
    return {each.choice: agrees for each, agrees in zip(pairs, found, strict=True) if agrees is not None}


def share(lives: Sequence[PlayerLife]) -> float:
    """Share of the lives that a model has rated."""
    return sum(life.rated for life in lives) / len(lives) if lives else 0.0
