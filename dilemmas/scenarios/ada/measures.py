"""Measures of a grid game, from the event `grid_ended` of the last episode alone.

    score              mean individual reward over an agent's part of the oracle's total, as in the paper's tables
    fairness           1 - Gini of the individual rewards; 1 if nobody earned, missing if they sum below 0
    completion_EVENT   runs of the event over those in the oracle's plan
    NODE_mean_in ...   degrees of agents and groups at the end, mean and greatest, in and out
    NODE_mean_in_over_time ...  the same over all steps: the mean of means, the greatest of any step
    split              weights of the first role over those of the second, in Negotiation
    own_value, runs    by player: value held, events run
    refused, faults    by player: own actions without effect, steps in which a stand-in acted for it
    questions          by player: questions to its model for an action or a plan, if it has a model
    questions_in_all   the sum of these

Source: AdaSociety (arXiv 2411.03865), section 5 and appendix A.5. Measures of all together stand under the empty name.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dilemmas.records.events import Degree, GridEnded, LogLine
from dilemmas.scenarios.protocol import COUNT, SHARE, ValueBounds
from grid_games.measures import fairness, score

TOGETHER = ""
"""Name under which measures of all players together stand."""
DEGREES = ("mean_in", "mean_out", "max_in", "max_out")
OVER_TIME = "_over_time"
COMPLETION = "completion_"
BOUNDS: dict[str, ValueBounds] = {
    "fairness": SHARE,
    **dict.fromkeys(("runs", "refused", "faults", "questions", "questions_in_all"), COUNT),
    **{
        f"{node}_{which}{suffix}": COUNT
        for node in ("agent", "group")
        for which in DEGREES
        for suffix in ("", OVER_TIME)
    },
}


def measures(lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
    """Return measure -> player (or the empty name) -> value, of the last game in these lines."""
    ended = None
    for line in lines:
        if isinstance(line.event, GridEnded):
            ended = line.event
    return {} if ended is None else game_measures(ended)


def game_measures(ended: GridEnded) -> dict[str, dict[str, float]]:
    """Return the measures of one game."""
    rewards = np.array(list(ended.rewards.values()))
    fair = fairness(rewards)
    found = {"score": score(rewards, ended.oracle)}
    found |= {} if fair is None else {"fairness": fair}
    done = {event: sum(each.get(event, 0) for each in ended.executions.values()) for event in ended.plan}
    found |= {f"{COMPLETION}{event}": done[event] / wanted for event, wanted in ended.plan.items() if wanted}
    found |= _degrees(ended.degrees, "") | _degrees(ended.over_time, OVER_TIME)
    found |= {} if ended.split is None else {"split": ended.split}
    whole = {name: {TOGETHER: value} for name, value in found.items()}
    asked = {player: float(count) for player, count in ended.questions.items()}
    whole |= {"questions_in_all": {TOGETHER: sum(asked.values())}} if asked else {}
    return whole | {
        "own_value": dict(ended.own),
        "runs": {player: float(sum(each.values())) for player, each in ended.executions.items()},
        "refused": {player: float(count) for player, count in ended.refused.items()},
        **(
            {"questions": {player: float(count) for player, count in ended.questions.items()}}
            if ended.questions
            else {}
        ),
        "faults": {player: float(ended.faults.get(player, 0)) for player in ended.rewards},
        **({"questions": asked} if asked else {}),
    }


def _degrees(found: dict[str, Degree], suffix: str) -> dict[str, float]:
    return {
        f"{node.replace(' ', '_')}_{which}{suffix}": float(getattr(each, which))
        for node, each in found.items()
        for which in DEGREES
    }
