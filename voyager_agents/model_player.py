"""Player of a game in turns that asks a model: what it knows of the game, and what it answered lately.

Before the game it may negotiate (`voyager_agents.voyager.negotiator`). Every later prompt has the agreed terms.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from voyager_agents.agent import Observation
from voyager_agents.asking import Asker
from voyager_agents.context import AgentContext
from voyager_agents.rendering import contract_text
from voyager_agents.voyager.negotiator import ModelNegotiator, NegotiatorPart


class ModelPlayer(ModelNegotiator):
    """Base class of players that ask a model in each turn, and negotiate with a negotiator part."""

    def __init__(
        self,
        context: AgentContext,
        asker: Asker,
        *,
        history: int,
        negotiator: NegotiatorPart | None = None,
    ) -> None:
        """Create the player.

        Args:
            context: Context of the player.
            asker: Access to the model.
            history: Number of own answers that a prompt shows.
            negotiator: Negotiator part; None if the player cannot negotiate.
        """
        super().__init__(context.player)
        self._context, self._asker, self._part = context, asker, negotiator
        self._done: deque[str] = deque(maxlen=history)

    @property
    def negotiator(self) -> NegotiatorPart | None:
        """The negotiator part; None if the player cannot negotiate."""
        return self._part

    def observe(self, observation: Observation) -> None:
        """Store an observation; that of a new game clears the history of answers."""
        super().observe(observation)
        if not observation.played:
            self._done.clear()

    def _known(self) -> Mapping[str, str]:
        """Return the values of a prompt that are constant for the whole game, and the history."""
        known = self._seen()
        return {
            "player": self.name,
            "scenario": "\n\n".join(part for part in (known.scenario.strip(), known.task.strip()) if part),
            "contract": "There is no contract." if known.contract is None else contract_text(known.contract),
            "lately": "\n".join(self._done) or "nothing yet",
        }
