"""Act stage: one legal action for a turn. After two unusable answers the agent stays where it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from common.answers.reading import Strict
from common.untrusted_text import MAX_QUOTE
from voyager_agents.commons_harvest import HarvestDecision, HarvestTurn, Place
from voyager_agents.errors import ReplyError
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.plan import insights
from voyager_agents.generative.spatial import spot

MOVES = ("go", "immobilize", "stay", "explore")
"""Legal values of an answer's `move`."""


class Chosen(Strict):
    """Model answer of the act stage."""

    reasoning: str = Field(max_length=4000)
    move: str = Field(max_length=32)
    to: list[int] | None = Field(default=None, max_length=2)
    target: str = Field(default="", max_length=64)
    say: str = Field(default="", max_length=MAX_QUOTE)


class ActStage:
    """Choice of an action for each turn, by one model call."""

    def __init__(self, kit: Kit) -> None:
        self._mind = kit.mind
        self._settings = kit.settings
        self._memory = kit.memory
        self._short = kit.short
        self._space = kit.space

    async def choose(self, turn: HarvestTurn, known: Mapping[str, Any]) -> HarvestDecision:
        """Return the decision for a turn: one model call, two if the first answer is unusable.

        Model errors propagate.
        """
        document = {
            **self._short.plain(),
            "insights": insights(self._memory),
            "map": self._space.plain(turn.at),
            "legal": self._legal(turn),
            **known,
        }
        try:
            chosen = await self._mind.ask("act", document, Chosen, lambda answer: self._check(answer, turn))
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
            "immobilize": [{"target": name, "to": list(at)} for name, at in _targets(turn).items()],
            "say": f"at most {MAX_QUOTE} characters, heard by all" if self._speaks else "nothing: leave it empty",
        }

    @property
    def _speaks(self) -> bool:
        return "communication" in self._settings.modules

    def _check(self, answer: Chosen, turn: HarvestTurn) -> None:
        if answer.move not in MOVES:
            raise ReplyError("move", f"move: {answer.move!r}: choose one of {', '.join(MOVES)}")
        if answer.say and not self._speaks:
            raise ReplyError("say", 'say: nobody can be spoken to here: leave it ""')
        if answer.move == "immobilize":
            targets = _targets(turn)
            if answer.target not in targets:
                legal = ", ".join(targets) or "nobody: choose another move"
                raise ReplyError("target", f"target: {answer.target!r} is not in sight: in sight is {legal}")
        elif answer.target:
            raise ReplyError("target", f"target: {answer.target!r}: only immobilize has a target")
        if answer.move in ("go", "explore"):
            _place(answer.to, turn.size)

    def _decision(self, chosen: Chosen, turn: HarvestTurn) -> HarvestDecision:
        match chosen.move:
            case "go":
                return HarvestDecision("go", _place(chosen.to, turn.size), say=chosen.say, why=chosen.reasoning)
            case "explore":
                return HarvestDecision("explore", _place(chosen.to, turn.size), say=chosen.say, why=chosen.reasoning)
            case "immobilize":
                at = _targets(turn)[chosen.target]
                return HarvestDecision("immobilize", at, chosen.target, say=chosen.say, why=chosen.reasoning)
        return HarvestDecision("stay", say=chosen.say, why=chosen.reasoning)


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


def _place(to: list[int] | None, size: Place) -> Place:
    """Return the target cell. Raises ReplyError if it is missing, malformed or outside the field."""
    if to is None or len(to) != 2:
        raise ReplyError("to", f"to: {to!r}: give the cell as [x, z]")
    if not (0 <= to[0] < size[0] and 0 <= to[1] < size[1]):
        raise ReplyError("to", f"to: {to!r} is outside of the field: x 0 to {size[0] - 1}, z 0 to {size[1] - 1}")
    return (to[0], to[1])
