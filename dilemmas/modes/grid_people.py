"""People in a grid game: each is shown its own player's observation, and chooses that player's actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from dilemmas.modes.gathering import gather_all
from grid_games import Batch, GridGame, observe
from grid_games.actions import GridAction
from grid_games.arrays import Array, Parts
from grid_games.picture import draw_view, legend
from grid_games.text import GridAnswer, describe, rules_of_play
from grid_games.text.words import society_lines
from voyager_agents.grid import SeatedPlayer
from voyager_agents.human.grid_view import GridChoice, GridOption, GridView

CELL = 72
"""Side of a drawn cell, in pixels."""
MAX_SIDE = 1120
"""Maximum side of a picture, in pixels."""
TO_AGENTS = ("request", "message", "share")
"""Kinds of actions whose target is another agent's number."""
DECIMALS = 9
"""Decimals kept of rewards."""


class GridPeople:
    """All people of one game."""

    def __init__(self, players: Mapping[int, SeatedPlayer], goal: str) -> None:
        """Seat the players.

        Args:
            players: Index of an agent -> its player.
            goal: The players' task.
        """
        self._players = players
        self._goal = goal
        self._rewards = dict.fromkeys(players, 0.0)
        """Rewards that the players were shown last."""

    async def choose(self, batch: Batch, parts: Parts) -> dict[int, GridAnswer]:
        """Return the actions in the current step; all people choose at the same time.

        Raises:
            PrerequisiteError: A person stays away.
        """
        chosen = await gather_all(
            player.choose_action(self._view(batch, parts, agent)) for agent, player in self._players.items()
        )
        return {agent: _answer(batch, choice) for agent, choice in zip(self._players, chosen, strict=True)}

    def show(self, batch: Batch, *, over: bool) -> None:
        """Show the game to all people as it is now; `over` is true after the last step."""
        parts = observe(batch)
        for agent, player in self._players.items():
            player.show(replace(self._view(batch, parts, agent), actions=(), over=over))

    def _view(self, batch: Batch, parts: Parts, agent: int) -> GridView:
        game, own = batch.game, {name: part[0, agent] for name, part in parts.items()}
        played, reward = int(batch.time[0]), round(float(batch.rewards[0, agent]), DECIMALS)
        gained, self._rewards[agent] = round(reward - self._rewards[agent], DECIMALS), reward
        legal = [batch.actions[number] for number in own["action_mask"].nonzero()[0].tolist()]
        held = zip(game.resources, own["inventory"].tolist(), strict=True)
        return GridView(
            step=min(played + 1, game.steps),
            steps=game.steps,
            role=game.role_of(agent).name,
            goal=self._goal,
            rules=rules_of_play(game, agent),
            seen=describe(game, batch.actions, own),
            legend=legend(game),
            picture=_picture(game, own["grid"]),
            holds={each.name: int(count) for each, count in held if count},
            society=tuple(society_lines(game, agent, own)),
            actions=tuple(GridOption(str(each), _label(each, game.names)) for each in legal),
            words=int(game.settings.get("words", 0)),
            reward=reward,
            gained=gained,
        )


def _picture(game: GridGame, cells: Array) -> bytes:
    """Return the cells that a player sees as a PNG file, without the dark ones all around."""
    cells = _known(game, cells)
    _, rows, columns = cells.shape
    side = max(1, min(CELL, MAX_SIDE // max(rows, columns)))
    return draw_view(game, cells, (side * columns, side * rows))


def _known(game: GridGame, cells: Array) -> Array:
    """Return the cells up to the farthest one of which the player knows anything, itself in the middle as before."""
    if not game.full_map:
        return cells
    for axis in (1, 2):
        middle = cells.shape[axis] // 2
        filled = np.flatnonzero(cells.any(axis=(0, 3 - axis)))
        reach = max([game.view, *abs(filled - middle).tolist()])
        if 2 * reach + 1 < cells.shape[axis]:
            cells = cells.take(range(middle - reach, middle + reach + 1), axis)
    return cells


def _label(action: GridAction, names: Sequence[str]) -> str:
    """Return the words for an action; other players are named."""
    if action.kind in TO_AGENTS and isinstance(action.target, int):
        return f"{action.kind} {names[action.target]}"
    return f"{action.kind} {action.target:.3g}" if isinstance(action.target, float) else str(action)


def _answer(batch: Batch, choice: GridChoice) -> GridAnswer:
    """Return the action of a legal choice; missing words of a message are 0."""
    number = [str(action) for action in batch.actions].index(choice.action)
    if not choice.words:
        return GridAnswer(number)
    length = int(batch.game.settings["words"])
    return GridAnswer(number, (*choice.words, *(0 for _ in range(length - len(choice.words)))))
