"""Text interface of planners: goals and an agent's situation as text, and the typed form of a plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import integer_schema, list_schema, tagged_schema
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
Name = Annotated[str, Field(max_length=80)]
Amount = Annotated[int, Field(ge=1, le=MAX_AMOUNT)]
Place = Annotated[int, Field(ge=0, le=999)]
"""Row or column."""


class GatherReply(Strict):
    """Plan to pick up units."""

    goal: Literal["gather"]
    resource: Name
    amount: Amount


class CraftReply(Strict):
    """Plan to run an event."""

    goal: Literal["craft"]
    resource: Name
    amount: Amount


class DropReply(Strict):
    """Plan to drop units beside a player, at a cell, or on the spot."""

    goal: Literal["drop"]
    resource: Name
    amount: Amount
    partner: Name = ""
    cell: list[Place] = Field(default_factory=list, max_length=2)


class GoReply(Strict):
    """Plan to walk to a cell."""

    goal: Literal["go"]
    cell: list[Place] = Field(min_length=2, max_length=2)


class ExploreReply(Strict):
    """Plan to look around for some steps."""

    goal: Literal["explore"]
    amount: Amount


class WaitReply(Strict):
    """Plan to wait for some steps."""

    goal: Literal["wait"]
    amount: Amount


class JoinReply(Strict):
    """Plan to join a group."""

    goal: Literal["join"]
    group: int


class RequestReply(Strict):
    """Plan to ask a player to bargain."""

    goal: Literal["request"]
    partner: Name


class ClaimReply(Strict):
    """Plan to claim a share."""

    goal: Literal["claim"]
    share: float


class AcceptReply(Strict):
    """Plan to accept a claim."""

    goal: Literal["accept"]


class EndReply(Strict):
    """Plan to end a bargain."""

    goal: Literal["end"]


class ShareReply(Strict):
    """Plan to begin or end showing a player the own view."""

    goal: Literal["share"]
    partner: Name


class MessageReply(Strict):
    """Plan to send numbers to a player."""

    goal: Literal["message"]
    partner: Name
    words: list[Annotated[int, Field(ge=0, le=MAX_WORD)]] = Field(max_length=MAX_WORDS)


AnyReply = (
    GatherReply | CraftReply | DropReply | GoReply | ExploreReply | WaitReply | JoinReply | RequestReply | ClaimReply
    | AcceptReply | EndReply | ShareReply | MessageReply
)  # fmt: skip


class PlanReply(Strict):
    """Answer with a plan: a goal, and the details that this goal reads."""

    why: str = Field(max_length=MAX_WHY)
    plan: Annotated[AnyReply, Field(discriminator="goal")]


SHAPES: Mapping[str, type[Strict]] = {
    get_args(each.model_fields["goal"].annotation)[0]: each for each in get_args(AnyReply)
}
"""Goal -> model of its plans."""
_SOCIAL = ("join", "request", "claim", "accept", "end", "share", "message")
_EMPTY: Mapping[str, str] = {"partner": '""', "cell": "[]"}
"""Field that a plan may leave empty -> its empty value, as an answer states it."""
_DETAILS: Mapping[str, str] = {"amount": f"1 to {MAX_AMOUNT}", "cell": "[row, column]", "words": "a list of numbers"}
"""Field without a list of legal values -> its values in words."""
_EXAMPLE = {"why": "<one short sentence>", "plan": "<one of your plans now>"}


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
    """Return the form of a plan with one of the goals that are open now.

    The schema has an alternative for each goal, with the legal values of its details.

    Args:
        game: The game.
        legal: The open goals (`grid_games.planning.open_goals`).
    """
    place = integer_schema(0, max(game.height, game.width) - 1)
    fields: dict[str, Mapping[str, Any]] = {}
    if "words" in game.settings:
        fields["words"] = list_schema(integer_schema(0, MAX_WORD), 0, int(game.settings["words"]))
    found: list[Any] = []
    for name, choices in legal.items():
        needed = {**fields, "cell": list_schema(place, 0 if "cell" in GOALS[name].optional else 2, 2)}
        values = {field: _values(game, name, field, each) for field, each in choices.items()}
        found += tagged_schema({name: SHAPES[name]}, "goal", values, needed)["anyOf"]
    choices = {"plan.goal": list(legal)}
    narrowed = {"plan": {"anyOf": found}}
    return AnswerForm("grid_plan", PlanReply, _EXAMPLE, reasoning="why", choices=choices, narrowed=narrowed)


def grid_plan(reply: PlanReply, game: GridGame) -> GridPlan:
    """Return the plan of an answer.

    Raises:
        ValueError: A detail names nothing in this game; one line for its writer.
    """
    given = reply.plan.model_dump()
    found = {"goal": given.pop("goal"), **given}
    if "resource" in given:
        found["resource"] = _named(given["resource"], "resource", [each.name for each in game.resources])
    if given.get("partner", ""):
        found["partner"] = game.names.index(_named(given["partner"], "partner", game.names))
    elif "partner" in GOALS[found["goal"]].optional:
        found["partner"] = None
    if "cell" in given:
        found["cell"] = _cell(given["cell"], game)
    if "words" in given:
        found["words"] = tuple(given["words"]) or None
    return GridPlan(**found)


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
        "Your plans now:",
        *(_option(game, name, choices) for name, choices in legal.items()),
    ]
    return "\n".join(lines)


def _values(game: GridGame, goal: str, field: str, choices: Sequence[Any]) -> list[Any]:
    """Return the legal values of a goal's field, as an answer states them."""
    shown = [game.names[value] for value in choices] if field == "partner" else list(choices)
    return ["", *shown] if field in GOALS[goal].optional else shown


def _named(name: str, field: str, legal: Sequence[str]) -> str:
    if name not in legal:
        raise ValueError(f"{field} {name!r} is not legal here; choose one of {', '.join(legal)}")
    return name


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
    """Return an open goal as a plan, with the legal values of its details in angle brackets."""
    parts = [f'"goal": "{name}"']
    for field in [each for each in SHAPES[name].model_fields if each != "goal"]:
        values = _values(game, name, field, choices.get(field, ()))
        legal = ", ".join(f"{each}" for each in values if each != "") or _DETAILS[field]
        empty = f" or {_EMPTY[field]}" if field in GOALS[name].optional else ""
        parts.append(f'"{field}": <{legal}{empty}>')
    return f"- {{{', '.join(parts)}}}"


def _place(cell: int, game: GridGame) -> str:
    return str(list(divmod(cell, game.width)))


def _away(steps: int) -> str:
    return "out of reach" if steps == FAR else "here" if steps == 0 else f"{steps} step{'s' * (steps > 1)} away"
