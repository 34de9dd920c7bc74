"""Cooks of a kitchen, which differ in how they share the work.

    line-cook    a team with roles: each kind of work has one cook, and goods change hands at shelves
    solo-cook    does everything in order, as if it were alone

All are pure functions. A job belongs to a cook who can reach the stations that it needs, so that the busiest cook has
least to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from math import dist
from pathlib import Path
from typing import Any

from voyager_agents.agent import Action, Observation
from voyager_agents.facts import KitchenFacts, Place
from voyager_agents.reference.greedy import PlayerState
from voyager_agents.reference.policies import literal, program
from voyager_agents.reference.requirements import kitchen

LOAD = 2
"""Raw items that a cook puts into a stove at once; a batch fills all stoves so."""
EFFORT: Mapping[str, float] = {"fetch": 2.0, "cook": 4.0, "craft": 2.0, "water": 3.0, "serve": 1.0}
"""Job -> seconds for a batch, walking not counted; the jobs are in the order of the work."""
WALK = 2 / 4.3
"""Seconds for a block of distance between stations, there and back, at vanilla's walking speed."""
NEEDS: Mapping[str, tuple[str, ...]] = {
    "fetch": ("pantry",), "cook": ("stove",), "craft": ("table",), "water": ("pantry", "well"), "serve": ("counter",),
}  # fmt: skip
"""Job -> kinds of stations that it needs."""
FLOWS: Mapping[str, tuple[str, str]] = {
    "raw": ("fetch", "cook"), "adds": ("fetch", "craft"), "cooked": ("cook", "craft"), "dish": ("craft", "serve"),
    "drink": ("water", "serve"),
}  # fmt: skip
"""Goods -> the job that makes them, and the job that needs them."""


def line_cook(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that does the player's own jobs and hands goods on at shelves."""
    facts = kitchen("line-cook", observation)
    return _action("line-cook", observation, facts, shared_jobs(facts)), state


def solo_cook(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that does all jobs in its reach, as if the player were alone."""
    facts = kitchen("solo-cook", observation)
    mine = {job: observation.player for job in EFFORT if observation.player in _able(facts, job)}
    return _action("solo-cook", observation, facts, mine), state


def shared_jobs(facts: KitchenFacts) -> dict[str, str]:
    """Return job -> the player that does it; without jobs that nobody can do.

    Of all ways to share the jobs, it is the one in which the busiest player has least to do, walking included; if
    several are equal, the one in which all together have least, then the first in the players' order.
    """
    able = {job: players for job in EFFORT if (players := _able(facts, job))}
    ways = [dict(zip(able, way, strict=True)) for way in product(*able.values())]
    possible = [way for way in ways if all(_meets(facts, way, *ends) for ends in FLOWS.values())]
    return min(possible or ways, key=lambda way: _toil(facts, way))


def _meets(facts: KitchenFacts, jobs: Mapping[str, str], maker: str, user: str) -> bool:
    """Return whether goods get from the player with one job to the player with the other."""
    one, other = jobs.get(maker), jobs.get(user)
    return one is None or other is None or one == other or _shelf(facts, one, other) is not None


def _toil(facts: KitchenFacts, jobs: Mapping[str, str]) -> tuple[float, float]:
    """Return what the busiest player has to do, and what all have to do together."""
    each = []
    for player in facts.players:
        own = [job for job, cook in jobs.items() if cook == player]
        places = [cell for job in own for kind in NEEDS[job] for cell in _cells(facts, player, kind)[:1]]
        for maker, user in FLOWS.values():
            one, other = jobs.get(maker), jobs.get(user)
            if one and other and one != other and player in (one, other) and (shelf := _shelf(facts, one, other)):
                places.append(shelf)
        widest = max((dist(one, other) for one in places for other in places), default=0.0)
        each.append(sum(EFFORT[job] for job in own) + WALK * widest)
    return max(each), sum(each)


def _able(facts: KitchenFacts, job: str) -> list[str]:
    """Return the players that reach all stations of a job."""
    return [
        player
        for player in facts.players
        if all(facts.reached(player, kind) for kind in NEEDS[job]) and _stocks(facts, player, job)
    ]


def _stocks(facts: KitchenFacts, player: str, job: str) -> bool:
    """Return whether the pantries in the player's reach hold what the job takes from them."""
    wanted = {"fetch": (*facts.cooks, *facts.adds, facts.fuel), "water": (facts.vessel,)}.get(job, ())
    return not wanted or _pantry(facts, player, wanted) is not None


def _pantry(facts: KitchenFacts, player: str, items: Sequence[str]) -> Place | None:
    """Return the first pantry in reach that holds all of these items, or None."""
    pantries = facts.reached(player, "pantry")
    return next((each.cells[0] for each in pantries if all(item in each.items for item in items)), None)


def _shelf(facts: KitchenFacts, one: str, other: str) -> Place | None:
    """Return a shelf that both players can reach, or None."""
    shared = [each for each in facts.reached(one, "shelf") if each in facts.reached(other, "shelf")]
    return shared[0].cells[0] if shared else None


def _cells(facts: KitchenFacts, player: str, kind: str) -> list[Place]:
    """Return the blocks of all stations of a kind that the player can reach."""
    return [cell for each in facts.reached(player, kind) for cell in each.cells]


def _plan(facts: KitchenFacts, player: str, jobs: Mapping[str, str]) -> dict[str, Any]:
    """Return the player's plan, as the programs read it: its jobs, the stations, and where goods change hands."""
    places: dict[str, Place | None] = {}
    gives, takes = [], []
    for goods, (maker, user) in FLOWS.items():
        one, other = jobs.get(maker, player), jobs.get(user, player)
        places[goods] = None if one == other else _shelf(facts, one, other)
        gives += [goods] if one == player != other else []
        takes += [goods] if other == player != one else []
    stoves = sum(each.kind == "stove" for each in facts.stations)
    return {
        "jobs": [job for job, cook in jobs.items() if cook == player],
        "at": places,
        "gives": gives,
        "takes": takes,
        "goods": {
            "raw": [*facts.cooks, facts.fuel],
            "adds": list(facts.adds),
            "cooked": list(facts.cooks.values()),
            "dish": [facts.dish],
            "drink": [facts.drink],
        },
        "batch": LOAD * max(1, stoves // len(facts.cooks)),
        "pantry": _pantry(facts, player, (*facts.cooks, *facts.adds, facts.fuel)),
        "vessels": _pantry(facts, player, (facts.vessel,)),
        "well": _cells(facts, player, "well"),
        "stoves": _cells(facts, player, "stove"),
        "load": LOAD,
        "counter": next(iter(_cells(facts, player, "counter")), None),
        "raw": list(facts.cooks),
        "cooked": list(facts.cooks.values()),
        "adds": list(facts.adds),
        "fuel": facts.fuel,
        "vessel": facts.vessel,
        "drink": facts.drink,
        "dish": facts.dish,
    }


def _action(kind: str, observation: Observation, facts: KitchenFacts, jobs: Mapping[str, str]) -> Action:
    player = observation.player
    plan = _plan(facts, player, jobs)
    thought = f"{player} does: {', '.join(plan['jobs']) or 'nothing that it could reach'} ({kind})"
    main = program(f"cook_{player}", thought, ["await service(bot)"] if plan["jobs"] else [])
    return Action(f"const PLAN = {literal(plan)}\n{_work()}\n{main}", thought)


@cache
def _work() -> str:
    return (Path(__file__).parent / "cooks.js").read_text(encoding="utf-8")
