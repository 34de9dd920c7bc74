"""Generative agent that perceives, understands, reflects, plans and acts once a round.

Model calls in a turn, with default settings:

    act             1
    perceive        1 if there are new observations; 0 with the setting `perceive: rule`
    plan            1 if there is no plan or a reason for a new one
    reflect         2 after every 30 observations
    understanding   1 every 5 rounds
    council         1 for each phase of a meeting
    reputation      1 before each meeting but the first, if a model judges it

After an unusable answer the model is asked again, which costs one further call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from common.answers.reading import Strict
from contracts.institutions import InstitutionAct
from contracts.institutions.frame import CivicQuestion
from voyager_agents.commons_harvest import HarvestAct, HarvestDecision, HarvestTurn
from voyager_agents.errors import ObservationError, ReplyError
from voyager_agents.generative.council import CouncilView
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.parts import GenerativeParts, standard_parts
from voyager_agents.generative.plan import insights
from voyager_agents.turn_agent import Council

ASKED = "act_institution"
"""Prompt of questions of institutions, in the role `act`."""


class GenerativeAgent:
    """A `voyager_agents.turn_agent.TurnTaker` and member of its family's council, if there is one."""

    def __init__(self, name: str, kit: Kit, parts: GenerativeParts | None = None) -> None:
        self.name = name
        self.council: Council[HarvestTurn, HarvestAct] | None = None
        """Council of the agent's family; None without the communication and constitution modules."""
        self.kit = kit
        self.parts = parts or standard_parts(kit)
        self._taken = 0
        """Last round in which the agent took a turn."""

    @property
    def faults(self) -> tuple[str, ...]:
        """Errors of unusable model answers, oldest first."""
        return tuple(self.kit.mind.faults)

    async def take_turn(self, turn: HarvestTurn) -> HarvestDecision:
        """Return the agent's decision for a turn. Raises AgentError if its model fails."""
        self._begin(turn)
        self._taken = turn.round
        perceived = await self.parts.perceive.take_in(turn)
        if self.parts.understanding is not None:
            self.parts.understanding.observe(turn, perceived.changes)
        if turn.out:
            return HarvestDecision("stay", why="out of the game")
        if self.parts.understanding is not None:
            await self.parts.understanding.look(turn.round)
        await self.parts.reflect.after(perceived.observed, perceived.fresh, turn.round)
        reason = "there is no plan yet" if self.kit.short.plan is None else perceived.reason
        if reason:
            await self.parts.plan.renew(turn.round, reason, self._known())
        return await self.parts.act.choose(turn, self._known())

    async def speak(self, turn: HarvestTurn, view: CouncilView) -> Sequence[InstitutionAct]:
        """Return the agent's acts in one phase of a council meeting. Raises AgentError if its model fails."""
        self._begin(turn)
        if self.parts.communication is None:
            return []
        self.kit.short.turn = turn
        rules = self._understood()
        return await self.parts.communication.speak(view, self.parts.perceive.sights(turn), rules)

    async def answer_institution(self, question: CivicQuestion[Any]) -> Strict | None:
        """Return the model's answer in the question's form; None if it is unusable. Raises AgentError if it fails."""
        document = {
            **self.kit.short.to_dict(),
            **self._institutions(),
            "insights": insights(self.kit.memory),
            "question": {"institution": question.part, "text": question.text, **question.facts},
        }
        try:
            answer: Strict = await self.kit.mind.ask(ASKED, document, question.form)
        except ReplyError:
            # The mind has recorded the fault; the institution counts the answer as unreadable.
            return None
        return answer

    def hear_institutions(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Remember the law in force and the latest steps of institutions that the agent may know."""
        short = self.kit.short
        for each in entries:
            if each["what"] == "law_in_force":
                short.law = tuple(str(clause["says"]) for clause in each["data"]["clauses"])
            short.institutions.append({key: value for key, value in each.items() if value})

    def _institutions(self) -> dict[str, Any]:
        """Return law and steps of institutions for prompts; empty without institutions."""
        short = self.kit.short
        return {"law": list(short.law), "institutions": list(short.institutions)} if short.institutions else {}

    def attend(self, view: CouncilView) -> None:
        """Store the agent's current view of the council."""
        self.kit.short.council = view

    def _known(self) -> dict[str, Any]:
        """Return the modules' additions to the prompts of plan and act."""
        council = self.kit.short.council
        told = {"council": council.to_dict()} if council is not None else {}
        return {**self._understood(), **told, **self._institutions()}

    def _understood(self) -> dict[str, Any]:
        return {"confirmed_rules": self.parts.understanding.confirmed()} if self.parts.understanding is not None else {}

    def _begin(self, turn: HarvestTurn) -> None:
        """Reset the state of one game if the round number restarts; keep long-term memory and hypotheses."""
        if turn.player != self.name:
            raise ObservationError(f"player: {turn.player!r}: this agent is {self.name!r}")
        if turn.round <= self._taken:
            council = self.kit.short.council
            self.kit.short.clear()
            # The council has already been reset, before its members take their turns.
            self.kit.short.council = council
            self.kit.space.clear()
            self.parts.perceive.clear()
            if self.parts.understanding is not None:
                self.parts.understanding.clear()
            self._taken = 0
