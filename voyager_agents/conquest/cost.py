"""Cost estimate of a marshal: one call for each round, sized by its real prompts."""

from __future__ import annotations

from collections.abc import Mapping

from voyager_agents.asking import MAX_SHOWN, TRIES
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.conquest.marshal import HISTORY, Marshal
from voyager_agents.conquest.turns import ROLE, Battle, ConquestFacts, ConquestTurn, SeenTerritory
from voyager_agents.cost import CallCost, ImaginedRun, Range, Sizing, sizing_asker

TOKENS = 45
"""Tokens of a typical answer."""


async def estimate_cost(run: ImaginedRun) -> Mapping[str, Range]:
    """Estimate the calls of a marshal in a game.

    Lower bound: one call for each round, with one territory and no history. Upper bound: two calls for each round, with
    the whole map in sight, a battle in each territory and a full history.
    """
    context, facts = run.context, run.facts
    assert isinstance(facts, ConquestFacts), "marshals play Conquest"
    least, most = run.extent
    found = []
    for whole in (False, True):
        turn = _imagined(facts, context.player, whole=whole)
        own = next(iter(turn.own()))
        answer = f'{{"why": "It is weak.", "act": "hold", "origin": "", "target": "", "troops": 0, "place": "{own}"}}'
        sizing = Sizing(answer, TOKENS)
        player = Marshal(context, sizing_asker(context, ROLE, sizing), history=HISTORY)
        player.observe(run.first_observation())
        for _ in range(1 + HISTORY * whole):
            await player.take_turn(turn)
        found.append(sizing.asked[-1])
    once, again = found
    twice = CallCost(1, again.prompt + MAX_SHOWN // CHARS_A_TOKEN, again.completion, again.stable)
    return {ROLE: (once.times(least), again.plus(twice.times(TRIES - 1)).times(most))}


def _imagined(facts: ConquestFacts, player: str, *, whole: bool) -> ConquestTurn:
    """Return a turn of a player that sees its first territory alone, or the whole map with battles."""
    others = [name for name in facts.players if name != player]
    regions = {name: region for region, names in facts.regions.items() for name in names}
    territories, battles = [], []
    for number, (name, beside) in enumerate(facts.borders.items()):
        owner = player if number == 0 or (whole and number % 2) else others[number % len(others)]
        seen = whole or number == 0
        territories.append(
            SeenTerritory(name, regions[name], tuple(beside), owner if seen else None, 99 if seen else None, 3 * whole)
        )
        if whole:
            battles.append(Battle(1, name, player, dict.fromkeys(others, 99), 99, others[0], 99))
    objective = tuple(facts.regions)[:2]
    return ConquestTurn(
        player, facts.players, 1, 100, tuple(territories), objective, 9, 999 * whole, tuple(battles)
    )  # fmt: skip
