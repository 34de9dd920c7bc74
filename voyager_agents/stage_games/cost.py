"""Cost estimate of a chooser: one call for each stage in which it may choose, sized by its real prompts."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from voyager_agents.asking import MAX_SHOWN, TRIES
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.cost import CallCost, ImaginedRun, Range, Sizing, sizing_asker
from voyager_agents.facts import StageGame
from voyager_agents.stage_games.choosing import Chooser
from voyager_agents.stage_games.match import RepeatedMatch
from voyager_agents.stage_games.options import ROLE, history_of, partner_of, way_of
from voyager_agents.stage_games.turns import StageTurn, turn_of
from voyager_agents.stage_games.ways import WAYS

ANSWER = '{"why": "It did so, too.", "choice": "cooperate"}'
TOKENS = 20
"""Tokens of a typical answer."""


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of a chooser in a game.

    Lower bound: one call for each question of a stage, with an empty history. Upper bound: two calls for each question,
    with a full history.
    """
    context, facts = run.context, run.facts
    assert isinstance(facts, StageGame), "choosers play repeated games"
    history, way = history_of(context.options), way_of(context.options)
    questions = 1 if WAYS[way].first is None else 2
    least, most = (questions * turns for turns in run.extent)
    found = []
    for remembered in (0, history):
        sizing = Sizing(ANSWER, TOKENS)
        asker, partner = sizing_asker(context, ROLE, sizing), partner_of(context.options)
        player = Chooser(context, asker, history=history, way=way, partner=partner)
        player.observe(run.first_observation())
        await player.take_turn(_imagined(facts, context.player, remembered))
        found.append(sizing.asked[0])
    once, again = found
    twice = CallCost(1, again.prompt + MAX_SHOWN // CHARS_A_TOKEN, again.completion, again.stable)
    return {ROLE: (once.times(least), again.plus(twice.times(TRIES - 1)).times(most))}


def _imagined(facts: StageGame, player: str, rounds: int) -> StageTurn:
    """Return a turn of the player after `rounds` rounds, or after the last one if a stock collapses before."""
    draw = random.Random(0)
    endless = replace(facts.repetition, rounds=rounds + 100, stops=Fraction(0))
    match = RepeatedMatch(facts.law, endless, 0)
    while not match.over and (len(match.history) < rounds or not match.options(player)):
        match.choose({name: _choice(match, name, draw) for name in facts.players if match.options(name)})
    turn = turn_of(match, player)
    return replace(turn, options=facts.law.names()) if match.over else turn


def _choice(match: RepeatedMatch, player: str, draw: random.Random) -> str:
    """Return a random choice; with a stock the most cooperative one, so that the game goes on."""
    if match.law.state():
        return match.law.kind(match.stage, player, match.roles)
    return draw.choice(match.options(player))
