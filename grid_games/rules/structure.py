"""Social Structure: the graph is prescribed, and may be replaced at given steps.

The game studies whether agents adapt to who shares views and rewards with whom (paper, appendix C.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from grid_games.actions import GridAction
from grid_games.arrays import Ints
from grid_games.core.graph import SocialGraph
from grid_games.errors import GameError
from grid_games.loader import structures
from grid_games.rules.base import SocialRules
from grid_games.spec import GridGame

EDGES = ("own", "everyone")


class Structure(SocialRules):
    """Settings: `structure` (a structure or a schedule of `data/structures.yaml`) and `edges`.

    With `own` the edges are the structure's; with `everyone` all agents share views within every structure.
    """

    settings = frozenset({"structure", "edges"})

    def __init__(self, game: GridGame, batch: int) -> None:
        super().__init__(game, batch)
        schedule = _schedule(game)
        sizes = (game.agents, game.groups, *([1] if any("above" in body for body in schedule.values()) else []))
        slots = max(_slots(body) for body in schedule.values())
        self.graph = SocialGraph(batch, sizes, slots)
        edges = game.settings["edges"]
        if edges not in EDGES:
            raise GameError(f"edges of game {game.name} are {edges!r}; they are one of {', '.join(EDGES)}")
        self._given = np.zeros(batch, np.bool_)
        """Environments whose groups were given at the start of the episode, and stay."""
        self._schedule = {at: _template(body, sizes, slots, edges == "everyone") for at, body in schedule.items()}

    @staticmethod
    def actions(game: GridGame) -> tuple[GridAction, ...]:
        """Return no actions; the graph is prescribed."""
        del game
        return ()

    def begin(self, environment: int, dice: np.random.Generator) -> None:
        """Start an episode with the structure of step 0."""
        self.graph.copy_from(self._schedule[0], np.array([environment]))
        self._given[environment] = False

    def enrol(self, environment: int, groups: Ints) -> None:
        """Put all agents of an environment into groups, shape (N,), in place of the structure's for the episode."""
        super().enrol(environment, groups)
        self._given[environment] = True

    def change(self, time: Ints) -> None:
        """Replace the graphs of environments where a change is due."""
        for at, template in self._schedule.items():
            due = np.flatnonzero((time == at) & ~self._given)
            if at and due.size:
                self.graph.copy_from(template, due)


def _schedule(game: GridGame) -> dict[int, Mapping[str, Any]]:
    """Return first step -> structure in force from then on."""
    known, name = structures(), game.settings["structure"]
    offered = sorted({**known["structures"], **known["schedules"]})
    if name not in offered:
        raise GameError(f"structure of game {game.name} is {name!r}; structures are {', '.join(offered)}")
    if game.agents != len(known["teams"]["all"]):
        raise GameError(
            f"game {game.name} has {game.agents} players; its structures are of {len(known['teams']['all'])}"
        )
    plan = known["schedules"].get(name, {0: name})
    return {int(at): _resolved(known["structures"][each], known["teams"]) for at, each in plan.items()}


def _resolved(body: Mapping[str, Any], teams: Mapping[str, list[int]]) -> dict[str, Any]:
    """Return a structure with the members of teams in place of their names."""
    groups = [{**group, "members": teams[group["team"]]} for group in body.get("groups", [])]
    return {**body, "groups": groups, "edges": [teams[team] for team in body.get("edges", [])]}


def _slots(body: Mapping[str, Any]) -> int:
    members = [agent for group in body["groups"] for agent in group["members"]]
    return max((members.count(agent) for agent in members), default=1)


def _template(body: Mapping[str, Any], sizes: tuple[int, ...], slots: int, everyone: bool) -> SocialGraph:
    """Return a structure as a graph of one environment."""
    graph = SocialGraph(1, sizes, slots)
    for team in [range(sizes[0])] if everyone else body["edges"]:
        graph.shares[0][0][np.ix_(team, team)] = True
    for first, second in body.get("group_edges", []):
        graph.shares[1][0, first, second] = graph.shares[1][0, second, first] = True
    for edges in graph.shares:
        edges[0][np.diag_indices(edges.shape[1])] = False
    _enrol(graph, 0, [(group["members"], group.get("weights")) for group in body["groups"]])
    _enrol(graph, 1, [(group["groups"], group.get("weights")) for group in body.get("above", [])])
    return graph


def _enrol(graph: SocialGraph, layer: int, groups: list[tuple[list[int], list[float] | None]]) -> None:
    """Write the members of a layer's groups, each into its next free slot."""
    for number, (members, weights) in enumerate(groups):
        for node, weight in zip(members, weights or [1.0] * len(members), strict=True):
            slot = int((graph.member[layer][0, node] >= 0).sum())
            graph.member[layer][0, node, slot] = number
            graph.weight[layer][0, node, slot] = weight
