"""Social behaviour of scripted policies: stay alone, or unite with all agents."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from grid_games.actions import GridAction
from grid_games.arrays import Ints
from grid_games.batch import Batch
from grid_games.policies.random import draw
from grid_games.rules.negotiation import FREE, Negotiation


class Manner(Protocol):
    """A policy's choice among social actions."""

    def group(self, game: Batch, environment: int, agent: int) -> int | None:
        """Return the group to join; None to join only if forced."""
        ...

    def ask(self, rules: Negotiation, environment: int, agent: int) -> int | None:
        """Return the agent to request; None for any agent."""
        ...

    def share(self, rules: Negotiation, environment: int, agent: int) -> float:
        """Return the share to claim; a partner's claim that leaves at least as much is accepted."""
        ...


class Loner:
    """Behaviour that avoids sharing."""

    def group(self, game: Batch, environment: int, agent: int) -> int | None:
        """Return each agent's own group where joining is forced, else None."""
        return agent % game.game.groups if game.game.rules == "contract" else None

    def ask(self, rules: Negotiation, environment: int, agent: int) -> int | None:
        """Return None (any agent), because a request is forced."""
        return None

    def share(self, rules: Negotiation, environment: int, agent: int) -> float:
        """Return the maximum share."""
        return 1.0


class Uniter:
    """Behaviour that unites all agents in one group with equal shares."""

    def group(self, game: Batch, environment: int, agent: int) -> int | None:
        """Return the first group."""
        return 0

    def ask(self, rules: Negotiation, environment: int, agent: int) -> int | None:
        """Return the representative of the coalition paired with the agent's own; None without a pair.

        The first free member represents a coalition. Pairs are fixed because a busy representative accepts no request.
        """
        group, free = rules.coalition[environment], rules.partner[environment] == FREE
        speakers: dict[int, int] = {}
        for each in np.flatnonzero(free):
            speakers.setdefault(_side(group, int(each)), int(each))
        order = list(speakers.values())
        mine = order.index(speakers[_side(group, agent)])
        other = mine ^ 1
        return order[other] if other < len(order) else None

    def share(self, rules: Negotiation, environment: int, agent: int) -> float:
        """Return the own side's share in proportion to its members."""
        group = rules.coalition[environment]
        mine, its = (
            int((group == group[each]).sum()) if group[each] >= 0 else 1
            for each in (agent, int(rules.partner[environment, agent]))
        )
        return mine / (mine + its)


def choose(game: Batch, acts: Ints, manner: Manner, dice: np.random.Generator) -> Ints:
    """Return the actions, shape (B, N), with social actions for agents that may or must act socially.

    Args:
        game: The batch.
        acts: (B, N) physical actions.
        manner: Social behaviour.
        dice: Random generator.
    """
    first = game.tables.social
    numbers = {action: number for number, action in enumerate(game.actions)}
    result = acts.copy()
    for environment, agent in np.argwhere(game.mask[..., first:].any(axis=2)):
        row = game.mask[environment, agent]
        wish = _wish(game, numbers, manner, int(environment), int(agent))
        if wish is not None and row[wish]:
            result[environment, agent] = wish
        elif not row[:first].any():
            result[environment, agent] = draw(row[None], dice)[0]
    return result


def _wish(game: Batch, numbers: dict[GridAction, int], manner: Manner, environment: int, agent: int) -> int | None:
    """Return the social action that the behaviour chooses, if any."""
    if not isinstance(game.rules, Negotiation):
        group = manner.group(game, environment, agent)
        return None if group is None else numbers.get(GridAction("join", group))
    if game.rules.partner[environment, agent] != FREE:
        return _bargain(game.rules, numbers, manner, environment, agent)
    asked = manner.ask(game.rules, environment, agent)
    return None if asked is None else numbers[GridAction("request", asked)]


def _bargain(
    rules: Negotiation, numbers: dict[GridAction, int], manner: Manner, environment: int, agent: int
) -> int | None:
    """Accept a claim that leaves the own claim (half is enough for a loner), otherwise claim."""
    parts = rules.claims + 1
    theirs = int(rules.claim[environment, rules.partner[environment, agent]])
    wanted = min(max(round(manner.share(rules, environment, agent) * parts), 1), rules.claims)
    fair = min(wanted, parts / 2) if isinstance(manner, Loner) else wanted
    if theirs and parts - theirs >= fair:
        return numbers[GridAction("accept")]
    return numbers[GridAction("claim", wanted / parts)]


def _side(group: Ints, agent: int) -> int:
    """Return a number that identifies an agent's side: its group, or a negative number for an agent alone."""
    return int(group[agent]) if group[agent] >= 0 else -1 - agent
