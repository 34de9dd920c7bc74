"""Text interface of planners: goals and an agent's situation as text, and the typed form of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from grid_games.actions import GridAction
from grid_games.planning.goals import GOALS, Choices
from grid_games.planning.paths import FAR
from grid_games.planning.plan import GridPlan
from grid_games.planning.state import PlanState
from grid_games.spec import GridGame
from grid_games.text.answers import MAX_WHY, MAX_WORD
from grid_games.text.words import held_text, society_lines

MAX_AMOUNT = 99
"""Maximum units or steps of a plan."""
MAX_WORDS = 16
"""Maximum numbers in a message of any game."""
NEAREST = 6
"""Maximum cells listed per kind of thing."""
NO_GROUP = -1
_SOCIAL = ("join", "request", "claim", "accept", "end", "share", "message")


class PlanReply(Strict):
    """Answer with a plan; details that the goal does not need are left empty."""

    why: str = Field(max_length=MAX_WHY)
    goal: str = Field(max_length=20)
    resource: str = Field("", max_length=40)
    amount: int = Field(1, ge=1, le=MAX_AMOUNT)
    partner: str = Field("", max_length=80)
    cell: list[Annotated[int, Field(ge=0)]] = Field(default_factory=list, max_length=2)
    group: int = Field(NO_GROUP, ge=NO_GROUP)
    share: float = Field(0.0, ge=0, le=1)
    words: list[Annotated[int, Field(ge=0, le=MAX_WORD)]] = Field(default_factory=list, max_length=MAX_WORDS)


_EMPTY: Mapping[str, Any] = {"resource": "", "partner": "", "group": NO_GROUP, "share": 0.0}
"""Field with a list of legal values -> its value in plans that do not need it."""
_EXAMPLE: Mapping[str, Any] = {
    "why": "<one short sentence>", "goal": "<one of your goals now>", "resource": "<a resource, or empty>", "amount": 1,
    "partner": "<a player, or empty>", "cell": [], "group": NO_GROUP, "share": 0.0, "words": [],
}  # fmt: skip


def goals_text(actions: Sequence[GridAction]) -> str:
    """Return the goals that a game's players can have, one a line, with their explanation.

    Args:
        actions: All actions of the game.
    """
    kinds = {action.kind for action in actions}
    return "\n".join(
        f"- `{name}`: {goal.about}." for name, goal in GOALS.items() if name not in _SOCIAL or name in kinds
    )


def plan_form(game: GridGame, legal: Mapping[str, Choices]) -> AnswerForm[PlanReply]:
    """Return the form of a plan with one of the goals that are open now, with the fields that these goals read.

    Args:
        game: The game.
        legal: The open goals (`grid_games.planning.open_goals`).
    """
    wanted = {field for name in legal for field in GOALS[name].fields}
    left_out = [each.name for each in fields(GridPlan) if each.name != "goal" and each.name not in wanted]
    narrowed: dict[str, Any] = dict.fromkeys(left_out)
    whole = {"type": "integer", "minimum": 0}
    if "cell" in wanted:
        most = max(game.height, game.width) - 1
        narrowed["cell"] = {"type": "array", "items": {**whole, "maximum": most}, "maxItems": 2}
    if "words" in wanted:
        length = int(game.settings["words"])
        narrowed["words"] = {"type": "array", "items": {**whole, "maximum": MAX_WORD}, "maxItems": length}
    choices = {"goal": list(legal), **{field: _values(game, legal, field) for field in _EMPTY if field in wanted}}
    example = {key: value for key, value in _EXAMPLE.items() if key not in left_out}
    return AnswerForm("grid_plan", PlanReply, example, reasoning="why", choices=choices, narrowed=narrowed)


def grid_plan(reply: PlanReply, game: GridGame) -> GridPlan:
    """Return the plan of an answer; details that its goal does not read are ignored.

    Raises:
        ValueError: A detail is missing, or names nothing in this game; one line for its writer.
    """
    readers: Mapping[str, Callable[[], Any]] = {
        "resource": lambda: reply.resource or None,
        "amount": lambda: reply.amount,
        "partner": lambda: game.names.index(reply.partner) if reply.partner in game.names else None,
        "cell": lambda: _cell(reply.cell, game),
        "group": lambda: None if reply.group == NO_GROUP else reply.group,
        "share": lambda: reply.share or None,
        "words": lambda: tuple(reply.words) or None,
    }
    goal = GOALS[reply.goal]
    found = {name: readers[name]() for name in goal.fields}
    for name, value in found.items():
        if value is None and name not in goal.optional:
            raise ValueError(f"{reply.goal} needs {name}: {str(getattr(reply, name)) or 'it is empty'} is no {name}")
    return GridPlan(reply.goal, **found)


def plan_details(plan: GridPlan, game: GridGame) -> dict[str, Any]:
    """Return the details of a plan that its goal reads, as an answer states them."""
    given = {name: getattr(plan, name) for name in GOALS[plan.goal].fields}
    found = {name: value for name, value in given.items() if value is not None}
    if "partner" in found:
        found["partner"] = game.names[found["partner"]]
    if "cell" in found:
        found["cell"] = list(divmod(found["cell"], game.width))
    if "words" in found:
        found["words"] = list(found["words"])
    return found


def describe_situation(state: PlanState, legal: Mapping[str, Choices]) -> str:
    """Return what an agent sees and remembers, and its open goals, as text."""
    game, view = state.tables.game, state.view
    unseen = state.memory.unseen.size
    lines = [
        f"Step {view.time} of {game.steps}. You are at {_place(view.place, game)}.",
        f"You carry: {held_text(game, view.inventory) or 'nothing'}.",
        *_piles(state),
        *_events(state),
        *_others(state),
        *([f"You have never seen {unseen} of {game.cells} cells."] if unseen else []),
        *society_lines(game, view.agent, view.parts),
        "Your goals now:",
        *(_option(game, name, choices) for name, choices in legal.items()),
    ]
    return "\n".join(lines)


def _values(game: GridGame, legal: Mapping[str, Choices], field: str) -> list[Any]:
    """Return the legal values of a field in any of these goals, as an answer states them."""
    given = [choices.get(field, ()) for choices in legal.values()]
    values = sorted({value for each in given for value in each})
    shown = [game.names[value] for value in values] if field == "partner" else values
    needed = all(field in GOALS[name].fields and field not in GOALS[name].optional for name in legal)
    return shown if needed else [_EMPTY[field], *shown]


def _cell(given: Sequence[int], game: GridGame) -> int | None:
    """Return the number of a cell from row and column; None if it is empty."""
    if not given:
        return None
    if len(given) != 2 or given[0] >= game.height or given[1] >= game.width:
        raise ValueError(
            f"cell {list(given)} is not on the map: give [row, column] up to [{game.height - 1}, {game.width - 1}]"
        )
    return given[0] * game.width + given[1]


def _piles(state: PlanState) -> Iterable[str]:
    """Return the known piles, one line a resource."""
    for number, each in enumerate(state.tables.game.resources):
        units = state.memory.piles[:, number]
        cells = np.flatnonzero(units).tolist()
        if cells:
            yield f"{each.name} on the ground: {_listed(state, cells, units.tolist())}"


def _events(state: PlanState) -> Iterable[str]:
    """Return the nearest known cells of each event."""
    for number, recipe in enumerate(state.tables.game.recipes, 1):
        cells = np.flatnonzero(state.memory.event == number).tolist()
        if cells:
            yield f"{recipe.name} is possible: {_listed(state, cells)}"


def _listed(state: PlanState, cells: Iterable[int], units: Sequence[int] | None = None) -> str:
    """Return cells with their distance and, where given, units by cell; the nearest first."""
    distance, game = state.ways.distance, state.tables.game
    order = sorted(cells, key=lambda cell: (distance[cell], cell))
    shown = [
        f"{'' if units is None else f'{units[cell]} '}at {_place(cell, game)}, {_away(distance[cell])}"
        for cell in order[:NEAREST]
    ]
    more = f" (and {len(order) - NEAREST} cells more)" if len(order) > NEAREST else ""
    return "; ".join(shown) + more


def _others(state: PlanState) -> Iterable[str]:
    """Return where other players are or were last seen."""
    for agent, seen in sorted(state.memory.others.items()):
        when = "now" if seen.time == state.view.time else f"last seen at step {seen.time}"
        yield f"{state.tables.game.names[agent]}: at {_place(seen.cell, state.tables.game)}, {when}"


def _option(game: GridGame, name: str, choices: Choices) -> str:
    """Return an open goal with the legal values of its fields."""
    parts = [
        f"{field} {', '.join(game.names[each] if field == 'partner' else f'{each}' for each in values)}"
        for field, values in choices.items()
    ]
    return f"{name}: {'; '.join(parts)}" if parts else name


def _place(cell: int, game: GridGame) -> str:
    return str(list(divmod(cell, game.width)))


def _away(steps: int) -> str:
    return "out of reach" if steps == FAR else "here" if steps == 0 else f"{steps} step{'s' * (steps > 1)} away"
