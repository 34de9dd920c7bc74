"""The Voyager agent, built from parts, each with its own model. The study uses it without curriculum and library."""

from __future__ import annotations

import json
from dataclasses import dataclass

from contracts import NegotiationMessage, NegotiatorView, Ratification, Sheet
from voyager_agents.agent import Action, Observation, Observer
from voyager_agents.errors import ObservationError, ReplyError
from voyager_agents.models import Model
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.thought_events import Reviewed, Tell, silent
from voyager_agents.voyager.action import ActionPart
from voyager_agents.voyager.critic import CriticOpinion, CriticPart
from voyager_agents.voyager.negotiator import NegotiatorPart


@dataclass(frozen=True)
class VoyagerParts:
    """Parts of a Voyager agent."""

    action: ActionPart
    critic: CriticPart | None
    """Critic; None: no self-critique."""
    negotiator: NegotiatorPart | None
    """Negotiator; None: the agent cannot negotiate."""


def standard_parts(
    model: Model,
    primitives: str,
    *,
    critic: Model | None = None,
    negotiator: Model | None = None,
    prompts: Prompts = STANDARD,
    tell: Tell = silent,
) -> VoyagerParts:
    """Return the parts of an agent of the contracts paper.

    Args:
        model: Default model of all roles.
        primitives: Documentation of the primitives.
        critic: Model of the critic; None: the default model.
        negotiator: Model of the negotiator; None: the default model.
        prompts: Prompts of the parts.
        tell: Recorder of the agent's reasoning.
    """
    return VoyagerParts(
        ActionPart(model, primitives, prompts=prompts, tell=tell),
        CriticPart(critic or model, prompts=prompts),
        NegotiatorPart(negotiator or model, prompts=prompts),
    )


def idle(error: ReplyError) -> str:
    """Return a program for a player whose model wrote none. It raises the reason, which the next prompt shows."""
    why = json.dumps(f"no program was written: {error}".replace("```", ""))
    return f"async function idle(bot) {{\n  throw new Error({why})\n}}\n"


class VoyagerAgent(Observer):
    """Agent that writes a program per episode, and keeps one that ran without an error if the critic approves."""

    def __init__(self, name: str, parts: VoyagerParts, tell: Tell = silent) -> None:
        """Create an agent; `tell` records its reasoning."""
        super().__init__(name)
        self._tell = tell
        self._parts = parts
        self._reviewed: tuple[Observation, CriticOpinion] | None = None

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

        If the model gives no program in several tries, the player stays idle; this counts as the player's own action.
        """
        observation = self._seen()
        review = await self._review(observation)
        last = observation.last_run
        if last is not None and review.success and last.outcome == "returned":
            return Action(last.policy, "kept: it worked", review.text, review.success)
        try:
            policy, thought = await self._parts.action.write(observation, review.text)
        except ReplyError as error:
            policy, thought = idle(error), f"no usable answer: {error}"
        return Action(policy, thought, review.text, review.success)

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        """Return the agent's message at the negotiating table.

        Raises:
            ObservationError: The agent has no negotiator part.
        """
        if self._parts.negotiator is None:
            raise ObservationError(f"{self.name}: this agent has no negotiator part")
        return await self._parts.negotiator.speak(self._seen(), view)

    async def ratify(self, sheet: Sheet) -> Ratification:
        """Return the agent's decision on whether the terms match the agreement.

        Raises:
            ObservationError: The agent has no negotiator part.
        """
        if self._parts.negotiator is None:
            raise ObservationError(f"{self.name}: this agent has no negotiator part")
        return await self._parts.negotiator.ratify(self._seen(), sheet)

    async def _review(self, observation: Observation) -> CriticOpinion:
        if self._parts.critic is None or observation.last_run is None:
            return CriticOpinion(None, "")
        if self._reviewed is None or self._reviewed[0] != observation:
            found = await self._parts.critic.review(observation)
            self._tell(Reviewed(found.success, found.text, found.reasoning))
            self._reviewed = observation, found
        return self._reviewed[1]
