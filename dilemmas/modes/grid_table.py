"""Players of a grid game: one action per player and step, from array policies, from players who answer in words, from
controllers that carry out the plans of planners, and from people.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from common.answers.stand_ins import StandIn
from dilemmas.errors import UsageError
from dilemmas.modes.eyes import Eyes, SightOptions
from dilemmas.modes.gathering import gather_all
from dilemmas.modes.grid_people import GridPeople
from dilemmas.modes.grid_planners import GridPlanners, PlannedStep, StatedPlan
from grid_games import Batch, GridGame, GridPolicyError, observe
from grid_games.arrays import Array, Ints, Parts
from grid_games.core.tables import STAY
from grid_games.picture import draw_view, legend
from grid_games.policies import GridPolicy, open_policy
from grid_games.text import GridAnswer, answer_form, describe, grid_answer, rules_of_play
from voyager_agents.grid import ArrayPlayer, GridTurn, PlanningPlayer, ScriptedPlayer, SeatedPlayer, WordPlayer
from voyager_agents.human.connection import HUMAN


@dataclass(frozen=True)
class Moves:
    """Moves of all players in one step."""

    actions: Ints
    """Actions with shape (1, N)."""
    words: Ints | None
    """Words of messages with shape (1, N, L); None if nobody chose words."""
    faults: Mapping[str, str] = field(default_factory=dict)
    """Player -> error in its answer even after a correction."""
    stood_in: Mapping[str, StandIn] = field(default_factory=dict)
    """Player -> stand-in that chose its action, for each player in `faults`."""
    plans: Mapping[str, StatedPlan] = field(default_factory=dict)
    """Player -> plan that it made in this step."""
    asked: frozenset[str] = frozenset()
    """Players whose model was asked in this step."""


class GridTable:
    """Players of one game, in the game's order."""

    def __init__(
        self,
        agents: Mapping[str, Any],
        seed: int,
        stand_in: StandIn = "idle",
        eyes: Eyes | None = None,
        goal: str = "",
    ) -> None:
        """Open the policies.

        Args:
            agents: Player -> its agent.
            seed: Seed of the policies and of stand-ins.
            stand_in: Stand-in for players without a usable answer: `idle`, `random` or `last`.
            eyes: Pictures that the players' models are shown; None for none.
            goal: The players' task, which people read beside the game.

        Raises:
            UsageError: A policy's file is invalid.
        """
        self._names = list(agents)
        self._eyes = eyes or Eyes()
        self._stand_in: StandIn = stand_in
        self._draws = {place: random.Random(f"stand-in:{seed}:{name}") for place, name in enumerate(agents)}
        self._last: dict[int, GridAnswer] = {}
        """Last answer of each player who answers in words."""
        self._talkers: dict[int, WordPlayer] = {}
        self._policies: list[tuple[GridPolicy, list[int]]] = []
        """Policies with the indices of the agents that they play."""
        groups: dict[str, list[int]] = {}
        planners: dict[int, PlanningPlayer | ScriptedPlayer] = {}
        people: dict[int, SeatedPlayer] = {}
        for place, agent in enumerate(agents.values()):
            if isinstance(agent, ArrayPlayer):
                groups.setdefault(agent.policy, []).append(place)
            elif isinstance(agent, PlanningPlayer | ScriptedPlayer):
                planners[place] = agent
            elif isinstance(agent, SeatedPlayer):
                people[place] = agent
            else:
                self._talkers[place] = agent
        self._planners = GridPlanners(planners, seed) if planners else None
        self._people = GridPeople(people, goal) if people else None
        try:
            self._policies += [(open_policy(name, seed), places) for name, places in groups.items()]
        except GridPolicyError as error:
            raise UsageError(str(error)) from None

    async def moves(self, batch: Batch) -> Moves:
        """Return the moves of all players in the current step.

        Raises:
            UsageError: A policy was trained for another game.
            AgentError: A model fails.
            PrerequisiteError: A person stays away.
        """
        actions: Ints = np.full((1, batch.agents), STAY, np.intp)
        try:
            for policy, places in self._policies:
                actions[0, places] = np.asarray(policy.act(batch))[0, places]
        except GridPolicyError as error:
            raise UsageError(str(error)) from None
        parts = observe(batch) if self._talkers or self._planners or self._people else {}
        mask = batch.mask[0]
        self._draw(batch, parts, [name for place, name in enumerate(self._names) if mask[place].sum() > 1])
        talking = [place for place in self._talkers if mask[place].sum() > 1]
        answers, planned = await self._choices(batch, parts, talking)
        chosen = {place: each for place, each in answers.items() if isinstance(each, GridAnswer)}
        self._last |= chosen
        chosen |= planned.answers
        faults = {place: each for place, each in answers.items() if isinstance(each, str)} | planned.faults
        stood_in: dict[str, StandIn] = {}
        for place in faults:
            chosen[place], stood_in[self._names[place]] = self._stand_in_for(place, batch)
        for place, answer in chosen.items():
            actions[0, place] = answer.action
        return Moves(
            actions,
            _words(batch, chosen),
            {self._names[place]: fault for place, fault in faults.items()},
            stood_in,
            {self._names[place]: plan for place, plan in planned.plans.items()},
            frozenset(self._names[place] for place in planned.asked.union(talking)),
        )

    def show_all(self, batch: Batch) -> None:
        """Show the game to people and to players whose models see, as before a talk."""
        if self._eyes.players:
            self._draw(batch, observe(batch), self._names)
        self.show_people(batch)

    def show_people(self, batch: Batch, *, over: bool = False) -> None:
        """Show the game to people as it is now; `over` is true after the last step."""
        if self._people is not None:
            self._people.show(batch, over=over)

    def _draw(self, batch: Batch, parts: Parts, players: Sequence[str]) -> None:
        """Draw the game as those of these players see it now whose models see."""
        for name in [each for each in self._eyes.players if each in players]:
            cells = parts["grid"][0, self._names.index(name)]
            self._eyes.show(name, *draw_cells(batch.game, cells, self._eyes.options))

    def renew_plans(self, news: str) -> None:
        """Ask planners for new plans in the next step, because of news from outside the game, in words."""
        if self._planners is not None:
            self._planners.renew(news)

    def _stand_in_for(self, place: int, batch: Batch) -> tuple[GridAnswer, StandIn]:
        """Return the action of a player without a usable answer, and the name of the stand-in that chose it."""
        mask = batch.mask[0, place]
        if self._planners is not None and place not in self._talkers:
            last = self._planners.stand_in(place, go_on=self._stand_in == "last")
        else:
            last = self._last.get(place)
        if self._stand_in == "last" and last is not None and mask[last.action]:
            return last, "last"
        if self._stand_in == "random":
            return GridAnswer(self._draws[place].choice(np.flatnonzero(mask).tolist())), "random"
        return GridAnswer(STAY), "idle"

    async def _choices(
        self, batch: Batch, parts: Parts, talking: Sequence[int]
    ) -> tuple[dict[int, GridAnswer | str], PlannedStep]:
        """Ask people, planners and the word players `talking` at the same time.

        Returns:
            The answers of people and word players by place, and the planners' actions.
        """
        mask = batch.mask[0]
        found: dict[int, GridAnswer | str] = {
            place: GridAnswer(int(mask[place].argmax())) for place in self._talkers if mask[place].sum() == 1
        }
        work: list[Awaitable[Any]] = [
            self._people_choose(batch, parts),
            self._plan(batch, parts),
            *(self._answer(batch, parts, place) for place in talking),
        ]
        people, planned, *given = await gather_all(work)
        return found | people | dict(zip(talking, given, strict=True)), planned

    async def _people_choose(self, batch: Batch, parts: Parts) -> dict[int, GridAnswer]:
        return {} if self._people is None else await self._people.choose(batch, parts)

    async def _plan(self, batch: Batch, parts: Parts) -> PlannedStep:
        return PlannedStep() if self._planners is None else await self._planners.step(batch, parts)

    async def _answer(self, batch: Batch, parts: Parts, place: int) -> GridAnswer | str:
        game, mask = batch.game, batch.mask[0, place].copy()
        own = {name: part[0, place] for name, part in parts.items()}
        drawn = self._eyes.see_of(self._names[place]) == "image"
        seen = describe(game, batch.actions, own, cells=not drawn)
        turn = GridTurn(int(batch.time[0]) + 1, rules_of_play(game, place), seen)
        words = int(game.settings.get("words", 0))
        answer = await self._talkers[place].choose(turn, answer_form(batch.actions, mask, words))
        return answer if isinstance(answer, str) else grid_answer(answer, batch.actions, words)


def draw_cells(game: GridGame, cells: Array, options: SightOptions) -> tuple[bytes, str]:
    """Return the cells that a player sees as a PNG file, and sentences on what the picture's signs mean."""
    return draw_view(game, cells, (options.width, options.height)), legend(game)


def _words(batch: Batch, answers: Mapping[int, GridAnswer]) -> Ints | None:
    """Return the words of all messages; by the game's rule, unspecified words are 1 followed by zeros."""
    spoken = {place: answer.words for place, answer in answers.items() if answer.words is not None}
    if not spoken:
        return None
    words: Ints = np.zeros((1, batch.agents, int(batch.game.settings["words"])), np.intp)
    words[..., 0] = 1
    for place, said in spoken.items():
        words[0, place] = said
    return words


def policy_names(agents: Mapping[str, Any]) -> Sequence[str]:
    """Return the policy's name of each player, `planner`, `scripted-planner`, `human`, or `text`."""
    return [_policy_name(agent) for agent in agents.values()]


def _policy_name(agent: object) -> str:
    match agent:
        case ArrayPlayer():
            return agent.policy
        case ScriptedPlayer():
            return "scripted-planner"
        case PlanningPlayer():
            return "planner"
        case SeatedPlayer():
            return HUMAN
    return "text"
