"""Communication module: an agent's message at a council meeting, as typed acts. Unusable answers count as silence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import integer_schema, list_schema
from contracts.errors import Refused
from contracts.institutions import InstitutionAct, Propose, Rule
from voyager_agents.errors import ReplyError
from voyager_agents.generative import acts, terms
from voyager_agents.generative.asking import MAX_REASONING
from voyager_agents.generative.council import CouncilView
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.plan import insights
from voyager_agents.generative.settings import GenerativeSettings
from voyager_agents.thought_events import Deliberated


class CommunicationAnswer(Strict):
    """Model answer of the communication module."""

    reasoning: str = Field(max_length=MAX_REASONING)
    acts: list[dict[str, Any]] = Field(max_length=acts.MAX_ACTS)


def council_form(view: CouncilView, settings: GenerativeSettings) -> AnswerForm[CommunicationAnswer]:
    """Return the form of a message at a council, with the acts that its present state allows."""
    legal_values = {
        "to": list(view.members),
        "agreement": [str(each["agreement"]) for each in view.agreements],
        "motion": [str(each["motion"]) for each in view.motions],
        "rule": [str(each["rule"]) for each in view.rules],
    }
    amount = integer_schema(0, settings.highest_penalty)
    fields = {
        "term": terms.term_schema(),
        "rounds": integer_schema(settings.agreement_rounds, settings.longest_agreement),
        "penalty": amount,
        "reward": amount,
    }
    legal = acts.act_schema(settings.modules, legal_values, fields)
    example = {"reasoning": "what you want to reach", "acts": []}
    narrowed = {"acts": list_schema(legal, 0, acts.MAX_ACTS)}
    return AnswerForm("council", CommunicationAnswer, example, reasoning="reasoning", narrowed=narrowed)


class Communication:
    """Choice of acts at a council: questions, answers, proposals, motions and votes."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        modules = kit.settings.modules
        self._constants = {"acts": acts.forms(modules), "terms": terms.forms()}

    async def speak(self, view: CouncilView, sights: Sequence[str], known: Mapping[str, Any]) -> list[InstitutionAct]:
        """Return the acts of one message; empty if the model's answers are unusable. Model errors propagate."""
        settings = self._kit.settings
        limits = {
            "rounds": [settings.agreement_rounds, settings.longest_agreement],
            "penalty_and_reward_at_most": settings.highest_penalty,
            "voting": settings.voting,
        }
        document = {
            **self._kit.short.to_dict(),
            "in_sight_nearest_first": list(sights),
            "insights": insights(self._kit.memory),
            "limits": limits,
            **known,
            "council": view.to_dict(),
        }
        form = council_form(view, settings)
        try:
            speech = await self._kit.mind.ask("council", document, form, self._check, self._constants)
        except ReplyError:
            # The mind has recorded the fault; an unusable message has no effect.
            return []
        said = tuple(speech.acts)
        round = self._kit.short.turn.round if self._kit.short.turn else 0
        self._kit.tell(Deliberated(round, speech.reasoning, said, role="council"))
        return [acts.read_act(each, settings.modules) for each in speech.acts]

    def _check(self, speech: CommunicationAnswer) -> None:
        for each in speech.acts:
            act = acts.read_act(each, self._kit.settings.modules)
            if isinstance(act, Propose | Rule):
                try:
                    terms.read_term(act.term)
                except Refused as error:
                    raise ReplyError(error.code, str(error)) from None
