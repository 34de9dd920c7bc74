"""Builders of a plan in parts, which differ in whom they help.

    builder            builds its own part, and says what is missing of it when asked
    building-helper    builds its own part, then asks the others what is missing, and builds that
    plan-teller        builds nothing, and says what is missing of its part when asked

All are pure functions. Players speak in the chat only; a helper knows of another's part what it has been told.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from voyager_agents.agent import Action, Observation
from voyager_agents.reference.greedy import PlayerState
from voyager_agents.reference.policies import literal, program
from voyager_agents.reference.requirements import building


def builder(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that builds the player's own part."""
    return _action("builder", observation, "builds its part", "await buildOwn(bot)"), state


def building_helper(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that builds the player's own part, and then what others say is missing."""
    return _action("building-helper", observation, "builds its part, then helps the others", "await help(bot)"), state


def plan_teller(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that tells others the player's part when they ask, and builds nothing."""
    return _action("plan-teller", observation, "tells its part to those who ask", "await tell(bot)"), state


def _action(kind: str, observation: Observation, does: str, line: str) -> Action:
    facts, me = building(kind, observation), observation.player
    plan = {
        "part": [[*cell, block] for cell, block in facts.parts[me]],
        "chest": facts.chest,
        "site": facts.site,
        "blocks": list(facts.stock),
        "others": [name for name in observation.players if name != me],
    }
    thought = f"{me} {does} ({kind})."
    main = program(f"build_{me}", thought, ["answerQuestions(bot)", line])
    return Action(f"const PLAN = {literal(plan)}\n{_work()}\n{main}", thought)


@cache
def _work() -> str:
    return (Path(__file__).parent / "builders.js").read_text(encoding="utf-8")
