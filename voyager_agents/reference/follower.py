"""Players under a contract: the follower keeps its typed terms exactly; breachers commit one kind of breach."""

from __future__ import annotations

from collections.abc import Sequence

from contracts import Contract, ScheduledAct, ScheduleStep
from voyager_agents.agent import Action, Observation
from voyager_agents.errors import PlayerError
from voyager_agents.facts import Facts
from voyager_agents.reference.bargainer import prospects
from voyager_agents.reference.greedy import PlayerState
from voyager_agents.reference.planning import schedule, steps_for
from voyager_agents.reference.policies import MINE_ALL, TAKE, chest_lines, items, program, step_lines
from voyager_agents.reference.requirements import mining_facts


def follower(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that fulfils the contract's schedule or obligations for this player."""
    contract, facts = _agreed("follower", observation)
    steps = steps_for(contract, facts, observation.player)
    return _action("follows", observation, facts, steps), state


def keeps_pickaxe(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that follows the contract, but returns no tool and also takes the tools meant for others."""
    contract, facts = _agreed("keeps-pickaxe", observation)
    others = [
        step
        for player in contract.parties
        if player != observation.player
        for step in steps_for(contract, facts, player)
        if step.do is ScheduledAct.TAKE
    ]
    own = [step for step in steps_for(contract, facts, observation.player) if step.do is not ScheduledAct.RETURN]
    mine = {step.item for step in own if step.do is ScheduledAct.TAKE}
    taken = {step.item: step.count for step in others if step.item not in mine}
    return _action("keeps_pickaxe", observation, facts, own, grabs=taken), state


def poacher(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that follows the contract, but mines all ores that its tool harvests, the others' first."""
    contract, facts = _agreed("poacher", observation)
    steps: list[ScheduleStep] = []
    for step in steps_for(contract, facts, observation.player):
        poached = _poached(facts, steps, observation.player) if step.do is ScheduledAct.MINE else []
        steps += [*(each for each in poached if each not in steps and each.block != step.block), step]
    return _action("poaches", observation, facts, steps), state


def sharer(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that mines the player's part of the best joint allocation, with or without a contract."""
    facts = mining_facts("sharer", observation)
    steps = [step for step in schedule(facts, prospects(facts).allocation) if step.party == observation.player]
    return _action("shares", observation, facts, steps), state


def _poached(facts: Facts, done: Sequence[ScheduleStep], player: str) -> list[ScheduleStep]:
    """Return mining steps for everything that the tools taken so far harvest."""
    held = {step.item for step in done if step.do is ScheduledAct.TAKE}
    blocks = [ore for ore in facts.ores if held & set(ore.tools)]
    return [ScheduleStep(player, ScheduledAct.MINE, block=ore.block, count=ore.count) for ore in blocks]


def _agreed(kind: str, observation: Observation) -> tuple[Contract, Facts]:
    if observation.contract is None:
        raise PlayerError(f"{kind}: there is no contract to follow: choose a condition with one, or the player greedy")
    return observation.contract, mining_facts(kind, observation)


def _action(
    verb: str,
    observation: Observation,
    facts: Facts,
    steps: Sequence[ScheduleStep],
    grabs: dict[str, int] | None = None,
) -> Action:
    lines = [*chest_lines(facts), *TAKE, *MINE_ALL]
    first_take = next((index for index, step in enumerate(steps) if step.do is ScheduledAct.TAKE), 0)
    for index, step in enumerate(steps):
        if grabs and index == first_take:
            lines += [f"await take({items(grabs)})"]
        lines += step_lines(step)
    name = observation.contract.name if observation.contract else ""
    thought = f"{observation.player} {verb}: {name}"
    return Action(program(f"{verb}_{observation.player}", thought, lines), thought)
