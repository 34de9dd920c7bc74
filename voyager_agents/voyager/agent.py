"""The Voyager agent, built from parts, each with its own model. The study uses it without curriculum and library."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from voyager_agents.agent import BY_CALLS, Action, Observation
from voyager_agents.asking import PROGRAM_TRIES, TRIES, Asker
from voyager_agents.context import AgentContext
from voyager_agents.errors import AgentError, ObservationError, ReplyError
from voyager_agents.evolving import advice_of
from voyager_agents.models import Settings
from voyager_agents.roles import NEGOTIATOR
from voyager_agents.stage_games.options import WrittenStrategies
from voyager_agents.thought_events import ACTION, CRITIC, Reviewed, Step, Tell, Unusable, silent
from voyager_agents.tool_calls.session import ToolSession
from voyager_agents.voyager.action import ActionPart
from voyager_agents.voyager.critic import CriticOpinion, CriticPart
from voyager_agents.voyager.negotiator import ModelNegotiator, NegotiatorPart
from voyager_agents.voyager.tool_action import ToolActionPart

TEMPERATURE = 0.1
"""Sampling temperature of all answers but messages."""
TALKING = 0.7
"""Sampling temperature of messages at the negotiating table."""


WORKS = "works"
STOPS = ("critic", WORKS)
"""Rules that end the search for a better program: the critic's approval, or a program that ends without an error, as
in the contracts paper (Yocum et al., section 4)."""


@dataclass(frozen=True)
class VoyagerParts:
    """Parts of a Voyager agent."""

    action: ActionPart | ToolActionPart
    critic: CriticPart | None
    """Critic; None: no self-critique."""
    negotiator: NegotiatorPart | None
    """Negotiator; None: the agent cannot negotiate."""


def part_asker(
    context: AgentContext,
    role: str,
    *,
    temperature: float = TEMPERATURE,
    tries: int = TRIES,
    tell: Tell | None = None,
    usual: str = ACTION,
    looks: bool = True,
) -> Asker:
    """Return the access of a part to its model; a role without a model of its own uses that of another role.

    Args:
        context: Context of the agent.
        role: Role of the part.
        temperature: Sampling temperature.
        tries: Maximum answers to one question.
        tell: Records unusable answers; None for the context's recorder.
        usual: Role whose model is asked if `role` has none.
        looks: False for questions without pictures.
    """
    asked = usual if context.model(role) is None else role
    return context.asker(asked, Settings(temperature=temperature), tries=tries, tell=tell, looks=looks)


def paper_parts(context: AgentContext) -> VoyagerParts:
    """Return the parts of an agent of the contracts paper.

    Raises:
        AgentError: An option is not legal.
        ModelError: There is no model for `action`.
    """
    works = stop_of(context.options) == WORKS
    return VoyagerParts(
        action_part(context),
        None if works else CriticPart(part_asker(context, CRITIC), prompts=context.prompts),
        negotiator_part(context),
    )


def stop_of(options: Mapping[str, Any]) -> str:
    """Return the rule that ends the search for a better program. Raises AgentError for an illegal option."""
    stop = str(options.get("stop", STOPS[0]))
    if stop not in STOPS:
        raise AgentError(f"agents' option stop: {stop!r} is not legal: choose one of {', '.join(STOPS)}")
    return stop


def action_part(context: AgentContext) -> ActionPart | ToolActionPart:
    """Return the part that acts: by programs, or by tool calls. Raises ModelError without a model for `action`."""
    if context.by_calls:
        return ToolActionPart(part_asker(context, ACTION), context.docs, context.prompts)
    return ActionPart(part_asker(context, ACTION, tries=PROGRAM_TRIES), context.docs, prompts=context.prompts)


def negotiator_part(context: AgentContext, *, usual: str = ACTION, prefix: str = "") -> NegotiatorPart:
    """Return the negotiator of an agent.

    Args:
        context: Context of the agent.
        usual: Role whose model negotiates if the role `negotiator` has none.
        prefix: Beginning of the names of the prompts (`voyager_agents.roles.NEGOTIATION`).

    Raises:
        ModelError: Neither role has a model.
    """

    def record(step: Step) -> None:
        # The record of the negotiation has the malformed messages.
        if not isinstance(step, Unusable):
            context.tell(step)

    speaking = part_asker(context, NEGOTIATOR, temperature=TALKING, tries=1, tell=record, usual=usual)
    signing = part_asker(context, NEGOTIATOR, usual=usual, looks=False)
    return NegotiatorPart(speaking, signing, context.prompts, prefix)


IDLE = "idle"
"""Name of the stand-in for a player whose model wrote no program (`common.answers.stand_ins`)."""


def idle(error: ReplyError) -> str:
    """Return a program for a player whose model wrote none. It raises the reason, which the next prompt shows."""
    why = json.dumps(f"no program was written: {error}".replace("```", ""))
    return f"async function idle(bot) {{\n  throw new Error({why})\n}}\n"


class VoyagerAgent(ModelNegotiator):
    """Agent that writes a program per episode, and keeps one that ran without an error if the critic approves."""

    def __init__(
        self,
        name: str,
        parts: VoyagerParts,
        tell: Tell = silent,
        inherited: WrittenStrategies = WrittenStrategies(),  # noqa: B008 - a frozen value without content
    ) -> None:
        """Create an agent.

        Args:
            name: Name of its player.
            parts: Parts of the agent.
            tell: Records its reasoning.
            inherited: Programs of its population: its own one from an earlier generation, and those of survivors.
        """
        super().__init__(name)
        self._own = inherited.own.get(name, "")
        self._advice = advice_of(inherited)
        self._tell = tell
        self._parts = parts
        self._reviewed: tuple[Observation, CriticOpinion] | None = None
        self.by_calls = isinstance(parts.action, ToolActionPart)
        self._begin: Callable[[], ToolSession] | None = None

    def begin_calls(self) -> ToolSession:
        """Return the calls for the episode of the last `act`.

        Raises:
            ObservationError: `act` was not called, or the agent writes programs.
        """
        if self._begin is None:
            raise ObservationError(f"{self.name}: act comes before begin_calls")
        return self._begin()

    async def review(self) -> tuple[str, bool]:
        """Return the critique of the last episode, and True if the program may stay unchanged.

        It may stay only if the critic rates the episode a success; without a critic, any program that ended well may
        stay.
        """
        observation = self._seen()
        if self._parts.critic is None:
            return "", True
        review = await self._review(observation)
        return review.text, review.success is True

    async def act(self) -> Action:
        """Review the last episode, then write the program for the next one. Raises ModelError.

        If the model gives no program in several tries, a stand-in keeps the player idle.
        """
        observation = self._seen()
        if self._own:
            return Action(self._own, "kept from an earlier generation")
        review = await self._review(observation)
        if isinstance(self._parts.action, ToolActionPart):
            self._begin = partial(self._parts.action.begin, observation, review.text)
            return Action(BY_CALLS, "", review.text, review.success)
        last = observation.last_run
        if last is not None and review.success and last.outcome == "returned":
            return Action(last.policy, "kept: it worked", review.text, review.success)
        try:
            policy, thought = await self._parts.action.write(observation, review.text, self._advice)
        except ReplyError as error:
            return Action(idle(error), f"no usable answer: {error}", review.text, review.success, IDLE)
        return Action(policy, thought, review.text, review.success)

    @property
    def negotiator(self) -> NegotiatorPart | None:
        """The negotiator part; None if the agent cannot negotiate."""
        return self._parts.negotiator

    async def _review(self, observation: Observation) -> CriticOpinion:
        if self._parts.critic is None or observation.last_run is None:
            return CriticOpinion(None, "")
        if self._reviewed is None or self._reviewed[0] != observation:
            found = await self._parts.critic.review(observation)
            self._tell(Reviewed(found.success, found.text, found.reasoning))
            self._reviewed = observation, found
        return self._reviewed[1]
