"""Observations as text, from the same arrays that learners get and without any further information."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from grid_games.actions import GridAction
from grid_games.arrays import Array
from grid_games.core.elements import HOSTILE
from grid_games.core.tables import LAYERS
from grid_games.spec import EventRecipe, GridGame, GridRole
from grid_games.text.answers import legal

Observation = Mapping[str, Array]
"""One agent's parts of `grid_games.observe`, without the environment and agent axes."""

EVENT = "event "
NEAREST = 4
"""Maximum cells listed per kind of event, among cells that hold nothing else."""


def rules_of_play(game: GridGame, agent: int) -> str:
    """Return an agent's knowledge before the game: values of items and capacities of all roles, and recipes."""
    role = game.role_of(agent)
    lines = [
        f"You are player {agent}; your role is {role.name}. Players: {', '.join(_players(game))}.",
        *_extent(game),
        f"A unit is worth to you: {_worth(game, role)}.",
        f"You can carry: {_capacity(role)}.",
        *_other_roles(game, role),
        *_needs(game, "your inventory"),
        _events(game),
        *_changes(game),
    ]
    return "\n".join(lines)


def common_rules(game: GridGame) -> list[str]:
    """Return sentences with the rules that concern all players, as they know them before the game."""
    roles = [game.roles[number] for number in dict.fromkeys(game.players)]
    return [
        *_extent(game),
        *(f"A {role.name} can carry: {_capacity(role)}." for role in roles),
        *_needs(game, "the inventory"),
        _events(game),
        *_changes(game),
    ]


def describe(game: GridGame, actions: Sequence[GridAction], observation: Observation, *, cells: bool = True) -> str:
    """Return an agent's current view and legal actions as text.

    Args:
        game: The game.
        actions: All actions of the game.
        observation: The agent's observation.
        cells: False to leave out the cells in view, which a picture shows.
    """
    agent = int(np.argmax(observation["player_id"]))
    held = amounts_text(
        {each.name: int(n) for each, n in zip(game.resources, observation["inventory"], strict=True) if n}
    )
    lines = [
        f"Step {int(observation['time'][0])} of {game.steps}.",
        f"You carry: {held or 'nothing'}.",
        *(_around(game, observation["grid"]) if cells else ()),
        *society_lines(game, agent, observation),
        "Your actions:",
        *legal(actions, observation["action_mask"] != 0),
    ]
    return "\n".join(lines)


def _extent(game: GridGame) -> list[str]:
    return [
        f"The map has {game.height} rows and {game.width} columns and wraps at its edges.",
        f"The game lasts {game.steps} steps.",
    ]


def _worth(game: GridGame, role: GridRole) -> str:
    worth = (f"{each.name} {float(role.preference.get(each.name, 1) * each.value):g}" for each in game.resources)
    return ", ".join(worth)


def _other_roles(game: GridGame, own: GridRole) -> Iterable[str]:
    """Return values and capacities of the roles besides an agent's own, as the paper's models were told them."""
    for number in dict.fromkeys(game.players):
        role = game.roles[number]
        if role != own:
            same = _worth(game, role) == _worth(game, own)
            yield f"A unit is worth {'the same ' * same}to a {role.name}{'' if same else f': {_worth(game, role)}'}."
            yield f"A {role.name} can carry: {_capacity(role)}."


def _capacity(role: GridRole) -> str:
    caps = (f"at most {count} {name}" for name, count in role.capacity.items())
    return ", ".join(caps) or "any number of anything"


def _needs(game: GridGame, where: str) -> list[str]:
    needs = [f"{each.name} needs {amounts_text(each.requires)} in {where}" for each in game.resources if each.requires]
    return ["To see and pick up: " + "; ".join(needs) + "."] if needs else []


def _events(game: GridGame) -> str:
    return "Events, used by produce on their cell: " + "; ".join(_recipe(each) for each in game.recipes) + "."


def _changes(game: GridGame) -> list[str]:
    """Return sentences on what changes by itself: temporary things, hunger, hostiles."""
    lines = [
        f"There is {name} on the map from step {first} on, and none from step {last} on."
        for name, (first, last) in game.temporary.items()
    ]
    if hunger := game.hunger:
        food = ", else ".join(hunger.food) or "nothing"
        lines.append(
            f"After every {hunger.every} steps each player eats 1 {food}, or loses {hunger.loss:g} without any."
        )
    if hostiles := game.hostiles:
        feared = f"; they leave alone who carries {amounts_text(hostiles.feared)}" if hostiles.feared else ""
        lines.append(
            f"{hostiles.count} hostile creatures chase players within {hostiles.sight} steps and move in every "
            f"{hostiles.every}. step: a player beside one loses {hostiles.loss:g} in each step{feared}."
        )
    return lines


def _players(game: GridGame) -> Iterable[str]:
    return (f"{agent} {game.role_of(agent).name}" for agent in range(game.agents))


def held_text(game: GridGame, inventory: Array) -> str:
    """Return the units in an inventory, shape (R,), as text."""
    return amounts_text({each.name: int(n) for each, n in zip(game.resources, inventory, strict=True) if n})


def amounts_text(amounts: Mapping[str, int]) -> str:
    """Return amounts of resources as a list in words, such as `2 wood, 1 stone`."""
    return ", ".join(f"{count} {name}" for name, count in amounts.items())


def _recipe(recipe: EventRecipe) -> str:
    needs = f" (needs {amounts_text(recipe.requires)})" if recipe.requires else ""
    return f"{recipe.name}: {amounts_text(recipe.consumes)} -> {amounts_text(recipe.makes)}{needs}"


def _around(game: GridGame, grid: Array) -> list[str]:
    """Return the non-empty cells in view, nearest first; of cells with an event only, the nearest few."""
    rows, columns = grid.shape[1] // 2, grid.shape[2] // 2
    filled = np.argwhere(grid.any(axis=0)) - (rows, columns)
    order = sorted(filled.tolist(), key=lambda at: (abs(at[0]) + abs(at[1]), at))
    lines, bare = [], dict[str, list[str]]()
    for down, right in order:
        things = _things(game, grid[:, rows + down, columns + right], here=down == right == 0)
        if len(things) == 1 and things[0].startswith(EVENT) and (down or right):
            bare.setdefault(things[0], []).append(_way(down, right))
        elif things:
            lines.append(f"{_way(down, right)}: {'; '.join(things)}")
    for event, ways in bare.items():
        more = f" (and {len(ways) - NEAREST} cells more)" if len(ways) > NEAREST else ""
        lines.append(f"{event}: {'; '.join(ways[:NEAREST])}{more}")
    return lines or ["Nothing is in view."]


def _way(down: int, right: int) -> str:
    steps = [(abs(down), "down" if down > 0 else "up"), (abs(right), "right" if right > 0 else "left")]
    return ", ".join(f"{count} {name}" for count, name in steps if count) or "Here"


def _things(game: GridGame, layers: Array, here: bool) -> list[str]:
    """Return the contents of a cell as text."""
    size = len(game.resources)
    events, piles = layers[LAYERS : LAYERS + size], layers[LAYERS + size :]
    things = [f"player {int(layers[0]) - 1}"] if layers[0] and not here else []
    things += ["a hostile" if layers[1] == HOSTILE else "a block"] if layers[1] else []
    things += [
        f"{EVENT}{recipe.name}" for recipe in game.recipes if events[game.resource(next(iter(recipe.makes)))] > 0
    ]
    return things + [f"{int(count)} {each.name}" for each, count in zip(game.resources, piles, strict=True) if count]


def society_lines(game: GridGame, agent: int, observation: Observation) -> list[str]:
    """Return lines on groups, shared views, messages and bargains."""
    state, count = observation["social_state"], game.agents
    senders = np.flatnonzero(state[agent, :count])
    if "final_split" in observation:
        return [*_coalition(agent, state, observation["final_split"]), *_bargain(observation)]
    lines = [f"You see what these players see: {_list(senders)}."] if senders.size else []
    receivers = np.flatnonzero(state[:count, agent])
    lines += [f"These players see what you see: {_list(receivers)}."] if receivers.size else []
    lines += _groups(state, count, game.groups)
    heard = observation.get("communication")
    if heard is not None:
        lines += [f"Player {each} says: {_list(heard[each])}." for each in np.flatnonzero(heard.any(axis=1))]
    return lines


def _groups(state: Array, agents: int, groups: int) -> list[str]:
    """Return the groups with members, and the fraction of each group's pool that each member receives."""
    lines = []
    for group in range(groups):
        paid = state[:agents, agents + group]
        if members := np.flatnonzero(paid).tolist():
            parts = ", ".join(f"player {each} is paid {paid[each]:.3g}" for each in members)
            lines.append(f"Group {group} shares what its members earn: {parts}.")
    return lines


def _coalition(agent: int, together: Array, split: Array) -> list[str]:
    """Return the own coalition and the others, with their shares."""
    lines, seen = [], set[int]()
    for each in range(len(split)):
        members = [each, *np.flatnonzero(together[each]).tolist()]
        if len(members) > 1 and each not in seen:
            seen.update(members)
            name = "Your coalition" if agent in members else "Another coalition"
            parts = ", ".join(f"player {member} gets {split[member]:.3g}" for member in sorted(members))
            lines.append(f"{name}: {parts}.")
    return lines or ["There is no coalition yet."]


def _bargain(observation: Observation) -> list[str]:
    """Return the requests and claims that reached the agent."""
    lines = [f"Player {each} asked you to bargain." for each in np.flatnonzero(observation["communication"])]
    for each in np.flatnonzero(observation["proposal"]):
        claim = observation["proposal"][each]
        lines.append(f"Player {each} claims {claim:.3g} for its side; yours would get {1 - claim:.3g}.")
    return lines


def _list(numbers: Iterable[Any]) -> str:
    return ", ".join(str(int(each)) for each in numbers)
