"""Recording of a grid game: readable events, and every step as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dilemmas.modes.grid_table import Moves
from dilemmas.records.events import (
    Degree,
    Event,
    GridExchanged,
    GridFault,
    GridPlanned,
    GridSocialAct,
    SocietyChanged,
)
from grid_games import Batch, BatchStep
from grid_games.actions import GridAction
from grid_games.measures import Degrees, degrees, split_ratio
from grid_games.rules import Negotiation

ACTS = ("request", "accept", "end", "claim", "message")
"""Social actions with events of their own; joining and showing appear as changes of the society."""
KEYS = ("mean_in", "mean_out", "max_in", "max_out")


class GridChronicle:
    """Recorder of one environment's game, called before the first step and after each."""

    def __init__(self, batch: Batch, names: Sequence[str]) -> None:
        self._batch, self._names = batch, list(names)
        self._bonds = _bonds(batch)
        self._partners = _partners(batch)
        self._dropped: dict[tuple[int, int], list[int]] = {}
        """(cell, resource) -> players who dropped the units in it, the topmost last."""
        self._degrees: list[dict[str, Degrees]] = [degrees(batch.rules.graph, 0)]
        self._mask = batch.mask[0].copy()
        self._steps: dict[str, list[npt.NDArray[Any]]] = {}
        self._start = _start(batch)
        self._record_state()
        self.faults = dict.fromkeys(self._names, 0)
        """Player -> number of its answers that named no action."""
        self._questions = dict.fromkeys(self._names, 0)
        self._not_own = np.zeros(len(self._names), np.int64)
        """Number of actions of stand-ins without effect, by player."""

    def initial_events(self) -> Iterator[Event]:
        """Yield the initial society, if there is one."""
        yield from self._changes((frozenset(), {agent: {} for agent in range(len(self._names))}))

    def before_step(self) -> None:
        """Remember the state before a step."""
        self._mask = self._batch.mask[0].copy()
        self._bonds, self._partners = _bonds(self._batch), _partners(self._batch)

    def record_step(self, moves: Moves, step: BatchStep) -> Iterator[Event]:
        """Record a step, and yield its readable events."""
        batch = self._batch
        actions = moves.actions[0]
        self._append_row("actions", actions.astype(np.int16))
        self._append_row("effective", self._mask[np.arange(batch.agents), actions])
        self._append_row("rewards", step.rewards[0])
        self._append_row("own", step.own[0])
        if moves.words is not None or "words" in self._steps:
            self._record_words(moves)
        places = self._steps["places"][-1]
        self._record_state()
        self._degrees.append(degrees(batch.rules.graph, 0))
        number = int(batch.time[0])
        for player in moves.asked:
            self._questions[player] += 1
        for player, plan in moves.plans.items():
            yield GridPlanned(
                step=number,
                player=player,
                cause=plan.cause,
                detail=plan.detail,
                goal=plan.goal,
                details=dict(plan.details),
                why=plan.why,
            )
        for player, fault in moves.faults.items():
            self.faults[player] += 1
            stood_in = moves.stood_in[player]
            yield GridFault(step=number, player=player, fault=fault, stood_in=stood_in)
            agent = self._names.index(player)
            self._not_own[agent] += not self._mask[agent, actions[agent]]
        done = [(agent, batch.actions[action]) for agent, action in enumerate(actions) if self._mask[agent, action]]
        yield from self._social(number, done, moves)
        yield from self._exchanges(number, done, places)
        yield from self._changes(self._bonds)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the layout, arrays of actions and outcomes of shape (steps, N, ...), and states of shape (steps + 1,
        ...).
        """
        return {**self._start, **{name: np.stack(rows) for name, rows in self._steps.items()}}

    def last_degrees(self) -> dict[str, Degree]:
        """Return the current degrees by kind of node."""
        return {node: Degree(**{key: getattr(each, key) for key in KEYS}) for node, each in self._degrees[-1].items()}

    def degrees_over_time(self) -> dict[str, Degree]:
        """Return the means over all steps, start included, and the maximum of any step."""
        return {
            node: Degree(
                mean_in=float(np.mean([each[node].mean_in for each in self._degrees])),
                mean_out=float(np.mean([each[node].mean_out for each in self._degrees])),
                max_in=max(each[node].max_in for each in self._degrees),
                max_out=max(each[node].max_out for each in self._degrees),
            )
            for node in self._degrees[-1]
        }

    def asked_questions(self) -> dict[str, int]:
        """Return player -> number of questions to its model, for players that were asked any."""
        return {player: count for player, count in self._questions.items() if count}

    def refused(self) -> dict[str, int]:
        """Return player -> number of its own actions without effect."""
        own = self._batch.refused[0] - self._not_own
        return dict(zip(self._names, own.tolist(), strict=True))

    def split(self) -> float | None:
        """Return the ratio of the two roles' weights, or None in games without bargaining."""
        batch = self._batch
        if not isinstance(batch.rules, Negotiation):
            return None
        return split_ratio(batch.game, batch.rules.graph.weight[0][0, :, 0])

    def _append_row(self, name: str, row: npt.NDArray[Any]) -> None:
        self._steps.setdefault(name, []).append(np.array(row))

    def _record_state(self) -> None:
        """Record the state at the start or after a step."""
        batch = self._batch
        graph = batch.rules.graph
        self._append_row("places", batch.places[0].astype(np.int16))
        self._append_row("inventory", batch.inventory[0].astype(np.int32))
        self._append_row("shares", np.packbits(graph.shares[0][0]))
        self._append_row("groups", graph.member[0][0].astype(np.int16))
        self._append_row("paid", graph.fractions()[0])

    def _record_words(self, moves: Moves) -> None:
        """Record the words of messages from the first step with chosen words; -1 marks players without any."""
        shape = (len(self._names), int(self._batch.game.settings["words"]))
        said = np.full(shape, -1, np.int64) if moves.words is None else moves.words[0].astype(np.int64)
        missing = len(self._steps["actions"]) - 1 - len(self._steps.get("words", ()))
        for _ in range(missing):
            self._append_row("words", np.full(shape, -1, np.int64))
        self._append_row("words", said)

    def _social(self, step: int, done: Sequence[tuple[int, GridAction]], moves: Moves) -> Iterator[Event]:
        """Yield the social actions of a step, and new bargaining partners."""
        for agent, action in done:
            if action.kind not in ACTS:
                continue
            to = self._names[action.target] if isinstance(action.target, int) else self._partner(agent)
            share = action.target if isinstance(action.target, float) else None
            words = [] if moves.words is None or action.kind != "message" else moves.words[0, agent].tolist()
            yield GridSocialAct(step=step, player=self._names[agent], act=action.kind, to=to, share=share, words=words)
        for agent, partner in _partners(self._batch).items():
            if agent < partner and self._partners.get(agent) != partner:
                yield GridSocialAct(step=step, player=self._names[agent], act="met", to=self._names[partner])

    def _partner(self, agent: int) -> str:
        return self._names[self._partners[agent]] if agent in self._partners else ""

    def _exchanges(
        self, step: int, done: Sequence[tuple[int, GridAction]], places: npt.NDArray[Any]
    ) -> Iterator[GridExchanged]:
        """Yield exchanges; pickers take the topmost unit, and dropped units lie on top of earlier ones."""
        for agent, action in done:
            if action.kind not in ("pick", "dump"):
                continue
            resource = str(action.target)
            pile = self._dropped.setdefault((int(places[agent]), self._batch.game.resource(resource)), [])
            if action.kind == "dump":
                pile.append(agent)
            elif pile and (giver := pile.pop()) != agent:
                names = self._names
                yield GridExchanged(step=step, giver=names[giver], taker=names[agent], resource=resource)

    def _changes(self, before: Bonds) -> Iterator[SocietyChanged]:
        """Yield the changes of the society, if any."""
        (edges, groups), (then, theirs) = _bonds(self._batch), before
        changed = {self._names[agent]: each for agent, each in groups.items() if theirs[agent] != each}
        if edges != then or changed:
            yield SocietyChanged(
                step=int(self._batch.time[0]),
                shows=[(self._names[one], self._names[two]) for one, two in sorted(edges - then)],
                hides=[(self._names[one], self._names[two]) for one, two in sorted(then - edges)],
                groups=changed,
            )


Bonds = tuple[frozenset[tuple[int, int]], dict[int, dict[int, float]]]
"""Edges between agents; agent -> group -> its share of the group's pool."""


def _bonds(batch: Batch) -> Bonds:
    graph = batch.rules.graph
    edges = frozenset((int(one), int(two)) for one, two in np.argwhere(graph.shares[0][0]))
    groups: dict[int, dict[int, float]] = {}
    for agent, (member, paid) in enumerate(zip(graph.member[0][0], graph.fractions()[0], strict=True)):
        groups[agent] = {
            int(group): round(float(part), 6) for group, part in zip(member, paid, strict=True) if group >= 0
        }
    return edges, groups


def _partners(batch: Batch) -> dict[int, int]:
    """Return the bargaining partners in both directions."""
    if not isinstance(batch.rules, Negotiation):
        return {}
    return {agent: int(other) for agent, other in enumerate(batch.rules.partner[0]) if other >= 0}


def _start(batch: Batch) -> dict[str, npt.NDArray[Any]]:
    """Return the layout: (C,) blocks and events, (C, R) piles, and the names behind the indices."""
    game, world = batch.game, batch.world
    return {
        "blocks": world.rows[1::2, 1] == 1,
        "events": world.kind.astype(np.int16),
        "piles": world.piles.astype(np.int16),
        "size": np.array([game.height, game.width]),
        "seed_episode": np.array([batch.seeds[0], int(batch.episode[0])]),
        "action_names": np.array([str(action) for action in batch.actions]),
        "event_names": np.array(["", *(recipe.name for recipe in game.recipes)]),
        "resource_names": np.array([each.name for each in game.resources]),
    }
