"""Interfaces between grid game players and the mode that runs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents.agent import Observation
from voyager_agents.human.grid_view import GridChoice, GridView

T = TypeVar("T", bound=Strict)


@dataclass(frozen=True)
class ArrayPlayer:
    """Player controlled by an array policy; players with the same policy share one instance."""

    name: str
    policy: str
    """Name of a policy for `grid_games.policies.open_policy`, or `policy:FILE`."""


@dataclass(frozen=True)
class GridTurn:
    """Observation of a text player before a step."""

    step: int
    """Step number, from 1."""
    rules: str
    """Rules of the game in words; constant for all steps of a game."""
    seen: str
    """Current view and legal actions, in words."""


@dataclass(frozen=True)
class ScriptedPlayer:
    """Player whose plans a script of `grid_games.planning` makes, and a controller carries out."""

    name: str
    review: int
    """Steps after which a new plan is made at the latest."""


@dataclass(frozen=True)
class PlanTurn:
    """Question for a new plan."""

    step: int
    """Step number, from 1."""
    kind: str
    """Social rules of the game, such as `contract`."""
    rules: str
    """Rules of the game in words; constant for all steps of a game."""
    goals: str
    """Goals of the game's plans and what the controller does for them, in words; constant as well."""
    reason: str
    """Reason for a new plan, in words."""
    ended: str
    """End of the last plan in a few words, such as `done`; empty without one."""
    seen: str
    """Current view, remembered map and goals that are open now, in words."""


@dataclass(frozen=True)
class GridTexts:
    """Sample texts of a game for one player, used by cost estimates."""

    rules: str
    shortest: str
    """Shortest observation text of a step."""
    longest: str
    """Longest observation text of a step."""
    apart: tuple[str, str] | None = None
    """Shortest and longest text without the cells in view, for players who see these; None for the same texts."""


@dataclass(frozen=True)
class PlanTexts:
    """Sample questions of a game for one planning player, used by cost estimates."""

    shortest: PlanTurn
    longest: PlanTurn


@runtime_checkable
class WordPlayer(Protocol):
    """Interface of a player that plays by text."""

    name: str

    def observe(self, observation: Observation) -> None:
        """Receive the observation before a game: the scenario in words, and its contract."""

    async def choose(self, turn: GridTurn, form: AnswerForm[T]) -> T | str:
        """Return the player's answer, or the last error as text if no answer was usable.

        Args:
            turn: Observation of the step.
            form: Form of the answer, with the legal actions.

        Raises:
            AgentError: The player's model failed.
        """


@runtime_checkable
class PlanningPlayer(Protocol):
    """Interface of a player that plans in words."""

    name: str
    review: int
    """Steps after which a new plan is asked for at the latest."""

    def observe(self, observation: Observation) -> None:
        """Receive the observation before a game: the scenario in words, and its contract."""

    async def plan(self, turn: PlanTurn, form: AnswerForm[T], check: Callable[[T], object]) -> T | str:
        """Return the player's plan, or the last error as text if no answer was usable.

        Args:
            turn: The question.
            form: Form of the plan, with the goals that are open.
            check: Validator of a well-formed plan; raises ValueError if it cannot be carried out.

        Raises:
            AgentError: The player's model failed.
        """


@runtime_checkable
class SeatedPlayer(Protocol):
    """Interface of a player that is shown the game and chooses its actions itself: a person."""

    name: str

    def observe(self, observation: Observation) -> None:
        """Receive the observation before a game: the scenario in words, and its contract."""

    def show(self, view: GridView) -> None:
        """Show the game, without a question."""

    async def choose_action(self, view: GridView) -> GridChoice:
        """Return the player's legal action in a step.

        Args:
            view: The step as the player sees it, with at least one legal action.

        Raises:
            PrerequisiteError: The player stays away.
        """
