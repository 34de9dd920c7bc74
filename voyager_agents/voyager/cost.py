"""What agents that write programs ask of their models in a run: the paper's, and those that learn.

Their episodes are imagined: one that failed, with a program and a few lines of chat to look back on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from voyager_agents.agent import LastRun, permitted
from voyager_agents.cost import Cost, ImaginedRun, Range, Sizing
from voyager_agents.models import Model
from voyager_agents.registry import NEGOTIATOR
from voyager_agents.voyager.agent import VoyagerAgent, standard_parts

ANSWERS = {"action": 900, "critic": 150, NEGOTIATOR: 200}
"""Tokens of an answer that are usual for a role."""
CALLS: Mapping[str, tuple[int, int]] = {"action": (1, 3), "critic": (1, 1), "curriculum": (2, 5)}
"""Role of who learns -> calls for each episode, at least and at most."""
_LINE = "  await mineBlock(bot, 'iron_ore', 12) // and what else a program of usual length says\n"
_PROGRAM = f"async function play(bot) {{\n{_LINE * 25}}}\n"
_REVIEW = '{"reasoning": "", "success": false, "critique": "Mine what is worth most to you first."}'
_OFFER = "[message] This. [contract]\n1. %s pays %s 5 emeralds if it mined all diamonds.\n[contract end]"


@dataclass(frozen=True)
class Programs:
    """What it costs a player to write."""

    first: Cost
    """The first program."""
    later: Cost
    """A later one."""
    review: Cost
    """A review of one."""


async def paper(run: ImaginedRun) -> dict[str, Range]:
    """Of the paper's agents: each writes until its program works."""
    programs, again = await _programs(run), run.extent[1] - 1
    most = programs.first.plus(programs.later.times(again))
    return {"action": (programs.first, most), "critic": (Cost(), programs.review.times(again))}


async def learner(run: ImaginedRun) -> dict[str, Range]:
    """Of those that learn: each writes for every episode, whatever came of the one before."""
    return _writing(await _programs(run), run.extent[1])


def _writing(programs: Programs, episodes: int) -> dict[str, Range]:
    """Role -> least and most of one player that learns in one run."""
    again = episodes - 1
    found = {}
    for role, (few, many) in CALLS.items():
        first, later = (programs.first, programs.later) if role == "action" else (programs.review, programs.review)
        found[role] = (first.plus(later.times(again)).times(few), later.times(episodes * many))
    return found


async def _programs(run: ImaginedRun) -> Programs:
    acting, reviewing = Sizing(f"```javascript\n{_PROGRAM}```\n", ANSWERS["action"]), Sizing(_REVIEW, ANSWERS["critic"])
    agent = _agent(run.seat.player, acting, reviewing, run.seat.docs)
    agent.observe(permitted(_seen(run)))
    await agent.act()
    past = LastRun(_PROGRAM, "threw", "Error: no path to the target", 3, ("mining", "no path"))
    chat = tuple((name, "I am on my way") for name in run.seat.players) * 3
    agent.observe(permitted(_seen(run) | {"last_run": past, "chat": chat, "reward": 12.0}))
    await agent.act()
    return Programs(acting.asked[0], acting.asked[1], reviewing.asked[0])


def negotiators(imagined: Mapping[str, ImaginedRun]) -> tuple[Sizing, list[VoyagerAgent]]:
    """The players at a table, who have looked at what there is to see, and what measures all that they are asked."""
    sizing = Sizing(_OFFER % tuple(list(imagined)[:2]), ANSWERS[NEGOTIATOR])
    agents = [_agent(name, sizing, sizing, "") for name in imagined]
    for agent in agents:
        agent.observe(permitted(_seen(imagined[agent.name])))
    return sizing, agents


def _agent(name: str, action: Model, critic: Model, docs: str) -> VoyagerAgent:
    return VoyagerAgent(name, standard_parts(action, docs, critic=critic, negotiator=action))


def _seen(run: ImaginedRun) -> dict[str, Any]:
    seat = run.seat
    return {
        "player": seat.player,
        "players": seat.players,
        "task": seat.task,
        "scenario": seat.text,
        "facts": run.facts,
        "contract": run.contract,
    }
