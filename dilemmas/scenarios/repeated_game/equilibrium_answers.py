"""Answers that name pure equilibria (the way `equilibria`), scored against those of the game.

    equilibria_exact   share of a player's answers that name exactly the pure equilibria (TMGBench's perfect accuracy,
                       arXiv 2410.10479)
    equilibria_whole   share of its rounds in which all its answers were exact; in sequential and nested games all games
                       of a round count, in order

In a composed game an answer is about the stage's games alone: about one game, or about parallel games together. What a
nested game asks for follows from how the first one ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from dilemmas.records.events import OptionChosen, RoundPlayed
from voyager_agents.stage_games.composed import Composed
from voyager_agents.stage_games.equilibria import pure, table_of
from voyager_agents.stage_games.laws import Choices, StageLaw
from voyager_agents.stage_games.tables import Matrix
from voyager_agents.stage_games.ways import BETWEEN


def answer_measures(
    law: StageLaw, rounds: Sequence[RoundPlayed], decisions: Sequence[OptionChosen]
) -> dict[str, dict[str, float]]:
    """Return the measures by player; empty if nobody was asked, or the game has no table.

    Args:
        law: Law of the game.
        rounds: Rounds of the game.
        decisions: Decisions in which equilibria were named.
    """
    played: Mapping[int, Choices] = {each.round: tuple(each.choices) for each in rounds}
    exact: dict[str, dict[int, list[bool]]] = {}
    for each in decisions:
        if each.equilibria is None or each.round not in played:
            continue
        stage = law.stages.index(each.stage)
        right = _equilibria(law, stage, played[each.round])
        if right is not None:
            by_round = exact.setdefault(each.player, {})
            by_round.setdefault(each.round, []).append(set(each.equilibria) == right)
    if not exact:
        return {}
    return {
        "equilibria_exact": {
            player: fmean(float(answer) for own in by_round.values() for answer in own)
            for player, by_round in exact.items()
        },
        "equilibria_whole": {
            player: fmean(float(len(own) == len(law.stages) and all(own)) for own in by_round.values())
            for player, by_round in exact.items()
        },
    }


def _equilibria(law: StageLaw, stage: int, choices: Choices) -> set[str] | None:
    """Return the pure equilibria of a stage, as `up/left`; None for a game without a table."""
    if isinstance(law, Composed):
        return {BETWEEN.join(pair) for pair in law.stage_equilibria(stage, choices)}
    if isinstance(law, Matrix):
        table = table_of(law)
        return {BETWEEN.join(table.names(each)) for each in pure(table)}
    return None
