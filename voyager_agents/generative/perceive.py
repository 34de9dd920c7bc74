"""Perception: converts sights and events of a turn to short texts, stores new ones, and finds reasons to replan."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import integer_schema, list_schema
from common.untrusted_text import quote_text
from voyager_agents import thought_events
from voyager_agents.commons_harvest import HarvestAct, HarvestTurn, Seen, act_text, spot
from voyager_agents.errors import ReplyError
from voyager_agents.generative.council import CouncilView
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.long_term import MemoryRecord, Unstored, kept
from voyager_agents.generative.poignancy import POIGNANCY, Matter
from voyager_agents.generative.spatial import Change

MAX_EVENTS = 30
"""Maximum number of events and messages perceived in a turn; the latest are kept."""


class Ratings(Strict):
    """Model answer of the perception stage."""

    reason: str = Field(max_length=400)
    poignancy: list[int] = Field(max_length=200)
    react: bool


class Reaction(Strict):
    """Model answer of the perception stage where all observations are equally important."""

    reason: str = Field(max_length=400)
    react: bool


REACTION_FORM = AnswerForm(
    "perceive", Reaction, {"reason": "what is new, in one sentence", "react": False}, reasoning="reason"
)


def ratings_form(count: int) -> AnswerForm[Ratings]:
    """Return the form of the ratings of `count` observations."""
    example = {"reason": "what is new, in one sentence", "poignancy": [3, 1], "react": False}
    narrowed = {"poignancy": list_schema(integer_schema(1, 10), count, count)}
    return AnswerForm("perceive", Ratings, example, reasoning="reason", narrowed=narrowed)


@dataclass(frozen=True)
class Observed:
    """Observation before it is stored."""

    text: str
    about: Matter
    new: bool = True


@dataclass(frozen=True)
class PerceivedTurn:
    """Result of perceiving one turn."""

    observed: int
    """Number of perceived observations, known ones included."""
    fresh: tuple[MemoryRecord, ...]
    """New observations, as stored in long-term memory."""
    changes: tuple[Change, ...]
    reason: str
    """Reason to replan; empty for none."""


class Perceive:
    """Perception stage: updates short-term, spatial and long-term memory, and finds reasons to replan."""

    def __init__(self, kit: Kit) -> None:
        self._mind = kit.mind
        self._settings = kit.settings
        self._memory = kit.memory
        self._short = kit.short
        self._space = kit.space
        self._tell = kit.tell
        self._heard: CouncilView | None = None
        """View of the council at the previous turn."""

    def clear(self) -> None:
        """Forget the previous council view before a new game."""
        self._heard = None

    def sights(self, turn: HarvestTurn) -> tuple[str, ...]:
        """Return the nearest visible things, in words."""
        return tuple(_sight(each, known=True).text for each in turn.seen[: self._settings.attention])

    async def take_in(self, turn: HarvestTurn) -> PerceivedTurn:
        """Perceive a turn and update all memories.

        The model rates new observations at once. There is no call with the setting `perceive: rule`, without new
        observations, or for an agent that is out of the game. Model errors propagate.
        """
        sights = [_sight(each, self._space.knows(each)) for each in turn.seen[: self._settings.attention]]
        changes = self._space.take_in(turn)
        happened = self._happened(turn, changes)
        self._short.turn = turn
        self._short.now = tuple(each.text for each in sights)
        self._short.changes = tuple(each.text for each in changes)
        self._short.events.extend(each.text for each in happened)
        observed = [*happened, *sights]
        new = _unique([each for each in observed if each.new])
        ratings, reason = await self._rate(new, turn)
        stored = [
            Unstored(each.text, "speech" if each.about == "spoken" else "observation", rating)
            for each, rating in zip(new, ratings, strict=True)
        ]
        fresh = await self._memory.add(stored, turn.round)
        self._tell(thought_events.TurnPerceived(turn.round, self._short.now, kept(fresh), reason, role="perceive"))
        return PerceivedTurn(len(observed), fresh, tuple(changes), reason)

    def _happened(self, turn: HarvestTurn, changes: list[Change]) -> list[Observed]:
        deeds = [_deed(each, turn.player) for each in turn.deeds]
        told = [Observed(text, "event") for text in turn.events]
        said = [Observed(f"{speaker} said {quote_text(text)}", "spoken") for speaker, text in turn.said]
        explained = {deed.at for deed in turn.deeds}
        differ = [
            Observed(each.text, "grown" if each.grown else "gone")
            for each in changes
            # Skip changes that an action or an event already explains.
            if each.at not in explained and not any(spot(each.at) in text for text in turn.events)
        ]
        return [*told, *deeds, *said, *differ, *self._from_council()][-MAX_EVENTS:]

    def _from_council(self) -> list[Observed]:
        """Return the council's messages and findings since the previous turn."""
        view, before = self._short.council, self._heard
        self._heard = view
        if view is None:
            return []
        same = before is not None and before.meeting == view.meeting
        said, news = (len(before.said), len(before.news)) if same and before is not None else (0, 0)
        spoken = [Observed(f"{who} said to {to} {quote_text(text)}", "spoken") for who, to, text in view.said[said:]]
        return [*spoken, *(Observed(text, "court") for text in view.news[news:])]

    async def _rate(self, new: list[Observed], turn: HarvestTurn) -> tuple[list[int], str]:
        """Return the poignancy of each new observation, and the reason to replan."""
        ruled = [POIGNANCY[each.about] for each in new]
        worst = max(zip(ruled, new, strict=True), key=lambda pair: pair[0], default=None)
        striking = worst[1].text if worst is not None and worst[0] >= self._settings.react_at else ""
        if self._settings.perceive == "rule" or not new or turn.out:
            return ruled, striking
        numbered = {str(number): each.text for number, each in enumerate(new, 1)}
        document = {**self._short.to_dict(), "new_observations": numbered}

        def fits(answer: Ratings) -> None:
            if len(answer.poignancy) != len(new) or not all(1 <= each <= 10 for each in answer.poignancy):
                raise ReplyError("poignancy", f"poignancy: give {len(new)} whole numbers from 1 to 10, one for each")

        answer: Ratings | Reaction
        (prompt,) = self._settings.prompts["perceive"]
        try:
            if self._settings.importance == "uniform":
                answer = await self._mind.ask(prompt, document, REACTION_FORM)
            else:
                answer = await self._mind.ask(prompt, document, ratings_form(len(new)), fits)
        except ReplyError:
            # The mind has recorded the fault; fall back to the rule.
            return ruled, striking
        reason = (answer.reason or "something new") if answer.react else ""
        return list(answer.poignancy) if isinstance(answer, Ratings) else ruled, reason


def _sight(seen: Seen, known: bool) -> Observed:
    note = f" ({seen.note})" if seen.note else ""
    match seen.what:
        case "apple":
            return Observed(f"an apple at {spot(seen.at)}, {seen.name}{note}", "cell", not known)
        case "bare":
            return Observed(f"a bare cell at {spot(seen.at)}, {seen.name}{note}", "cell", not known)
        case "player":
            return Observed(f"player {seen.name} at {spot(seen.at)}{note}", "player", not known)
    return Observed(f"{seen.what} {seen.name} at {spot(seen.at)}{note}", "tree", not known)


def _deed(deed: HarvestAct, me: str) -> Observed:
    about: Matter = "last_apple" if deed.left == 0 else "take"
    if deed.kind == "attack":
        about = "attacked" if deed.target == me else "attack"
    return Observed(act_text(deed), about)


def _unique(observed: list[Observed]) -> list[Observed]:
    """Return the observations without duplicate texts."""
    return list({each.text: each for each in reversed(observed)}.values())[::-1]
