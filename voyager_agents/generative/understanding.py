"""Understanding module: hypotheses about rules of the world and of other players, with evidence from observations.

Proposed by Mosquera et al. (2024), section 7.2: an agent infers hypotheses from past observations, and treats them as
rules above a threshold of support. Confirmed rules are part of the prompts of plan and act. Messages of players are
not evidence.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import bounded_schema, list_schema
from voyager_agents import thought_events
from voyager_agents.commons_harvest import HarvestTurn, Place
from voyager_agents.errors import ReplyError
from voyager_agents.generative.hypotheses import Glimpse, Hypothesis, forms, read_test, test_schema
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.spatial import Change

MAX_HYPOTHESES = 12
"""Maximum number of hypotheses, retracted ones not counted."""
MAX_NEW = 5
"""Maximum number of new hypotheses in an answer."""
GLIMPSES = 200
"""Number of past turns kept to test new hypotheses on."""
SHOWN = 40
"""Number of latest observations in the prompt."""


class NewHypothesis(Strict):
    """Hypothesis proposed by the model, with or without a test."""

    text: str = Field(min_length=1, max_length=400)
    test: dict[str, Any] | None


class Citation(Strict):
    """Citation of one observation for or against a hypothesis without a test."""

    hypothesis: str = Field(max_length=16)
    observation: int
    supports: bool


class UnderstandingAnswer(Strict):
    """Model answer of the understanding module."""

    hypotheses: list[NewHypothesis] = Field(max_length=MAX_NEW)
    evidence: list[Citation] = Field(default_factory=list, max_length=40)


def understanding_form(
    players: Sequence[str], hypotheses: Sequence[str], observations: Sequence[int]
) -> AnswerForm[UnderstandingAnswer]:
    """Return the form of new hypotheses and of evidence for open ones.

    Args:
        players: Names that a test may contain.
        hypotheses: Ids of the open hypotheses without a test.
        observations: Ids of the observations that were shown.
    """
    example = {
        "hypotheses": [{"text": "...", "test": None}],
        "evidence": [{"hypothesis": "H1", "observation": 12, "supports": True}],
    }
    proposed = bounded_schema(NewHypothesis)
    proposed["properties"]["test"] = {"anyOf": [*test_schema(players)["anyOf"], {"type": "null"}]}
    narrowed: dict[str, dict[str, Any] | None] = {"hypotheses": list_schema(proposed, 0, MAX_NEW)}
    choices: dict[str, Sequence[Any]] = {"evidence.hypothesis": hypotheses, "evidence.observation": observations}
    if not all(choices.values()):
        narrowed, choices = {**narrowed, "evidence": None}, {}
    return AnswerForm("understand", UnderstandingAnswer, example, choices=choices, narrowed=narrowed)


class Understanding:
    """Hypotheses of one agent."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._glimpses: deque[Glimpse] = deque(maxlen=GLIMPSES)
        self._in_sight: dict[str, int] = {}
        """Tree -> its visible apples in the previous turn."""
        self.all: list[Hypothesis] = []

    def observe(self, turn: HarvestTurn, changes: Sequence[Change]) -> None:
        """Add the evidence of a turn to every hypothesis with a test. Makes no model call."""
        glimpse = self._glimpse(turn, changes)
        self._glimpses.append(glimpse)
        for each in self.all:
            if not each.retracted:
                each.see(glimpse)

    def clear(self) -> None:
        """Forget the previous turn's sights before a new game; keep all hypotheses."""
        self._in_sight = {}

    async def look(self, round: int) -> None:
        """Ask the model for new hypotheses and cited evidence, every `understand_every` rounds.

        Model errors propagate.
        """
        if round % self._kit.settings.understand_every:
            return
        observations = {each.id: each for each in self._kit.memory.latest("observation", SHOWN)}
        document = {
            "round": round,
            "observations": [each.to_dict() for each in observations.values()],
            "hypotheses": self.hypothesis_dicts(),
        }

        def fits(answer: UnderstandingAnswer) -> None:
            self._check(answer, observations)

        turn = self._kit.short.turn
        form = understanding_form(turn.players if turn else (), self._in_words(), tuple(observations))
        try:
            answer = await self._kit.mind.ask("understand", document, form, fits, {"tests": forms()})
        except ReplyError:
            # The mind has recorded the fault; hypotheses stay as they are.
            return
        by_id = {each.id: each for each in self.all}
        for cited in answer.evidence:
            by_id[cited.hypothesis].cite(cited.observation, cited.supports)
        for new in answer.hypotheses:
            self._propose(new, round)
        self._kit.tell(
            thought_events.HypothesesHeld(
                round, tuple(self.hypothesis_dicts()), tuple(self.confirmed()), role="understand"
            )
        )

    def confirmed(self) -> list[str]:
        """Return the confirmed hypotheses in words, with their evidence for and against."""
        least = self._kit.settings.confirmed_at
        found = [each for each in self.all if each.status(least) == "confirmed"]
        return [f"{each.text} (for {each.evidence[0]}, against {each.evidence[1]})" for each in found]

    def hypothesis_dicts(self) -> list[dict[str, Any]]:
        """Return all hypotheses as JSON-compatible data, for prompts and records."""
        return [each.to_dict(self._kit.settings.confirmed_at) for each in self.all]

    def _check(self, answer: UnderstandingAnswer, observations: Collection[int]) -> None:
        for each in answer.hypotheses:
            if each.test is not None:
                read_test(each.test)
        in_words = self._in_words()
        for cited in answer.evidence:
            if cited.hypothesis not in in_words:
                raise ReplyError("hypothesis", f"evidence: {cited.hypothesis!r} is no hypothesis without a test")
            if cited.observation not in observations:
                raise ReplyError("observation", f"evidence: {cited.observation} is no observation shown to you")

    def _in_words(self) -> tuple[str, ...]:
        """Return the ids of the open hypotheses without a test."""
        return tuple(each.id for each in self.all if not each.retracted and each.test is None)

    def _propose(self, new: NewHypothesis, round: int) -> None:
        test = None if new.test is None else read_test(new.test)
        held = [each for each in self.all if not each.retracted]
        # Retracted hypotheses are not proposed again: the same evidence would retract them again.
        known = any((test is not None and each.test == test) or each.text == new.text for each in self.all)
        if known or len(held) >= MAX_HYPOTHESES:
            return
        made = Hypothesis(f"H{len(self.all) + 1}", new.text, test, round)
        self.all.append(made)
        for glimpse in self._glimpses:
            made.see(glimpse)

    def _glimpse(self, turn: HarvestTurn, changes: Sequence[Change]) -> Glimpse:
        in_sight: dict[str, int] = {}
        for seen in turn.seen:
            if seen.what in ("apple", "bare", "tree"):
                in_sight[seen.name] = in_sight.get(seen.name, 0) + (seen.what == "apple")
        both = {name: (self._in_sight[name], now) for name, now in in_sight.items() if name in self._in_sight}
        # Spatial memory includes apples that have just grown; the test needs the number before.
        grown = [each for each in changes if each.grown]
        before = {tree: self._kit.space.apples(tree) - sum(each.tree == tree for each in grown) for tree in in_sight}
        players: dict[str, Place] = {turn.player: turn.at}
        players.update({seen.name: seen.at for seen in turn.seen if seen.what == "player"})
        self._in_sight = in_sight
        return Glimpse(turn.deeds, tuple((each.tree, before.get(each.tree, 0)) for each in grown), both, players)
