"""Cost estimate of a text player: one call for each step in which it has a choice, sized by its real prompts."""

from __future__ import annotations

from collections.abc import Mapping

from voyager_agents.cost import CallCost, ImaginedRun, Range, Sizing
from voyager_agents.grid.options import ROLE, history_of
from voyager_agents.grid.players import GridTurn
from voyager_agents.grid.words import LONGEST, TRIES, WordsPlayer

ANSWER = '{"action": "pick", "resource": "hammer"}'
"""Typical answer, used for sizing."""
TOKENS = 14
"""Tokens of a typical answer."""


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of a text player in a game.

    Lower bound: one call for each step with the game's shortest text. Upper bound: two calls for each step with the
    longest text and a full history.
    """
    context = run.context
    assert run.words is not None, "families of grid games play grid games"
    shown = run.words(context.player)
    least, most = run.extent
    found = []
    for seen, history, filled in ((shown.shortest, 0, 0), (shown.longest, history_of(context.options), 1)):
        sizing = Sizing(ANSWER, TOKENS)
        player = WordsPlayer(context.player, sizing, history=history, prompts=context.prompts)
        player.observe(run.first_observation())
        for step in range(1, 2 + filled * history):
            await player.choose(GridTurn(step, shown.rules, seen), str)
        found.append(sizing.asked[-1])
    once, again = found
    twice = CallCost(1, again.prompt + LONGEST // 4, again.completion)
    tries = again.plus(twice.times(TRIES - 1))
    return {ROLE: (once.times(least), tries.times(most))}
