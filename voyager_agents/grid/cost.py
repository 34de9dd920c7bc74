"""Cost estimate of a text player: one call for each step in which it has a choice, sized by its real prompts."""

from __future__ import annotations

from collections.abc import Mapping

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents.asking import MAX_SHOWN, TRIES
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.cost import CallCost, ImaginedRun, Range, Sizing, sizing_asker
from voyager_agents.grid.options import ROLE, history_of
from voyager_agents.grid.players import GridTurn
from voyager_agents.grid.words import WordsPlayer

ANSWER = '{"why": "A hammer is worth more to me than wood.", "action": "pick hammer"}'
"""Typical answer, used for sizing."""
TOKENS = 26
"""Tokens of a typical answer."""


class TypicalReply(Strict):
    """Answer that names an action."""

    why: str
    action: str


FORM = AnswerForm("grid", TypicalReply, {"why": "one short sentence", "action": "one of your actions"}, reasoning="why")


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
        player = WordsPlayer(
            context.player, sizing_asker(context, ROLE, sizing), history=history, prompts=context.prompts
        )
        player.observe(run.first_observation())
        for step in range(1, 2 + filled * history):
            await player.choose(GridTurn(step, shown.rules, seen), FORM)
        found.append(sizing.asked[-1])
    once, again = found
    twice = CallCost(1, again.prompt + MAX_SHOWN // CHARS_A_TOKEN, again.completion)
    tries = again.plus(twice.times(TRIES - 1))
    return {ROLE: (once.times(least), tries.times(most))}
