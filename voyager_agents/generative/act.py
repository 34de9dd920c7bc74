"""Act stage: one legal action for a turn. Without a usable answer the agent stays where it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import integer_schema
from common.untrusted_text import MAX_QUOTE
from voyager_agents.commons_harvest import HarvestDecision, HarvestTurn, Place, spot
from voyager_agents.errors import ReplyError
from voyager_agents.generative.asking import MAX_REASONING
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.plan import insights

MAX_THOUGHT = 400
"""Maximum length of each text of reasoning in the paper's form, in characters."""
THOUGHTS = {
    "opportunities": "<the most relevant ones>", "threats": "<the biggest ones>", "options": "<what could be done>",
    "consequences": "<of each option>", "final_analysis": "<which option is best, and why>",
}  # fmt: skip
"""Example of the reasoning in the paper's form."""
MOVES = ("go", "explore", "stay")
"""Moves that are always legal; `immobilize NAME` is legal for each player in sight."""
IMMOBILIZE = "immobilize "
"""Beginning of the move against a player, before its name."""


class Cell(Strict):
    """Cell of the field."""

    x: int
    z: int


class Chosen(Strict):
    """Model answer of the act stage."""

    reasoning: str = Field(max_length=MAX_REASONING)
    move: str = Field(max_length=80)
    to: Cell | None = None
    say: str = Field(default="", max_length=MAX_QUOTE)


class Weighed(Strict):
    """Model answer of the act stage in the form of Mosquera et al. (2024), appendix F."""

    opportunities: str = Field(max_length=MAX_THOUGHT)
    threats: str = Field(max_length=MAX_THOUGHT)
    options: str = Field(max_length=MAX_THOUGHT)
    consequences: str = Field(max_length=MAX_THOUGHT)
    final_analysis: str = Field(max_length=MAX_THOUGHT)
    move: str = Field(max_length=80)
    to: Cell | None = None
    say: str = Field(default="", max_length=MAX_QUOTE)

    @property
    def reasoning(self) -> str:
        """All five texts, a line each, for the record."""
        return (
            f"opportunities: {self.opportunities}\nthreats: {self.threats}\noptions: {self.options}\n"
            f"consequences: {self.consequences}\nfinal analysis: {self.final_analysis}"
        )


def act_form(
    size: Place, targets: Iterable[str] = (), *, speaks: bool = True, weighed: bool = False
) -> AnswerForm[Any]:
    """Return the form of an answer of the act stage.

    Args:
        size: Columns and rows of the field.
        targets: Names of the players in sight.
        speaks: False if the agent cannot speak to others.
        weighed: True for the paper's form (`Weighed`), whose five texts are always asked for; otherwise `Chosen`.
    """
    said = {"say": ""} if speaks else {}
    chosen = {"move": "go", "to": {"x": 3, "z": 4}, **said}
    moves = (*MOVES, *(f"{IMMOBILIZE}{name}" for name in targets))
    cell = {
        "type": "object",
        "properties": {"x": integer_schema(0, size[0] - 1), "z": integer_schema(0, size[1] - 1)},
        "required": ["x", "z"],
        "additionalProperties": False,
    }
    narrowed = {"to": cell, **({} if speaks else {"say": None})}
    if weighed:
        return AnswerForm("act", Weighed, {**THOUGHTS, **chosen}, choices={"move": moves}, narrowed=narrowed)
    example = {"reasoning": "step by step", **chosen}
    return AnswerForm("act", Chosen, example, reasoning="reasoning", choices={"move": moves}, narrowed=narrowed)


class ActStage:
    """Choice of an action for each turn, by one model call."""

    def __init__(self, kit: Kit) -> None:
        self._mind = kit.mind
        self._settings = kit.settings
        self._memory = kit.memory
        self._short = kit.short
        self._space = kit.space

    async def choose(self, turn: HarvestTurn, known: Mapping[str, Any]) -> HarvestDecision:
        """Return the decision for a turn. Model errors propagate."""
        document = {
            **self._short.to_dict(),
            "insights": insights(self._memory),
            "map": self._space.to_dict(turn.at),
            "legal": self._legal(turn),
            **known,
        }
        weighed = self._settings.act_form == "paper"
        form = act_form(turn.size, _targets(turn), speaks=self._speaks, weighed=weighed)
        (prompt,) = self._settings.prompts["act"]
        try:
            chosen = await self._mind.ask(prompt, document, form, lambda answer: self._check(answer, turn))
        except ReplyError as error:
            decision = HarvestDecision("stay", fault=f"no legal action: {error}")
        else:
            decision = self._decision(chosen, turn)
        self._short.actions.append(f"round {turn.round}: {told(decision)}")
        return decision

    def _legal(self, turn: HarvestTurn) -> dict[str, Any]:
        """Return the legal actions, for the prompt."""
        columns, rows = turn.size
        return {
            "go, explore": f"any cell from (0, 0) to ({columns - 1}, {rows - 1})",
            "immobilize": [{"name": name, "at": list(at)} for name, at in _targets(turn).items()],
            "say": f"at most {MAX_QUOTE} characters, heard by all" if self._speaks else "nothing: leave it empty",
        }

    @property
    def _speaks(self) -> bool:
        return "communication" in self._settings.modules

    def _check(self, answer: Chosen | Weighed, turn: HarvestTurn) -> None:
        if answer.say and not self._speaks:
            raise ReplyError("say", 'say: nobody can be spoken to here: leave it ""')
        if answer.move in ("go", "explore"):
            _place(answer.to, turn.size)

    def _decision(self, chosen: Chosen | Weighed, turn: HarvestTurn) -> HarvestDecision:
        match chosen.move:
            case "go":
                return HarvestDecision("go", _place(chosen.to, turn.size), say=chosen.say, why=chosen.reasoning)
            case "explore":
                return HarvestDecision("explore", _place(chosen.to, turn.size), say=chosen.say, why=chosen.reasoning)
            case "stay":
                return HarvestDecision("stay", say=chosen.say, why=chosen.reasoning)
        target = chosen.move.removeprefix(IMMOBILIZE)
        return HarvestDecision("immobilize", _targets(turn)[target], target, say=chosen.say, why=chosen.reasoning)


def told(decision: HarvestDecision) -> str:
    """Format a decision for the agent's own memory."""
    where = f" {spot(decision.to)}" if decision.to else ""
    return f"{decision.move}{where}{f' {decision.target}' if decision.target else ''}"


def _targets(turn: HarvestTurn) -> dict[str, Place]:
    """Return the visible other players with their positions; the first sighting of a player is the nearest."""
    found: dict[str, Place] = {}
    for seen in turn.seen:
        if seen.what == "player" and seen.name in turn.players and seen.name != turn.player:
            found.setdefault(seen.name, seen.at)
    return found


def _place(to: Cell | None, size: Place) -> Place:
    """Return the target cell. Raises ReplyError if it is missing or outside the field."""
    if to is None:
        raise ReplyError("to", 'to: give the cell as {"x": 3, "z": 4}')
    if not (0 <= to.x < size[0] and 0 <= to.z < size[1]):
        raise ReplyError(
            "to", f"to: ({to.x}, {to.z}) is outside of the field: x 0 to {size[0] - 1}, z 0 to {size[1] - 1}"
        )
    return (to.x, to.z)
