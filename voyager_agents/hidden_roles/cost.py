"""Cost estimate of a speaker: one call for each of its turns, sized by its real prompts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from voyager_agents.asking import MAX_SHOWN, TRIES
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.cost import CallCost, ImaginedRun, Range, Sizing, sizing_asker
from voyager_agents.hidden_roles.match import HiddenRoleMatch
from voyager_agents.hidden_roles.speaker import HISTORY, Speaker
from voyager_agents.hidden_roles.turns import MAX_CLUE, ROLE, EndedGame, HiddenRoleFacts, SpokenClue, WordTurn

TOKENS = 30
"""Tokens of a typical answer."""


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of a speaker in a run.

    Lower bound: one call for each turn, before any clue. Upper bound: two calls for each turn, with all clues of
    full length and earlier games.
    """
    context, facts = run.context, run.facts
    assert isinstance(facts, HiddenRoleFacts), "speakers play games of hidden roles"
    least, most = run.extent
    sizing = Sizing("", TOKENS)
    player = Speaker(context, sizing_asker(context, ROLE, sizing))
    player.observe(run.first_observation())
    for turn in _imagined(facts, context.player):
        # The answer is unusable, so that each turn is asked for twice; the first prompt is the one to size.
        await player.take_turn(turn)
    asked = sizing.asked[::TRIES]
    once = min(asked, key=lambda each: each.prompt)
    again = max(asked, key=lambda each: each.prompt)
    twice = CallCost(1, again.prompt + MAX_SHOWN // CHARS_A_TOKEN, again.completion, again.stable)
    return {ROLE: (once.times(least), again.plus(twice.times(TRIES - 1)).times(most))}


def _imagined(facts: HiddenRoleFacts, player: str) -> list[WordTurn]:
    """Return turns of a player: before any clue, and in each stage after all of them."""
    match = HiddenRoleMatch(facts.players, facts.cards, facts.rules, facts.games, 0)
    first = replace(match.turn(player), acts=True, stage="clue")
    clues = tuple(SpokenClue(name, "x" * MAX_CLUE) for name in facts.players for _ in range(facts.rules.clue_rounds))
    word = match.deal.word
    ended = (EndedGame(1, player, word, player, "guessed"),) * min(HISTORY, facts.games - 1)
    late = replace(first, clues=clues, ended=ended, notices=("the clue was already given in this game",))
    return [first, late, replace(late, stage="vote"), replace(late, stage="guess")]
